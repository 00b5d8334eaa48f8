"""The three designs for a yes/no question: as private as asked, and no more than that."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from survey.channel import TOTAL
from survey.mechanisms import coin, spinner, spinner_coin

WITH_EPSILON = pytest.mark.parametrize("mechanism", [spinner_coin, spinner])


@WITH_EPSILON
@given(epsilon=st.floats(1e-9, 10.0))
def test_the_loss_is_never_above_what_was_asked_for_and_close_below_it(mechanism, epsilon):
    assert mechanism(epsilon).epsilon <= epsilon
    assert epsilon - mechanism(epsilon).epsilon <= (1e-6 if epsilon <= 8 else 1e-5)


@WITH_EPSILON
@pytest.mark.parametrize(
    "epsilon", [5e-324, 1e-300, 1e-12, 8.0, math.nextafter(10.0, 0), 10.0, 10, np.float64(1)]
)
def test_both_ends_of_the_range_are_taken(mechanism, epsilon):
    assert 0 <= mechanism(epsilon).epsilon <= epsilon


@WITH_EPSILON
def test_ln_3_gives_quarters_and_ln_3_exactly(mechanism):
    assert mechanism(math.log(3)).epsilon == math.log(3)
    assert mechanism(math.log(3)) == coin()


@WITH_EPSILON
@pytest.mark.parametrize(
    "epsilon",
    [0, 0.0, -1, -1e-300, 10.1, math.nextafter(10.0, 11), math.nan, math.inf, -math.inf, "1", None, True],
)
def test_any_other_epsilon_is_refused_with_parameter_range_and_value(mechanism, epsilon):
    with pytest.raises(ValueError, match=r"epsilon must be a number above 0 and at most 10, got ") as refusal:
        mechanism(epsilon)
    assert str(refusal.value).endswith(repr(epsilon))


@WITH_EPSILON
@given(epsilon=st.floats(1e-9, 10.0))
def test_yes_and_no_are_treated_alike(mechanism, epsilon):
    weights = mechanism(epsilon).weights
    assert (weights == weights[::-1, ::-1]).all()
    assert weights[0, 0] >= TOTAL // 2


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0, 4.0])
def test_the_chances_are_those_of_the_wheel_and_the_coin(epsilon):
    bright_share = (math.exp(epsilon) - 1) / (math.exp(epsilon) + 1)
    yes_if_yes, yes_if_no = bright_share + (1 - bright_share) / 2, (1 - bright_share) / 2
    expected = [[1 - yes_if_no, yes_if_no], [1 - yes_if_yes, yes_if_yes]]
    assert spinner_coin(epsilon).probabilities == pytest.approx(np.array(expected), abs=2**-31)


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0, 4.0])
def test_the_chances_are_those_of_the_wheel_alone(epsilon):
    bright_share = math.exp(epsilon) / (1 + math.exp(epsilon))
    expected = [[bright_share, 1 - bright_share], [1 - bright_share, bright_share]]
    assert spinner(epsilon).probabilities == pytest.approx(np.array(expected), abs=2**-31)


def test_two_coins_keep_three_answers_in_four():
    assert coin().probabilities.tolist() == [[0.75, 0.25], [0.25, 0.75]]
