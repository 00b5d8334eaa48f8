"""The distribution, the median and the quantiles of a number, where its mechanism leaves more than a mean."""

import numpy as np
import pytest

from survey.estimate import estimate_distribution, estimate_quantiles
from survey.estimate.bins import bin_starts, binned
from survey.figures import Precision
from survey.figures.numbers import number_figures
from survey.mechanisms import gaussian, hybrid, laplace, one_bit

POINTS = np.arange(101)
TRUTH = np.exp(-(((POINTS - 35) / 15) ** 2))
TRUTH /= TRUTH.sum()


def expected_counts(channel, n=10**6):
    return np.rint(n * (TRUTH @ channel.probabilities)).astype(np.int64)


@pytest.mark.parametrize(
    "channel",
    [laplace(0, 100, 1, 2.0), hybrid(0, 100, 1, 2.0), gaussian(0, 100, 1, 4.0, 1e-6)],
    ids=["laplace", "hybrid", "gaussian"],
)
def test_quantiles_are_found_and_held_by_their_intervals(channel):
    counts = np.random.default_rng(3).multinomial(20_000, TRUTH @ channel.probabilities)
    for found, true in zip(estimate_quantiles(channel, counts, (0.25, 0.5, 0.75)), (28, 35, 42), strict=True):
        assert found.low <= true <= found.high
        assert found.low <= found.value <= found.high
        assert abs(found.value - true) <= 10


def test_the_shares_of_the_bins_are_found():
    channel = laplace(0, 100, 1, 6.0)
    found = estimate_distribution(channel, expected_counts(channel), bins=5)
    starts = np.rint(found.first).astype(int)
    assert found.proportions == pytest.approx(np.add.reduceat(TRUTH, starts), abs=0.03)
    assert found.last[-1] == 100
    assert (found.last[:-1] + 1 == found.first[1:]).all()
    assert found.people == pytest.approx(found.proportions * found.respondents)
    assert None not in found.intervals
    assert found.notices == ()
    for share, interval in zip(found.proportions, found.intervals, strict=True):
        assert 0 <= interval.low <= share <= interval.high <= 1


def test_the_bins_share_the_grid_and_their_chances_are_means():
    channel = laplace(0, 100, 1, 1.0)
    starts = bin_starts(channel, 20)
    assert (starts[0], starts[-1], len(starts)) == (0, 101, 21)
    assert set(np.diff(starts)) == {5, 6}
    assert binned(channel, starts)[0] == pytest.approx(channel.probabilities[:5].mean(axis=0))


def test_there_are_fewer_bins_where_the_reports_tell_fewer_apart():
    assert len(bin_starts(laplace(0, 4, 1, 1.0), 20)) == 6
    assert len(bin_starts(gaussian(0, 100, 1, 0.5, 1e-6), 20)) < 6


def test_more_respondents_never_widen_the_interval_of_the_median_much():
    channel = laplace(0, 100, 1, 2.0)
    few, many = (estimate_quantiles(channel, expected_counts(channel, n))[0] for n in (1000, 10**6))
    assert many.high - many.low < few.high - few.low


def test_of_one_bit_only_the_mean_is_known():
    for function in (estimate_distribution, estimate_quantiles):
        with pytest.raises(ValueError, match="of one bit only the mean can be found"):
            function(one_bit(0, 10, 1, 1.0), [10, 20])


def test_nobody_has_answered():
    channel = laplace(0, 10, 1, 1.0)
    nobody = np.zeros(11, int)
    found = estimate_distribution(channel, nobody)
    assert found.proportions == pytest.approx(np.full(11, 1 / 11))
    assert set(found.intervals) == {None}
    assert [notice.code for notice in found.notices] == ["no_respondents"]
    median = estimate_quantiles(channel, nobody)[0]
    assert (median.value, median.low, median.high) == (5, None, None)


