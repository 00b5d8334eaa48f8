"""Forgery: how far reports that nobody's answer is behind can move an estimate."""

import math
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from survey.channel import TOTAL, Channel
from survey.estimate import unbiased_inverse, unbiased_proportions
from survey.mechanisms import coin, gaussian, one_bit, per_box, sampled_box, spinner_coin, subset, wheel
from survey.privacy.forgery import expected_radius, radius, spread


def test_without_randomization_one_report_is_one_person():
    assert spread(Channel(np.eye(3, dtype=np.int64) * TOTAL)) == pytest.approx(1)


def test_reports_that_say_nothing_have_no_bound():
    assert spread(Channel([[2**31, 2**31], [2**31, 2**31]])) == math.inf
    assert spread(Channel([[2**31, 2**31], [2**30, 3 * 2**30], [2**30, 3 * 2**30]])) == math.inf
    assert spread(Channel([[2**31, 2**31], [2**31 + 1, 2**31 - 1]])) == pytest.approx(2**32)


@given(st.integers(2, 20), st.floats(0.1, 5))
def test_the_wheel_has_the_textbook_spread(options, epsilon):
    ratio = math.exp(epsilon)
    assert spread(wheel(options, epsilon)) == pytest.approx((ratio + options - 1) / (ratio - 1), rel=1e-4)


# The figures of METHODS, Forgery.
@pytest.mark.parametrize(
    ("channel", "expected"),
    [(wheel(2, 1.0), 2.2), (wheel(10, 0.5), 16.4), (subset(10, 0.5, 4), 7.28)],
    ids=["yes/no", "wheel", "subset"],
)
def test_known_figures(channel, expected):
    assert spread(channel) == pytest.approx(expected, rel=0.02)


def test_a_sampled_box_counts_its_own_respondents_only():
    channel = sampled_box(10, 1.0)
    assert spread(channel) == pytest.approx(10 / channel.sampled * spread(channel.box), rel=1e-6)


def test_a_split_budget_is_easier_to_forge():
    assert spread(per_box(10, 1.0)) > 9 * spread(spinner_coin(1.0))


def test_numbers_are_measured_in_shares_of_their_range():
    ratio = math.e
    assert spread(one_bit(0, 10, 1, 1.0)) == pytest.approx((ratio + 1) / (ratio - 1), rel=1e-6)
    assert spread(one_bit(-500, 500, 100, 1.0)) == pytest.approx((ratio + 1) / (ratio - 1), rel=1e-6)
    channel = gaussian(0, 4, 1, 1.0, 1e-4)
    assert spread(channel) == pytest.approx((channel.values.max() - channel.values.min()) / 4)


@pytest.mark.parametrize("channel", [coin(), wheel(5, 1.0), subset(6, 0.5)], ids=["coin", "wheel", "subset"])
def test_it_is_the_spread_of_the_estimator_in_use(channel):
    assert spread(channel) == pytest.approx(np.ptp(unbiased_inverse(channel), axis=0).max(), rel=1e-9)


def test_forged_reports_move_the_estimate_by_the_radius_and_no_further():
    # 100 reports, of which 5 change from no to yes: 5 * 2/100 for two coins.
    assert 5 * radius(coin(), 100) == pytest.approx(0.1)
    shift = (np.array([0.40, 0.60]) - np.array([0.45, 0.55])) @ unbiased_inverse(coin())
    assert abs(shift).max() == pytest.approx(5 * radius(coin(), 100))


@pytest.mark.parametrize("reported", range(1, 8))
@pytest.mark.parametrize("to_or_from_not_sampled", [False, True])
def test_no_swap_moves_a_sampled_box_further_than_the_radius_of_those_who_reported_on_it(
    reported, to_or_from_not_sampled
):
    # Every count of 10 people, with every report of theirs changed into every other; 2 is "not sampled".
    channel = sampled_box(3, 1.0)
    furthest = 0.0
    for yes in range(reported + 1):
        counts = np.array([reported - yes, yes, 10 - reported])
        for honest, forged in permutations(range(3), 2):
            if counts[honest] and to_or_from_not_sampled == (2 in (honest, forged)):
                swapped = counts + np.eye(3, dtype=np.int64)[forged] - np.eye(3, dtype=np.int64)[honest]
                move = unbiased_proportions(channel, swapped) - unbiased_proportions(channel, counts)
                furthest = max(furthest, abs(move).max())
    most = radius(channel, reported)
    if to_or_from_not_sampled and reported == 1:  # then one half stands for nobody's share
        assert furthest < most
    else:
        assert furthest == pytest.approx(most)


def test_before_a_survey_a_sampled_box_counts_as_many_reports_as_are_expected_in_whole_people():
    # 33 of 100 report on one of three boxes; (e + 1)/(e - 1) over 33 is .0656, over 33 1/3 it would be .0649.
    box = sampled_box(3, 1.0)
    assert expected_radius(spread(box), 100, Fraction(1, 3)) == pytest.approx(radius(box, 33))
    assert radius(box, 33) == pytest.approx(0.0656, abs=5e-5)
    assert expected_radius(spread(coin()), 100) == radius(coin(), 100)
    assert expected_radius(spread(box), 1, Fraction(1, 3)) == pytest.approx(radius(box, 1))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: radius(coin(), 0), "reported must be a whole number from 1 to .*, got 0"),
        (lambda: radius(coin(), 2.5), "reported must be a whole number from 1 to .*, got 2.5"),
    ],
)
def test_bad_input_is_refused_by_name_range_and_value(call, message):
    with pytest.raises(ValueError, match=message):
        call()
