"""The mean of a number that was reported in classes, within bounds that hold for any shape in a class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy.typing as npt

from survey.channel import Channel
from survey.estimate.mean import estimate_mean
from survey.limits import CONFIDENCE_LEVEL


@dataclass(frozen=True)
class ClassMean:
    """The means that the shares of some classes leave.

    Attributes
    ----------
    least, greatest : float
        The estimated mean if everybody had the lowest, or the highest, number of their class.
    low, high : float
        The confidence interval of the mean, wherever in their class people are.
    confidence_level : float
    """

    least: float
    greatest: float
    low: float
    high: float
    confidence_level: float


def estimate_class_mean(
    channel: Channel,
    counts: npt.ArrayLike,
    lowest: npt.ArrayLike,
    highest: npt.ArrayLike,
    confidence_level: float = CONFIDENCE_LEVEL,
) -> ClassMean:
    """Bound the mean of a number from the reports of its class.

    Parameters
    ----------
    channel : Channel
        Its answers are classes of the number, in order.
    counts : array_like of int, shape (channel.reports,)
        How often each report was received.
    lowest, highest : array_like of float, shape (channel.answers,)
        The lowest and the highest number of every class.
    confidence_level : float
        In (0, 1).

    Returns
    -------
    ClassMean

    Raises
    ------
    ValueError
        If an argument is refused, or the reports do not determine the mean.

    Notes
    -----
    The mean is not below that of the lowest numbers and not above that of the highest. Either has an interval
    of which one end is wrong with half of 1 - confidence level; the outer ends are kept.

    Examples
    --------
    >>> from survey.mechanisms import wheel
    >>> mean = estimate_class_mean(wheel(2, 8.0), [5000, 5000], [0, 10], [9, 19])
    >>> mean.least, mean.greatest, round(mean.low, 2), round(mean.high, 2)
    (5.0, 14.0, 4.9, 14.1)
    """
    least = estimate_mean(channel, counts, confidence_level, lowest)
    greatest = estimate_mean(channel, counts, confidence_level, highest)
    return ClassMean(least.estimate, greatest.estimate, least.low, greatest.high, least.confidence_level)
