"""Print how sharp, how honest and how fast the estimates of every mechanism are; fail on a missed figure.

    python tests/benchmarks/estimates.py                 everything, some minutes
    python tests/benchmarks/estimates.py error speed     only these parts

The parts: `error`, the mean squared error over its theoretical value, from 100 000 multinomial samples of ten
thousand respondents; `limit`, the variances against the limits of the literature; `coverage`, how often
intervals hold the truth (estimates_coverage.py); `speed`. Seeds are fixed.
"""

import math
import os
import sys
import timeit

import estimates_coverage
import numpy as np

from survey.channel import TOTAL
from survey.design.subset_variance import total_variance
from survey.estimate import estimate_mean, estimate_proportions, numbers_and_values, unbiased_inverse
from survey.mechanisms import (
    coin,
    exponential,
    gaussian,
    hybrid,
    laplace,
    one_bit,
    per_box,
    sampled_box,
    spinner,
    spinner_coin,
    subset,
    wheel,
)  # fmt: skip
from survey.plan import mean_variance, share_variances
from survey.randomize import randomize_many

REPEATS = 100_000
RESPONDENTS = 10_000
BLOCK = 10_000
TOLERANCE = 0.02
ANSWERS = 1_000_000


def line(name, figure, low=-math.inf, high=math.inf):
    """Print a figure and whether it is missed."""
    missed = not low <= figure <= high
    bounds = " and ".join(
        [f"at least {low:g}"] * (low > -math.inf) + [f"at most {high:g}"] * (high < math.inf)
    )
    print(f"{name:74}{figure:>10.4f}  {bounds}{'  MISSED' if missed else ''}", flush=True)
    return missed


