"""The band for people who leave over a result: the extremes over all sets of results, and what it holds."""

import itertools

import numpy as np
import pytest
from scipy.stats import chi2

from survey.channel import Channel
from survey.crosstab import pool_strata, pooled_band
from survey.estimate import estimate_mean, estimate_proportions, numbers_and_values, unbiased_inverse
from survey.interval import proportion_intervals
from survey.interval.leaving_band import (
    LEAVING,
    lowest_mean,
    mean_band,
    number_band,
    share_bands,
    share_drawn,
    share_sent,
)
from survey.interval.saturated_likelihood import shortfall
from survey.mechanisms import (
    coin,
    designed,
    exponential,
    hybrid,
    laplace,
    one_bit,
    sampled_box,
    spinner_coin,
    subset,
    wheel,
)


def reweighted(values, counts):
    """The mean of the values over what chance gave, for every set of results over which one in ten left."""
    more = LEAVING / (1 - LEAVING)
    sent = counts / counts.sum()
    for left in itertools.product((0, 1), repeat=len(values)):
        weights = 1 + more * np.array(left)
        yield float(sent * values @ weights / (sent @ weights))


def extremes(values, counts):
    """The band of a mean in [0, 1] without any sampling error."""
    return lowest_mean(values, counts, 1e-16), 1 - lowest_mean(1 - values, counts, 1e-16)


@pytest.mark.parametrize("seed", range(40))
def test_over_all_sets_of_results_the_extremes_are_those_of_a_threshold(seed):
    rng = np.random.default_rng(seed)
    reports = int(rng.integers(2, 9))
    values, counts = rng.uniform(-0.5, 1.5, reports), rng.integers(1, 60, reports)
    means = np.array([*reweighted(values, counts)])
    expected = np.clip([means.min(), means.max()], 0, 1)
    assert extremes(values, counts) == pytest.approx(expected, abs=1e-7)


def test_any_part_up_to_a_tenth_of_each_result_stays_within_them():
    rng = np.random.default_rng(1)
    values, counts = rng.uniform(-0.5, 1.5, 6), rng.integers(5, 60, 6)
    low, high = extremes(values, counts)
    for left in rng.uniform(0, LEAVING, (500, 6)):
        drawn = counts / (1 - left)
        assert low - 1e-7 <= values @ drawn / drawn.sum() <= high + 1e-7


@pytest.mark.parametrize("channel", [wheel(4, 1.5), subset(5, 1.0)], ids=["wheel", "subset"])
def test_the_formula_of_a_share_gives_the_extremes_over_all_sets(channel):
    counts = np.arange(20, 20 + 3 * channel.reports, 3)
    shares = estimate_proportions(channel, counts).proportions.tolist()
    bands = share_bands(channel, counts, [(share, share) for share in shares], 0.95)
    for values, band in zip(unbiased_inverse(channel).T, bands, strict=True):
        if channel.reports <= 5:
            means = [*reweighted(values, counts)]
        else:  # whole numbers leave subsets with values that differ a little: thresholds stand for all sets
            means = [mean for cut in values for mean in threshold_means(values, counts, cut)]
        # Where people leave over what speaks for others, this result's own share is what was sent of it.
        assert band == pytest.approx((max(min(means), 0), min(max(means), 1)), abs=1e-6)


def threshold_means(values, counts, cut):
    more = LEAVING / (1 - LEAVING)
    for chosen in (values <= cut, values >= cut):
        weights = counts * (1 + more * chosen)
        yield float(values @ weights / weights.sum())


def test_results_of_which_one_in_ten_leaves_are_brought_back():
    assert share_drawn(share_sent(0.3)) == pytest.approx(0.3)
    assert share_sent(0.3) == pytest.approx(0.3 * 0.9 / 0.97)


