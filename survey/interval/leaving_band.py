"""The band where people see their result before they send it, and up to one in ten leaves over it.

Of the people who saw result r let a part l_r leave, with 0 <= l_r <= f. If q'_r is the share of r among the
results that were sent, then among those that chance gave it was

    q_r = q'_r w_r / (sum of q' w),  w_r = 1 / (1 - l_r), from 1 to 1 + c, c = f / (1 - f).

It does not matter which of those people left, for they saw the same result. An estimate is a mean of
g(result). It would have been m if the sum of q' w (g - m) is 0. For a given m this sum is least with
w = 1 + c for every result with g < m and w = 1 for all others, and greatest the other way round. So m can be
had if and only if it lies between the zeros of these two sums, which fall as m grows: at worst people leave
over the results on one side of a threshold of g. With S = 1 on that side and 0 elsewhere, the zeros are the
smallest and the greatest of sum of q' g (1 + c S) / (1 + c Q'), Q' = sum of q' S, over all sets S.
(They are expectiles: Newey & Powell 1987, Asymmetric Least Squares Estimation and Testing, Econometrica 55.)

The g of a share has two values, so S is the results that speak for the answer, or all others:

    Q = Q' / (1 - f (1 - Q')) where the former left, Q = Q' (1 - f) / (1 - f Q') where the latter did.

Both rise with Q', and the sampling interval goes outside: each is taken at an end of it. Elsewhere the band
is the likelihood interval of the sum above. People who leave over the result of another question, or of
another box, are not allowed for.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from survey import special
from survey.channel import Channel
from survey.counts import binomial_counts, informative_reports, read_counts
from survey.interval.saturated_likelihood import CONTINUITY, shortfall, with_continuity
from survey.interval.several_shares import ONE_MORE, SPENT_ON_SATURATED
from survey.inverse import least_squares_inverse
from survey.mechanisms import NumberChannel
from survey.solvers import brentq

LEAVING = 0.1
"""f, the largest assumed part of those who saw a result and left over it."""

MORE = LEAVING / (1 - LEAVING)
"""c, the additional weight of a result over which people left."""

Array = npt.NDArray[np.float64]
Ends = tuple[float, float]


def share_drawn(sent: float) -> float:
    """Return Q, how often chance gave certain results, from their share Q' of those sent if one in ten left.

    Examples
    --------
    >>> round(share_drawn(0.3), 4)
    0.3226
    """
    return sent / (1 - LEAVING * (1 - sent))


def share_sent(drawn: float) -> float:
    """Return Q', the share of those sent, if one in ten of the results that chance gives is not sent."""
    return drawn * (1 - LEAVING) / (1 - LEAVING * drawn)


def share_bands(
    channel: Channel, counts: npt.ArrayLike, intervals: Sequence[Ends], level: float
) -> list[Ends]:
    """Return the band of each answer's share, within [0, 1].

    Parameters
    ----------
    channel : Channel
    counts : array_like of int, shape (channel.reports,)
        How often each report was received.
    intervals : sequence of (low, high)
        Of the shares, as if nobody had left.
    level : float
        In (0, 1), of each of them by itself.

    Returns
    -------
    list of (low, high)
        None narrower than the interval. Of no and yes, people leave over yes alone; of several answers, over
        any results. With no respondents, the intervals.

    Raises
    ------
    ValueError
        If the counts are not the channel's.
    """
    received = read_counts(channel, counts)
    informative = informative_reports(channel)
    if not received[informative].any():
        return list(intervals)
    lines = binomial_counts(channel, received)
    if lines is None:
        heard = channel.probabilities[:, informative]
        inverse = least_squares_inverse(heard / heard.sum(axis=1, keepdims=True))
        spent = 1 - SPENT_ON_SATURATED * (1 - level)  # as much as the interval leaves to the same test
        bands = [mean_band(adds, received[informative], spent, ONE_MORE) for adds in inverse.T]
        return [outside(band, interval) for band, interval in zip(bands, intervals, strict=True)]
    if len(lines) == 2:
        low, high = intervals[1]
        high = line_band(low, high, lines[1].lowest, lines[1].highest)[1]
        return [(1 - high, 1 - low), (low, high)]
    return [
        line_band(low, high, line.lowest, line.highest)
        for (low, high), line in zip(intervals, lines, strict=True)
    ]


def number_band(channel: NumberChannel, counts: npt.ArrayLike, interval: Ends, level: float) -> Ends:
    """Return the band of a number's mean, in its own unit and within its grid.

    Parameters
    ----------
    channel : NumberChannel
    counts : array_like of int, shape (channel.reports,)
    interval : (low, high)
        Of the mean, as if nobody had left.
    level : float
        In (0, 1).

    Raises
    ------
    ValueError
        If the counts are not the channel's.
    """
    received = read_counts(channel, counts)
    if not received.any():
        return interval
    lowest, span = float(channel.grid[0]), float(np.ptp(channel.grid))
    low, high = ((end - lowest) / span for end in interval)
    if channel.reports == 2:  # the chance of the second is on a line, as that of a share
        band = line_band(low, high, *channel.probabilities[[0, -1], 1].tolist())
    else:
        values = (channel.values - lowest) / span
        band = outside(mean_band(values, received, level, CONTINUITY), (low, high))
    return lowest + span * band[0], lowest + span * band[1]


def line_band(low: float, high: float, a: float, b: float) -> Ends:
    """Return the band of a share that alone decides the chance of a result, a + (b - a) share."""
    chances = share_sent(a + (b - a) * low), share_drawn(a + (b - a) * high)
    return max((chances[0] - a) / (b - a), 0.0), min((chances[1] - a) / (b - a), 1.0)


def mean_band(values: Array, counts: npt.NDArray[np.int64], level: float, continuity: float) -> Ends:
    """Return the band of a mean in [0, 1].

    Parameters
    ----------
    values : ndarray, shape (reports,)
        What each report adds to the mean.
    counts : ndarray of int, shape (reports,)
        Not all 0.
    level : float
        In (0, 1).
    continuity : float
        As for `saturated_likelihood`.
    """
    drop = float(special.chdtri(1, 1 - level)) / 2
    low = lowest_mean(values, with_continuity(-values, counts, continuity), drop)
    return low, 1 - lowest_mean(1 - values, with_continuity(values, counts, continuity), drop)


def lowest_mean(values: Array, counts: Array, drop: float) -> float:
    """Return the lowest mean in [0, 1] from which the log-likelihood falls by `drop` at most.

    If one in ten left over every result below a mean m, the chances of what was sent give w (g - m) the mean
    0. Any other w gives it more, so if these chances are not likely, m is not likely with any w.
    """

    def fall(mean: float) -> float:
        apart = values - mean
        apart = np.where(apart < 0, (1 + MORE) * apart, apart)
        return shortfall(apart, counts, 0.0) if counts @ apart > 0 else 0.0

    allowed = drop + fall(1.0)  # the reports may point beyond 1, which then is the likeliest
    return 0.0 if fall(0.0) <= allowed else brentq(lambda mean: fall(mean) - allowed, 0.0, 1.0)


def outside(band: Ends, interval: Ends) -> Ends:
    """Return the band, or the end of the interval where it reaches further."""
    return min(band[0], interval[0]), max(band[1], interval[1])
