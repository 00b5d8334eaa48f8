"""Numbers on a grid: one bit, Laplace, Hybrid."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from survey.channel import TOTAL
from survey.compact_form import Subsets, Window, Windows
from survey.mechanisms import NumberChannel, grid_points, hybrid, laplace, one_bit, spinner_coin, wheel

PURE = [one_bit, laplace, hybrid]
EPSILONS = st.floats(min_value=0.05, max_value=10.0)


@pytest.mark.parametrize("make", PURE)
@settings(max_examples=25, deadline=None)
@given(points=st.integers(2, 1001), epsilon=EPSILONS)
def test_epsilon_is_kept_and_all_of_it_used(make, points, epsilon):
    channel = make(0, points - 1, 1, epsilon)
    # One unit of the rarest weight of the worst column; a window that must fill its row alone may take
    # its width, at most 11 units, more.
    assert epsilon - 12 / channel.loss[1] <= channel.epsilon <= epsilon


def test_a_tiny_epsilon_on_a_fine_grid_is_kept_too():
    # Here a weight of noise is some 20 000 units, and rounding it would cost more than one step's loss.
    channel = laplace(0, 1000, 1, 0.01)
    assert 0.01 * 0.998 <= channel.epsilon <= 0.01


@pytest.mark.parametrize("make", PURE)
@settings(max_examples=25, deadline=None)
@given(
    points=st.integers(2, 300),
    epsilon=EPSILONS,
    low=st.sampled_from([-1.0, 0.0, 1e6, -0.3]),
    step=st.sampled_from([0.1, 1.0, 250.0, 0.001]),
)
def test_the_mean_of_the_values_is_the_answer(make, points, epsilon, low, step):
    # Exactly, in fractions of the integers; tolerance: a millionth of the range.
    channel = make(low, float(Fraction(repr(low)) + (points - 1) * Fraction(repr(step))), step, epsilon)
    values = [Fraction(float(value)) for value in channel.values]
    span = channel.grid[-1] - channel.grid[0]
    for answer in {0, 1, points // 2, points - 1}:
        row = channel.weights[answer].tolist()
        mean = sum(weight * value for weight, value in zip(row, values, strict=True)) / TOTAL
        assert abs(float(mean) - channel.grid[answer]) <= 1e-6 * span


def worst_variance(channel: NumberChannel) -> float:
    """The variance under the worst answer, on the scale of [-1, 1]."""
    return float(channel.variances.max()) / ((channel.grid[-1] - channel.grid[0]) / 2) ** 2


@pytest.mark.parametrize(("epsilon", "limit"), [(0.5, 16.67), (1.0, 4.289), (2.0, 1.042), (4.0, 0.2190)])
def test_hybrid_reaches_the_figures_of_its_paper(epsilon, limit):
    # N. Wang et al. (2019), continuous Hybrid; 201 points may cost 2 per cent, and cost nothing.
    assert worst_variance(hybrid(-1, 1, 0.01, epsilon)) <= 1.02 * limit


@pytest.mark.parametrize(
    ("epsilon", "figure"), [(0.5, 16.67), (1.0, 4.270), (2.0, 0.9920), (4.0, 0.1606), (10.0, 0.002918)]
)
def test_hybrid_on_a_grid_does_better_than_its_paper(epsilon, figure):
    # Measured from the integers, which are the mechanism; pinned so that a change is seen.
    assert worst_variance(hybrid(-1, 1, 0.01, epsilon)) == pytest.approx(figure, rel=1e-3)


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 2.0, 4.0])
def test_one_bit_has_the_variance_of_duchi(epsilon):
    channel = one_bit(-1, 1, 0.01, epsilon)
    c = (math.exp(epsilon) + 1) / math.expm1(epsilon)
    assert channel.variances == pytest.approx(c**2 - channel.grid**2, rel=1e-6)


def test_folding_makes_laplace_better_than_its_unfolded_variance():
    # Unfolded 2 b^2 = 32 at epsilon .5 on [-1, 1]; folded and extrapolated 19.5.
    assert worst_variance(laplace(-1, 1, 0.01, 0.5)) == pytest.approx(19.5, abs=0.05)


def test_laplace_extrapolates_its_ends_by_the_mean_of_what_was_folded():
    channel = laplace(0, 10, 1, 1.0)
    a = math.exp(-1 / 10)
    further = a / (1 - a)
    assert channel.values == pytest.approx([-further, *range(1, 10), 10 + further], rel=1e-7)


def test_one_bit_at_the_ends_is_spinner_and_coin():
    assert one_bit(0, 100, 1, 1.0).weights[[0, -1]].tolist() == spinner_coin(1.0).weights.tolist()


@pytest.mark.parametrize("make", PURE)
def test_a_grid_of_two_points_is_a_yes_no_question(make):
    assert make(0, 1, 1, 1.0).weights.tolist() == spinner_coin(1.0).weights.tolist()


@pytest.mark.parametrize("make", [laplace, one_bit, hybrid])
def test_high_answers_are_treated_as_low_ones_mirrored(make):
    # A ramp is rounded down, so a column of a hybrid may differ by one.
    weights = make(0, 40, 1, 1.5).weights
    if make is hybrid:
        (window, duchi) = make(0, 40, 1, 1.5).form.windows
        columns = [*range(window.columns)[::-1], window.columns + 1, window.columns]
        assert duchi.columns == 2
    else:
        columns = list(range(weights.shape[1]))[::-1]
    assert np.abs(weights[::-1][:, columns] - weights).max() <= 1


@pytest.mark.parametrize(
    ("low", "high", "step", "points"),
    [
        (0, 1, 0.1, 11),
        (0.1, 0.7, 0.1, 7),
        (-0.3, 0.3, 0.1, 7),
        (0, 1, 0.001, 1001),
        (1e-9, 1e-8, 1e-9, 10),
        (0, 3_000_000, 3000, 1001),
        (36.5, 41.5, 0.05, 101),
        (np.float64(0), np.int64(1), np.float64(0.1), 11),
    ],
)
def test_a_grid_is_read_as_the_decimals_it_is_written_in(low, high, step, points):
    grid = grid_points(low, high, step)
    assert len(grid) == points
    assert (grid[0], grid[-1]) == (low, high)
    first, width = Fraction(repr(float(low))), Fraction(repr(float(step)))
    assert grid.tolist() == [float(first + width * index) for index in range(points)]


@pytest.mark.parametrize("make", [*PURE, lambda low, high, step, _: grid_points(low, high, step)])
@pytest.mark.parametrize(
    ("low", "high", "step", "message"),
    [
        (1, 1, 1, "^low must be a number below high = 1, got 1$"),
        (2, 1, 1, "^low must be a number below high = 1, got 2$"),
        (0, 1, 0, "^step must be a number above 0, got 0$"),
        (0, 1, -0.1, "^step must be a number above 0, got -0.1$"),
        (
            0,
            1,
            0.3,
            "^step must be a number that divides the range from 0 to 1 into 1 to 1000 equal steps, got 0.3$",
        ),
        (0, 1, 2, "^step must be a number that divides .*, got 2$"),
        (0, 1.001, 0.001, "^step must be a number that divides .*, got 0.001$"),
        (math.nan, 1, 1, "^low must be a finite number, got nan$"),
        (0, math.inf, 1, "^high must be a finite number, got inf$"),
        (0, 1, "0.1", "^step must be a finite number, got '0.1'$"),
        (False, 1, 1, "^low must be a finite number, got False$"),
        (None, 1, 1, "^low must be a finite number, got None$"),
    ],
)
def test_a_grid_that_does_not_work_out_is_refused(make, low, high, step, message):
    with pytest.raises(ValueError, match=message):
        make(low, high, step, 1.0)


@pytest.mark.parametrize("make", PURE)
@pytest.mark.parametrize("epsilon", [0, -1, 11, math.nan, "1", True])
def test_an_epsilon_out_of_range_is_refused_by_name(make, epsilon):
    with pytest.raises(ValueError, match=r"^epsilon must be a number above 0 and at most 10, got "):
        make(0, 10, 1, epsilon)


@pytest.mark.parametrize("make", PURE)
def test_an_epsilon_that_32_bits_cannot_carry_is_refused_instead_of_biased(make):
    with pytest.raises(ValueError, match="epsilon must be larger"):
        make(0, 1000, 1, 1e-5)


@pytest.mark.parametrize("make", PURE)
@pytest.mark.parametrize(
    ("low", "high", "step"), [(-1e9, -999999999.999, 1e-6), (-1.7e308, 1.7e308, 1.7e308)]
)
def test_a_grid_that_numbers_of_16_digits_cannot_hold_is_the_grids_fault_and_not_epsilons(
    make, low, high, step
):
    with pytest.raises(ValueError, match=r"^step must be larger, or low and high nearer to 0"):
        make(low, high, step, 1.0)


@pytest.mark.parametrize("make", PURE)
def test_where_epsilon_is_far_worse_than_the_grid_it_is_named(make):
    # The grid is uneven by half a millionth, which alone would be allowed.
    make(1e6, 1000000.0002, 2e-7, 1.0)
    with pytest.raises(ValueError, match=r"^epsilon must be larger"):
        make(1e6, 1000000.0002, 2e-7, 1e-5)


def test_values_follow_from_what_is_published():
    channel = hybrid(0, 10, 0.5, 1.0)
    again = NumberChannel(weights=channel.form.weights(), form=channel.form, grid=channel.grid)
    assert np.array_equal(again.values, channel.values)


def test_a_grid_of_another_length_is_refused():
    channel = one_bit(0, 10, 1, 1.0)
    with pytest.raises(ValueError, match=r"grid must have a number for each of 11 answers, got \(3,\)"):
        NumberChannel(weights=channel.weights, form=channel.form, grid=np.arange(3.0))


def test_a_channel_whose_ends_cannot_be_told_apart_has_no_mean():
    form = Windows(2, (Window(2, 1, TOTAL // 2, TOTAL // 2),))
    with pytest.raises(ValueError, match="epsilon must be larger"):
        NumberChannel(weights=form.weights(), form=form, grid=np.array([0.0, 1.0]))


def test_a_form_that_is_not_of_a_number_is_refused():
    form = Subsets(2, (1, 2), TOTAL - 5, 5, 0)
    with pytest.raises(ValueError, match="form must be one of a number, got Subsets"):
        NumberChannel(weights=form.weights(), form=form, grid=np.array([0.0, 1.0]))


def test_the_arrays_of_a_channel_cannot_be_changed():
    channel = laplace(0, 10, 1, 1.0)
    for array in (channel.weights, channel.grid, channel.values):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    assert wheel(11, 1.0) != channel