HEAPED = np.zeros(101)
HEAPED[[0, 10, 20, 30, 50]] = 0.5, 0.125, 0.125, 0.125, 0.125
MECHANISMS = {
    "laplace": laplace(0, 100, 1, 4.0),
    "hybrid": hybrid(0, 100, 1, 4.0),
    "gaussian": gaussian(0, 100, 1, 4.0, 1e-6),
}
every_mechanism = pytest.mark.parametrize("channel", MECHANISMS.values(), ids=MECHANISMS)


@every_mechanism
def test_people_who_round_are_within_every_interval_that_is_shown(channel):
    # Assuming that the points of a bin are equally frequent, the first bin was held 0 to 12 times in 100.
    rng = np.random.default_rng(1)
    shown = held = 0
    for counts in rng.multinomial(20_000, HEAPED @ channel.probabilities, size=4):
        found = estimate_distribution(channel, counts)
        truth = np.add.reduceat(HEAPED, np.searchsorted(channel.grid, found.first))
        for share, interval in zip(truth, found.intervals, strict=True):
            if interval is not None:
                shown += 1
                held += interval.low <= share <= interval.high
                assert interval.high - interval.low < 0.3
        for each, true in zip(
            estimate_quantiles(channel, counts, (0.25, 0.5, 0.75)), (0, 0, 20), strict=True
        ):
            assert each.low is None or each.low <= true <= each.high
    assert shown > 0
    assert held / shown > 0.93


def test_where_few_have_answered_the_shares_stand_alone_and_say_what_they_assume():
    channel = laplace(0, 100, 1, 1.0)
    counts = np.random.default_rng(1).multinomial(50, TRUTH @ channel.probabilities)
    found = estimate_distribution(channel, counts)
    assert set(found.intervals) == {None}
    assert [notice.code for notice in found.notices] == ["neighbours"]
    assert found.proportions.sum() == pytest.approx(1)


def test_where_the_reports_deny_the_assumption_the_distribution_says_so():
    channel = laplace(0, 100, 1, 8.0)
    tens = channel.probabilities[[0, 10, 20, 30, 50]].mean(axis=0)
    found = estimate_distribution(channel, np.rint(10**6 * tens).astype(np.int64))
    assert "uneven" in [notice.code for notice in found.notices]
    assert not found.intervals[0].low <= found.proportions[0] <= found.intervals[0].high
    assert found.intervals[0].low <= 0.2 <= found.intervals[0].high


def test_a_median_that_could_be_anywhere_has_no_interval():
    channel = gaussian(0, 100, 1, 0.5, 1e-6)
    counts = np.random.default_rng(1).multinomial(20, TRUTH @ channel.probabilities)
    (median,) = estimate_quantiles(channel, counts)
    assert (median.low, median.high) == (None, None)
    assert 0 <= median.value <= 100


@pytest.mark.parametrize("probability", [0, 1, -0.1, 1.5, float("nan")])
def test_a_quantile_that_is_none_is_refused(probability):
    with pytest.raises(ValueError, match="probabilities must be numbers between 0 and 1, got "):
        estimate_quantiles(laplace(0, 10, 1, 1.0), np.ones(11, int), (0.5, probability))


@pytest.mark.parametrize("bins", [1, 21, 2.5, True])
def test_another_number_of_bins_is_refused(bins):
    with pytest.raises(ValueError, match="bins must be a whole number from 2 to 20"):
        estimate_distribution(laplace(0, 10, 1, 1.0), np.ones(11, int), bins=bins)


def test_grids_of_equal_weights_keep_apart_what_is_kept_of_them():
    # The weights hang on the number of points alone; so would a key, if the grid were not part of it.
    tens, ones = laplace(0, 100, 10, 1.0), laplace(0, 10, 1, 1.0)
    assert np.array_equal(tens.weights, ones.weights)
    assert tens != ones
    counts = np.arange(1, 12)
    found = [
        number_figures(channel, tuple(counts.tolist()), Precision(0.95, "exact")) for channel in (ones, tens)
    ]
    assert found[1].mean.value == pytest.approx(10 * found[0].mean.value)
