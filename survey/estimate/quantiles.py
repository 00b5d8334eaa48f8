"""The median and other quantiles of a number: a value by binned maximum likelihood, and its interval.

Noisy reports do not show the shares of a thousand grid points, but they show those of a few bins. The value
is read off as many bins as the reports tell apart, with the grid points of a bin taken as equally frequent.

People round their numbers, and then the grid points of a bin are not equally frequent. So no interval relies
on that: each holds for any shape of the distribution, as the curve does that it is read off. A quantile has
no interval, and is not estimated, if no grid point can be ruled out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from survey.estimate.cumulative_curve import curve_quantiles
from survey.estimate.number_curve import estimate_number_curve
from survey.limits import CONFIDENCE_LEVEL
from survey.mechanisms import NumberChannel


@dataclass(frozen=True)
class Quantile:
    """A number that a given share of the population does not exceed.

    Attributes
    ----------
    probability : float
        That share: 0.5 for the median.
    value : float
        The smallest grid point up to which the most likely distribution has at least that share, or the end
        of the interval nearest to it.
    low, high : float
        The interval, valid for any shape of the distribution.
    confidence_level : float
    """

    probability: float
    value: float
    low: float
    high: float
    confidence_level: float


def estimate_quantiles(
    channel: NumberChannel,
    counts: npt.ArrayLike,
    probabilities: Sequence[float] = (0.5,),
    confidence_level: float = CONFIDENCE_LEVEL,
) -> list[Quantile]:
    """Estimate quantiles of a number; the median where no others are named.

    Parameters
    ----------
    channel : NumberChannel
    counts : array_like of int, shape (channel.reports,)
        How often each report was received.
    probabilities : sequence of float
        In (0, 1).
    confidence_level : float
        In (0, 1), of each interval by itself.

    Returns
    -------
    list of Quantile
        One for each probability for which a grid point can be ruled out, in the order of `probabilities`.

    Raises
    ------
    ValueError
        If an argument is refused, or the reports determine the mean alone.

    Examples
    --------
    >>> from survey.mechanisms import laplace
    >>> (median,) = estimate_quantiles(laplace(0, 3, 1, 8.0), [0, 50, 60, 0])
    >>> median.value, median.low, median.high
    (2.0, 1.0, 2.0)
    """
    known = estimate_number_curve(channel, counts, confidence_level)
    ends = curve_quantiles(known.curve, probabilities)
    if not np.any(counts):
        return []
    quantiles = []
    for end in ends:
        low, high = int(known.starts[end.low]), int(known.starts[end.high + 1]) - 1
        if high - low < channel.answers - 1:
            point = min(max(int(np.searchsorted(known.below, end.probability - 1e-9)), low), high)
            value, first, last = (float(channel.grid[index]) for index in (point, low, high))
            quantiles.append(Quantile(end.probability, value, first, last, known.curve.confidence_level))
    return quantiles
