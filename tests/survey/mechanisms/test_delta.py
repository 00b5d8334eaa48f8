"""delta(epsilon) of a channel, against the definition in fractions."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from survey import channel as channels
from survey.channel import TOTAL, Channel
from survey.mechanisms import exponential, gaussian, hybrid, laplace, one_bit, sampled_box, subset, wheel

SMALL = [
    wheel(5, 1.0),
    subset(6, 0.5),
    exponential(6, 2.0),
    one_bit(0, 7, 1, 1.0),
    laplace(0, 9, 1, 1.5),
    hybrid(0, 7, 1, 2.0),
    gaussian(0, 6, 1, 1.0, 1e-4),
    sampled_box(5, 1.0),
]


def brute_force(channel: Channel, epsilon: float) -> Fraction:
    """max over answers a, b of the sum over reports of max(0, P[a] - e^epsilon P[b])."""
    ratio = Fraction(math.exp(epsilon))
    rows = channel.weights.tolist()
    return (
        max(
            sum((max(Fraction(0), a - ratio * b) for a, b in zip(first, second, strict=True)), Fraction(0))
            for first in rows
            for second in rows
        )
        / TOTAL
    )


@pytest.mark.parametrize("channel", SMALL, ids=lambda channel: f"{channel.answers}x{channel.reports}")
@settings(max_examples=15, deadline=None)
@given(epsilon=st.floats(0.0, 3.0))
def test_delta_is_the_definition(channel, epsilon):
    # Tolerance: sums of a hundred doubles.
    assert channel.delta(epsilon) == pytest.approx(float(brute_force(channel, epsilon)), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize(
    "channel", [laplace(0, 300, 1, 1.0), hybrid(0, 300, 1, 1.0)], ids=["laplace", "hybrid"]
)
def test_a_channel_compared_in_several_blocks_has_the_delta_of_its_end_pair(channel):
    # More than one block of rows; for these channels the two ends are the pair that differs most.
    ends = Channel(channel.weights[[0, -1]])
    assert channel.delta(0.3) == pytest.approx(ends.delta(0.3), rel=1e-9)


@pytest.mark.parametrize("odd", range(9))
@pytest.mark.parametrize("rows", [1, 2, 4, 9])
def test_no_answer_is_left_out_at_the_edge_of_a_block(monkeypatch, odd, rows):
    # One answer differs from the others, which are alike: delta is 0.29 with it in second place, else 0.05.
    others, one = [TOTAL // 2, TOTAL // 2], [TOTAL // 8, TOTAL - TOTAL // 8]
    channel = Channel([one if answer == odd else others for answer in range(9)])
    monkeypatch.setattr(channels, "BLOCK", rows * channel.reports)
    assert channel.delta(0.5) == pytest.approx(float(brute_force(channel, 0.5)), rel=1e-12)


def test_delta_without_epsilon_is_the_largest_total_variation():
    assert Channel([[TOTAL, 0], [0, TOTAL]]).delta(0.0) == 1.0


def test_a_channel_that_gives_answers_away_has_a_delta_at_any_epsilon():
    half = TOTAL // 2
    channel = Channel([[half, half], [0, TOTAL]])
    assert channel.delta(5000.0) == 0.5
