"""Suspicion: what somebody believes about an answer before and after they see the report."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from theory.suspicion import posterior

from survey.channel import TOTAL, Channel
from survey.mechanisms import coin, exponential, spinner_coin, wheel
from survey.privacy.limits import LARGEST_TOTAL, MOST_TELLING
from survey.privacy.suspicion import Odds, bounds, odds

PRIORS = st.floats(0, 1)
EPSILONS = st.floats(1e-3, 10)


def test_who_is_certain_learns_nothing():
    assert bounds(0, 1.0) == (0, 0)
    assert bounds(1, 1.0) == (1, 1)


def test_without_a_bound_on_the_loss_nothing_is_ruled_out():
    assert bounds(0.3, math.inf) == (0, 1)


def test_two_coins_take_even_odds_to_three_to_one():
    assert bounds(0.5, math.log(3)) == pytest.approx((0.25, 0.75), abs=1e-15)


def test_the_largest_total_just_keeps_the_limit_of_the_most_telling_result():
    assert bounds(0.5, LARGEST_TOTAL)[1] == pytest.approx(MOST_TELLING / 100, abs=1e-15)


@given(PRIORS, EPSILONS)
def test_the_bounds_hold_the_prior_and_are_those_of_the_textbook(prior, epsilon):
    low, high = bounds(prior, epsilon)
    ratio = math.exp(epsilon)
    assert 0 <= low <= prior + 1e-15
    assert prior - 1e-15 <= high <= 1
    assert low == pytest.approx(prior / (ratio + (1 - ratio) * prior), rel=1e-9)
    assert high == pytest.approx(ratio * prior / (1 + (ratio - 1) * prior), rel=1e-9)


@given(st.floats(0.01, 0.99), EPSILONS, EPSILONS)
def test_more_loss_means_more_suspicion(prior, one, other):
    less, more = sorted([one, other])
    assert bounds(prior, less)[1] <= bounds(prior, more)[1]
    assert bounds(prior, less)[0] >= bounds(prior, more)[0]


@given(PRIORS, EPSILONS)
def test_a_posterior_of_yes_and_no_lies_within_the_bounds_and_reaches_them(prior, epsilon):
    channel = spinner_coin(epsilon)
    low, high = bounds(prior, channel.epsilon)
    after = posterior(channel, [1 - prior, prior])[:, 1]
    assert after.tolist() == pytest.approx([low, high], abs=1e-12)


@given(st.lists(st.floats(0.01, 1), min_size=5, max_size=5), EPSILONS)
def test_every_posterior_lies_within_the_bounds(shares, epsilon):
    channel, prior = exponential(5, epsilon), np.array(shares) / sum(shares)
    after = posterior(channel, prior)
    assert after.sum(axis=1) == pytest.approx(np.ones(channel.reports))
    for answer, share in enumerate(prior.tolist()):
        low, high = bounds(share, channel.epsilon)
        assert (low - 1e-12 <= after[:, answer]).all()
        assert (after[:, answer] <= high + 1e-12).all()


def test_a_report_that_gives_the_answer_away_does_so():
    channel = Channel(np.array([[TOTAL // 2, TOTAL // 2, 0], [0, TOTAL // 2, TOTAL // 2]]))
    assert posterior(channel, [0.9, 0.1])[:, 1].tolist() == pytest.approx([0, 0.1, 1])
    assert posterior(channel, [1, 0])[2].tolist() == [1, 0]  # thought impossible: the prior stands


def test_odds_are_whole_people_out_of_a_hundred():
    assert (odds(coin(), 1, 1).recorded, odds(coin(), 0, 1).recorded, odds(coin(), 0, 1).people) == (
        75,
        25,
        100,
    )


def test_odds_never_say_none_or_all_of_a_chance_that_is_neither():
    rare = odds(spinner_coin(10.0), 0, 1)
    assert (rare.recorded, rare.people) == (5, 100_000)
    assert odds(spinner_coin(10.0), 1, 1).people - odds(spinner_coin(10.0), 1, 1).recorded == 5
    channel = Channel([[0, TOTAL], [TOTAL // 100, TOTAL - TOTAL // 100]])
    assert (odds(channel, 0, 0), odds(channel, 1, 0)) == (Odds(0, 100), Odds(1, 100))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bounds(-0.1, 1.0), r"prior must be a number in \[0, 1\], got -0.1"),
        (lambda: bounds(1.1, 1.0), r"prior must be a number in \[0, 1\], got 1.1"),
        (lambda: bounds(math.nan, 1.0), r"prior must be a number in \[0, 1\], got nan"),
        (lambda: bounds("0.5", 1.0), r"prior must be a number in \[0, 1\], got '0.5'"),
        (lambda: bounds(0.5, 0), "epsilon must be a number above 0, got 0"),
        (lambda: bounds(0.5, -1.0), "epsilon must be a number above 0, got -1.0"),
        (lambda: odds(coin(), 2, 0), "answer must be a whole number from 0 to 1, got 2"),
        (lambda: odds(coin(), 0, -1), "report must be a whole number from 0 to 1, got -1"),
    ],
)
def test_bad_input_is_refused_by_name_range_and_value(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_odds_of_several_reports_are_those_of_any_of_them():
    channel = wheel(4, 1.0)
    both = odds(channel, 0, [1, 2])
    assert both.recorded == round(100 * channel.probabilities[0, [1, 2]].sum())
    assert odds(channel, 0, {1}) == odds(channel, 0, 1) == odds(channel, 0, [1, 1])
    assert odds(channel, 0, range(4)).recorded == 100
    with pytest.raises(ValueError, match="report must be a whole number from 0 to 3, got 4"):
        odds(channel, 0, [0, 4])
