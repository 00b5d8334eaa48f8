"""Estimates and intervals for every kind of question with shares: choices, sets, ordered options, boxes."""

import itertools
import math

import numpy as np
import pytest
from scipy.stats import multinomial

from survey.channel import TOTAL, Channel
from survey.counts import binomial_counts, support_counts
from survey.estimate import estimate_proportions
from survey.interval import METHODS, proportion_intervals
from survey.mechanisms import coin, exponential, sampled_box, spinner_coin, subset, wheel

CHANNELS = {
    "wheel": wheel(4, 1.0),
    "subset": subset(4, 0.7),
    "exponential": exponential(4, 1.5),
    "sampled box": sampled_box(5, 1.0),
}
every_channel = pytest.mark.parametrize("channel", CHANNELS.values(), ids=CHANNELS)


@every_channel
def test_the_estimate_is_unbiased_and_its_covariance_right_by_enumeration(channel):
    n, truth = 2, np.arange(1.0, channel.answers + 1)
    truth /= truth.sum()
    counts = np.array([c for c in itertools.product(range(n + 1), repeat=channel.reports) if sum(c) == n])
    chances = multinomial.pmf(counts, n, truth @ channel.probabilities)
    found = [estimate_proportions(channel, c) for c in counts]
    # Of a sampled box nothing is known where nobody reported on it; given that somebody did, all is unbiased.
    heard = np.array([each.reported for each in found])
    chances = np.where(heard > 0, chances, 0) / chances[heard > 0].sum()
    proportions = np.array([each.proportions for each in found])
    assert chances @ proportions == pytest.approx(truth, abs=1e-9)
    squares = np.einsum("c,ca,cb->ab", chances, proportions - truth, proportions - truth)
    if channel.answers > 2:  # with n in the denominator it is (n - 1) / n of the true one on average
        expected = np.einsum("c,cab->ab", chances, [each.covariance for each in found])
        assert expected == pytest.approx(squares * (n - 1) / n, abs=1e-9)


@every_channel
def test_nobody_has_answered(channel):
    found = estimate_proportions(channel, np.zeros(channel.reports, int))
    assert found.proportions == pytest.approx(np.full(channel.answers, 1 / channel.answers))
    assert np.isinf(found.standard_errors).all()
    assert [notice.code for notice in found.notices] == ["no_respondents"]
    for interval in proportion_intervals(channel, np.zeros(channel.reports, int)):
        assert (interval.low, interval.high) == (0, 1)


@every_channel
@pytest.mark.parametrize("wrong", [[1], [0.5] * 4, "123", [[1, 2], [3, 4]], [-1] * 4])
def test_counts_of_another_channel_are_refused(channel, wrong):
    for function in (estimate_proportions, proportion_intervals):
        with pytest.raises(ValueError, match="counts must be"):
            function(channel, wrong)


def test_a_sampled_box_is_estimated_from_those_who_reported_on_it():
    channel = sampled_box(10, 1.0)
    found = estimate_proportions(channel, [60, 40, 900])
    # As a yes/no question with the spinner and coin of the box, asked of 100.
    asked = estimate_proportions(channel.box, [60, 40])
    assert (found.respondents, found.reported) == (1000, 100)
    assert found.proportions == pytest.approx(asked.proportions, abs=1e-7)
    assert found.standard_errors == pytest.approx(asked.standard_errors, abs=1e-7)
    assert found.noisy_shares == pytest.approx([0.6, 0.4, 0.9])
    assert found.people == pytest.approx(1000 * found.proportions)
    ours, theirs = (
        proportion_intervals(*each)[1] for each in ((channel, [60, 40, 900]), (channel.box, [60, 40]))
    )
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-6)


def test_of_a_sampled_box_that_nobody_reported_on_nothing_is_known():
    found = estimate_proportions(sampled_box(10, 1.0), [0, 0, 900])
    assert (found.respondents, found.reported) == (900, 0)
    assert np.isinf(found.standard_errors).all()


def test_the_reports_of_a_subset_that_contain_an_option_are_one_binomial_count():
    channel = subset(4, 0.7, 2)
    counts = np.array([10, 20, 30, 40, 50, 60])
    members = channel.form.members()
    binomials = binomial_counts(channel, counts)
    assert [each.count for each in binomials] == (members @ counts).tolist()
    assert [each.count for each in binomials] == support_counts(channel, counts).tolist()
    ratio = math.exp(0.7)
    assert binomials[0].highest == pytest.approx(2 * ratio / (2 * ratio + 2), abs=1e-6)
    assert [each.proportion(each.share) for each in binomials] == pytest.approx(
        estimate_proportions(channel, counts).proportions, abs=1e-6
    )


