"""Shares within a subgroup, and how they differ between two: differences and odds ratios."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy.typing as npt

from survey import special
from survey.channel import Channel
from survey.crosstab.subgroup_likelihood import FINENESS, SMALLEST_SHARE, SubgroupLikelihood
from survey.interval import require_confidence_level
from survey.limits import CONFIDENCE_LEVEL
from survey.notice import Notice
from survey.solvers import minimum

MINIMUM_PEOPLE = 30
"""In a group estimated to be smaller than this, figures mean little."""

LARGEST_LOGARITHM = 20.0
"""An odds ratio beyond e^20 counts as infinite, below e^-20 as 0."""


@dataclass(frozen=True)
class Comparison:
    """A share within a group, or a comparison of two such shares.

    Attributes
    ----------
    value : float
        The most likely value; of independent groups, the unbiased difference.
    low, high : float
        The confidence interval; an odds ratio's may start at 0 or end at infinity.
    confidence_level : float
    notices : tuple of Notice
        ``few``, for each group estimated to be smaller than the minimum.
    """

    value: float
    low: float
    high: float
    confidence_level: float
    notices: tuple[Notice, ...] = ()


def share_within(
    channels: Sequence[Channel],
    table: npt.ArrayLike,
    answer: int,
    group: int,
    confidence_level: float = CONFIDENCE_LEVEL,
) -> Comparison:
    """Estimate the share of an answer to one question among those with an answer to another.

    Parameters
    ----------
    channels : sequence of two Channel
        Of the question whose share is meant, and of the question that makes the groups.
    table : array_like of int, shape (reports of the one, reports of the other)
        How often each pair of reports was received.
    answer, group : int
        Index of an answer to the one and to the other.
    confidence_level : float
        In (0, 1).

    Returns
    -------
    Comparison
        The interval is that of the profile likelihood: within [0, 1] and never empty. With no respondents
        it is [0, 1]; in a group that seems to be empty the value is that of everybody.

    Raises
    ------
    ValueError
        If an argument is refused.
    """
    level = require_confidence_level(confidence_level)
    within = SubgroupLikelihood(channels, table, answer, [group])
    if within.joint.reported == 0:
        return Comparison(1 / channels[0].answers, 0.0, 1.0, level, within.notices(MINIMUM_PEOPLE))
    value = within.shares()[0][0]

    low, high = within.interval(within.log_likelihood, value, 0.0, 1.0, level)
    return Comparison(value, low, high, level, within.notices(MINIMUM_PEOPLE))


def difference_within(
    channels: Sequence[Channel],
    table: npt.ArrayLike,
    answer: int,
    group: int,
    other: int,
    confidence_level: float = CONFIDENCE_LEVEL,
) -> Comparison:
    """Estimate by how much the share of an answer is larger in one group than in another.

    Parameters
    ----------
    channels, table, answer, confidence_level
        As for `share_within`.
    group, other : int
        Index of two answers to the second question.

    Returns
    -------
    Comparison
        Within [-1, 1], by the profile likelihood.

    Raises
    ------
    ValueError
        If an argument is refused.
    """
    level = require_confidence_level(confidence_level)
    within = SubgroupLikelihood(channels, table, answer, [group, other])
    if within.joint.reported == 0:
        return Comparison(0.0, -1.0, 1.0, level, within.notices(MINIMUM_PEOPLE))
    first, second = within.shares()[0]

    def profile(difference: float) -> float:
        def at(share: float) -> float:
            return within.log_likelihood(min(max(share + difference, 0.0), 1.0), share)

        return greatest(at, max(0.0, -difference), min(1.0, 1.0 - difference))

    low, high = within.interval(profile, first - second, -1.0, 1.0, level)
    return Comparison(first - second, low, high, level, within.notices(MINIMUM_PEOPLE))


def odds_ratio_within(
    channels: Sequence[Channel],
    table: npt.ArrayLike,
    answer: int,
    group: int,
    other: int,
    confidence_level: float = CONFIDENCE_LEVEL,
) -> Comparison:
    """Estimate the odds of an answer in one group over its odds in another.

    Parameters
    ----------
    channels, table, answer, group, other, confidence_level
        As for `difference_within`.

    Returns
    -------
    Comparison
        By the profile likelihood. A share of 0 or 1 counts as a billionth away from it.

    Raises
    ------
    ValueError
        If an argument is refused.
    """
    level = require_confidence_level(confidence_level)
    within = SubgroupLikelihood(channels, table, answer, [group, other])
    if within.joint.reported == 0:
        return Comparison(1.0, 0.0, math.inf, level, within.notices(MINIMUM_PEOPLE))
    first, second = (
        float(special.logit(min(max(share, SMALLEST_SHARE), 1 - SMALLEST_SHARE)))
        for share in within.shares()[0]
    )

    def profile(logarithm: float) -> float:
        def at(total: float) -> float:
            return within.log_likelihood(*shares_of_total(total, logarithm))

        return greatest(at, 0.0, 2.0)

    value = min(max(first - second, -LARGEST_LOGARITHM), LARGEST_LOGARITHM)
    low, high = within.interval(profile, value, -LARGEST_LOGARITHM, LARGEST_LOGARITHM, level)
    return Comparison(
        value=math.exp(first - second),
        low=math.exp(low) if low > -LARGEST_LOGARITHM else 0.0,
        high=math.exp(high) if high < LARGEST_LOGARITHM else math.inf,
        confidence_level=level,
        notices=within.notices(MINIMUM_PEOPLE),
    )


def shares_of_total(total: float, logarithm: float) -> tuple[float, float]:
    """Return the two shares with that sum whose odds have that ratio.

    With an odds ratio far from 1 one of them lies close to 0 or 1, so neither alone serves as a parameter.
    With R = e^|logarithm| and q the smaller share, (R - 1) q^2 + b q = total where
    b = R + 1 - (R - 1) total, and the other share is total - q.
    """
    more = math.expm1(abs(logarithm))
    b = more + 2 - more * total
    root = math.sqrt(b**2 + 4 * more * total)
    # The one of the two forms of the solution that subtracts nothing.
    smaller = 2 * total / (b + root) if b >= 0 else (root - b) / (2 * more)
    smaller = min(max(smaller, 0.0), total / 2, 1.0)
    larger = min(total - smaller, 1.0)
    return (larger, smaller) if logarithm >= 0 else (smaller, larger)


def greatest(function: Callable[[float], float], low: float, high: float) -> float:
    """Return the greatest value of a function with one peak on [low, high]."""
    if high - low < FINENESS:
        return function((low + high) / 2)
    inside = -minimum(lambda at: -function(at), low, high)
    return max(inside, function(low), function(high))
