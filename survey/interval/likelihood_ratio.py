"""The likelihood-ratio test on [0, 1] with its chi-square calibration, turned into an interval."""

from __future__ import annotations

import math

from survey import special
from survey.counts import BinomialCount
from survey.solvers import brentq

SMALLEST = 1e-300
"""The chance that replaces 0 where its logarithm must be finite."""


def likelihood_ratio(binomial: BinomialCount, confidence_level: float) -> tuple[float, float]:
    """Return the lambda in [a, b] whose likelihood is not far below the greatest one there.

    The set {lambda : 2 (l_max - l(lambda)) <= the chi-square quantile with 1 degree of freedom}. The
    log-likelihood is concave, so the set is an interval, and it holds the most likely lambda.

    References
    ----------
    Wilks (1938), The large-sample distribution of the likelihood ratio for testing composite hypotheses.
    """
    drop = float(special.chdtri(1, 1 - confidence_level)) / 2
    high = 1 - low_end(binomial.mirrored, drop)
    return low_end(binomial, drop), max(high, binomial.most_likely)


def low_end(binomial: BinomialCount, drop: float) -> float:
    """Return the smallest lambda in [a, b] whose log-likelihood is at most `drop` below the greatest."""

    def shortfall(chance: float) -> float:
        return -log_ratio(binomial.respondents, binomial.count, chance, binomial.most_likely) - drop

    lowest, most_likely = binomial.lowest, binomial.most_likely
    if most_likely == lowest or shortfall(lowest) <= 0:
        return lowest
    return brentq(shortfall, lowest, most_likely, xtol=1e-15)


def log_ratio(n: int, count: int, chance: float, other: float) -> float:
    """Return by how much the log-likelihood of a count at one chance exceeds that at another.

    x log(lambda / lambda') + (n - x) log((1 - lambda) / (1 - lambda')), from the difference of the chances:
    of 10^15 respondents each log-likelihood alone is known to one digit after the point.
    """
    apart, others = chance - other, n - count
    of_these = math.log1p(apart / other) if 2 * chance > other else math.log(max(chance, SMALLEST) / other)
    return count * of_these + (others * math.log1p(-apart / (1 - other)) if others else 0.0)
