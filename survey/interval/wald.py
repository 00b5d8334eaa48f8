"""Estimate plus and minus a multiple of its standard error: what most programs print."""

from __future__ import annotations

import math

from survey import special
from survey.counts import BinomialCount


def wald(binomial: BinomialCount, confidence_level: float) -> tuple[float, float]:
    """Return the Wald interval of lambda, the chance of the counted report; it may leave [a, b].

    For comparison only: at 20 respondents and epsilon 4 it holds some proportions fewer than 4 times in 10
    (``tests/benchmarks/coverage.py``).
    """
    share = binomial.share
    z = float(-special.ndtri((1 - confidence_level) / 2))
    margin = z * math.sqrt(share * (1 - share) / binomial.respondents)
    return share - margin, share + margin
