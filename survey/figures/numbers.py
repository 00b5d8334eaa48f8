"""The mean of a number and its quartiles."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from survey.estimate import estimate_mean, estimate_quantiles
from survey.figures.shares import Precision, finite
from survey.interval.leaving_band import number_band
from survey.mechanisms import NumberChannel
from survey.notice import Notice
from survey.privacy import radius

QUANTILES = (0.25, 0.5, 0.75)


@dataclass(frozen=True)
class ValueFigures:
    """A mean or a quantile, in the number's own unit.

    Attributes
    ----------
    quantity : str
        ``mean`` or ``quantile``.
    probability : float or None
        Of a quantile: the share of the population that does not exceed it; 0.5 for the median.
    value : float
        The number to show, which lies in its interval.
    low, high : float
        The interval; that of a quantile is valid for any shape of the distribution.
    unbiased, standard_error : float or None
        The unbiased mean, which may leave the range of the question, and its standard error; both None for a
        quantile, and the error also without reports.
    confidence_level, method : float, str
        Of this interval by itself.
    band_low, band_high : float or None
        The band of a mean, which allows for people who left over their result; None where nobody sees it
        before it is sent.
    """

    quantity: str
    probability: float | None
    value: float
    unbiased: float | None
    standard_error: float | None
    low: float
    high: float
    confidence_level: float
    method: str
    band_low: float | None = None
    band_high: float | None = None


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
    """

    respondents: int
    mean: ValueFigures
    quantiles: tuple[ValueFigures, ...]
    notices: tuple[Notice, ...]
    radius: float | None


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
    mean = ValueFigures(
        quantity="mean",
        probability=None,
        value=estimate.estimate,
        unbiased=estimate.mean,
        standard_error=finite(estimate.standard_error),
        low=estimate.low,
        high=estimate.high,
        confidence_level=estimate.confidence_level,
        method=estimate.method,
        band_low=band[0],
        band_high=band[1],
    )
    moved = None
    if estimate.respondents:  # the radius is in shares of the range
        moved = finite(radius(channel, estimate.respondents) * float(np.ptp(channel.grid)))
    if channel.reports == 2 < channel.answers:  # of one bit the mean alone can be found
        return NumberFigures(estimate.respondents, mean, (), estimate.notices, moved)
    return NumberFigures(
        respondents=estimate.respondents,
        mean=mean,
        quantiles=quantile_figures(channel, counts, precision),
        notices=estimate.notices,
        radius=moved,
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
