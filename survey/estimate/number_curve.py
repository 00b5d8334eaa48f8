"""The cumulative curve of a number, whatever the shape of its distribution between two cuts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from survey.counts import read_counts
from survey.estimate.bins import MOST_BINS, bin_starts, binned, equal_bins
from survey.estimate.cumulative_curve import CumulativeCurve, estimate_curve
from survey.interval import require_confidence_level
from survey.interval.any_shape import share_bounds
from survey.likelihood import most_likely
from survey.limits import CONFIDENCE_LEVEL
from survey.mechanisms import NumberChannel

Array = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class NumberCurve:
    """The shares of people up to some numbers.

    Attributes
    ----------
    starts : ndarray of int, shape (classes + 1,)
        The first grid point of every class, and at the end the number of grid points.
    curve : CumulativeCurve
        Of the classes: the share up to the last number of each but the last.
    below : ndarray, shape (answers,)
        The most likely share up to every grid point, those of a class taken as equally frequent.
    """

    starts: npt.NDArray[np.int64]
    curve: CumulativeCurve
    below: Array


def estimate_number_curve(
    channel: NumberChannel, counts: npt.ArrayLike, confidence_level: float = CONFIDENCE_LEVEL
) -> NumberCurve:
    """Estimate the cumulative curve of a number.

    Parameters
    ----------
    channel : NumberChannel
        The curve of a designed channel has its classes, and that of other noise at most 20 parts of the grid.
    counts : array_like of int, shape (channel.reports,)
        How often each report was received.
    confidence_level : float
        In (0, 1).

    Returns
    -------
    NumberCurve
        Intervals and band hold for any shape of the distribution; see `estimate_curve` for the band.

    Raises
    ------
    ValueError
        If an argument is refused, or the reports determine the mean alone.

    Examples
    --------
    >>> from survey.mechanisms import laplace
    >>> known = estimate_number_curve(laplace(0, 3, 1, 8.0), [4, 500, 550, 400])
    >>> known.starts.tolist(), known.curve.low.round(2).tolist(), known.curve.high.round(2).tolist()
    ([0, 1, 2, 3, 4], [0.0, 0.32, 0.71], [0.0, 0.37, 0.76])
    """
    received = read_counts(channel, counts)
    level = require_confidence_level(confidence_level)
    bins = bin_starts(channel)
    if (classes := channel.classes) is not None:
        starts = np.append(np.searchsorted(channel.grid, classes.lowest), channel.answers)
        curve = estimate_curve(classes.channel, received, level)
        shares = np.diff(curve.shares, prepend=0.0, append=1.0)
        return NumberCurve(starts, curve, spread_evenly(shares, np.diff(starts)))
    starts = np.array(equal_bins(channel.answers, min(channel.answers, MOST_BINS)))
    if received.sum() == 0:
        even = np.arange(1, channel.answers + 1) / channel.answers
        likely, (low, high) = even[starts[1:-1] - 1], np.meshgrid((0.0, 1.0), starts[1:-1])[0].T
        return NumberCurve(starts, CumulativeCurve(likely, low, high, low, high, level), even)
    below = spread_evenly(most_likely(binned(channel, bins), received).proportions, np.diff(bins))
    likely = below[starts[1:-1] - 1].clip(0, 1)
    ends = []
    for each in (level, 1 - (1 - level) / len(likely)):  # the band: Bonferroni over the cuts
        low, high = limits(channel, received, starts[1:-1], each)
        ends += [np.minimum(low, likely), np.maximum(high, likely)]
    band_low, band_high = np.maximum.accumulate(ends[2]), np.minimum.accumulate(ends[3][::-1])[::-1]
    return NumberCurve(starts, CumulativeCurve(likely, ends[0], ends[1], band_low, band_high, level), below)


def spread_evenly(shares: Array, sizes: npt.NDArray[np.int64]) -> Array:
    """Return the cumulative share at every grid point, those of a class being equally frequent."""
    below: Array = np.repeat(shares / sizes, sizes).cumsum()
    return below


def limits(
    channel: NumberChannel, received: Counts, cuts: npt.NDArray[np.int64], level: float
) -> tuple[Array, Array]:
    """Return bounds of the share below each cut that hold for any shape."""
    sets = [np.arange(channel.answers) < cut for cut in cuts]
    low, high = np.transpose(share_bounds(channel.probabilities, received, sets, level))
    return low, high
