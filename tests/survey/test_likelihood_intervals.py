"""Intervals of shares whose counts are not binomial, from the two tests that they invert."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chi2

from survey.interval import METHODS, proportion_intervals
from survey.interval import profile_likelihood as profile_likelihood_module
from survey.interval.answered_shares import answered_shares
from survey.interval.profile_likelihood import profile_likelihood
from survey.interval.saturated_likelihood import saturated_likelihood
from survey.interval.several_shares import likelihood_intervals, telling_directions
from survey.inverse import least_squares_inverse
from survey.likelihood import most_likely
from survey.mechanisms import exponential, laplace, spinner_coin, wheel

DROP = chi2.ppf(0.95, 1) / 2


def test_both_are_the_likelihood_ratio_interval_of_a_yes_no_question():
    channel, counts = spinner_coin(2.0), np.array([60, 40])
    yes = proportion_intervals(channel, counts, 0.95, "likelihood_ratio")[1]
    values = least_squares_inverse(channel.probabilities)[:, 1]
    chosen = np.array([False, True])
    for low, high in (
        saturated_likelihood(values, counts, DROP),
        profile_likelihood(channel.probabilities, counts, chosen, DROP),
    ):
        assert (low, high) == pytest.approx((yes.low, yes.high), abs=1e-6)


@pytest.mark.parametrize("first", [34, 40])  # with 34, a share of 0 is only just ruled out
def test_at_the_ends_of_the_profile_the_likelihood_has_fallen_by_the_drop(first):
    chances, counts = exponential(4, 1.0).probabilities, np.array([first, 25, 15, 60])
    top = most_likely(chances, counts).log_likelihood
    chosen = np.array([True, False, False, False])
    for end in profile_likelihood(chances, counts, chosen, DROP):
        assert top - most_likely(chances, counts, chosen, end).log_likelihood == pytest.approx(DROP, abs=1e-4)


def test_however_shares_are_rounded_the_interval_holds_the_most_likely_one_and_nothing_above_1():
    for yes in range(1, 30):  # for some of them 1 - (1 - share) is less than the share
        counts = np.array([100 - yes, yes])
        low, high = profile_likelihood(np.eye(2), counts, np.array([False, True]), 1e-14)
        assert low <= most_likely(np.eye(2), counts).proportions[1] <= high
    shares = np.array([0.33, 0.56, 0.11, 0.0])  # their sum is 1 + 2e-16
    chances, counts = exponential(4, 9.0).probabilities, np.array([33, 56, 11, 0])
    top = replace(most_likely(chances, counts), proportions=shares)
    assert profile_likelihood(chances, counts, shares > 0, DROP, top)[1] == 1


def test_no_share_outside_0_to_1_is_tried(monkeypatch):
    tried = []

    def noted(probabilities, counts, chosen, mass, near):
        tried.append(mass)
        return most_likely(probabilities, counts, chosen, mass, near)

    monkeypatch.setattr(profile_likelihood_module, "most_likely", noted)
    chances, counts = exponential(4, 1.0).probabilities, np.array([40, 25, 15, 60])
    top, chosen = most_likely(chances, counts), np.array([True, False, False, False])
    share = top.proportions[0]
    low, high = profile_likelihood(chances, counts, chosen, DROP, top)
    assert 0 < low < share < high < 1
    assert len(tried) < 30
    for mass in tried:
        assert 0 <= mass <= share or 0 <= mass <= 1 - share


def test_directions_that_nobody_could_tell_are_not_counted():
    assert telling_directions(exponential(5, 1.0).probabilities, 1000) == 4
    fine = laplace(0, 19, 1, 0.5).probabilities
    assert telling_directions(fine, 10) < telling_directions(fine, 10**6) <= 19
    assert telling_directions(np.full((3, 4), 0.25), 10**9) == 1  # no test has no degree of freedom
    # Two answers that share no report are two standard errors of one respondent apart.
    assert telling_directions(np.array([[0.2, 0.8, 0, 0], [0, 0, 0.5, 0.5]]), 1) == 1


def test_reports_that_tell_answers_well_apart_spend_a_fifth_of_the_level_on_the_profile():
    chances, counts = exponential(4, 2.0).probabilities, np.array([80, 70, 60, 75])
    outer, inner = chi2.isf([0.2 * 0.05, 0.8 * 0.05], [3, 1]) / 2
    inverse = least_squares_inverse(chances)
    weights = chances * [[1], [2], [3], [4]]  # instead of chances
    intervals = likelihood_intervals(weights, counts, 0.95)
    for chosen, interval in zip(np.eye(4, dtype=bool), intervals, strict=True):
        within = saturated_likelihood(inverse @ chosen, counts, inner, 1.0)
        profile = profile_likelihood(chances, counts, chosen, outer)
        both = max(profile[0], within[0]), min(profile[1], within[1])
        assert interval == pytest.approx(both, abs=1e-6)


def test_reports_that_hardly_tell_answers_apart_leave_all_of_it_to_the_profile():
    chances = laplace(0, 9, 1, 0.2).probabilities
    counts = np.array([400, 90, 40, 60, 70, 50, 60, 50, 80, 330])
    outer = chi2.isf(0.05, telling_directions(chances, 1230)) / 2
    for chosen, interval in zip(
        np.eye(10, dtype=bool), likelihood_intervals(chances, counts, 0.95), strict=True
    ):
        assert interval == pytest.approx(profile_likelihood(chances, counts, chosen, outer), abs=1e-6)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "counts", [[1, 0, 0, 0], [0, 0, 9, 0], [500, 0, 0, 500], [10**6, 1, 1, 10**6], [1, 1, 1, 1]]
)
@pytest.mark.parametrize("level", [1e-6, 0.5, 0.95, 1 - 1e-9])
def test_whatever_was_reported_the_interval_is_ordered_and_holds_the_most_likely_share(method, counts, level):
    channel = exponential(4, 1.0)
    most = most_likely(channel.probabilities, counts).proportions
    for share, interval in zip(most, proportion_intervals(channel, counts, level, method), strict=True):
        assert 0 <= interval.low <= share <= interval.high <= 1


def test_among_those_who_answered_the_share_is_that_of_a_yes_no_question_without_noise():
    """At epsilon 10 a report is the answer but for 1 in 11,000; of 8,000 who answered 3,000 say yes."""
    no, yes = answered_shares(wheel(3, 10.0), [5000, 3000, 2000], 0.95)
    plain = proportion_intervals(spinner_coin(10.0), [5000, 3000], 0.95, "likelihood_ratio")[1]
    assert (yes.value, yes.low, yes.high) == pytest.approx((0.375, plain.low, plain.high), abs=2e-4)
    assert (no.low, no.high) == pytest.approx((1 - yes.high, 1 - yes.low), abs=1e-5)


# With 104 a share of 0 is only just ruled out, and the other way round one of 1.
@pytest.mark.parametrize("counts", [(500, 300, 200), (500, 104, 200), (104, 500, 200)])
def test_the_likelihood_at_its_ends_is_as_far_below_the_top_as_the_level_allows(counts):
    channel = wheel(3, 2.0)
    yes = answered_shares(channel, counts, 0.95)[1]
    top = most_likely(channel.probabilities, counts).log_likelihood
    for end in (yes.low, yes.high):
        skips = np.linspace(0, 1, 20_001)
        shares = np.stack([(1 - end) * (1 - skips), end * (1 - skips), skips], axis=1)
        best = (np.log(shares @ channel.probabilities) @ counts).max()
        assert top - best == pytest.approx(DROP, abs=1e-3)


def test_an_interval_that_ends_at_the_most_likely_share_does_not_leave_it_out_by_rounding():
    channel, chosen = wheel(3, 2.0).probabilities, np.array([True, False, False])
    for first in range(300, 340):
        counts = np.array([first, 300, 200])
        top = most_likely(channel, counts)
        share = float(top.proportions[chosen].sum())
        low, high = profile_likelihood(channel, counts, chosen, DROP, top, within=(share, share))
        assert low <= share <= high


@pytest.mark.parametrize("counts", [[500, 1, 200], [500, 0, 200], [0, 9, 0], [10**9, 10**8, 10**9]])
@pytest.mark.parametrize("level", [1e-9, 1e-6, 0.95, 1 - 1e-9])
def test_whatever_was_reported_the_share_among_those_who_answered_lies_in_its_interval(counts, level):
    for channel in (wheel(3, 2.0), wheel(3, 10.0)):
        shares = answered_shares(channel, counts, level)
        assert sum(share.value for share in shares) == pytest.approx(1)
        for share in shares:
            assert 0 <= share.low <= share.value <= share.high <= 1


def test_where_nobody_answered_there_is_no_share():
    assert answered_shares(wheel(3, 10.0), [0, 0, 500], 0.95) == ()
    assert answered_shares(wheel(3, 10.0), [0, 0, 0], 0.95) == ()
