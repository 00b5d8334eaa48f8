"""The exact binomial test on [0, 1], ordered by likelihood ratio, turned into an interval.

A lambda is accepted if the outcomes at least as extreme as the one observed have a total probability, the
p-value, above alpha. One outcome is more extreme than another if its likelihood ratio
L(lambda) / max L is smaller, the maximum being over [a, b], all that the channel can give (Feldman &
Cousins 1998, Unified approach to the classical statistical analysis of small signals, section IV.B). The
interval is the hull of what is accepted: never empty, as the most likely lambda has p-value 1.

How the low end is found. Let l(j) be the greatest log-likelihood of outcome j over [a, b], and x the outcome
observed. Below the most likely lambda every outcome above x is more extreme than x, and an outcome j < x
is as extreme or more exactly from its tie on:

    logit(tie_j) = (l(x) - l(j)) / (x - j),

because log L(lambda) is linear in the outcome. The slope of a chord of the convex l rises with j, so the
ties are in order, and on [tie_j, tie_j+1) the p-value is P(X >= x) + P(X <= j), which falls and then rises.
Its greatest values are at the ends of these segments, so it suffices to look at every tie, from the left
and at the tie itself; bisection on lambda alone can miss an accepted tie.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from survey import special
from survey.counts import BinomialCount
from survey.interval.likelihood_ratio import low_end as likelihood_ratio_low_end
from survey.solvers import brentq

TOLERANCE = 1e-9
"""Outcomes whose log-likelihood ratios differ by no more than this are tied."""

Array = npt.NDArray[np.float64]


def exact(binomial: BinomialCount, confidence_level: float) -> tuple[float, float]:
    """Return the hull of the lambda in [a, b] that the exact test at 1 - `confidence_level` accepts."""
    alpha = 1 - confidence_level
    low, high = low_end(binomial, alpha), 1 - low_end(binomial.mirrored, alpha)
    return min(low, binomial.most_likely), max(high, binomial.most_likely)


def low_end(binomial: BinomialCount, alpha: float) -> float:
    """Return the lower end of the hull of the lambda in [a, b] that the test at `alpha` accepts."""
    n, x, lowest = binomial.respondents, binomial.count, binomial.lowest
    if binomial.most_likely == lowest or binomial_upper_tail(x, n, lowest) > alpha:
        return lowest
    # Either tail has at most the probability exp(log-likelihood ratio of x) (Chernoff). Where that is below
    # alpha / 2 all is rejected, so that for most channels only about sqrt(n) ties are left to look at.
    start = likelihood_ratio_low_end(binomial, drop=-math.log(alpha / 2))
    tie = tie_of(binomial)
    first = bisect_left(range(x - 1), start, key=tie)
    outcome = first_accepted(binomial, first, alpha)
    end = tie(outcome)
    start = min(start, end) if outcome == first else tie(outcome - 1)

    def excess(chance: float) -> float:
        upper = float(special.betainc(x, n - x + 1, chance))
        lower = float(special.betaincc(outcome, n - outcome + 1, chance)) if outcome else 0.0
        return upper + lower - alpha  # P(X >= x) + P(X < outcome), in plain numbers

    # On the segment that ends there the p-value starts at alpha or below, and passes it once or never.
    if excess(end) <= 0:
        return end
    return start if excess(start) >= 0 else brentq(excess, start, end, xtol=1e-15)


def first_accepted(binomial: BinomialCount, first: int, alpha: float) -> int:
    """Return the first outcome, from `first` on, whose tie is accepted.

    In a block of outcomes from i to j no p-value exceeds P(X >= x) at tie_j plus P(X <= j) at tie_i, as the
    one probability rises and the other falls with lambda; a block whose bound is not above alpha is skipped.
    """
    n, x = binomial.respondents, binomial.count
    size = math.isqrt(x - first)
    starts = np.arange(first, x, size)
    lasts = np.minimum(starts + size, x) - 1
    bounds = binomial_upper_tail(x, n, ties(binomial, lasts)) + binomial_cdf(lasts, n, ties(binomial, starts))
    for block in np.flatnonzero(bounds > alpha):
        outcomes = np.arange(starts[block], lasts[block] + 1)
        chances = ties(binomial, outcomes)
        accepted = outcomes[binomial_upper_tail(x, n, chances) + binomial_cdf(outcomes, n, chances) > alpha]
        if accepted.size:
            return int(accepted[0])
    return x - 1  # but for rounding always accepted: its p-value is P(X >= x) + P(X <= x - 1) = 1


def ties(binomial: BinomialCount, outcomes: npt.NDArray[np.int64]) -> Array:
    """Return the lambda from which on each outcome below the observed one is as extreme as it."""
    x = binomial.count
    # Above n b the log-likelihood is linear and every tie is b itself, the same whatever the outcome.
    slack = np.where(outcomes < binomial.respondents * binomial.highest, TOLERANCE, 0.0)
    gain = greatest_of(binomial, x) - greatest(binomial, outcomes) - slack
    return np.maximum(special.expit(gain / (x - outcomes)), binomial.lowest)


def tie_of(binomial: BinomialCount) -> Callable[[int], float]:
    """Return what gives the tie of one outcome: `ties` in plain numbers, for many are looked at in turn."""
    n, x, lowest = binomial.respondents, binomial.count, binomial.lowest
    own, linear = greatest_of(binomial, x), n * binomial.highest

    def tie(outcome: int) -> float:
        gain = own - greatest_of(binomial, outcome) - (TOLERANCE if outcome < linear else 0.0)
        return max(1 / (1 + math.exp(-gain / (x - outcome))), lowest)

    return tie


def greatest_of(binomial: BinomialCount, outcome: int) -> float:
    """Return `greatest` of one outcome, in plain numbers."""
    n = binomial.respondents
    chance = min(max(outcome / n, binomial.lowest), binomial.highest)
    of_these = outcome * math.log(chance) if outcome else 0.0
    return of_these + ((n - outcome) * math.log1p(-chance) if outcome < n else 0.0)


def greatest(binomial: BinomialCount, outcomes: npt.ArrayLike) -> Array:
    """Return the greatest log-likelihood over [a, b] of each outcome, without the binomial coefficient."""
    n = binomial.respondents
    outcomes = np.asarray(outcomes)
    most_likely = np.clip(outcomes / n, binomial.lowest, binomial.highest)
    return special.xlogy(outcomes, most_likely) + special.xlog1py(n - outcomes, -most_likely)


def binomial_upper_tail(count: int, n: int, chance: Array | float) -> Array:
    """Return P(X >= count), for a count of 1 or more."""
    return np.asarray(special.betainc(count, n - count + 1, chance), np.float64)


def binomial_cdf(count: npt.NDArray[np.int64] | int, n: int, chance: Array | float) -> Array:
    """Return P(X <= count), for a count below n; 0 below none."""
    tail = special.betaincc(np.maximum(count, 0) + 1, n - np.asarray(count), chance)
    return np.where(np.asarray(count) < 0, 0.0, tail)
