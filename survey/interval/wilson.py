"""The score test for a binomial share, turned into an interval."""

from __future__ import annotations

import math

from survey import special
from survey.counts import BinomialCount


def wilson(binomial: BinomialCount, confidence_level: float) -> tuple[float, float]:
    """Return the Wilson interval of lambda, the chance of the counted report; it may leave [a, b].

    References
    ----------
    Wilson (1927), Probable inference, the law of succession, and statistical inference, JASA 22.
    """
    n, share = binomial.respondents, binomial.share
    z = float(-special.ndtri((1 - confidence_level) / 2))
    # (share - lambda)^2 = z^2 lambda (1 - lambda) / n, solved for lambda.
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    margin = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return centre - margin, centre + margin
