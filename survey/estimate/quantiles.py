"""The median and other quantiles of a number: a value by binned maximum likelihood, and its interval.

Noisy reports do not show the shares of a thousand grid points, but they show those of a few bins. The value
is read off as many bins as the reports tell apart, with the grid points of a bin taken as equally frequent.

People round their numbers, and then the grid points of a bin are not equally frequent. So no interval relies
on that: each holds for any shape of the distribution (`survey.interval.any_shape`). A quantile has no
interval, and is not estimated, if no grid point can be ruled out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from survey.counts import read_counts
from survey.estimate.bins import MOST_BINS, bin_starts, binned, equal_bins
from survey.interval import require_confidence_level
from survey.interval.any_shape import share_bounds
from survey.likelihood import most_likely
from survey.limits import CONFIDENCE_LEVEL
from survey.mechanisms import NumberChannel

AT_A_TIME = 4
"""The number of cuts of the grid that are bounded together."""


@dataclass(frozen=True)
class Quantile:
    """A number that a given share of the population does not exceed.

    Attributes
    ----------
    probability : float
        That share: 0.5 for the median.
    value : float
        The smallest grid point up to which the most likely distribution has at least that share, or the end
        of the interval nearest to it.
    low, high : float
        The interval, valid for any shape of the distribution.
    confidence_level : float
    """

    probability: float
    value: float
    low: float
    high: float
    confidence_level: float


def estimate_quantiles(
    channel: NumberChannel,
    counts: npt.ArrayLike,
    probabilities: Sequence[float] = (0.5,),
    confidence_level: float = CONFIDENCE_LEVEL,
) -> list[Quantile]:
    """Estimate quantiles of a number; the median where no others are named.

    Parameters
    ----------
    channel : NumberChannel
    counts : array_like of int, shape (channel.reports,)
        How often each report was received.
    probabilities : sequence of float
        In (0, 1).
    confidence_level : float
        In (0, 1), of each interval by itself.

    Returns
    -------
    list of Quantile
        One for each probability for which a grid point can be ruled out, in the order of `probabilities`.

    Raises
    ------
    ValueError
        If an argument is refused, or the reports have one bit and so determine the mean alone.

    Examples
    --------
    >>> from survey.mechanisms import laplace
    >>> (median,) = estimate_quantiles(laplace(0, 3, 1, 8.0), [0, 50, 60, 0])
    >>> median.value, median.low, median.high
    (2.0, 1.0, 2.0)
    """
    received = read_counts(channel, counts)
    level = require_confidence_level(confidence_level)
    starts = bin_starts(channel)
    for probability in probabilities:
        if not 0 < probability < 1:
            raise ValueError(f"probabilities must be numbers between 0 and 1, got {probability!r}")
    if received.sum() == 0:
        return []
    shares = most_likely(binned(channel, starts), received).proportions
    below = np.repeat(shares / np.diff(starts), np.diff(starts)).cumsum()
    ends = quantile_ends(channel, received, probabilities, level)
    quantiles = []
    for probability, (low, high) in zip(probabilities, ends, strict=True):
        if high - low < channel.answers - 1:
            point = min(max(int(np.searchsorted(below, probability - 1e-9)), low), high)
            value, first, last = (float(channel.grid[index]) for index in (point, low, high))
            quantiles.append(Quantile(float(probability), value, first, last, level))
    return quantiles


def quantile_ends(
    channel: NumberChannel,
    received: npt.NDArray[np.int64],
    probabilities: Sequence[float],
    level: float,
) -> list[tuple[int, int]]:
    """Return the first and the last grid point that each quantile may be.

    The points are cut into at most 20 parts. From the lowest cut upwards, a cut is passed as long as the
    share below it is certainly less than the probability; from the highest downwards, as long as it is
    certainly as much. An end is wrong only if the first cut that must stop it is passed, so many cuts are not
    many risks.
    """
    cuts = equal_bins(channel.answers, min(channel.answers, MOST_BINS))[1:-1]
    bounds = cut_bounds(channel, received, cuts, probabilities, level)
    ends = []
    for probability in probabilities:
        low, high = 0, channel.answers - 1
        for cut in cuts:
            if bounds[cut][1] >= probability:
                break
            low = cut
        for cut in reversed(cuts):
            if bounds[cut][0] < probability:
                break
            high = cut - 1
        ends.append((low, max(low, high)))
    return ends


def cut_bounds(
    channel: NumberChannel,
    received: npt.NDArray[np.int64],
    cuts: Sequence[int],
    probabilities: Sequence[float],
    level: float,
) -> dict[int, tuple[float, float]]:
    """Return bounds of the share below each cut that `quantile_ends` may look at.

    They take most of the time of a number's estimates. So they are worked out a few at a time, from either
    end, until the last quantile is passed; the cuts between are never needed.
    """
    bounds: dict[int, tuple[float, float]] = {}

    def work_out(some: Sequence[int]) -> None:
        missing = [cut for cut in some if cut not in bounds]
        if not missing:
            return
        below = [np.arange(channel.answers) < cut for cut in missing]
        bounds.update(zip(missing, share_bounds(channel.probabilities, received, below, level), strict=True))

    for some in batches(cuts):
        work_out(some)
        if any(bounds[cut][1] >= max(probabilities) for cut in some):
            break
    for some in batches(cuts[::-1]):
        work_out(some)
        if any(bounds[cut][0] < min(probabilities) for cut in some):
            break
    return bounds


def batches(cuts: Sequence[int]) -> list[Sequence[int]]:
    """Divide cuts into a few at a time."""
    return [cuts[start : start + AT_A_TIME] for start in range(0, len(cuts), AT_A_TIME)]
