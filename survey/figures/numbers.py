"""The mean of a number, its quartiles and its cumulative curve."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from survey.estimate import estimate_mean, estimate_quantiles
from survey.figures.curves import CurveFigures, number_curve_figures
from survey.figures.shares import Precision, finite
from survey.figures.values import QUANTILES, ValueFigures, mean_values
from survey.interval.leaving_band import number_band
from survey.mechanisms import NumberChannel
from survey.notice import Notice
from survey.privacy import radius


@dataclass(frozen=True)
class NumberFigures:
    """The estimates of a number.

    Attributes
    ----------
    respondents : int
    mean : ValueFigures
    quantiles : tuple of ValueFigures
        The quartiles that have an interval; none where the reports determine the mean alone.
    notices : tuple of Notice
    radius : float or None
        The most by which one forged report moves the mean, in the number's own unit; None without reports.
    curve : CurveFigures or None
        The distribution; None where the reports determine the mean alone.
    """

    respondents: int
    mean: ValueFigures
    quantiles: tuple[ValueFigures, ...]
    notices: tuple[Notice, ...]
    radius: float | None
    curve: CurveFigures | None = None


@lru_cache(maxsize=64)
def number_figures(
    channel: NumberChannel, counts: tuple[int, ...], precision: Precision, seen_first: bool = False
) -> NumberFigures:
    """Estimate a number from counts; cached, as its quantiles can take seconds.

    Parameters
    ----------
    channel : NumberChannel
    counts : tuple of int, of length channel.reports
    precision : Precision
    seen_first : bool
        Whether people see their result before they send it, so that they may leave over it.

    Raises
    ------
    ValueError
        If the counts are not the channel's.
    """
    estimate = estimate_mean(channel, counts, precision.confidence_level)
    band: tuple[float, float] | tuple[None, None] = None, None
    if seen_first:
        band = number_band(channel, counts, (estimate.low, estimate.high), estimate.confidence_level)
    mean = mean_values(estimate, band)
    moved = None
    if estimate.respondents:  # the radius is in shares of the range
        moved = finite(radius(channel, estimate.respondents) * float(np.ptp(channel.grid)))
    if channel.mean_only:
        return NumberFigures(estimate.respondents, mean, (), estimate.notices, moved)
    return NumberFigures(
        respondents=estimate.respondents,
        mean=mean,
        quantiles=quantile_figures(channel, counts, precision),
        notices=estimate.notices,
        radius=moved,
        curve=number_curve_figures(channel, counts, precision.confidence_level),
    )


def quantile_figures(
    channel: NumberChannel, counts: tuple[int, ...], precision: Precision
) -> tuple[ValueFigures, ...]:
    """Estimate the quartiles, each by itself."""
    return tuple(
        ValueFigures(
            quantity="quantile",
            probability=quantile.probability,
            value=quantile.value,
            unbiased=None,
            standard_error=None,
            low=quantile.low,
            high=quantile.high,
            confidence_level=quantile.confidence_level,
            method="likelihood_ratio",
        )
        for quantile in estimate_quantiles(channel, counts, QUANTILES, precision.confidence_level)
    )
