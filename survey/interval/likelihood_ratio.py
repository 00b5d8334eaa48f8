"""The likelihood-ratio test on [0, 1] with its chi-square calibration, turned into an interval."""

from __future__ import annotations

from survey import special
from survey.counts import BinomialCount
from survey.solvers import brentq

SMALLEST = 1e-300
"""Stands for a chance of 0 where its logarithm must be finite."""


def likelihood_ratio(binomial: BinomialCount, confidence_level: float) -> tuple[float, float]:
    """Return the lambda in [a, b] whose likelihood is not far below the greatest one there.

    The set {lambda : 2 (l_max - l(lambda)) <= the chi-square quantile with 1 degree of freedom}. The
    log-likelihood is concave, so the set is an interval, and it holds the most likely lambda.

    References
    ----------
    Wilks (1938), The large-sample distribution of the likelihood ratio for testing composite hypotheses.
    """
    drop = float(special.chdtri(1, 1 - confidence_level)) / 2
    low, high = low_end(binomial, drop), 1 - low_end(binomial.mirrored, drop)
    return min(low, binomial.most_likely), max(high, binomial.most_likely)


def low_end(binomial: BinomialCount, drop: float) -> float:
    """Return the smallest lambda in [a, b] whose log-likelihood is at most `drop` below the greatest."""
    greatest = log_likelihood(binomial, binomial.most_likely)

    def shortfall(chance: float) -> float:
        return greatest - log_likelihood(binomial, chance) - drop

    start = max(binomial.lowest, SMALLEST)
    if binomial.most_likely <= start or shortfall(start) <= 0:
        return binomial.lowest
    return brentq(shortfall, start, binomial.most_likely, xtol=1e-15)


def log_likelihood(binomial: BinomialCount, chance: float) -> float:
    """Return x log lambda + (n - x) log(1 - lambda)."""
    x = binomial.count
    return float(special.xlogy(x, chance) + special.xlog1py(binomial.respondents - x, -chance))
