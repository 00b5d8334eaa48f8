"""How often the intervals hold the truth, by exact enumeration; tests/benchmarks/coverage.py does it all."""

import math
from itertools import combinations_with_replacement

import numpy as np
import pytest
from scipy.stats import binom, multinomial

from survey.interval import proportion_intervals
from survey.mechanisms import exponential, spinner_coin

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


@pytest.mark.parametrize(
    ("categories", "epsilon", "n"),
    [(3, 4, 5), (3, 6, 1), (3, 6, 5), (3, 10, 5), (3, 6, 12), (4, 6, 5), (4, 10, 4)],
)
def test_shares_through_the_exponential_mechanism_are_held_95_times_in_100_by_few_respondents(
    categories, epsilon, n
):
    channel = exponential(categories, epsilon)
    sent = [np.bincount(reports, minlength=categories)
            for reports in combinations_with_replacement(range(categories), n)]  # fmt: skip
    ends = np.array(
        [[(each.low, each.high) for each in proportion_intervals(channel, counts)] for counts in sent]
    )
    low, high = ends[..., 0], ends[..., 1]
    # Coverage jumps at the ends of the intervals; all the others have one answer, or the shares are equal.
    corners = np.eye(categories)
    for answer in range((categories + 1) // 2):
        beside = [end + step for end in ends[:, answer].ravel() for step in (-1e-6, 1e-6)]
        shares = np.unique(np.round([*GRID, *beside], 7).clip(0, 1))
        rest = [other for other in corners if not other[answer]]
        for other in (*rest, np.mean(rest, axis=0)):
            truth = np.outer(shares, corners[answer]) + np.outer(1 - shares, other)
            chances = multinomial.pmf(sent, n, (truth @ channel.probabilities)[:, np.newaxis])
            held = (low[:, answer] <= shares[:, np.newaxis]) & (shares[:, np.newaxis] <= high[:, answer])
            assert (chances * held).sum(axis=1).min() >= 0.95
