"""People who leave over the result that they see: what it costs, and what the band holds.

    python tests/benchmarks/leaving.py     2 min

Of 2000 people, one in ten of those who see a Yes before they send it leave. Of 20,000 such surveys each, at
shares .05, .2 and .5 and epsilon .9 and 2, the estimate, the 95 % interval and the band are printed; and the
same where all is seen afterwards, so that nobody leaves, or one in ten whatever came out. It is an error if
the latter is half a point off or more, or if the band holds the truth in under .95. The standard error of a
coverage is .0015. The same of means and of the options of a wheel, whatever people leave over, in 2000.
"""

import itertools
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from survey.estimate import estimate_mean, estimate_proportions, unbiased_inverse
from survey.interval import proportion_intervals
from survey.interval.leaving_band import LEAVING, number_band, share_bands
from survey.mechanisms import exponential, hybrid, laplace, one_bit, spinner_coin, wheel

PEOPLE, SURVEYS, FEWER = 2000, 20_000, 2000
SHARES, EPSILONS = (0.05, 0.2, 0.5), (0.9, 2.0)
LOWEST, HALF_A_POINT = 0.95, 0.005


def main():
    """Print both tables; return 1 if a figure is missed."""
    rng = np.random.default_rng(1)
    fine = all([*yes_no(rng), *others(rng)])
    return 0 if fine else 1


def yes_no(rng):
    """Shares of yes; yield whether each case keeps its figures."""
    print(f"{'share':>6}{'epsilon':>9}{'left over':>12}{'estimate':>10}{'interval':>10}{'band':>8}")
    for share, epsilon in itertools.product(SHARES, EPSILONS):
        channel = spinner_coin(epsilon)
        chance = float(np.array([1 - share, share]) @ channel.probabilities[:, 1])
        for leaving, stay in {"nothing": (1, 1), "anything": (0.9, 0.9), "yes": (1, 1 - LEAVING)}.items():
            drawn = rng.binomial(PEOPLE, chance, SURVEYS)
            sent = np.column_stack([rng.binomial(PEOPLE - drawn, stay[0]), rng.binomial(drawn, stay[1])])
            estimate, inside, banded = tallied(channel, sent, share, 1)
            print(f"{share:6}{epsilon:9}{leaving:>12}{estimate:10.4f}{inside:10.4f}{banded:8.4f}")
            yield banded >= LOWEST and (leaving == "yes" or abs(estimate - share) < HALF_A_POINT)


def tallied(channel, surveys, share, answer):
    """Return the mean estimate of an answer's share, and how often interval and band hold it."""
    sums = np.zeros(3)
    for counts, times in zip(*np.unique(surveys, axis=0, return_counts=True), strict=True):
        found = [(each.low, each.high) for each in proportion_intervals(channel, counts)]
        band = share_bands(channel, counts, found, 0.95)[answer]
        estimate = estimate_proportions(channel, counts).proportions[answer]
        sums += times * np.array([estimate, held(found[answer], share), held(band, share)])
    return sums / len(surveys)


def held(ends, truth):
    """Whether a truth lies within."""
    return ends[0] - 1e-9 <= truth <= ends[1] + 1e-9


def others(rng):
    """Options and means where people leave over the results that lower the estimate most."""
    print(f"\n{'estimate':24}{'left over':>12}{'interval':>10}{'band':>8}")
    for name, channel in {"option of a wheel": wheel(4, 2.0), "ordered choice": exponential(4, 2.0)}.items():
        truth = np.array([0.4, 0.3, 0.2, 0.1])
        adds = unbiased_inverse(channel)[:, 0]
        for leaving, sent in left(rng, channel, truth, adds):
            _, inside, banded = tallied(channel, sent, truth[0], 0)
            print(f"{name:24}{leaving:>12}{inside:10.4f}{banded:8.4f}")
            yield banded >= LOWEST - 3 * 0.005
    for mechanism in (laplace, hybrid, one_bit):
        channel = mechanism(0, 10, 1, 1.0)
        truth = np.exp(-np.arange(11) / 3)
        truth /= truth.sum()
        mean = float(truth @ channel.grid)
        for leaving, sent in left(rng, channel, truth, channel.values):
            inside = banded = 0
            for counts in sent:
                found = estimate_mean(channel, counts)
                inside += held((found.low, found.high), mean)
                banded += held(number_band(channel, counts, (found.low, found.high), 0.95), mean)
            name = f"mean, {mechanism.__name__}"
            print(f"{name:24}{leaving:>12}{inside / FEWER:10.4f}{banded / FEWER:8.4f}")
            yield banded / FEWER >= LOWEST - 3 * 0.005


def left(rng, channel, truth, adds):
    """Yield counts where nobody left, or one in ten over results that add more, or less, than the mean."""
    chances = truth @ channel.probabilities
    mean = float(chances @ adds)
    for name, over in {
        "nothing": np.zeros(len(adds), bool),
        "more": adds > mean,
        "less": adds < mean,
    }.items():
        yield name, rng.binomial(rng.multinomial(PEOPLE, chances, FEWER), 1 - LEAVING * over)


if __name__ == "__main__":
    sys.exit(main())
