"""The distribution of a number, its median and its quantiles, by binned maximum likelihood.

The shares of a thousand grid points cannot be found from noisy reports, those of a few bins can. The bins
shown are no more than the reports tell apart; the likelihood is that of finer ones, in which every grid point
counts as equally frequent: with that said of the bins shown, the shares and intervals of a steep distribution
would be distorted. The value of a quantile is read off the bins shown, which are steadier.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from scipy.special import chdtri

from survey.channel import require_whole
from survey.counts import read_counts
from survey.interval import ConfidenceInterval, require_confidence_level
from survey.interval.several_shares import likelihood_intervals
from survey.likelihood import most_likely
from survey.mechanisms import NumberChannel
from survey.notice import Notice

MOST_BINS = 20

WORST_CONDITION = 1e6
"""Beyond this condition number even a million respondents cannot distinguish the shares of the bins."""

DEGREES_OF_FREEDOM = 2.5
"""Of the chi-square quantile that a quantile's test is held against. One would do for smooth distributions;
where everybody is at a few points, shares of 0 between them lower its coverage to .85 with 1, to .93 with 2
(tests/benchmarks/estimates_coverage.py)."""

Array = npt.NDArray[np.float64]
Starts = list[int]
"""The index of the first grid point of every bin, from 0, and at the end the number of grid points."""


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
    intervals : tuple of ConfidenceInterval
        One for each bin, by likelihood-ratio tests.
    people : ndarray of float, shape (bins,)
        How many of the respondents.
    notices : tuple of Notice
    """

    respondents: int
    first: Array
    last: Array
    proportions: Array
    intervals: tuple[ConfidenceInterval, ...]
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
        The smallest grid point up to which the most likely distribution has at least that share.
    low, high : float
        The grid points that a likelihood-ratio test does not rule out as that quantile.
    confidence_level : float
    """

    probability: float
    value: float
    low: float
    high: float
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
    if n == 0:
        proportions = np.diff(starts) / channel.answers
        intervals = [ConfidenceInterval(0.0, 1.0, (), "likelihood_ratio", level)] * size
        notices = (Notice("no_respondents"),)
    else:
        fine = divided(starts)
        probabilities = binned(channel, fine)
        shown = np.searchsorted(starts, fine[:-1], side="right") - 1
        sets = shown == np.arange(size)[:, np.newaxis]
        proportions = sets @ most_likely(probabilities, received).proportions
        intervals = [
            ConfidenceInterval(low, high, (), "likelihood_ratio", level)
            for low, high in likelihood_intervals(probabilities, received, level, sets)
        ]
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
        One for each probability. With no respondents, everything from low to high.

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
    found = []
    for probability in probabilities:
        point = min(int(np.searchsorted(below, probability - 1e-9)), channel.answers - 1)
        low, high = 0, channel.answers - 1
        if received.sum():
            low, high = quantile_ends(channel, received, divided(starts), probability, level, point)
        value, first, last = (float(channel.grid[index]) for index in (point, low, high))
        found.append(Quantile(float(probability), value, first, last, level))
    return found


def quantile_ends(
    channel: NumberChannel,
    received: npt.NDArray[np.int64],
    starts: Starts,
    probability: float,
    level: float,
    point: int,
) -> tuple[int, int]:
    """Return the first and the last grid point that may be the quantile, looking outwards from one that is.

    Point i is one if "at most `probability` lies below i" and "at least that much lies up to i" are both
    not rejected; each is a test of the share of the points up to a cut, by its profile likelihood.
    """
    drop = float(chdtri(DEGREES_OF_FREEDOM, 1 - level)) / 2

    def allowed(cut: int, at_least: bool) -> bool:
        """Whether the share of the points before `cut` may be at least, or at most, the probability."""
        if cut in (0, channel.answers):
            return (cut == channel.answers) == at_least
        split = sorted({*starts, cut})
        table = binned(channel, split)
        top = most_likely(table, received)
        before = np.array(split[:-1]) < cut
        if (top.proportions[before].sum() >= probability) == at_least:
            return True
        return top.log_likelihood - most_likely(table, received, before, probability).log_likelihood <= drop

    low, rejected = point, -1
    while low - rejected > 1:
        middle = (low + rejected) // 2
        low, rejected = (middle, rejected) if allowed(middle + 1, True) else (low, middle)
    high, rejected = point, channel.answers
    while rejected - high > 1:
        middle = (high + rejected) // 2
        high, rejected = (middle, rejected) if allowed(middle, False) else (high, middle)
    return low, high


def bin_starts(channel: NumberChannel, bins: int) -> Starts:
    """Divide the grid into bins of nearly equal size, as many as the reports tell apart.

    Raises
    ------
    ValueError
        If `bins` is not 2 to 20, or the reports have one bit.
    """
    bins = require_whole("bins", bins, 2, MOST_BINS)
    if channel.reports == 2 < channel.answers:
        raise ValueError("channel must have more than two reports: of one bit only the mean can be found")
    for number in range(min(bins, channel.answers), 2, -1):
        starts = equal_bins(channel.answers, number)
        if np.linalg.cond(binned(channel, starts)) <= WORST_CONDITION:
            return starts
    return equal_bins(channel.answers, 2)


def equal_bins(points: int, number: int) -> Starts:
    """Divide a number of points into bins of nearly equal size."""
    return [index * points // number for index in range(number + 1)]


def divided(starts: Starts) -> Starts:
    """Divide every bin further, so that there are about 20 of them."""
    parts = -(-MOST_BINS // (len(starts) - 1))
    finer = {
        start + (end - start) * part // parts for start, end in pairwise(starts) for part in range(parts)
    }
    return [*sorted(finer), starts[-1]]


def binned(channel: NumberChannel, starts: Starts) -> Array:
    """Return P(report | bin), shape (bins, reports): the mean over the grid points of the bin."""
    sums = np.add.reduceat(channel.probabilities, starts[:-1], axis=0)
    chances: Array = sums / np.diff(starts)[:, np.newaxis]
    return chances
