"""The Gaussian mechanism: epsilon with a small chance of an exception."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import norm

from survey.channel import TOTAL
from survey.compact_form import Tails
from survey.mechanisms import GaussianChannel, gaussian


def analytic_sigma(epsilon: float, delta: float) -> float:
    """Balle & Wang (2018), equation 6, for sensitivity 1."""

    def excess(sigma: float) -> float:
        a, b = 1 / (2 * sigma), epsilon * sigma
        return norm.cdf(a - b) - math.exp(epsilon + norm.logcdf(-a - b)) - delta

    return brentq(excess, 0.05, 500.0, xtol=1e-12)


@pytest.mark.parametrize("delta", [1e-3, 1e-5, 1e-6])
@pytest.mark.parametrize("epsilon", [0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0])
@pytest.mark.parametrize("points", [11, 1001])
def test_sigma_is_that_of_the_continuous_gaussian(points, epsilon, delta):
    # Tolerance .4 %: rounding the answer to a knot adds up to 1/256 to the variance. Below it sigma may
    # fall, because a lattice of 32-bit weights has no tail.
    channel = gaussian(0, points - 1, 1, epsilon, delta)
    ratio = channel.sigma / (points - 1) / analytic_sigma(epsilon, delta)
    assert 0.99 <= ratio <= 1.004


def test_an_epsilon_too_small_for_32_bits_is_refused_in_words():
    with pytest.raises(ValueError, match="epsilon must be larger"):
        gaussian(0, 55, 1, 0.05, 10.0**-6.9140625)


@example(points=56, epsilon=0.05, delta=10.0**-6.9140625)
@settings(max_examples=60, deadline=None)
@given(
    points=st.integers(2, 60),
    epsilon=st.floats(0.05, 10.0),
    delta=st.floats(-8.0, -0.01).map(lambda power: 10.0**power),
)
def test_delta_is_kept_exactly_and_bounded_by_what_the_page_can_check(points, epsilon, delta):
    # Below 0.1 weights of 32 bits may not hold the mean to 1e-6 of the range: only there may it be refused.
    refused = "epsilon must be larger" if epsilon < 0.1 else "no refusal is expected here"
    try:
        channel = gaussian(0, points - 1, 1, epsilon, delta)
    except ValueError as error:
        if refused not in str(error):
            raise
        return
    numerator, denominator = channel.ratio
    assert numerator / denominator <= math.exp(epsilon) * (1 + 1e-15)
    rows = channel.weights.astype(object)
    exact = max((np.maximum(0, denominator * row - numerator * rows)).sum(axis=1).max() for row in rows)
    assert exact <= channel.delta_weight * denominator <= delta * TOTAL * denominator
    assert channel.delta(epsilon) <= delta
    assert channel.weights.min() >= 1


def test_the_bound_is_a_sum_over_the_published_rows():
    # What the page computes, in integers: every pair of knots' rows, and one unit for the rounding between.
    channel = gaussian(0, 100, 1, 2.0, 1e-6)
    numerator, denominator = channel.ratio
    half = [list(row) for row in channel.form.rows]
    knots = half + [row[::-1] for row in half[: channel.form.knots - len(half)][::-1]]
    worst = max(
        sum(max(0, denominator * (a + 1) - numerator * b) for a, b in zip(first, second, strict=True))
        for first in knots
        for second in knots
    )
    assert channel.delta_weight == -(-worst // denominator)


def test_on_a_lattice_without_a_tail_less_noise_is_needed_at_a_large_epsilon():
    assert gaussian(0, 1, 1, 10.0, 1e-6).sigma < 0.95 * analytic_sigma(10.0, 1e-6)


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 2.0])
@pytest.mark.parametrize(("delta", "used"), [(1e-3, 0.999), (1e-5, 0.999), (1e-6, 0.98)])
def test_all_of_delta_is_used(epsilon, delta, used):
    # The bound counts one unit of 2**-32 for each of some 25 reports in the tail: 6e-9.
    assert used * delta <= gaussian(0, 50, 1, epsilon, delta).delta(epsilon) <= delta


def test_the_guarantee_is_the_pair_that_was_asked_for():
    channel = gaussian(0, 10, 1, 1.0, 1e-6)
    assert channel.guarantee == (1.0, 1e-6)
    assert channel.epsilon > 1.0


def test_sigma_is_in_units_of_the_answer():
    assert gaussian(0, 100, 10, 1.0, 1e-6).sigma == pytest.approx(10 * gaussian(0, 10, 1, 1.0, 1e-6).sigma)


def test_the_textbook_sigma_is_larger_where_it_is_valid():
    channel = gaussian(0, 10, 1, 0.5, 1e-6)
    assert channel.classical_sigma == pytest.approx(math.sqrt(2 * math.log(1.25e6)) * 10 / 0.5)
    assert channel.classical_sigma > 1.2 * channel.sigma


@settings(max_examples=20, deadline=None)
@given(points=st.integers(2, 1001), epsilon=st.floats(0.1, 10.0), delta=st.sampled_from([1e-6, 1e-3, 0.1]))
def test_the_mean_of_the_values_is_the_answer(points, epsilon, delta):
    channel = gaussian(-5, -5 + (points - 1) * 0.5, 0.5, epsilon, delta)
    miss = np.abs(channel.probabilities @ channel.values - channel.grid).max()
    assert miss <= 1e-6 * (channel.grid[-1] - channel.grid[0])
    assert np.allclose(np.diff(channel.values, 2), 0, atol=1e-9 * channel.sigma)


def test_a_thousand_answers_need_about_110_reports():
    assert gaussian(0, 1000, 1, 1.0, 1e-6).reports == 107


@pytest.mark.parametrize("delta", [0, 1, -0.1, 1.5, 0.0, 1.0, math.nan, math.inf, "1e-6", True, None])
def test_a_delta_out_of_range_is_refused_by_name(delta):
    with pytest.raises(ValueError, match=r"^delta must be a number above 0 and below 1, got "):
        gaussian(0, 10, 1, 1.0, delta)


@pytest.mark.parametrize("epsilon", [0, -1, 11, math.nan, "1", True])
def test_an_epsilon_out_of_range_is_refused_by_name(epsilon):
    with pytest.raises(ValueError, match=r"^epsilon must be a number above 0 and at most 10, got "):
        gaussian(0, 10, 1, epsilon, 1e-6)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0, 10.0])
@pytest.mark.parametrize("delta", [1e-300, 1e-15, 1e-10, 0.9, 0.999999, 1 - 1e-12])
def test_at_the_extremes_delta_is_kept_or_refused_in_words(epsilon, delta):
    try:
        channel = gaussian(0, 20, 1, epsilon, delta)
    except ValueError as refusal:
        assert "must be larger" in str(refusal)  # noqa: PT017
    else:
        assert channel.delta(epsilon) <= delta


def test_what_32_bits_cannot_carry_is_refused():
    with pytest.raises(ValueError, match=r"epsilon must be larger, or delta, for weights of 32 bits, got"):
        gaussian(0, 20, 1, 1e-6, 0.01)


def test_a_gaussian_channel_is_made_of_rows():
    form = Tails((TOTAL - 2**30, 2**30))
    channel = GaussianChannel(
        weights=form.weights(), form=form, grid=np.array([0.0, 1.0]), asked_epsilon=1.0, asked_delta=0.1
    )
    with pytest.raises(ValueError, match="form must be rows at knots, got Tails"):
        _ = channel.delta_weight
