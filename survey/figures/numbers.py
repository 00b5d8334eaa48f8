"""The mean of a number, its quantiles and its distribution."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from survey.estimate import Distribution, estimate_distribution, estimate_mean, estimate_quantiles
from survey.estimate.bins import MOST_BINS, bin_starts
from survey.figures.shares import Precision, finite
from survey.interval.leaving import number_band
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
    low, high : float or None
        None where no interval holds for any shape of the distribution.
    standard_error : float or None
        Of a mean from any respondents.
    confidence_level, method : float, str
        Of this interval by itself.
    band_low, band_high : float or None
        Of a mean, the band for people who left over their result; None where nobody sees it before it is
        sent.
    """

    quantity: str
    probability: float | None
    value: float
    standard_error: float | None
    low: float | None
    high: float | None
    confidence_level: float
    method: str
    band_low: float | None = None
    band_high: float | None = None


@dataclass(frozen=True)
class MeanFigures(ValueFigures):
    """A mean, which always has an interval."""

    low: float
    high: float


@dataclass(frozen=True)
class BinFigures:
    """The share of the population in one bin, from `first` to `last`, both included.

    Without an interval its ends, level and method are None; the share then assumes that neighbouring values
    are about equally common.
    """

    first: float
    last: float
    proportion: float
    low: float | None
    high: float | None
    people: float
    confidence_level: float | None
    method: str | None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The ends of the interval, if there is one."""
        return None if self.low is None or self.high is None else (self.low, self.high)


@dataclass(frozen=True)
class NumberFigures:
    """What is known of a number.

    Attributes
    ----------
    respondents : int
    mean : MeanFigures
    quantiles : tuple of ValueFigures
        Empty, like `bins`, where the reports determine the mean alone.
    bins : tuple of BinFigures
        The most likely distribution.
    notices : tuple of Notice
    radius : float or None
        How far one forged report moves the mean at most, in the number's own unit; None where there are no
        reports.
    """

    respondents: int
    mean: MeanFigures
    quantiles: tuple[ValueFigures, ...]
    bins: tuple[BinFigures, ...]
    notices: tuple[Notice, ...]
    radius: float | None


@lru_cache(maxsize=64)
def number_figures(
    channel: NumberChannel, counts: tuple[int, ...], precision: Precision, seen_first: bool = False
) -> NumberFigures:
    """Estimate a number from counts; kept, because a distribution can take seconds.

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
    found = estimate_mean(channel, counts, precision.confidence_level)
    band: tuple[float, float] | tuple[None, None] = None, None
    if seen_first:
        band = number_band(channel, counts, (found.low, found.high), found.confidence_level)
    mean = MeanFigures(
        quantity="mean",
        probability=None,
        value=found.mean,
        standard_error=finite(found.standard_error),
        low=found.low,
        high=found.high,
        confidence_level=found.confidence_level,
        method=found.method,
        band_low=band[0],
        band_high=band[1],
    )
    moved = None
    if found.respondents:  # the radius is in shares of the range
        moved = finite(radius(channel, found.respondents) * float(np.ptp(channel.grid)))
    if channel.reports == 2 < channel.answers:  # of one bit the mean alone can be found
        return NumberFigures(found.respondents, mean, (), (), found.notices, moved)
    bins = len(bin_starts(channel, MOST_BINS)) - 1
    # A simultaneous level is for the bins together.
    distribution = estimate_distribution(channel, counts, precision.each_of(bins).confidence_level)
    return NumberFigures(
        respondents=found.respondents,
        mean=mean,
        quantiles=quantile_figures(channel, counts, precision),
        bins=bin_figures(distribution),
        notices=found.notices + tuple(each for each in distribution.notices if each not in found.notices),
        radius=moved,
    )


def quantile_figures(
    channel: NumberChannel, counts: tuple[int, ...], precision: Precision
) -> tuple[ValueFigures, ...]:
    """Estimate the quartiles, each by itself."""
    return tuple(
        ValueFigures(
            quantity="quantile",
            probability=each.probability,
            value=each.value,
            standard_error=None,
            low=each.low,
            high=each.high,
            confidence_level=each.confidence_level,
            method="likelihood_ratio",
        )
        for each in estimate_quantiles(channel, counts, QUANTILES, precision.confidence_level)
    )


def bin_figures(found: Distribution) -> tuple[BinFigures, ...]:
    """Return the share of each bin, with its interval where it has one."""
    return tuple(
        BinFigures(
            first=float(found.first[index]),
            last=float(found.last[index]),
            proportion=float(found.proportions[index]),
            low=interval.low if interval else None,
            high=interval.high if interval else None,
            people=float(found.people[index]),
            confidence_level=interval.confidence_level if interval else None,
            method=interval.method if interval else None,
        )
        for index, interval in enumerate(found.intervals)
    )
