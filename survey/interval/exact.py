"""The exact binomial test on [0, 1], ordered by likelihood ratio, turned into an interval.

A lambda is accepted if the outcomes at least as extreme as the one observed have a total probability, the
p-value, above alpha. One outcome is more extreme than another if its likelihood ratio
L(lambda) / max L is smaller, the maximum being over [a, b], all that the channel can give (Feldman &
Cousins 1998, Unified approach to the classical statistical analysis of small signals, section IV.B). The
interval is the hull of what is accepted: never empty, as the most likely lambda has p-value 1.

The low end is found as follows. Let l(j) be the greatest log-likelihood of outcome j over [a, b], and x the
outcome observed. Below the most likely lambda every outcome above x is more extreme than x, and an outcome j
< x is as extreme or more exactly from its tie on:

    logit(tie_j) = (l(x) - l(j)) / (x - j),

because log L(lambda) is linear in the outcome. The slope of a chord of the convex l rises with j, so the
ties are in order, and on [tie_j, tie_j+1) the p-value is P(X >= x) + P(X <= j), which falls and then rises.
Its greatest values are at the ends of these segments. From one tie to the next the mean n lambda rises by
less than the outcome does, (n tie_j - j) / (x - j) < 1; so the p-value rises from tie to tie as well, and
bisection finds the first tie that is accepted, in about log2(x) steps whatever the number of respondents.
Bisection on lambda alone can miss it.
"""

from __future__ import annotations

import math
from bisect import bisect_left

from survey import special
from survey.counts import BinomialCount
from survey.interval.likelihood_ratio import log_ratio
from survey.solvers import brentq

TOLERANCE = 1e-9
"""Outcomes whose log-likelihood ratios differ by no more than this are tied."""

BELOW_ONE = math.nextafter(1, 0)
"""The chance that replaces 1 where its odds must be finite."""


def exact(binomial: BinomialCount, confidence_level: float) -> tuple[float, float]:
    """Return the hull of the lambda in [a, b] that the exact test at 1 - `confidence_level` accepts."""
    alpha = 1 - confidence_level
    low, high = low_end(binomial, alpha), 1 - low_end(binomial.mirrored, alpha)
    return min(low, binomial.most_likely), max(high, binomial.most_likely)


def low_end(binomial: BinomialCount, alpha: float) -> float:
    """Return the lower end of the hull of the lambda in [a, b] that the test at `alpha` accepts."""
    x, lowest = binomial.count, binomial.lowest
    if binomial.most_likely == lowest or p_value(binomial, 0, lowest) > alpha:
        return lowest

    def accepted(outcome: int) -> bool:
        return p_value(binomial, outcome + 1, tie(binomial, outcome)) > alpha

    # But for rounding x - 1 is always accepted: its p-value is P(X >= x) + P(X <= x - 1) = 1.
    outcome = bisect_left(range(x - 1), True, key=accepted)
    end = tie(binomial, outcome)
    start = tie(binomial, outcome - 1) if outcome else lowest

    def excess(chance: float) -> float:
        return p_value(binomial, outcome, chance) - alpha

    # On the segment that ends there the p-value starts at alpha or below, and passes it once or never.
    if excess(end) <= 0:
        return end
    return brentq(excess, start, end, xtol=1e-15)


def p_value(binomial: BinomialCount, below: int, chance: float) -> float:
    """Return P(X >= x) + P(X < below), for x of 1 or more."""
    n, x = binomial.respondents, binomial.count
    upper = float(special.betainc(x, n - x + 1, chance))
    return upper + (float(special.betaincc(below, n - below + 1, chance)) if below else 0.0)


def tie(binomial: BinomialCount, outcome: int) -> float:
    """Return the lambda from which on an outcome below the observed one is as extreme as it.

    With lambda_x and lambda_j those of greatest likelihood, l(x) - l(j) is (x - j) logit(lambda_x) minus the
    log-likelihood of j at lambda_j over that at lambda_x.
    """
    n, x = binomial.respondents, binomial.count
    own = min(binomial.most_likely, BELOW_ONE)
    more = log_ratio(n, outcome, min(max(outcome / n, binomial.lowest), binomial.highest), own)
    # Above n b the log-likelihood is linear and every tie is b itself, the same whatever the outcome.
    slack = TOLERANCE if outcome < n * binomial.highest else 0.0
    return float(special.expit(special.logit(own) - (more + slack) / (x - outcome)))
