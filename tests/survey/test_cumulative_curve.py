"""The cumulative shares of ordered answers, their band and their quantiles."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from survey.estimate import curve_quantiles, estimate_curve
from survey.estimate.cumulative_curve import CumulativeCurve
from survey.mechanisms import cyclic, designed, exponential, subset, wheel

CURVE = {"curve": 1.0}
CHANNELS = {
    "designed": designed(9, 1.0, CURVE),
    "designed for all": designed(9, 2.0),
    "wheel": wheel(9, 2.0),
    "subset": subset(9, 1.0),
    "cyclic": cyclic(13, 2.0),
}


def shapes(answers):
    """Populations: smooth, skewed, two-humped, heaped, at one end, at both."""
    place = np.arange(answers) / (answers - 1)
    densities = {
        "smooth": np.exp(-((place - 0.5) ** 2) / 0.06),
        "skewed": np.exp(-5 * place),
        "two-humped": np.exp(-((place - 0.2) ** 2) / 0.01) + np.exp(-((place - 0.75) ** 2) / 0.02),
        "heaped": np.where(np.arange(answers) % 4 == 0, 10.0, 0.5),
        "one end": np.eye(answers)[0],
        "both ends": np.eye(answers)[0] + np.eye(answers)[-1],
    }
    return {name: density / density.sum() for name, density in densities.items()}


@pytest.mark.parametrize("channel", CHANNELS.values(), ids=CHANNELS)
def test_expected_counts_give_the_truth(channel):
    truth = shapes(channel.answers)["two-humped"]
    curve = estimate_curve(channel, np.rint(10**10 * truth @ channel.probabilities).astype(np.int64))
    assert curve.shares == pytest.approx(truth.cumsum()[:-1], abs=1e-3)
    assert (curve.high - curve.low).max() < 1e-3


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(sorted(CHANNELS)), st.integers(0, 2**32), st.integers(1, 3000), st.floats(0.5, 0.99))
def test_limits_lie_in_order_whatever_is_received(name, seed, people, level):
    channel, random = CHANNELS[name], np.random.default_rng(seed)
    counts = random.multinomial(people, random.dirichlet(np.full(channel.reports, 0.1)))
    curve = estimate_curve(channel, counts, level)
    for lower, upper in ((curve.low, curve.high), (curve.band_low, curve.band_high)):
        assert (lower >= 0).all()
        assert (lower <= curve.shares).all()
        assert (curve.shares <= upper).all()
        assert (upper <= 1).all()
    for rising in (curve.shares, curve.band_low, curve.band_high):
        assert (np.diff(rising) >= 0).all()
    for quantile in curve_quantiles(curve):
        assert 0 <= quantile.low <= quantile.answer <= quantile.high < channel.answers


@pytest.mark.parametrize("name", shapes(9))
@pytest.mark.parametrize("people", [100, 2000])
def test_the_band_holds_all_shares_and_the_interval_the_median(name, people):
    channel, surveys = CHANNELS["designed"], 60
    truth, random = shapes(9)[name], np.random.default_rng(9)
    below = truth.cumsum()
    median = int(np.searchsorted(below, 0.5 - 1e-9))
    held, held_median = 0, 0
    for _ in range(surveys):
        curve = estimate_curve(channel, random.multinomial(people, truth @ channel.probabilities))
        shares = below[:-1]
        held += (curve.band_low <= shares + 1e-9).all() and (shares <= curve.band_high + 1e-9).all()
        (quantile,) = curve_quantiles(curve, [0.5])
        held_median += quantile.low <= median <= quantile.high
    # Sixty surveys: .95 less three standard errors.
    assert min(held, held_median) >= surveys * (0.95 - 3 * math.sqrt(0.95 * 0.05 / surveys))


@pytest.mark.parametrize(
    ("epsilon", "pointwise", "together"), [(1.0, 0.24, 0.37), (2.0, 0.12, 0.18), (4.0, 0.06, 0.09)]
)
def test_a_designed_channel_of_14_classes_makes_the_curve_narrow(epsilon, pointwise, together):
    """The widths asked for at 21 classes, where the design takes seconds; fewer are no wider."""
    channel = designed(14, epsilon, CURVE)
    truth = shapes(14)["smooth"]
    curve = estimate_curve(channel, np.rint(2000 * truth @ channel.probabilities).astype(int))
    assert (curve.high - curve.low)[6] <= pointwise
    assert (curve.band_high - curve.band_low)[6] <= together


def test_nobody_tells_nothing():
    curve = estimate_curve(wheel(4, 1.0), [0, 0, 0, 0])
    assert curve.shares.tolist() == [0.25, 0.5, 0.75]
    assert curve.low.tolist() == curve.band_low.tolist() == [0, 0, 0]
    assert curve.high.tolist() == curve.band_high.tolist() == [1, 1, 1]
    assert [(q.low, q.high) for q in curve_quantiles(curve)] == [(0, 3)] * 3


def test_quantiles_are_the_answers_that_the_limits_leave():
    shares, low, high = np.array([0.3, 0.5, 0.8]), np.array([0.2, 0.45, 0.7]), np.array([0.4, 0.6, 0.9])
    curve = CumulativeCurve(shares, low, high, low, high, 0.95)
    quantiles = curve_quantiles(curve, [0.1, 0.3, 0.5, 0.95])
    assert [(each.answer, each.low, each.high) for each in quantiles] == [
        (0, 0, 0),
        (0, 0, 1),
        (1, 1, 2),
        (3, 3, 3),
    ]


@pytest.mark.parametrize("probability", [0, 1, -0.5, 2, math.nan])
def test_a_probability_out_of_range_is_refused(probability):
    with pytest.raises(ValueError, match="probabilities must be numbers between 0 and 1, got"):
        curve_quantiles(estimate_curve(wheel(3, 1.0), [5, 5, 5]), [probability])


def test_a_channel_that_tells_too_little_is_refused():
    with pytest.raises(ValueError, match="condition number"):
        estimate_curve(exponential(50, 0.1), np.ones(50, dtype=int))