def samples(channel, truth, rng):
    """Counts of ten thousand respondents, again and again, in blocks that fit into memory."""
    for _ in range(REPEATS // BLOCK):
        yield rng.multinomial(RESPONDENTS, truth @ channel.probabilities, size=BLOCK)


def shares_error(name, channel, truth):
    """The summed squared error of the shares over its theoretical value."""
    inverse = unbiased_inverse(channel)
    informative = np.ptp(channel.weights, axis=0) > 0
    total, checked = 0.0, False
    for counts in samples(channel, truth, np.random.default_rng(1)):
        estimates = counts @ inverse / counts[:, informative].sum(axis=1, keepdims=True)
        if not checked:  # that this is what estimate_proportions gives
            for index in range(20):
                one = estimate_proportions(channel, counts[index]).proportions
                assert np.allclose(one, estimates[index], atol=1e-10)
            checked = True
        total += ((estimates - truth) ** 2).sum()
    theory = share_variances(channel, truth).sum() / RESPONDENTS
    return line(f"{name}: squared error over theory", total / REPEATS / theory, 1 - TOLERANCE, 1 + TOLERANCE)


def mean_error(name, channel, truth, grid=None):
    """The squared error of the mean over its theoretical value."""
    numbers, values = numbers_and_values(channel, grid)
    mean = truth @ numbers
    total, checked = 0.0, False
    for counts in samples(channel, truth, np.random.default_rng(2)):
        estimates = counts @ values / RESPONDENTS
        if not checked:
            for index in range(20):
                assert math.isclose(
                    estimate_mean(channel, counts[index], grid=grid).mean, estimates[index], abs_tol=1e-9
                )
            checked = True
        total += ((estimates - mean) ** 2).sum()
    chances = truth @ channel.probabilities
    theory = chances @ (values - mean) ** 2 / RESPONDENTS
    return line(f"{name}: squared error over theory", total / REPEATS / theory, 1 - TOLERANCE, 1 + TOLERANCE)


def error():
    """Every mechanism at shares that are neither equal nor special."""
    missed = 0
    for name, channel in {
        "spinner_coin(1)": spinner_coin(1.0),
        "spinner(1)": spinner(1.0),
        "coin()": coin(),
        "wheel(10, 1)": wheel(10, 1.0),
        "wheel(50, 3)": wheel(50, 3.0),
        "subset(10, 1)": subset(10, 1.0),
        "subset(5, 0.5)": subset(5, 0.5),
        "exponential(5, 2)": exponential(5, 2.0),
        "per_box(4, 2)": per_box(4, 2.0),
        "sampled_box(10, 1)": sampled_box(10, 1.0),
    }.items():
        truth = np.arange(1.0, channel.answers + 1)
        missed += shares_error(name, channel, truth / truth.sum())
    truth = np.exp(-(((np.arange(101) - 30) / 20) ** 2))
    truth /= truth.sum()
    for name, channel in {
        "one_bit(0, 100, 1, 1)": one_bit(0, 100, 1, 1.0),
        "laplace(0, 100, 1, 1)": laplace(0, 100, 1, 1.0),
        "gaussian(0, 100, 1, 1, 1e-6)": gaussian(0, 100, 1, 1.0, 1e-6),
        "hybrid(0, 100, 1, 1)": hybrid(0, 100, 1, 1.0),
    }.items():
        missed += mean_error(f"mean, {name}", channel, truth)
    ordered = np.array([0.1, 0.2, 0.4, 0.2, 0.1])
    missed += mean_error("mean position, exponential(5, 1)", exponential(5, 1.0), ordered, np.arange(5))
    return missed


def limit():
    """Variances of the integer channels against formulas and figures of the literature."""
    missed = 0
    for k in (2, 3, 5, 10, 12):
        for epsilon in (0.5, 1.0, 2.0, 3.0):
            equal = np.full(k, 1 / k)
            ours = min(share_variances(make(k, epsilon), equal).sum() for make in (wheel, subset))
            best = min(total_variance(k, epsilon, w) for w in range(1, k))
            missed += line(f"best of wheel and subset over the limit, {k} options, epsilon {epsilon:g}",
                           ours / best, high=1.02)  # fmt: skip
    ours = share_variances(subset(10, 1.0), np.full(10, 0.1)).sum()
    missed += line("n times total variance, 10 options, epsilon 1", ours, 29.95, 30.05)
    for epsilon, figure in {0.5: 16.67, 1.0: 4.289, 2.0: 1.042, 4.0: 0.2190}.items():
        ours = min(mean_variance(make(-1, 1, 0.01, epsilon)) for make in (one_bit, laplace, hybrid))
        missed += line(f"worst variance of the best mean over Hybrid's, epsilon {epsilon:g}",
                       ours / figure, high=1.02)  # fmt: skip
    boxes = share_variances(sampled_box(10, 1.0), [0.7, 0.3])[1]
    missed += line("n times the variance of one of 10 sampled boxes, epsilon 1, share .3", boxes, high=11.6)
    return missed


def speed():
    """A million answers of a ten-option question, and the estimate from their counts."""
    missed = 0
    rng = np.random.default_rng(3)
    answers = rng.integers(0, 10, ANSWERS)
    channel = wheel(10, 1.0)

    def randomized():
        return randomize_many(channel, answers, np.frombuffer(os.urandom(4 * ANSWERS), np.uint32))

    seconds = min(timeit.repeat(randomized, number=1, repeat=5))
    missed += line("seconds to randomize a million answers, wheel(10, 1)", seconds, high=0.5)
    for name, made in {
        "wheel(10, 1)": channel,
        "subset(10, 1)": subset(10, 1.0),
        "wheel(50, 3)": wheel(50, 3.0),
        "exponential(10, 3)": exponential(10, 3.0),
    }.items():
        counts = rng.multinomial(ANSWERS, made.probabilities.mean(axis=0))
        took = 1000 * min(timeit.repeat(lambda: estimate_proportions(made, counts), number=1, repeat=9))  # noqa: B023
        missed += line(f"milliseconds to estimate from a million's counts, {name}", took, high=10)
    words = rng.integers(0, TOTAL, 1000, dtype=np.uint32)
    assert randomize_many(channel, answers[:1000], words).max() < 10
    return missed


PARTS = {
    "error": error,
    "limit": limit,
    "coverage": lambda: estimates_coverage.run(line),
    "speed": speed,
}

if __name__ == "__main__":
    failed = sum(PARTS[name]() for name in sys.argv[1:] or PARTS)
    print(f"{failed} figures missed")
    sys.exit(bool(failed))
