"""The mean of a number: unbiased under every mechanism, with an interval inside the grid."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from survey.channel import TOTAL, Channel
from survey.estimate import estimate_mean
from survey.interval import proportion_intervals
from survey.interval.saturated_likelihood import shortfall
from survey.mechanisms import exponential, gaussian, hybrid, laplace, one_bit, spinner_coin, wheel

NUMBERS = {
    "one_bit": one_bit(0, 10, 1, 1.0),
    "laplace": laplace(0, 10, 1, 1.0),
    "gaussian": gaussian(0, 10, 1, 1.0, 1e-6),
    "hybrid": hybrid(0, 10, 1, 2.0),
}
every_number = pytest.mark.parametrize("channel", NUMBERS.values(), ids=NUMBERS)


@every_number
def test_the_expected_mean_is_the_answer(channel):
    for answer in range(channel.answers):
        # A billion times the chances are counts without chance in them.
        counts = np.rint(10**9 * channel.probabilities[answer]).astype(np.int64)
        assert estimate_mean(channel, counts).mean == pytest.approx(answer, abs=1e-5)


@every_number
def test_the_standard_error_is_the_deviation_of_the_reports_values_over_root_n(channel):
    counts = np.random.default_rng(1).multinomial(1000, channel.probabilities.mean(axis=0))
    found = estimate_mean(channel, counts)
    values = np.repeat(channel.values, counts)
    assert found.respondents == 1000
    assert found.mean == pytest.approx(values.mean())
    assert found.standard_error == pytest.approx(values.std() / math.sqrt(1000))


@pytest.mark.parametrize("name", ["laplace", "gaussian", "hybrid"])
def test_at_the_ends_of_the_interval_the_likelihood_has_fallen_by_half_the_chi_square_quantile(name):
    channel = NUMBERS[name]
    counts = np.random.default_rng(1).multinomial(1000, channel.probabilities[3])
    found = estimate_mean(channel, counts)
    assert found.method == "likelihood_ratio"
    for end, extreme in ((found.low, channel.values.argmin()), (found.high, channel.values.argmax())):
        # Half a report more of the end's own extreme value corrects for whole numbers.
        more = counts + 0.5 * (np.arange(channel.reports) == extreme)
        assert shortfall(channel.values, more, end) == pytest.approx(3.841458820694124 / 2, abs=1e-4)


@pytest.mark.parametrize("name", ["laplace", "gaussian", "hybrid"])
def test_of_many_varied_reports_the_interval_is_the_normal_one(name):
    channel = NUMBERS[name]
    counts = np.random.default_rng(1).multinomial(10**6, channel.probabilities[3])
    found = estimate_mean(channel, counts)
    margin = 1.959963984540054 * found.standard_error
    assert (found.low, found.high) == pytest.approx(
        (found.mean - margin, found.mean + margin), abs=margin / 50
    )


@pytest.mark.parametrize(("epsilon", "respondents"), [(6.0, 20), (10.0, 20), (10.0, 500)])
def test_where_one_of_a_hundred_is_at_the_other_end_the_interval_holds_the_mean(epsilon, respondents):
    # The normal interval held .74, .21 and .90 of the surveys.
    channel = hybrid(0, 10, 1, epsilon)
    truth = 0.99 * channel.probabilities[0] + 0.01 * channel.probabilities[-1]
    samples = np.random.default_rng(1).multinomial(respondents, truth, size=300)
    held = 0
    for counts, times in zip(*np.unique(samples, axis=0, return_counts=True), strict=True):
        found = estimate_mean(channel, counts)
        held += int(times) * (found.low <= 0.1 <= found.high)
    assert held / 300 >= 0.9


@pytest.mark.parametrize("respondents", [20, 50, 500])
def test_where_two_people_are_at_the_other_end_the_interval_holds_the_mean(respondents):
    # Without a correction for whole numbers it held .83 to .86 of the surveys.
    channel = hybrid(0, 10, 1, 10.0)
    rare = 2 / respondents
    truth = (1 - rare) * channel.probabilities[0] + rare * channel.probabilities[-1]
    samples = np.random.default_rng(1).multinomial(respondents, truth, size=500)
    held = 0
    for counts, times in zip(*np.unique(samples, axis=0, return_counts=True), strict=True):
        found = estimate_mean(channel, counts)
        held += int(times) * (found.low <= 10 * rare <= found.high)
    assert held / 500 >= 0.93


def test_of_one_bit_the_interval_is_the_exact_one_of_a_yes_no_question():
    found = estimate_mean(one_bit(20, 70, 5, 1.0), [450, 550])
    share = proportion_intervals(spinner_coin(1.0), [450, 550])[1]
    assert found.method == "exact"
    assert (found.low, found.high) == pytest.approx((20 + 50 * share.low, 20 + 50 * share.high), abs=1e-6)


@every_number
def test_nobody_has_answered(channel):
    found = estimate_mean(channel, np.zeros(channel.reports, int))
    assert (found.mean, found.low, found.high, found.standard_error) == (5, 0, 10, math.inf)
    assert [notice.code for notice in found.notices] == ["no_respondents"]


@every_number
@given(data=st.data())
def test_the_interval_is_ordered_and_inside_the_grid_whatever_was_reported(channel, data):
    counts = np.zeros(channel.reports, int)
    for report in data.draw(st.lists(st.integers(0, channel.reports - 1), min_size=1, max_size=5)):
        counts[report] += data.draw(st.integers(1, 10**6))
    found = estimate_mean(channel, counts)
    assert 0 <= found.low <= found.high <= 10
    assert math.isfinite(found.mean)
    assert math.isfinite(found.standard_error)


def test_reports_that_are_all_the_same_still_leave_an_interval():
    channel = laplace(0, 10, 1, 1.0)
    counts = np.zeros(11, int)
    counts[5] = 50
    found = estimate_mean(channel, counts)
    assert found.standard_error == 0
    assert found.low < 5 < found.high
    assert [notice.code for notice in found.notices] == ["all_same"]


def test_a_mean_beyond_the_grid_has_an_interval_at_its_nearest_end_and_says_how_odd_it_is():
    channel = laplace(0, 10, 1, 1.0)
    counts = np.zeros(11, int)
    counts[10] = 10**6
    found = estimate_mean(channel, counts)
    assert found.mean > 10
    assert 9.99 < found.low <= found.high == 10
    assert [notice.code for notice in found.notices] == ["all_same", "mean_outside"]
    assert found.notices[1].values["p_value"] < 1e-9


def test_a_mean_that_chance_takes_beyond_the_grid_half_the_time_is_not_odd():
    channel = laplace(0, 10, 1, 1.0)
    counts = np.rint(10**4 * channel.probabilities[10]).astype(np.int64)
    counts[0] -= 2
    found = estimate_mean(channel, counts)
    assert found.mean > 10
    assert found.notices == ()


@every_number
def test_a_mean_within_the_grid_carries_no_notice(channel):
    counts = np.rint(1000 * channel.probabilities.mean(axis=0)).astype(np.int64)
    assert estimate_mean(channel, counts).notices == ()


def test_large_numbers_lose_nothing_to_cancellation():
    near = estimate_mean(laplace(0, 10, 1, 1.0), np.arange(11) * 100)
    far = estimate_mean(laplace(10**9, 10**9 + 10, 1, 1.0), np.arange(11) * 100)
    assert far.mean - 10**9 == pytest.approx(near.mean, abs=1e-5)
    assert far.standard_error == pytest.approx(near.standard_error, rel=1e-5)


@pytest.mark.parametrize("channel", [exponential(5, 1.0), wheel(5, 1.0)], ids=["exponential", "wheel"])
def test_ordered_options_have_a_mean_position_once_they_have_numbers(channel):
    truth = np.array([0.1, 0.2, 0.4, 0.2, 0.1])
    counts = np.rint(10**9 * (truth @ channel.probabilities)).astype(np.int64)
    assert estimate_mean(channel, counts, grid=[1, 2, 3, 4, 5]).mean == pytest.approx(3, abs=1e-6)


@pytest.mark.parametrize(
    "grid", [None, [1, 2], [1, 1, 1, 1, 1], [0, 1, 2, 3, math.inf], "12345", [[1, 2, 3, 4, 5]]]
)
def test_a_grid_that_is_none_is_refused(grid):
    with pytest.raises(ValueError, match="grid must be 5 finite numbers, one for each answer"):
        estimate_mean(wheel(5, 1.0), [1, 2, 3, 4, 5], grid=grid)


def test_a_number_brings_its_own_grid():
    with pytest.raises(ValueError, match="grid must be absent for a number"):
        estimate_mean(one_bit(0, 10, 1, 1.0), [1, 2], grid=np.arange(11))


def test_reports_that_do_not_determine_the_mean_are_refused():
    half = TOTAL // 2
    blurred = Channel(np.array([[TOTAL, 0], [half, half], [TOTAL, 0]]))
    with pytest.raises(ValueError, match="channel must determine the mean"):
        estimate_mean(blurred, [1, 2], grid=[0, 1, 2])


@pytest.mark.parametrize("counts", [[1] * 10, [-1] * 11, [0.5] * 11])
def test_counts_are_checked(counts):
    with pytest.raises(ValueError, match="counts must be"):
        estimate_mean(laplace(0, 10, 1, 1.0), counts)