def test_of_no_and_yes_people_leave_over_yes_alone():
    counts = [1300, 700]
    intervals = [(each.low, each.high) for each in proportion_intervals(coin(), counts)]
    no, yes = share_bands(coin(), counts, intervals, 0.95)
    assert yes[0] == intervals[1][0]
    # Of 1 yes report in 4 + 1/2 of the share chance gave more: Q = Q' / (1 - f (1 - Q')).
    sent = 0.25 + 0.5 * intervals[1][1]
    assert yes[1] == pytest.approx((sent / (1 - 0.1 * (1 - sent)) - 0.25) / 0.5)
    assert no == pytest.approx((1 - yes[1], 1 - yes[0]))


def test_a_box_that_was_not_sampled_says_nothing():
    channel = sampled_box(10, 1.0)
    intervals = [(each.low, each.high) for each in proportion_intervals(channel, [300, 200, 1000])]
    bands = [share_bands(channel, [300, 200, apart], intervals, 0.95) for apart in (0, 1000)]
    assert bands[0] == bands[1]


@pytest.mark.parametrize(
    "channel",
    [laplace(5, 15, 1, 1.0), hybrid(5, 15, 1, 2.0), one_bit(5, 15, 1, 1.0)],
    ids=["laplace", "hybrid", "one_bit"],
)
def test_the_band_of_a_mean_lies_about_its_interval(channel):
    counts = np.random.default_rng(3).multinomial(800, channel.probabilities[4])
    found = estimate_mean(channel, counts)
    low, high = number_band(channel, counts, (found.low, found.high), 0.95)
    assert 5 <= low < found.low < found.high < high <= 15
    assert number_band(channel, counts, (5, 15), 0.95) == pytest.approx((5, 15))  # none is narrower
    # With ever more people the interval is the mean alone, and what is left are the extremes.
    many = counts * 10**8
    exact = estimate_mean(channel, many)
    low, high = number_band(channel, many, (exact.low, exact.high), 0.95)
    values = numbers_and_values(channel, None)[1]
    means = [mean for cut in values for mean in threshold_means(values, counts, cut)]
    assert (low, high) == pytest.approx((min(means), max(means)), abs=2e-4)


@pytest.mark.parametrize("channel", [exponential(4, 1.5), designed(4, 1.5)], ids=["exponential", "designed"])
def test_where_no_count_is_binomial_the_band_contains_the_interval(channel):
    counts = np.random.default_rng(5).multinomial(800, channel.probabilities.mean(axis=0))
    intervals = [(each.low, each.high) for each in proportion_intervals(channel, counts)]
    for (low, high), (inner_low, inner_high) in zip(
        share_bands(channel, counts, intervals, 0.95), intervals, strict=True
    ):
        assert 0 <= low <= inner_low < inner_high <= high <= 1
        assert (low, high) != (inner_low, inner_high)


def test_the_band_of_a_mean_ends_where_the_likelihood_has_fallen_by_the_quantile():
    values, counts = np.array([-0.2, 0.3, 0.6, 1.1]), np.array([20, 40, 30, 10])
    low, high = mean_band(values, counts, 0.95, 0.5)
    for side, end in ((values, low), (1 - values, 1 - high)):
        apart = (side - end) / np.where(side < end, 1 - LEAVING, 1)
        received = counts + 0.5 * (side == side.min())
        assert 2 * shortfall(apart, received, 0.0) == pytest.approx(chi2.ppf(0.95, 1))


def test_a_mean_that_is_told_by_one_bit_has_the_band_of_a_share_and_stays_on_the_grid():
    channel, counts = one_bit(5, 15, 1, 1.0), [300, 500]
    yes_no = Channel(channel.weights[[0, -1]])
    (_, (_, high)) = share_bands(yes_no, counts, [(0.5, 0.8), (0.2, 0.5)], 0.95)
    assert number_band(channel, counts, (7, 10), 0.95)[1] == pytest.approx(5 + 10 * high)
    assert number_band(channel, counts, (7, 15), 0.95)[1] == 15


