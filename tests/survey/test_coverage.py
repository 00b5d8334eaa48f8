"""How often the intervals hold the truth, by exact enumeration; tests/benchmarks/coverage.py does it all."""

import math

import numpy as np
import pytest
from scipy.stats import binom

from survey.interval import proportion_intervals
from survey.mechanisms import spinner_coin

GRID = np.linspace(0, 1, 101)


def coverage(n, epsilon, method, proportions):
    """The chance that the interval holds the true proportion, for each proportion."""
    channel = spinner_coin(epsilon)
    intervals = [proportion_intervals(channel, [n - yes, yes], 0.95, method)[1] for yes in range(n + 1)]
    low, high = np.array([(interval.low, interval.high) for interval in intervals]).T
    chances = channel.probabilities[0, 1] + np.outer(
        proportions, channel.probabilities[1, 1] - channel.probabilities[0, 1]
    )
    held = (low <= proportions[:, np.newaxis]) & (proportions[:, np.newaxis] <= high)
    return (binom.pmf(np.arange(n + 1), n, chances) * held).sum(axis=1), np.unique([low, high])


@pytest.mark.parametrize("n", [1, 5, 20, 50])
@pytest.mark.parametrize("epsilon", [0.5, math.log(3), 4.0])
def test_exact_holds_every_proportion_at_least_95_times_in_100(n, epsilon):
    covered, ends = coverage(n, epsilon, "exact", GRID)
    assert covered.min() >= 0.95 - 1e-9
    # Coverage jumps at the ends of the intervals: it is least at one of them or just beside it.
    at_ends, _ = coverage(n, epsilon, "exact", np.concatenate([ends, ends - 1e-7, ends + 1e-7]).clip(0, 1))
    assert at_ends.min() >= 0.95 - 1e-9


@pytest.mark.parametrize("epsilon", [0.5, math.log(3), 4.0])
def test_exact_is_hardly_wider_than_it_must_be(epsilon):
    covered, _ = coverage(20, epsilon, "exact", GRID)
    assert covered.mean() <= 0.975


@pytest.mark.parametrize("epsilon", [0.5, math.log(3), 4.0])
def test_likelihood_ratio_holds_every_proportion_at_least_92_times_in_100_from_100_respondents(epsilon):
    covered, _ = coverage(100, epsilon, "likelihood_ratio", GRID)
    assert covered.min() >= 0.92
