"""The cumulative shares of ordered answers, with a band that holds them all, and their quantiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from survey import special
from survey.channel import Channel
from survey.counts import informative_reports, read_counts
from survey.estimate.proportions import most_likely_proportions, unbiased_inverse
from survey.interval import require_confidence_level
from survey.interval.saturated_likelihood import CONTINUITY, saturated_likelihood
from survey.limits import CONFIDENCE_LEVEL

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CumulativeCurve:
    """The share of the population up to every answer but the last, of k in order.

    Attributes
    ----------
    shares : ndarray, shape (k - 1,)
        The most likely ones, rising within [0, 1].
    low, high : ndarray, shape (k - 1,)
        The confidence interval of each share by itself, never without the most likely one.
    band_low, band_high : ndarray, shape (k - 1,)
        Limits that hold for all shares together, rising as the shares do.
    confidence_level : float
    """

    shares: Array
    low: Array
    high: Array
    band_low: Array
    band_high: Array
    confidence_level: float


@dataclass(frozen=True)
class AnswerQuantile:
    """The first answer up to which a certain share of the population lies.

    Attributes
    ----------
    probability : float
        That share: 0.5 for the median.
    answer : int
        By the most likely shares, or the end of the interval nearest to that.
    low, high : int
        The interval, whatever the shares: the first and the last answer that it may be.
    """

    probability: float
    answer: int
    low: int
    high: int


def estimate_curve(
    channel: Channel, counts: npt.ArrayLike, confidence_level: float = CONFIDENCE_LEVEL
) -> CumulativeCurve:
    """Estimate the cumulative shares of ordered answers.

    Parameters
    ----------
    channel : Channel
        Its answers are in order: options from less to more, or classes of a number.
    counts : array_like of int, shape (channel.reports,)
        How often each report was received.
    confidence_level : float
        In (0, 1).

    Returns
    -------
    CumulativeCurve
        From 0 to 1 everywhere where nobody reported.

    Raises
    ------
    ValueError
        If the counts or the level are refused, or the channel is too close to singular to be inverted.

    Notes
    -----
    A cumulative share is the mean of what a report adds to it, the sum of what it adds to the shares. Each
    interval is that of this mean by its likelihood, which holds whatever the shares are. The band is made of
    such intervals at a level of 1 - alpha/(k - 1): all hold together with at least 1 - alpha (Bonferroni).
    As cumulative shares rise, a limit of one bounds its neighbours too. A band from the joint normal
    distribution would be 2 % narrower, and held all of them in .932 of surveys at epsilon 4.

    Examples
    --------
    >>> from survey.mechanisms import wheel
    >>> curve = estimate_curve(wheel(3, 2.0), [700, 200, 100])
    >>> curve.shares.round(2).tolist(), curve.band_low.round(2).tolist(), curve.band_high.round(2).tolist()
    ([0.86, 1.0], [0.82, 0.97], [0.92, 1.0])
    """
    received = read_counts(channel, counts)
    level = require_confidence_level(confidence_level)
    informative = informative_reports(channel)
    heard = received[informative]
    values = unbiased_inverse(channel)[informative].cumsum(axis=1)[:, :-1]  # what a report adds to each share
    cuts = channel.answers - 1
    if heard.sum() == 0:
        none, every = np.zeros(cuts), np.ones(cuts)
        return CumulativeCurve(np.arange(1, cuts + 1) / (cuts + 1), none, every, none, every, level)
    low, high = share_limits(values, heard, 1 - level)
    band_low, band_high = share_limits(values, heard, (1 - level) / cuts)
    likely = (
        most_likely_proportions(channel.probabilities[:, informative], heard, None).cumsum()[:-1].clip(0, 1)
    )
    return CumulativeCurve(
        shares=likely,
        low=np.minimum(low, likely),
        high=np.maximum(high, likely),
        band_low=np.minimum(np.maximum.accumulate(band_low), likely),
        band_high=np.maximum(np.minimum.accumulate(band_high[::-1])[::-1], likely),
        confidence_level=level,
    )


def share_limits(values: Array, counts: npt.NDArray[np.int64], alpha: float) -> tuple[Array, Array]:
    """Return the interval of each mean of values in [0, 1], wrong with a chance of `alpha`."""
    drop = float(special.chdtri(1, alpha)) / 2
    low, high = np.transpose([saturated_likelihood(each, counts, drop, CONTINUITY) for each in values.T])
    return low, high


def curve_quantiles(
    curve: CumulativeCurve, probabilities: Sequence[float] = (0.25, 0.5, 0.75)
) -> list[AnswerQuantile]:
    """Read quantiles off a cumulative curve, each with its interval.

    Parameters
    ----------
    curve : CumulativeCurve
    probabilities : sequence of float
        In (0, 1).

    Returns
    -------
    list of AnswerQuantile
        In the order of `probabilities`, at the confidence level of the curve, of each by itself.

    Raises
    ------
    ValueError
        If a probability is not in (0, 1).

    Notes
    -----
    The quantile is above answer c where the share up to c is below the probability. From the first answer on,
    one is passed as long as the upper limit of its share is below; from the last back, as long as the lower
    limit is not. An end is wrong only if the limit of one certain share is, that up to the quantile or up to
    the answer before: many answers are not many risks.
    """
    last = len(curve.shares)
    quantiles = []
    for probability in probabilities:
        if not 0 < probability < 1:
            raise ValueError(f"probabilities must be numbers between 0 and 1, got {probability!r}")
        low = next((answer for answer in range(last) if curve.high[answer] >= probability), last)
        below = (answer for answer in range(last, 0, -1) if curve.low[answer - 1] < probability)
        high = max(low, next(below, 0))
        answer = int(np.searchsorted(curve.shares, probability - 1e-9))
        quantiles.append(AnswerQuantile(float(probability), min(max(answer, low), high), low, high))
    return quantiles
