"""The median and the quantiles of a number, where its mechanism leaves more than a mean."""

import numpy as np
import pytest

from survey.estimate import estimate_quantiles
from survey.estimate.bins import bin_starts, binned
from survey.figures.numbers import number_figures
from survey.figures.shares import Precision
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


def test_the_bins_share_the_grid_and_their_chances_are_means():
    channel = laplace(0, 100, 1, 1.0)
    starts = bin_starts(channel)
    assert (starts[0], starts[-1], len(starts)) == (0, 101, 21)
    assert set(np.diff(starts)) == {5, 6}
    assert binned(channel, starts)[0] == pytest.approx(channel.probabilities[:5].mean(axis=0))


def test_there_are_fewer_bins_where_the_reports_tell_fewer_apart():
    assert len(bin_starts(laplace(0, 4, 1, 1.0))) == 6
    assert len(bin_starts(gaussian(0, 100, 1, 0.5, 1e-6))) < 6


def test_more_respondents_never_widen_the_interval_of_the_median_much():
    channel = laplace(0, 100, 1, 2.0)
    few, many = (estimate_quantiles(channel, expected_counts(channel, n))[0] for n in (1000, 10**6))
    assert many.high - many.low < few.high - few.low


def test_of_one_bit_only_the_mean_is_known():
    with pytest.raises(ValueError, match="more than the mean, as reports of one bit do not"):
        estimate_quantiles(one_bit(0, 10, 1, 1.0), [10, 20])


def test_of_nobody_no_quantile_is_known():
    assert estimate_quantiles(laplace(0, 10, 1, 1.0), np.zeros(11, int)) == []


HEAPED = np.zeros(101)
HEAPED[[0, 10, 20, 30, 50]] = 0.5, 0.125, 0.125, 0.125, 0.125
MECHANISMS = {
    "laplace": laplace(0, 100, 1, 4.0),
    "hybrid": hybrid(0, 100, 1, 4.0),
    "gaussian": gaussian(0, 100, 1, 4.0, 1e-6),
}
every_mechanism = pytest.mark.parametrize("channel", MECHANISMS.values(), ids=MECHANISMS)


@every_mechanism
def test_the_quartiles_of_people_who_round_are_within_their_intervals(channel):
    rng = np.random.default_rng(1)
    for counts in rng.multinomial(20_000, HEAPED @ channel.probabilities, size=4):
        for quantile, true in zip(
            estimate_quantiles(channel, counts, (0.25, 0.5, 0.75)), (0, 0, 20), strict=True
        ):
            assert quantile.low <= true <= quantile.high


def test_a_median_that_could_be_anywhere_is_not_estimated():
    channel = gaussian(0, 100, 1, 0.5, 1e-6)
    counts = np.random.default_rng(1).multinomial(20, TRUTH @ channel.probabilities)
    assert estimate_quantiles(channel, counts) == []


@pytest.mark.parametrize("probability", [0, 1, -0.1, 1.5, float("nan")])
def test_a_quantile_that_is_none_is_refused(probability):
    with pytest.raises(ValueError, match="probabilities must be numbers between 0 and 1, got "):
        estimate_quantiles(laplace(0, 10, 1, 1.0), np.ones(11, int), (0.5, probability))


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
