"""Bounds on a share of a number's answers that suppose nothing about how the answers are spread."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.stats import binom

from survey.interval import any_shape
from survey.interval.any_shape import (
    DEVIATIONS,
    FINENESS,
    MOST_REPORTS,
    MOST_ROWS,
    chosen_values,
    dominating_values,
    least_values,
    merge,
    share_bounds,
    telling_rows,
)
from survey.mechanisms import gaussian, hybrid, laplace

CHANNELS = {
    "laplace of 11": laplace(0, 10, 1, 2.0),
    "laplace of 301": laplace(0, 300, 1, 8.0),
    "hybrid of 101": hybrid(0, 100, 1, 4.0),
    "gaussian of 101": gaussian(0, 100, 1, 2.0, 1e-6),
}
every_channel = pytest.mark.parametrize("channel", CHANNELS.values(), ids=CHANNELS)


def part(channel, first, last):
    """Mark the answers from one share of the grid to another."""
    places = np.linspace(0, 1, channel.answers)
    return (places >= first) & (places < last)


@every_channel
@pytest.mark.parametrize("ends", [(0, 0.05), (0.4, 0.55), (0, 0.5), (0.9, 2)])
@pytest.mark.parametrize("respondents", [20, 1000, 10**6, 2**53])
def test_whatever_the_answer_the_expected_value_is_at_least_the_answers_membership(
    channel, ends, respondents
):
    # By linearity it then is at least the share of the set under every distribution of the answers.
    chosen = part(channel, *ends)
    merged, _ = merge(channel.probabilities)
    (values,) = dominating_values(merged, chosen[np.newaxis], 1.96 / math.sqrt(respondents))
    assert (merged @ values >= chosen - 1e-9).all()


def test_the_values_are_those_of_least_mean_and_spread_that_meet_every_demand():
    probabilities, chosen = laplace(0, 3, 1, 2.0).probabilities, np.array([[False, False, True, True]])
    shares = probabilities.mean(axis=0)
    best = minimize(
        lambda values: shares @ (values + 0.35 * (values - 0.5) ** 2),
        np.ones(4),
        constraints={"type": "ineq", "fun": lambda values: probabilities @ values - chosen[0]},
        tol=1e-12,
    )
    assert least_values(probabilities, shares, chosen, 0.7)[0] == pytest.approx(best.x, abs=1e-5)


@every_channel
@pytest.mark.parametrize("error", [0.03, 0.1, 0.5])
def test_of_the_values_for_several_guesses_those_of_the_lowest_limit_are_kept(channel, error, monkeypatch):
    merged, _ = merge(channel.probabilities)
    shares, sets = merged.mean(axis=0), np.array([part(channel, 0.2, 0.6), part(channel, 0, 0.1)])

    def limits():
        values = dominating_values(merged, sets, error)
        means = values @ shares
        return means + error * np.sqrt((values - means[:, np.newaxis]) ** 2 @ shares)

    lowest, single = limits(), []
    for deviation in DEVIATIONS:
        monkeypatch.setattr(any_shape, "DEVIATIONS", (deviation,))
        single.append(limits())
    assert lowest == pytest.approx(np.min(single, axis=0))


def test_on_a_fine_grid_values_are_chosen_for_evenly_spaced_answers_and_those_at_edges():
    answers = np.arange(1000)
    rows = telling_rows(((answers >= 1) & (answers < 500)) | (answers >= 998))
    even = np.linspace(0, 999, MOST_ROWS).round().tolist()
    assert {*rows} == {*even, *range(4), *range(497, 503), *range(995, 1000)}


def test_a_report_that_nobody_can_send_changes_no_value():
    merged, chosen = CHANNELS["laplace of 11"].probabilities, np.arange(11)[np.newaxis] < 4
    values = dominating_values(np.insert(merged, 3, 0.0, axis=1), chosen, 0.1)
    assert np.delete(values, 3, axis=1) == pytest.approx(dominating_values(merged, chosen, 0.1))


@every_channel
def test_merged_reports_keep_the_chances(channel):
    merged, starts = merge(channel.probabilities)
    assert merged.shape[1] == min(channel.reports, MOST_REPORTS) == len(starts)
    assert merged.sum(axis=1) == pytest.approx(1)


@every_channel
@given(data=st.data())
def test_the_bounds_are_ordered_and_within_0_and_1_whatever_was_reported(channel, data):
    counts = np.zeros(channel.reports, int)
    for report in data.draw(st.lists(st.integers(0, channel.reports - 1), min_size=1, max_size=4)):
        counts[report] += data.draw(st.integers(1, 10**5))
    ((low, high),) = share_bounds(channel.probabilities, counts, [part(channel, 0, 0.3)], 0.95)
    assert 0 <= low <= high <= 1


def test_reports_that_no_answers_explain_leave_the_bounds_in_order():
    channel = CHANNELS["laplace of 11"]
    counts = 10**4 * (np.arange(channel.reports) == 5)
    ((low, high),) = share_bounds(channel.probabilities, counts, [part(channel, 0, 0.3)], 0.95)
    assert low < high


def test_with_many_respondents_the_bounds_of_a_point_that_the_reports_tell_apart_close_in():
    channel = laplace(0, 5, 1, 4.0)
    truth = np.array([0.4, 0.1, 0.0, 0.2, 0.0, 0.3])
    counts = np.rint(10**7 * (truth @ channel.probabilities)).astype(np.int64)
    bounds = share_bounds(channel.probabilities, counts, list(np.eye(6, dtype=bool)), 0.95)
    for share, (low, high) in zip(truth, bounds, strict=True):
        assert low - 1e-6 <= share <= high + 1e-6
        assert high - low < 0.02


def test_where_reports_are_all_but_the_answers_a_share_has_its_binomial_bounds():
    channel, respondents = laplace(0, 2, 1, 10.0), 10**6
    counts = np.rint(respondents * ([0.3, 0.4, 0.3] @ channel.probabilities)).astype(np.int64)
    ((low, high),) = share_bounds(channel.probabilities, counts, [part(channel, 0.9, 2)], 0.95)
    margin = 1.96 * math.sqrt(0.3 * 0.7 / respondents)
    assert (low, high) == pytest.approx((0.3 - margin, 0.3 + margin), abs=0.03 * margin)


def test_a_share_and_the_share_of_everything_else_have_mirrored_bounds():
    channel = hybrid(0, 100, 1, 2.0)
    counts = np.random.default_rng(1).multinomial(5000, channel.probabilities[30])
    chosen = part(channel, 0, 0.4)
    (low, high), (other_low, other_high) = share_bounds(
        channel.probabilities, counts, [chosen, ~chosen], 0.95
    )
    assert (low, high) == pytest.approx((1 - other_high, 1 - other_low))


@pytest.mark.parametrize("respondents", [20, 1000])
@pytest.mark.parametrize("expected", [1, 1.9, 2.5, 4])
def test_a_share_of_a_few_people_is_held_as_often_as_a_larger_one(respondents, expected):
    # Reports that hardly ever differ from the answers: how many people have the rare one is binomial.
    channel, share = laplace(0, 2, 1, 10.0), expected / respondents
    held = 0.0
    for rare in range(21):
        counts = np.array([respondents - rare, 0, rare]).clip(0)
        ((low, high),) = share_bounds(channel.probabilities, counts, [part(channel, 0.9, 2)], 0.95)
        held += binom.pmf(rare, respondents, share) * (low <= share <= high)
    assert held > 0.93


@every_channel
@pytest.mark.parametrize("respondents", [100, 5000])
def test_values_chosen_for_nearly_as_many_respondents_widen_an_interval_by_next_to_nothing(
    channel, respondents
):
    merged, _ = merge(channel.probabilities)
    sets = np.array([part(channel, 0.2, 0.6), part(channel, 0, 0.1)])
    shares = merged.mean(axis=0)
    exact = 1.96 / math.sqrt(respondents)

    def limits(error):
        values = dominating_values(merged, sets, error)
        means = values @ shares
        return means + exact * np.sqrt((values - means[:, np.newaxis]) ** 2 @ shares)

    assert limits(exact * FINENESS**0.5) == pytest.approx(limits(exact), rel=0.02)
    assert limits(exact / FINENESS**0.5) == pytest.approx(limits(exact), rel=0.02)


def test_values_are_chosen_once_for_a_set_whatever_it_is_asked_for_together_with(monkeypatch):
    merged, _ = merge(laplace(0, 12, 1, 3.0).probabilities)
    first, second, third = (np.arange(13) < cut for cut in (3, 5, 7))
    asked = []

    def counted(probabilities, chosen, error):
        asked.append(len(chosen))
        return dominating_values(probabilities, chosen, error)

    monkeypatch.setattr(any_shape, "dominating_values", counted)
    chosen_values(merged, np.array([first, second]), 0.125)
    both = chosen_values(merged, np.array([third, second]), 0.125)
    chosen_values(merged, np.array([third]), 0.25)  # for a third as many respondents: chosen anew
    assert asked == [2, 1, 1]
    assert both == pytest.approx(dominating_values(merged, np.array([third, second]), 0.125), abs=1e-12)
    monkeypatch.setattr(any_shape, "MOST_CACHED", 2)
    chosen_values(merged, np.array([first]), 0.5)
    assert len(any_shape.CACHED_VALUES) == 2
    chosen_values(merged, np.array([third, first]), 0.25)
    assert asked == [2, 1, 1, 1, 1]  # the latest two are remembered, and only `first` was chosen anew
