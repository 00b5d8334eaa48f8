"""Confidence intervals for the proportion of an answer: four methods, one call.

Where the reports that support an answer are a binomial count, each method gives an interval for their
chance lambda = a + (b - a) pi; here it is mapped to the proportion pi and cut to [0, 1]. Elsewhere the
likelihood-ratio interval is that of all proportions together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from survey.channel import Channel
from survey.counts import BinomialCount, binomial_counts, informative_reports, read_counts
from survey.interval.exact import exact
from survey.interval.likelihood_ratio import likelihood_ratio
from survey.interval.several_shares import likelihood_intervals
from survey.interval.wald import wald
from survey.interval.wilson import wilson
from survey.limits import CONFIDENCE_LEVEL
from survey.notice import Notice

Method = Callable[[BinomialCount, float], tuple[float, float]]

BY_NAME: Mapping[str, Method] = MappingProxyType(
    {"exact": exact, "likelihood_ratio": likelihood_ratio, "wilson": wilson, "wald": wald}
)

METHODS = tuple(BY_NAME)
"""Names of the methods, the default first."""


@dataclass(frozen=True)
class ConfidenceInterval:
    """The proportions that the counts do not rule out.

    Attributes
    ----------
    low, high : float
        With 0 <= low <= high <= 1.
    notices : tuple of Notice
        ``cut``, where the method's own interval lay outside [0, 1] altogether.
    method : str
        The method asked for, or ``likelihood_ratio`` where the count is not binomial.
    confidence_level : float
        Of this interval by itself. It is above the level asked for where several intervals hold together.
    """

    low: float
    high: float
    notices: tuple[Notice, ...] = ()
    method: str = METHODS[0]
    confidence_level: float = CONFIDENCE_LEVEL


def proportion_intervals(
    channel: Channel,
    counts: npt.ArrayLike,
    confidence_level: float = CONFIDENCE_LEVEL,
    method: str = "exact",
    simultaneous: bool = False,
) -> list[ConfidenceInterval]:
    """Return the confidence interval of each answer's proportion.

    Parameters
    ----------
    channel : Channel
    counts : array_like of int, shape (channel.reports,)
        How often each report was received; for yes/no the order is no, yes.
    confidence_level : float
        In (0, 1).
    method : str
        One of `METHODS`. ``exact`` covers the truth at least as often as the level says, at every
        proportion; for two answers it and ``likelihood_ratio`` always hold the maximum-likelihood value.
        ``wilson`` and ``wald`` are for comparison with other programs. Where the counts are not binomial,
        as for the exponential mechanism and for numbers, there is ``likelihood_ratio`` alone.
    simultaneous : bool
        Whether `confidence_level` is for all intervals together. Each of k intervals then has the level
        1 - (1 - confidence_level) / k (Bonferroni); the two of a yes/no question are one interval seen
        from two sides, and stay as they are.

    Returns
    -------
    list of ConfidenceInterval
        One for each answer; with two answers, each other's mirror image. With no respondents, [0, 1].

    Raises
    ------
    ValueError
        If the method, the level or the counts are none of these.

    Examples
    --------
    >>> from survey.mechanisms import coin
    >>> no, yes = proportion_intervals(coin(), [40, 60])
    >>> round(yes.low, 3), round(yes.high, 3)
    (0.5, 0.886)
    """
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, got {method!r}")
    level = require_confidence_level(confidence_level)
    if simultaneous and channel.answers > 2:
        level = min(1 - (1 - level) / channel.answers, math.nextafter(1, 0))
    received = read_counts(channel, counts)
    informative = informative_reports(channel)
    binomials = binomial_counts(channel, received)
    if received[informative].sum() == 0:
        return [ConfidenceInterval(0.0, 1.0, (), method, level)] * channel.answers
    if binomials is None:
        return profile_intervals(channel.probabilities[:, informative], received[informative], level)
    if len(binomials) == 2:
        interval = binomial_interval(binomials[1], level, method)
        mirrored = ConfidenceInterval(1 - interval.high, 1 - interval.low, interval.notices, method, level)
        return [mirrored, interval]
    return [binomial_interval(binomial, level, method) for binomial in binomials]


def binomial_interval(binomial: BinomialCount, level: float, method: str) -> ConfidenceInterval:
    """Map the interval of lambda to the proportion, and cut it to [0, 1]."""
    low, high = (binomial.proportion(end) for end in BY_NAME[method](binomial, level))
    notices = (Notice("cut", {"method": method}),) if high < 0 or low > 1 else ()
    low, high = (min(max(end, 0.0), 1.0) for end in (low, high))
    return ConfidenceInterval(low, high, notices, method, level)


def profile_intervals(
    probabilities: npt.NDArray[np.float64], counts: npt.NDArray[np.int64], level: float
) -> list[ConfidenceInterval]:
    """Return the interval of each answer where no count is binomial; see `likelihood_intervals`."""
    ends = likelihood_intervals(probabilities, counts, level)
    return [ConfidenceInterval(low, high, (), "likelihood_ratio", level) for low, high in ends]


def require_confidence_level(confidence_level: object) -> float:
    """Check a confidence level: a number strictly between 0 and 1."""
    number = isinstance(confidence_level, float | int | np.floating)
    if not (number and 0 < float(confidence_level) < 1):  # type: ignore[arg-type]
        raise ValueError(f"confidence_level must be a number between 0 and 1, got {confidence_level!r}")
    return float(confidence_level)  # type: ignore[arg-type]
