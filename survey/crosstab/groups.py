"""Two groups of respondents that were asked separately, compared."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from survey import special
from survey.channel import Channel, require_whole
from survey.counts import binomial_counts, informative_reports, read_counts
from survey.crosstab.comparison import Comparison
from survey.estimate import estimate_proportions, unbiased_inverse
from survey.interval import require_confidence_level
from survey.notice import Notice


def difference_of_groups(
    channel: Channel,
    counts: npt.ArrayLike,
    other_channel: Channel,
    other_counts: npt.ArrayLike,
    answer: int,
    confidence_level: float = 0.95,
) -> Comparison:
    """Estimate by how much the share of an answer is larger in one group than in another.

    The groups are known, not themselves a question: two surveys, two strata, two channels of one question.

    Parameters
    ----------
    channel, other_channel : Channel
        Of the two groups; they may be the same.
    counts, other_counts : array_like of int
        How often each report was received in either group.
    answer : int
        Index of the answer.
    confidence_level : float
        In (0, 1).

    Returns
    -------
    Comparison
        The unbiased difference, and a normal interval cut to [-1, 1].

    Raises
    ------
    ValueError
        If an argument is refused, or a channel is too close to singular.

    References
    ----------
    Agresti & Caffo (2000), Simple and Effective Confidence Intervals for Proportions and Differences of
    Proportions Result from Adding Two Successes and Two Failures, The American Statistician 54.
    """
    level = require_confidence_level(confidence_level)
    if channel.answers != other_channel.answers:
        raise ValueError(
            f"channels must have the same answers, got {channel.answers} and {other_channel.answers}"
        )
    answer = require_whole("answer", answer, 0, channel.answers - 1)
    first, second = estimate_proportions(channel, counts), estimate_proportions(other_channel, other_counts)
    difference = float(first.proportions[answer] - second.proportions[answer])
    if not (first.reported and second.reported):
        return Comparison(0.0, -1.0, 1.0, level, (Notice("no_respondents"),))
    adjusted = with_two_more(channel, counts, answer)
    return normal_difference(difference, adjusted, with_two_more(other_channel, other_counts, answer), level)


def normal_difference(
    value: float,
    adjusted: tuple[float, float],
    other: tuple[float, float],
    level: float,
    covariance: float = 0.0,
) -> Comparison:
    """Return a difference with the normal interval of two adjusted shares, each with its variance."""
    (centre, variance), (other_centre, other_variance) = adjusted, other
    middle = centre - other_centre
    margin = quantile(level) * math.sqrt(variance + other_variance - 2 * covariance)
    low, high = (min(max(end, -1.0), 1.0) for end in (middle - margin, middle + margin))
    return Comparison(value, low, high, level)


def quantile(level: float) -> float:
    """Return how many standard deviations a normal interval of a level reaches to either side."""
    return float(-special.ndtri((1 - level) / 2))


def with_two_more(channel: Channel, counts: npt.ArrayLike, answer: int) -> tuple[float, float]:
    """Return the share and its variance after adding one report for the answer and one against it.

    Where no count is binomial, two more reports come as they would if all answers were equally frequent.
    """
    binomials = binomial_counts(channel, counts)
    if binomials is not None:
        binomial = binomials[answer]
        share = (binomial.count + 1) / (binomial.respondents + 2)
        slope = binomial.highest - binomial.lowest
        return binomial.proportion(share), share * (1 - share) / (binomial.respondents + 2) / slope**2
    inverse = unbiased_inverse(channel)[:, answer]
    informative = informative_reports(channel)
    received = np.where(informative, read_counts(channel, counts) + 2 * channel.probabilities.mean(axis=0), 0)
    n = float(received.sum())
    share = float(received @ inverse) / n
    return share, float(received @ (inverse - share) ** 2) / n**2
