"""The distribution of a number, its median and its quantiles, by binned maximum likelihood.

The shares of a thousand grid points cannot be found from noisy reports, those of a few bins can. The bins
shown are no more than the reports tell apart; the likelihood is that of finer ones, in which every grid
point counts as equally frequent: with that assumed of the bins shown, the shares of a steep distribution
would be distorted. The value of a quantile is read off the bins shown, which are steadier.

People round their numbers, and then grid points of a bin are not equally frequent at all. So no interval
rests on that: each holds for any shape of the distribution (`survey.interval.any_shape`). Where such an
interval is too wide to say much, the estimate has none and rests on the assumption alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from survey.counts import read_counts
from survey.estimate.bins import MOST_BINS, Starts, bin_starts, binned, divided, equal_bins
from survey.interval import ConfidenceInterval, require_confidence_level
from survey.interval.any_shape import share_bounds
from survey.likelihood import most_likely
from survey.mechanisms import NumberChannel
from survey.notice import Notice

WIDEST = 0.3
"""A share's interval that is not narrower than this is left out."""

AT_A_TIME = 4
"""How many cuts of the grid are looked at together."""

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Distribution:
    """The shares of the bins.

    Attributes
    ----------
    respondents : int
    first, last : ndarray of float, shape (bins,)
        The first and the last number of each bin, both included.
    proportions : ndarray of float, shape (bins,)
        The most likely shares; 0 or more, with sum 1.
    intervals : tuple of (ConfidenceInterval or None)
        One for each bin, valid for any shape of the distribution; None where it would not be narrower than
        0.3.
    people : ndarray of float, shape (bins,)
        How many of the respondents.
    notices : tuple of Notice
        ``neighbours`` where a share has no interval; ``uneven`` where one lies outside its interval.
    """

    respondents: int
    first: Array
    last: Array
    proportions: Array
    intervals: tuple[ConfidenceInterval | None, ...]
    people: Array
    notices: tuple[Notice, ...]


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
    low, high : float or None
        The interval, valid for any shape of the distribution; None where no grid point can be ruled out.
    confidence_level : float
    """

    probability: float
    value: float
    low: float | None
    high: float | None
    confidence_level: float


def estimate_distribution(
    channel: NumberChannel, counts: npt.ArrayLike, confidence_level: float = 0.95, bins: int = MOST_BINS
) -> Distribution:
    """Estimate the distribution of a number.

    Parameters
    ----------
    channel : NumberChannel
    counts : array_like of int, shape (channel.reports,)
        How often each report was received.
    confidence_level : float
        In (0, 1), of each interval by itself.
    bins : int
        At most this many bins, 2 to 20; fewer where the reports tell no more apart.

    Returns
    -------
    Distribution

    Raises
    ------
    ValueError
        If an argument is refused, or the reports have one bit and so determine the mean alone.

    Examples
    --------
    >>> from survey.mechanisms import laplace
    >>> estimate_distribution(laplace(0, 3, 1, 8.0), [0, 50, 50, 0]).proportions.round(2).tolist()
    [0.0, 0.5, 0.5, 0.0]
    """
    received = read_counts(channel, counts)
    level = require_confidence_level(confidence_level)
    starts = bin_starts(channel, bins)
    size = len(starts) - 1
    n = int(received.sum())
    notices: tuple[Notice, ...] = ()
    intervals: list[ConfidenceInterval | None] = [None] * size
    if n == 0:
        proportions = np.diff(starts) / channel.answers
        notices = (Notice("no_respondents"),)
    else:
        fine = divided(starts)
        shown = np.searchsorted(starts, fine[:-1], side="right") - 1
        sets = shown == np.arange(size)[:, np.newaxis]
        proportions = sets @ most_likely(binned(channel, fine), received).proportions
        intervals = bin_intervals(channel, received, starts, level)
        notices = oddities_of_bins(proportions, intervals)
    return Distribution(
        respondents=n,
        first=channel.grid[starts[:-1]],
        last=channel.grid[np.array(starts[1:]) - 1],
        proportions=proportions,
        intervals=tuple(intervals),
        people=n * proportions,
        notices=notices,
    )


def estimate_quantiles(
    channel: NumberChannel,
    counts: npt.ArrayLike,
    probabilities: Sequence[float] = (0.5,),
    confidence_level: float = 0.95,
    bins: int = MOST_BINS,
) -> list[Quantile]:
    """Estimate quantiles of a number; the median where no others are named.

    Parameters
    ----------
    channel, counts, confidence_level, bins
        As for `estimate_distribution`.
    probabilities : sequence of float
        In (0, 1).

    Returns
    -------
    list of Quantile
        One for each probability. With no respondents there is no interval.

    Raises
    ------
    ValueError
        As `estimate_distribution`, and if a probability is not in (0, 1).
    """
    received = read_counts(channel, counts)
    level = require_confidence_level(confidence_level)
    starts = bin_starts(channel, bins)
    for probability in probabilities:
        if not 0 < probability < 1:
            raise ValueError(f"probabilities must be numbers between 0 and 1, got {probability!r}")
    if received.sum() == 0:
        shares = np.full(channel.answers, 1 / channel.answers)
    else:
        shares = most_likely(binned(channel, starts), received).proportions
        shares = np.repeat(shares / np.diff(starts), np.diff(starts))
    below = shares.cumsum()
    ends = quantile_ends(channel, received, probabilities, level)
    found = []
    for probability, (low, high) in zip(probabilities, ends, strict=True):
        point = min(int(np.searchsorted(below, probability - 1e-9)), channel.answers - 1)
        value = float(channel.grid[min(max(point, low), high)])
        first, last = float(channel.grid[low]), float(channel.grid[high])
        known = high - low < channel.answers - 1
        found.append(
            Quantile(float(probability), value, first if known else None, last if known else None, level)
        )
    return found


def bin_intervals(
    channel: NumberChannel, received: npt.NDArray[np.int64], starts: Starts, level: float
) -> list[ConfidenceInterval | None]:
    """Return the interval of each bin's share; None where it would not be narrower than `WIDEST`."""
    points = np.arange(channel.answers)
    bins = [(points >= start) & (points < end) for start, end in pairwise(starts)]
    return [
        ConfidenceInterval(low, high, (), "likelihood_ratio", level) if high - low < WIDEST else None
        for low, high in share_bounds(channel.probabilities, received, bins, level)
    ]


