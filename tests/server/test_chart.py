"""The marks of a chart stand where their values are, whatever the values."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.results.charts.dot_plot import MARGIN, MOST_STEPS, axis, axis_between, dot_plot

shares = st.floats(-3, 4)


@given(st.lists(shares, min_size=1, max_size=20))
def test_every_value_lies_on_its_axis_and_inside_the_picture(values):
    scale = axis(values)
    assert scale.low <= min(values) + 1e-8
    assert max(values) <= scale.high + 1e-8
    assert all(MARGIN - 1e-3 <= scale.position(value) <= 100 - MARGIN + 1e-3 for value in values)


@given(st.lists(shares, min_size=1, max_size=20))
def test_an_axis_has_between_two_and_six_ticks_that_are_evenly_spaced(values):
    ticks = axis(values).ticks
    assert 2 <= len(ticks) <= MOST_STEPS + 1
    gaps = {round(right - left, 9) for left, right in itertools.pairwise(ticks)}
    assert len(gaps) == 1


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([0.0, 1.0], (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)),
        ([0.463, 0.513, 0.564], (0.45, 0.5, 0.55, 0.6)),
        ([-0.02, 0.05], (-0.02, 0.0, 0.02, 0.04, 0.06)),
        ([0.3], (0.3, 0.31)),
    ],
)
def test_the_axis_is_as_short_as_round_ticks_allow(values, ticks):
    assert axis(values).ticks == ticks


@pytest.mark.parametrize(
    ("low", "high", "finest", "ticks"),
    [
        (-0.5, 10.5, 1, (0.0, 2.0, 4.0, 6.0, 8.0, 10.0)),
        (-0.05, 1.05, 0.1, (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)),
        (17.5, 99.5, 1, (20.0, 40.0, 60.0, 80.0)),
        (-5.5, 5.5, 1, (-5.0, 0.0, 5.0)),
        (-50.05, 50.05, 0.1, (-50.0, 0.0, 50.0)),
        (-7.5, 7.5, 1, (-5.0, 0.0, 5.0)),
        (-0.5, 1.5, 1, (0.0, 1.0)),
        (-0.0005, 0.0105, 0.001, (0.0, 0.002, 0.004, 0.006, 0.008, 0.01)),
    ],
)
def test_the_axis_of_a_number_keeps_its_ends_and_has_round_ticks_between_them(low, high, finest, ticks):
    scale = axis_between(low, high, finest)
    assert (scale.low, scale.high, scale.ticks) == (low, high, ticks)


def test_the_marks_keep_the_order_of_their_values():
    (dot,) = dot_plot(axis([0.0, 0.6]), [(0.51, 0.46, 0.56, 0.5)]).dots
    assert dot.low.x < dot.noisy_share.x < dot.estimate.x < dot.high.x


def test_dots_of_one_plot_stand_on_one_axis():
    first, second = dot_plot(axis([0.0, 1.0]), [(0.5, 0.4, 0.6, None), (0.5, 0.1, 0.9, 0.3)]).dots
    assert first.estimate == second.estimate
    assert first.noisy_share is None


def test_labels_near_an_end_grow_inwards():
    (dot,) = dot_plot(axis([0.0, 1.0]), [(0.5, 0.01, 0.99, 0.3)]).dots
    assert (dot.low.anchor, dot.estimate.anchor, dot.high.anchor) == ("start", "middle", "end")