def test_nobody_tells_anything_of_leaving_and_a_single_report_does():
    assert share_bands(coin(), [0, 0], [(0, 1), (0, 1)], 0.95) == [(0, 1), (0, 1)]
    assert share_bands(coin(), [1, 0], [(0.5, 1), (0, 0.5)], 0.95)[1][1] > 0.5
    number, nobody = laplace(0, 10, 1, 1.0), np.zeros(11, int)
    assert number_band(number, nobody, (4, 6), 0.95) == (4, 6)
    assert number_band(number, nobody + np.eye(11, dtype=int)[5], (4, 6), 0.95) == (0, 10)


def test_only_strata_in_which_a_result_is_seen_first_widen_the_pooled_band():
    strata = [(spinner_coin(2.0), [700, 300]), (coin(), [60, 40])]
    pooled = pool_strata(strata, 1)
    nobody, coins, both = (
        pooled_band(strata, seen) for seen in ((False, False), (False, True), (True, True))
    )
    assert nobody == (pooled.low, pooled.high)
    assert nobody[0] == coins[0] == both[0]
    assert nobody[1] < coins[1] < both[1]
    # Of many people: each stratum's own share of yes, brought back, and weighted as before.
    many = [(channel, [10**6 * count for count in counts]) for channel, counts in strata]
    drawn = []
    for channel, counts in many:
        share = estimate_proportions(channel, counts).proportions[1]
        drawn.append(share_bands(channel, counts, [(0, 0), (share, share)], 0.95)[1][1])
    shares = [estimate_proportions(*stratum).proportions[1] for stratum in many]
    weight = (pool_strata(many, 1).proportion - shares[1]) / (shares[0] - shares[1])
    assert pooled_band(many, (True, True))[1] == pytest.approx(
        weight * drawn[0] + (1 - weight) * drawn[1], abs=1e-4
    )


SURVEYS = 1500


def surveys(share, epsilon, leaving, seed):
    """Counts of no and yes in many surveys of 2000 people; nobody leaves, or one in ten of those named."""
    rng = np.random.default_rng(seed)
    chance = float(np.array([1 - share, share]) @ spinner_coin(epsilon).probabilities[:, 1])
    yes = rng.binomial(2000, chance, SURVEYS)
    no = 2000 - yes
    if leaving == "over yes":
        yes = rng.binomial(yes, 1 - LEAVING)
    elif leaving == "over anything":
        yes, no = rng.binomial(yes, 1 - LEAVING), rng.binomial(no, 1 - LEAVING)
    return np.column_stack([no, yes])


EACH = pytest.mark.parametrize(
    ("share", "epsilon"), [*itertools.product((0.05, 0.2, 0.5), (0.9, 2.0))], ids=str
)


@EACH
@pytest.mark.parametrize("leaving", ["nobody", "over anything", "over yes"])
def test_the_band_holds_the_share_whoever_leaves_over_a_yes(share, epsilon, leaving):
    """Each case fails by chance less than once in 10^5 runs: it is 4.4 deviations of .0056 below .95."""
    channel = spinner_coin(epsilon)
    counts, times = np.unique(surveys(share, epsilon, leaving, 7), axis=0, return_counts=True)
    held = 0
    for each, often in zip(counts, times, strict=True):
        intervals = [(found.low, found.high) for found in proportion_intervals(channel, each)]
        low, high = share_bands(channel, each, intervals, 0.95)[1]
        held += int(often) * (low <= share <= high)
    assert held / SURVEYS >= 0.95 - 4.4 * 0.0056


@EACH
def test_where_a_result_is_shown_afterwards_the_estimate_is_under_half_a_point_off(share, epsilon):
    """Fails by chance less than once in 10^9 runs: half a point is 6 deviations of the surveys' mean."""
    channel = spinner_coin(epsilon)
    for leaving in ("nobody", "over anything"):
        counts = surveys(share, epsilon, leaving, 11)
        estimates = [estimate_proportions(channel, each).proportions[1] for each in counts]
        assert abs(np.mean(estimates) - share) < 0.005
    seen = surveys(share, epsilon, "over yes", 11)
    wrong = np.mean([estimate_proportions(channel, each).proportions[1] for each in seen]) - share
    assert wrong < -0.015  # 14 % where 20 % is true, at epsilon .9