def oddities_of_bins(
    proportions: Array, intervals: Sequence[ConfidenceInterval | None]
) -> tuple[Notice, ...]:
    """Return what a reader must know of the bins: what their shares assume, and whether reports deny it."""
    found = []
    if None in intervals:
        found.append(Notice("neighbours"))
    if any(
        interval is not None and not interval.low <= share <= interval.high
        for share, interval in zip(proportions, intervals, strict=True)
    ):
        found.append(Notice("uneven"))
    return tuple(found)


def quantile_ends(
    channel: NumberChannel,
    received: npt.NDArray[np.int64],
    probabilities: Sequence[float],
    level: float,
) -> list[tuple[int, int]]:
    """Return the first and the last grid point that may be each quantile.

    The points are cut into at most 20 parts. From the lowest cut on, each is passed as long as the share
    below it is certainly less than the probability; from the highest cut down, as long as it is certainly as
    much. An end errs only where the first cut is passed that must not be, so many cuts are not many risks.
    """
    if not received.sum():
        return [(0, channel.answers - 1)] * len(probabilities)
    cuts = equal_bins(channel.answers, min(channel.answers, MOST_BINS))[1:-1]
    bounds = cut_bounds(channel, received, cuts, probabilities, level)
    found = []
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
        found.append((low, max(low, high)))
    return found


def cut_bounds(
    channel: NumberChannel,
    received: npt.NDArray[np.int64],
    cuts: Sequence[int],
    probabilities: Sequence[float],
    level: float,
) -> dict[int, tuple[float, float]]:
    """Return the bounds of the share below each cut that `quantile_ends` may come to.

    They take most of the time that a number takes, so they are worked out a few at a time, from either end,
    until the last quantile is passed; what lies between is never looked at.
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
