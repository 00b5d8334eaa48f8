"""Print how often the interval of a mean holds the truth at 95 %; fail on a missed figure.

    python tests/benchmarks/means.py

Every mechanism that a mean is shown for, epsilon .5 to 10, 20 to 500 respondents drawn independently from
six populations, 2000 surveys each. No cell's coverage may lie significantly below .92 (one-sided binomial
test at 1e-4), and the median cell must reach .945. Seeds are fixed.

A survey is counted without solving for the ends: the interval holds the truth exactly where the likelihood
ratio at the truth is small enough. That is computed for all surveys of a cell at once, by other code than the
product's. For some surveys of each cell the interval is solved for too, and both must agree.
"""

import itertools
import sys

import numpy as np
from scipy.special import chdtri
from scipy.stats import binom

from survey.estimate import estimate_mean, numbers_and_values
from survey.mechanisms import exponential, gaussian, hybrid, laplace, one_bit

EPSILONS = (0.5, 1.0, 2.0, 4.0, 6.0, 10.0)
RESPONDENTS = (20, 50, 500)
SAMPLES = 2000
SOLVED = 10
ROUNDING = 1e-7
LOWEST, SIGNIFICANCE, MEDIAN = 0.92, 1e-4, 0.945
DROP = float(chdtri(1, 0.05)) / 2
HALVINGS = 45
HALF = 0.5

NUMBERS = {
    "one_bit": one_bit,
    "laplace": laplace,
    "gaussian": lambda *settings: gaussian(*settings, 1e-6),
    "hybrid": hybrid,
}


def designs(epsilon):
    """Every mechanism's channel with its grid: numbers on a coarse and on a fine grid, an ordered choice."""
    for name, points in itertools.product(NUMBERS, (11, 101)):
        yield f"{name} of {points}", NUMBERS[name](0, points - 1, 1, epsilon), None
    yield "exponential of 5", exponential(5, epsilon), np.arange(1.0, 6.0)


def populations(points):
    """Who answers: everything equally often, one end, one end but for 1 % or 10 %, both ends, heaps."""
    ends = np.eye(points)[[0, -1]]
    heaps = np.zeros(points)
    places = np.rint(np.array([0.0, 0.1, 0.2, 0.3, 0.5]) * (points - 1)).astype(int)
    np.add.at(heaps, places, [0.5, 0.125, 0.125, 0.125, 0.125])
    return {
        "uniform": np.full(points, 1 / points),
        "one end": ends[0],
        "99:1": np.array([0.99, 0.01]) @ ends,
        "9:1": np.array([0.9, 0.1]) @ ends,
        "two ends": np.array([0.5, 0.5]) @ ends,
        "heaped": heaps,
    }


def shortfalls(values, counts, means):
    """By how much the greatest log-likelihood falls when the mean is given, for many counts at once.

    With the sign of u - mean chosen so that the reports' mean is above, the log-likelihood falls by the
    greatest sum of counts_y log(1 + m (u_y - mean)) over m from 0 to 1 / (mean - lowest u): bisection of m.
    """
    apart = values - means[:, np.newaxis]
    apart = np.where((counts * apart).sum(axis=1, keepdims=True) < 0, -apart, apart)
    lowest = apart.min(axis=1, keepdims=True)
    impossible = (lowest >= 0) & ((counts * (apart > 0)).sum(axis=1, keepdims=True) > 0)
    low = np.zeros_like(lowest)
    high = (1 - 1e-12) / np.where(lowest < 0, -lowest, np.inf)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        rising = (counts * (apart / (1 + middle * apart))).sum(axis=1, keepdims=True) > 0
        low, high = np.where(rising, middle, low), np.where(rising, high, middle)
    falls = (counts * np.log1p((low + high) / 2 * apart)).sum(axis=1)
    return np.where(impossible[:, 0], np.inf, falls)


def held_by_likelihood(values, counts, truth, low, high):
    """Whether the likelihood-ratio interval of each of many counts holds the true mean."""
    return np.logical_and(*(held_by_an_end(sign, values, counts, truth, low, high) for sign in (-1, 1)))


def held_by_an_end(sign, values, counts, truth, low, high):
    """Whether the low (-1) or the high end (1) leaves the true mean inside, for many counts."""
    counts = counts + HALF * (np.arange(len(values)) == (sign * values).argmax())
    means = counts @ values / counts.sum(axis=1)
    tops = np.clip(means, low, high)
    fallen = np.where(tops == means, 0.0, shortfalls(values, counts, tops))
    near = shortfalls(values, counts, np.full(len(counts), truth)) - fallen <= DROP
    return near | (sign * (truth - tops) <= 0)


def held_by_solving(channel, grid, counts, truth):
    """Whether the interval that the product gives holds the true mean."""
    found = estimate_mean(channel, counts, grid=grid)
    span = np.ptp(numbers_and_values(channel, grid)[0])
    return found.low - ROUNDING * span <= truth <= found.high + ROUNDING * span


def coverage(channel, grid, population, respondents, seed):
    """How many of the surveys hold the truth."""
    numbers, values = numbers_and_values(channel, grid)
    truth = float(population @ numbers)
    rng = np.random.default_rng(seed)
    samples = rng.multinomial(respondents, population @ channel.probabilities, size=SAMPLES)
    counts, times = np.unique(samples, axis=0, return_counts=True)
    if channel.reports == 2:
        held = np.array([held_by_solving(channel, grid, each, truth) for each in counts])
    else:
        held = held_by_likelihood(values, counts, truth, numbers.min(), numbers.max())
        for each, expected in list(zip(counts, held, strict=True))[:: -(-len(counts) // SOLVED)]:
            assert held_by_solving(channel, grid, each, truth) == expected, (each.tolist(), truth)
    return int(times[held].sum())


def main():
    """Print the table, a line for each design and epsilon with its worst cell; fail on a missed figure."""
    found, missed = [], 0
    print(f"{'design':18}{'epsilon':>8}{'worst':>8}  {'where':28}{'median':>8}")
    for epsilon in EPSILONS:
        for seed, (name, channel, grid) in enumerate(designs(epsilon)):
            here = {
                f"{people}, n = {n}": coverage(channel, grid, population, n, seed)
                for people, population in populations(channel.answers).items()
                for n in RESPONDENTS
            }
            place = min(here, key=here.get)
            too_low = [cell for cell in here if binom.cdf(here[cell], SAMPLES, LOWEST) < SIGNIFICANCE]
            shares = np.array(list(here.values())) / SAMPLES
            print(
                f"{name:18}{epsilon:>8g}{shares.min():>8.4f}  {place:28}{np.median(shares):>8.4f}"
                f"{'  MISSED ' * bool(too_low)}{'; '.join(too_low)}",
                flush=True,
            )
            missed += len(too_low)
            found.extend(shares)
    print(f"{len(found)} cells: worst {min(found):.4f}, median {np.median(found):.4f} (at least {MEDIAN:g})")
    return int(missed > 0 or np.median(found) < MEDIAN)


if __name__ == "__main__":
    sys.exit(main())