def test_where_the_count_is_binomial_every_method_is_that_of_the_options_own_yes_no_question():
    channel, counts = wheel(5, 1.0), np.array([300, 100, 250, 200, 150])
    for method in METHODS:
        for answer, interval in enumerate(proportion_intervals(channel, counts, 0.9, method)):
            q, p = channel.probabilities[(answer + 1) % 5, answer], channel.probabilities[answer, answer]
            own = Channel(
                np.array([[TOTAL * (1 - q), TOTAL * q], [TOTAL * (1 - p), TOTAL * p]]).astype(np.int64)
            )
            yes = proportion_intervals(own, [1000 - counts[answer], counts[answer]], 0.9, method)[1]
            assert (interval.low, interval.high) == pytest.approx((yes.low, yes.high))
            assert (interval.method, interval.confidence_level) == (method, 0.9)


def test_intervals_that_hold_together_have_a_higher_level_each_and_show_it():
    channel, counts = wheel(5, 1.0), [300, 100, 250, 200, 150]
    alone = proportion_intervals(channel, counts, 0.95)
    together = proportion_intervals(channel, counts, 0.95, simultaneous=True)
    assert [interval.confidence_level for interval in together] == [pytest.approx(0.99)] * 5
    for one, other in zip(alone, together, strict=True):
        assert other.low <= one.low < one.high < other.high
    assert proportion_intervals(wheel(3, 1.0), [9, 9, 9], 0.94, simultaneous=True)[0].confidence_level == 0.98
    nearly_one = math.nextafter(1, 0)
    for interval in proportion_intervals(channel, counts, nearly_one, simultaneous=True):
        assert interval.confidence_level == nearly_one
    # No and yes are one interval seen from two sides.
    assert proportion_intervals(coin(), [60, 40], simultaneous=True) == proportion_intervals(coin(), [60, 40])


def test_where_no_count_is_binomial_the_interval_is_a_likelihood_ratio_and_says_so():
    channel, counts = exponential(5, 2.0), [300, 100, 250, 200, 150]
    found = estimate_proportions(channel, counts)
    for method in METHODS:
        for answer, interval in enumerate(proportion_intervals(channel, counts, 0.95, method)):
            assert interval.method == "likelihood_ratio"
            assert 0 <= interval.low <= found.maximum_likelihood[answer] <= interval.high <= 1
            # Hardly wider than the normal interval, cut to [0, 1].
            margin = 2.1 * found.standard_errors[answer]
            assert interval.high - interval.low <= 2 * margin


def test_the_width_of_a_likelihood_interval_approaches_that_of_the_normal_one():
    channel = exponential(3, 2.0)
    counts = (10**6 * np.array([0.3, 0.3, 0.4]) @ channel.probabilities).astype(int)
    found = estimate_proportions(channel, counts)
    for answer, interval in enumerate(proportion_intervals(channel, counts)):
        # 4 % of the 5 % are spent on it: z = 2.054 and not 1.960.
        expected = 2 * 2.0537 * found.standard_errors[answer]
        assert interval.high - interval.low == pytest.approx(expected, rel=0.01)


def test_what_no_option_can_be_expected_to_give_is_named_once_for_the_worst_option():
    odd = estimate_proportions(wheel(4, 1.0), [970, 10, 10, 10])
    infeasible = next(notice for notice in odd.notices if notice.code == "infeasible")
    assert infeasible.values["answer"] == 0
    assert infeasible.values["p_value"] < 1e-6
    # With several options some noisy share is often a little too small: that is chance, and not named.
    usual = estimate_proportions(wheel(4, 1.0), [470, 175, 180, 175])
    assert [notice.code for notice in usual.notices] == []


def test_the_most_likely_proportions_of_a_long_tail_are_not_the_clipped_ones():
    # A true .55 among ten options; clipping the others at 0 and dividing by the sum would give about .515.
    channel, rng = wheel(10, 1.0), np.random.default_rng(9)
    truth = np.array([0.55] + [0.05] * 9)
    found = [estimate_proportions(channel, rng.multinomial(1000, truth @ channel.probabilities))
             for _ in range(400)]  # fmt: skip
    likely = np.mean([each.maximum_likelihood[0] for each in found])
    clipped = np.mean([each.proportions.clip(0)[0] / each.proportions.clip(0).sum() for each in found])
    assert clipped < 0.53 < likely < 0.57


def test_a_channel_that_hardly_tells_ordered_options_apart_is_refused():
    with pytest.raises(ValueError, match="channel must have a condition number of at most 10000"):
        estimate_proportions(exponential(50, 0.02), np.ones(50, int))


def test_a_yes_no_channel_with_a_report_that_means_nothing_is_the_one_without():
    channel = spinner_coin(1.0)
    half = Channel(np.column_stack([channel.weights // 2, TOTAL - (channel.weights // 2).sum(axis=1)]))
    found = estimate_proportions(half, [60, 40, 200])
    assert found.proportions == pytest.approx(estimate_proportions(channel, [60, 40]).proportions, abs=1e-6)
