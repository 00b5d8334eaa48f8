"""Respondents for a margin of error, and the margin for a number of respondents."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from survey import special
from survey.channel import require_whole
from survey.interval import require_confidence_level
from survey.limits import CONFIDENCE_LEVEL
from survey.privacy.binomial import CUT, binomial, ends

MOST_RESPONDENTS = 10**12

MANY = 10_000
"""With more reports than this expected, three terms of a series give their mean inverse to 1e-11."""


@lru_cache(maxsize=4096)
def mean_inverse(respondents: int, chance: float) -> float:
    """Return the mean of 1/N, where N of n people report, each with the same chance, and N > 0.

    Parameters
    ----------
    respondents : int
        n, 1 or more.
    chance : float
        In (0, 1].

    Notes
    -----
    It is larger than 1/(n p): with q = 1 - p and m = n p about (1 + q/m + q (1 + q)/m**2)/m (Stephan 1945,
    Annals of Mathematical Statistics 16, p. 50).

    Examples
    --------
    >>> mean_inverse(2, 0.5), mean_inverse(10, 1.0)
    (0.8333333333333334, 0.1)
    """
    expected = respondents * chance
    if chance >= 1:
        return 1 / respondents
    if expected > MANY:
        left = (1 - chance) / expected
        return (1 + left + left * (2 - chance) / expected) / expected
    chances = binomial(respondents, chance)
    numbers = ends(CUT, respondents, chance)[0] + np.arange(len(chances))
    some = numbers > 0
    return float((chances[some] / numbers[some]).sum() / chances[some].sum())


@dataclass(frozen=True)
class ExpectedPrecision:
    """The precision of an estimate, from which the margin follows for any number of people.

    Attributes
    ----------
    variance : float
        n times the variance of the estimate, with n people who are asked.
    reporting : float
        The chance that one of them reports: of a sampled box, the part of the boxes that is drawn.
    """

    variance: float
    reporting: float = 1.0

    def margin(
        self, respondents: int, asked: float = 1.0, confidence_level: float = CONFIDENCE_LEVEL
    ) -> float:
        """Return the margin of error where each respondent is asked with the same chance, in (0, 1]."""
        return margin(self.variance * self.reporting, respondents, confidence_level, asked * self.reporting)

    def respondents(
        self, margin: float, asked: float = 1.0, confidence_level: float = CONFIDENCE_LEVEL
    ) -> int:
        """Return the number of people for a margin of error; see `respondents_for_margin`."""
        return respondents_for_margin(
            self.variance * self.reporting, margin, confidence_level, asked * self.reporting
        )


def margin(
    variance: float, respondents: int, confidence_level: float = CONFIDENCE_LEVEL, chance: float = 1.0
) -> float:
    """Return half the width of the normal interval: z sqrt(variance E[1/N]).

    Parameters
    ----------
    variance : float
        n times the variance of the estimate from n reports.
    respondents : int
    confidence_level : float
        In (0, 1).
    chance : float
        The chance that a respondent reports, in (0, 1]; N is the number who do.
    """
    respondents = require_whole("respondents", respondents, 1, MOST_RESPONDENTS)
    level = require_confidence_level(confidence_level)
    return float(-special.ndtri((1 - level) / 2)) * math.sqrt(variance * mean_inverse(respondents, chance))


def respondents_for_margin(
    variance: float, margin: float, confidence_level: float = CONFIDENCE_LEVEL, chance: float = 1.0
) -> int:
    """Return the smallest n with z sqrt(variance E[1/N]) at most the margin.

    Parameters
    ----------
    variance : float
        n times the variance of the estimate, as `share_variances` and `mean_variance` give it.
    margin : float
        Above 0, in the unit of the estimate: 0.05 for plus and minus 5 points.
    confidence_level : float
        In (0, 1).
    chance : float
        As of `survey.plan.margin`.

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
    return respondents_for_reports((float(special.ndtri((1 - level) / 2)) / margin) ** 2 * variance, chance)


def respondents_for_reports(reports: float, chance: float) -> int:
    """Return the smallest n with E[1/N] at most 1/reports, where each of n people reports with a chance."""
    least = math.ceil(reports / chance)
    if chance >= 1 or reports == 0:
        return least
    # E[1/N] is at least 1/(n p), and below 1/reports from twice the least on.
    numbers = range(least, 2 * least + math.ceil(10 / chance))
    return numbers[bisect_left(numbers, -1 / reports, key=lambda n: -mean_inverse(n, chance))]


def require_margin(margin: object, of_share: bool = False) -> float:
    """Check a margin: a finite number above 0; of a share, below 1."""
    number = isinstance(margin, int | float | np.integer | np.floating) and not isinstance(margin, bool)
    if not (number and 0 < float(margin) < (1 if of_share else math.inf)):  # type: ignore[arg-type]
        allowed = "in (0, 1)" if of_share else "above 0"
        raise ValueError(f"margin must be a number {allowed}, got {margin!r}")
    return float(margin)  # type: ignore[arg-type]
