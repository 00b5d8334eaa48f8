"""What a channel of integers promises: exact rows, an exact loss, and delta as defined."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from survey.channel import TOTAL, Channel, smallest_double_not_below_log
from survey.mechanisms import coin, spinner_coin

QUARTER = TOTAL // 4


@st.composite
def channels(draw):
    """Any channel: rows cut at random places, so that zeros and single words occur."""
    columns = draw(st.integers(1, 5))
    cuts = st.lists(st.integers(0, TOTAL), min_size=columns - 1, max_size=columns - 1).map(sorted)
    return Channel(np.array([np.diff([0, *draw(cuts), TOTAL]) for _ in range(draw(st.integers(2, 4)))]))


def brute_force_delta(channel, ratio):
    """Definition 2.4 of Dwork & Roth by the worst set of reports, in fractions: every set is tried."""
    rows = channel.weights.tolist()
    subsets = itertools.product([False, True], repeat=channel.reports)
    return max(
        Fraction(sum(a[y] for y, chosen in enumerate(subset) if chosen), TOTAL)
        - ratio * Fraction(sum(b[y] for y, chosen in enumerate(subset) if chosen), TOTAL)
        for subset in subsets
        for a, b in itertools.product(rows, rows)
    )


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([[TOTAL, 0]], "weights must be a table"),
        ([TOTAL, TOTAL], "weights must be a table"),
        ([[0.5, 0.5], [0.5, 0.5]], "weights must be a table of whole numbers"),
        ([[TOTAL + 1, -1], [TOTAL, 0]], r"weights must lie in \[0, 4294967296\], got -1"),
        ([[TOTAL, 0], [TOTAL - 1, 0]], r"weights\[1\] must sum to 4294967296, got 4294967295"),
    ],
)
def test_a_table_that_is_no_channel_is_refused(weights, message):
    with pytest.raises(ValueError, match=message):
        Channel(np.array(weights))


def test_weights_cannot_be_changed_afterwards():
    with pytest.raises(ValueError, match="read-only"):
        coin().weights[0, 0] = 0


@given(channels())
def test_probabilities_are_the_weights_exactly(channel):
    for weight, probability in zip(channel.weights.flat, channel.probabilities.flat, strict=True):
        assert Fraction(float(probability)) == Fraction(int(weight), TOTAL)


@given(channels())
def test_the_loss_is_the_worst_ratio_of_any_column(channel):
    largest, smallest = channel.loss
    columns = [(max(column), min(column)) for column in channel.weights.T.tolist() if any(column)]
    assert (largest, smallest) in columns
    assert all(top * smallest <= bottom * largest for top, bottom in columns)


def test_a_report_that_only_some_answers_give_has_infinite_loss():
    channel = Channel(np.array([[TOTAL, 0], [QUARTER, 3 * QUARTER]]))
    assert channel.epsilon == math.inf
    assert channel.delta(50.0) == pytest.approx(0.75)


def test_a_report_that_no_answer_gives_does_not_count():
    channel = Channel(np.array([[3 * QUARTER, 0, QUARTER], [QUARTER, 0, 3 * QUARTER]]))
    assert channel.loss == coin().loss


def test_the_epsilon_of_three_to_one_is_ln_3_to_the_last_bit():
    assert coin().epsilon == math.log(3)


def test_a_channel_that_says_nothing_has_epsilon_0():
    channel = Channel(np.array([[QUARTER, 3 * QUARTER]] * 2))
    assert channel.epsilon == 0.0
    assert channel.delta(0) == 0.0


@given(st.integers(1, TOTAL), st.integers(1, TOTAL))
def test_epsilon_is_a_double_not_below_the_logarithm_and_the_next_one_down_is(first, second):
    largest, smallest = max(first, second), min(first, second)
    epsilon = smallest_double_not_below_log(largest, smallest)
    # ln r <= epsilon exactly if r <= e^epsilon; the series below is exact to 1e-40.
    assert Fraction(largest, smallest) <= exponential(epsilon, upwards=True)
    if epsilon > 0:
        below = math.nextafter(epsilon, 0)
        assert exponential(below, upwards=False) < Fraction(largest, smallest)


def exponential(x, upwards):
    """e^x in fractions, by the series of x / 2^6, with a bound for the rest of it."""
    step, term, total = Fraction(x) / 64, Fraction(1), Fraction(1)
    for k in range(1, 40):
        term *= step / k
        total += term
    rest = 2 * term if upwards else 0
    return (total + rest) ** 64


@given(channels(), st.sampled_from([Fraction(1), Fraction(3, 2), Fraction(3), Fraction(20)]))
def test_delta_is_the_definition_over_every_set_of_reports(channel, ratio):
    expected = float(brute_force_delta(channel, ratio))
    assert channel.delta(math.log(ratio)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("epsilon", [1e-6, 0.5, 1.0, 8.0, 10.0])
def test_delta_is_0_at_epsilon_and_above_it_but_not_a_little_below(epsilon):
    channel = spinner_coin(epsilon)
    assert channel.delta(channel.epsilon) == 0.0
    assert channel.delta(channel.epsilon + 1) == 0.0
    assert channel.delta(channel.epsilon * 0.99) > 0.0


@pytest.mark.parametrize("epsilon", [-1e-9, math.nan])
def test_delta_refuses_an_epsilon_below_0(epsilon):
    with pytest.raises(ValueError, match=f"epsilon must be 0 or more, got {epsilon}"):
        coin().delta(epsilon)


def test_channels_are_equal_by_their_weights():
    assert spinner_coin(1.0) == spinner_coin(1.0)
    assert hash(spinner_coin(1.0)) == hash(spinner_coin(1.0))
    assert spinner_coin(1.0) != coin()
    assert coin() != "coin"
