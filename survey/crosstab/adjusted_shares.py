"""Adjusted shares, and the normal interval of a difference between two of them.

See Agresti & Caffo (2000), Simple and Effective Confidence Intervals for Proportions and Differences of
Proportions Result from Adding Two Successes and Two Failures, The American Statistician 54.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from survey import special
from survey.channel import Channel
from survey.counts import binomial_counts, informative_reports, read_counts
from survey.crosstab.comparison import Comparison
from survey.estimate import unbiased_inverse


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
    """Return the number of standard deviations that a normal interval reaches to either side."""
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
