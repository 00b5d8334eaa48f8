"""The exponential mechanism for ordered choices."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from survey.mechanisms import exponential, wheel


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 50), st.floats(0.01, 10.0))
def test_the_scale_uses_all_of_epsilon_and_no_more(categories, epsilon):
    channel = exponential(categories, epsilon)
    # The loss moves in steps of the rarest weight; each of the three weights that meet in it rounds once.
    assert epsilon - 3 / channel.weights.min() <= channel.epsilon <= epsilon


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 12), st.floats(0.1, 10.0), st.integers(0, 2**32))
def test_any_utility_keeps_epsilon(categories, epsilon, seed):
    channel = exponential(
        categories, epsilon, np.random.default_rng(seed).normal(size=(categories, categories))
    )
    assert 0 < channel.epsilon <= epsilon
    assert 0 < channel.textbook_epsilon <= epsilon


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 12), st.floats(0.1, 8.0), st.integers(0, 2**32))
def test_a_utility_that_is_best_at_the_answer_uses_all_of_epsilon(categories, epsilon, seed):
    # Where every answer favours the same report, the loss may never reach epsilon: the test further down.
    utility = np.random.default_rng(seed).uniform(-1, 0, size=(categories, categories))
    np.fill_diagonal(utility, 0.5)
    channel = exponential(categories, epsilon, utility)
    assert epsilon - 3 / channel.weights.min() <= channel.epsilon <= epsilon
    assert channel.textbook_scale < channel.scale


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 2.0, 5.0, 10.0])
@pytest.mark.parametrize("categories", [2, 3, 10, 50])
def test_utility_one_for_the_answer_and_zero_for_the_rest_is_the_wheel(categories, epsilon):
    channel = exponential(categories, epsilon, np.eye(categories))
    assert channel == wheel(categories, epsilon)
    assert channel.form == wheel(categories, epsilon).form
    assert channel.scale == pytest.approx(epsilon, rel=1e-4)


def test_the_textbook_scale_wastes_half_of_epsilon():
    channel = exponential(5, 1.0, np.eye(5))
    assert channel.textbook_scale == 0.5
    assert channel.textbook_epsilon == pytest.approx(0.5, abs=1e-8)
    ordered = exponential(5, 1.0)
    assert ordered.textbook_scale == 1.0 / 8
    assert ordered.textbook_epsilon == pytest.approx(0.5, abs=1e-8)
    assert ordered.scale == pytest.approx(2 * ordered.textbook_scale, rel=1e-6)


def test_chances_fall_by_the_same_factor_with_every_step_away():
    channel = exponential(5, 1.0)
    factors = channel.probabilities[0, 1:] / channel.probabilities[0, :-1]
    assert factors == pytest.approx([math.exp(-channel.scale)] * 4, rel=1e-8)


def test_a_number_added_to_a_row_of_the_utility_changes_nothing():
    utility = np.random.default_rng(3).normal(size=(4, 4))
    shifted = utility + np.array([[100.0], [0.0], [-3.0], [0.5]])
    assert np.abs(exponential(4, 1.0, shifted).weights - exponential(4, 1.0, utility).weights).max() <= 8


def test_for_shares_it_is_far_worse_than_the_wheel():
    # n times the summed variance at uniform shares, k = 10, epsilon 1: 5773 against 41.9.
    chances = exponential(10, 1.0).probabilities
    information = chances @ np.diag(1 / chances.mean(axis=0)) @ chances.T
    assert np.trace(np.linalg.inv(information)) - 0.1 == pytest.approx(5773, rel=1e-3)


def test_a_utility_whose_loss_never_reaches_epsilon_gets_the_largest_loss_it_has():
    channel = exponential(2, 10.0, [[0, -1], [0, -2]])
    assert 9.5 < channel.epsilon <= 10.0


@pytest.mark.parametrize(
    ("utility", "message"),
    [
        ([[1, 0]], r"utility must be a square table, 2 rows of 2 finite numbers, got \(1, 2\)"),
        (np.eye(3), r"got \(3, 3\)"),
        ([1, 0], r"got \(2,\)"),
        ([[1, 0], [0]], "got 'rows of different lengths'"),
        ([[1, math.nan], [0, 1]], "got nan"),
        ([[1, math.inf], [0, 1]], "got inf"),
        ([["1", "0"], ["0", "1"]], "got '<U1'"),
        ([[True, False], [False, True]], "got 'bool'"),
        ([[None, 0], [0, 1]], "got 'object'"),
        ([[1, 0], [1, 0]], "utility must be different between answers"),
        ([[1, 0], [3, 2]], "utility must be different between answers"),
    ],
)
def test_a_utility_that_is_not_a_square_table_of_numbers_is_refused(utility, message):
    with pytest.raises(ValueError, match=message):
        exponential(2, 1.0, utility)


def test_a_large_utility_table_must_be_symmetric_to_fit_what_is_published():
    with pytest.raises(
        ValueError, match=r"utility must be the same read backwards, or of at most 40 .*got 41"
    ):
        exponential(41, 1.0, np.random.default_rng(1).normal(size=(41, 41)))
    assert exponential(41, 1.0, np.eye(41)).answers == 41


@pytest.mark.parametrize("categories", [1, 51, 2.5, True, "3"])
def test_categories_out_of_range_are_refused_by_name(categories):
    with pytest.raises(ValueError, match=r"^categories must be a whole number from 2 to 50, got "):
        exponential(categories, 1.0)


@pytest.mark.parametrize("epsilon", [0, -1, 11, math.nan, "1", True])
def test_an_epsilon_out_of_range_is_refused_by_name(epsilon):
    with pytest.raises(ValueError, match=r"^epsilon must be a number above 0 and at most 10, got "):
        exponential(3, epsilon)
