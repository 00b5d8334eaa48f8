"""The cumulative curve of ordered answers: options from less to more, or classes of a number."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from survey.channel import Channel
from survey.counts import informative_reports
from survey.estimate import CumulativeCurve, curve_quantiles, estimate_curve, estimate_mean
from survey.estimate import estimate_number_curve as number_curve
from survey.figures.values import QUANTILES, ValueFigures, mean_values
from survey.interval import proportion_intervals
from survey.mechanisms import NumberChannel


@dataclass(frozen=True)
class CurvePoint:
    """The share of people up to an answer.

    Attributes
    ----------
    up_to : float
        The last number of a class; of ordered options, a place, from 1.
    estimate : float
        The most likely share, which lies in its interval.
    low, high : float
        The interval of this share by itself.
    curve_low, curve_high : float
        Limits that hold for the whole curve at once.
    """

    up_to: float
    estimate: float
    low: float
    high: float
    curve_low: float
    curve_high: float


@dataclass(frozen=True)
class ClassShare:
    """The share of people whose number lies in a class, at the level of a share.

    Attributes
    ----------
    lowest, highest : float
        The first and the last number of the class.
    estimate, low, high : float
    """

    lowest: float
    highest: float
    estimate: float
    low: float
    high: float


@dataclass(frozen=True)
class CurveFigures:
    """The distribution of ordered answers, as far as their reports show it.

    Attributes
    ----------
    first, last : float
        The lowest and the highest answer.
    points : tuple of CurvePoint
        For every class but the last, up to which everybody is.
    classes : tuple of ClassShare
        Empty where the reports tell no shares of classes.
    confidence_level : float
    """

    first: float
    last: float
    points: tuple[CurvePoint, ...]
    classes: tuple[ClassShare, ...]
    confidence_level: float


@dataclass(frozen=True)
class ScaleFigures:
    """The mean and the quartiles of the places of ordered options, and their cumulative curve."""

    mean: ValueFigures
    quantiles: tuple[ValueFigures, ...]
    curve: CurveFigures


def points_of(curve: CumulativeCurve, ends: npt.ArrayLike) -> tuple[CurvePoint, ...]:
    """Pair a curve with the answers up to which its shares reach."""
    columns = (ends, curve.shares, curve.low, curve.high, curve.band_low, curve.band_high)
    rows = np.column_stack([np.asarray(column, np.float64) for column in columns]).tolist()
    return tuple(CurvePoint(*row) for row in rows)


def number_curve_figures(channel: NumberChannel, counts: tuple[int, ...], level: float) -> CurveFigures:
    """Estimate the distribution of a number that tells of more than its mean."""
    known = number_curve(channel, counts, level)
    ends = channel.grid[known.starts[1:-1] - 1]
    shares: tuple[ClassShare, ...] = ()
    if (classes := channel.classes) is not None:
        shares = class_shares(classes.channel, counts, (classes.lowest, classes.highest), known.curve, level)
    return CurveFigures(
        float(channel.grid[0]), float(channel.grid[-1]), points_of(known.curve, ends), shares, level
    )


def class_shares(
    channel: Channel,
    counts: tuple[int, ...],
    ends: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]],
    curve: CumulativeCurve,
    level: float,
) -> tuple[ClassShare, ...]:
    """Return the share of each class with its interval."""
    intervals = proportion_intervals(channel, counts, level)
    likely = np.diff(curve.shares, prepend=0.0, append=1.0)
    return tuple(
        ClassShare(float(low), float(high), min(max(float(share), each.low), each.high), each.low, each.high)
        for low, high, share, each in zip(*ends, likely, intervals, strict=True)
    )


def scale_figures(channel: Channel, counts: tuple[int, ...], level: float) -> ScaleFigures:
    """Estimate the curve, the mean and the quartiles of ordered options, whose places are 1, 2 and so on."""
    places = np.arange(1.0, channel.answers + 1)
    curve = estimate_curve(channel, counts, level)
    quantiles: list[ValueFigures] = []
    if np.asarray(counts)[informative_reports(channel)].any():
        quantiles += [
            ValueFigures(
                "quantile", each.probability, each.answer + 1.0, None, None, each.low + 1.0, each.high + 1.0,
                level, "likelihood_ratio",
            )
            for each in curve_quantiles(curve, QUANTILES)
            if each.high - each.low < channel.answers - 1
        ]  # fmt: skip
    known = CurveFigures(1.0, float(channel.answers), points_of(curve, places[:-1]), (), level)
    return ScaleFigures(mean_values(estimate_mean(channel, counts, level, places)), tuple(quantiles), known)
