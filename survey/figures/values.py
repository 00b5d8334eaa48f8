"""A mean or a quantile with its interval."""

from __future__ import annotations

from dataclasses import dataclass

from survey.estimate import MeanEstimate
from survey.figures.shares import finite

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


def mean_values(
    estimate: MeanEstimate, band: tuple[float, float] | tuple[None, None] = (None, None)
) -> ValueFigures:
    """Return the figures of a mean, with the band that allows for people who left."""
    return ValueFigures(
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
