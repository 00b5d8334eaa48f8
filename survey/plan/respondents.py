"""Respondents for a margin of error, and the margin for a number of respondents."""

from __future__ import annotations

import math

import numpy as np

from survey import special
from survey.channel import require_whole
from survey.interval import require_confidence_level

MOST_RESPONDENTS = 10**12


def margin(variance: float, respondents: int, confidence_level: float = 0.95) -> float:
    """Return half the width of the normal interval: z sqrt(variance / n)."""
    respondents = require_whole("respondents", respondents, 1, MOST_RESPONDENTS)
    level = require_confidence_level(confidence_level)
    return float(-special.ndtri((1 - level) / 2)) * math.sqrt(variance / respondents)


def respondents_for_margin(variance: float, margin: float, confidence_level: float = 0.95) -> int:
    """Return the smallest n with z sqrt(variance / n) at most the margin.

    Parameters
    ----------
    variance : float
        n times the variance of the estimate, as `share_variances` and `mean_variance` give it.
    margin : float
        Above 0, in the unit of the estimate: 0.05 for plus and minus 5 points.
    confidence_level : float
        In (0, 1).

    Raises
    ------
    ValueError
        If a number is outside its range.

    Examples
    --------
    >>> from survey.mechanisms import spinner_coin
    >>> from survey.plan.variance import share_variances
    >>> respondents_for_margin(share_variances(spinner_coin(1.0), [0.9, 0.1])[1], 0.05)
    1553
    """
    margin = require_margin(margin)
    level = require_confidence_level(confidence_level)
    return math.ceil((float(special.ndtri((1 - level) / 2)) / margin) ** 2 * variance)


def require_margin(margin: object, of_share: bool = False) -> float:
    """Check a margin: a finite number above 0; of a share, below 1."""
    number = isinstance(margin, int | float | np.integer | np.floating) and not isinstance(margin, bool)
    if not (number and 0 < float(margin) < (1 if of_share else math.inf)):  # type: ignore[arg-type]
        allowed = "in (0, 1)" if of_share else "above 0"
        raise ValueError(f"margin must be a number {allowed}, got {margin!r}")
    return float(margin)  # type: ignore[arg-type]
