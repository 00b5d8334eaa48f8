"""The influence of forged reports on an estimate."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from survey.channel import Channel, require_whole
from survey.limits import MOST_RESPONDENTS
from survey.mechanisms import NumberChannel

WARNING = 5.0
"""Above this spread the admin is warned before publishing."""


def spread(channel: Channel) -> float:
    """Return A, the largest minus the smallest value that one report can add to an estimate.

    Parameters
    ----------
    channel : Channel

    Returns
    -------
    float
        For a number, in shares of the range from low to high; otherwise in proportions, 1 being the whole
        population, and the largest over the answers. 1 would be a survey without randomization. Infinity
        where the reports do not tell the answers apart.

    Notes
    -----
    The estimate is a mean over the reports y of u[y]. For a number, u are the channel's values. For
    proportions, u is a column of the least-squares inverse of the channel, weighted at equal shares; for
    k-ary randomized response A = (E + k - 1)/(E - 1). A report that is equally likely under every answer,
    such as "not sampled", is left out of the mean. A is then that of the other reports over their share, so
    that A / n is the expected move among n respondents. `radius` is the move among the reports received.

    References
    ----------
    Cheu, Smith & Ullman (2021), Manipulation Attacks in Local Differential Privacy, IEEE S&P.

    Examples
    --------
    >>> from survey.mechanisms import wheel
    >>> round(spread(wheel(2, 1.0)), 1), round(spread(wheel(10, 0.5)), 1)
    (2.2, 16.4)
    """
    if isinstance(channel, NumberChannel):
        return range_of_values(channel)
    share = float(channel.probabilities[:, telling(channel)].sum()) / channel.answers  # of each alike
    return range_of_values(channel) / share if share else math.inf


def telling(channel: Channel) -> npt.NDArray[np.bool_]:
    """Mark the reports that depend on the answer."""
    return np.asarray(np.ptp(channel.weights, axis=0) > 0)


@lru_cache(maxsize=256)
def range_of_values(channel: Channel) -> float:
    """Return the largest minus the smallest value of a report that depends on the answer; see `spread`."""
    if isinstance(channel, NumberChannel):
        return float(np.ptp(channel.values) / np.ptp(channel.grid))
    chances = channel.probabilities[:, telling(channel)]
    if np.linalg.matrix_rank(chances) < channel.answers:
        return math.inf
    chances = chances * channel.answers / chances.sum()  # the rows have one sum
    root = np.sqrt(chances.mean(axis=0))
    # u = (P / w)^+ / w with w = sqrt(the shares of the reports at equal proportions), P given that it tells.
    values = np.linalg.pinv(chances / root) / root[:, np.newaxis]
    return float(np.ptp(values, axis=0).max())


def radius(channel: Channel, reported: int) -> float:
    """Return the most by which one forged report can move an estimate.

    Parameters
    ----------
    channel : Channel
    reported : int
        The number of reports that depend on the answer, with the forged one: all n, but of a sampled box
        those on that box alone.

    Returns
    -------
    float
        The range of the reports' values over `reported`, in the unit of `spread`.

    Raises
    ------
    ValueError
        If reported is not a whole number of 1 or more.

    Notes
    -----
    Of a sampled box, a forged report may also replace "not sampled", or the other way round. The mean of R
    values then gains or loses one. It moves by |u - m| / R, m the mean of the others: no further than above.

    Examples
    --------
    >>> from survey.mechanisms import coin
    >>> radius(coin(), reported=1000)
    0.002
    """
    return range_of_values(channel) / require_whole("reported", reported, 1, MOST_RESPONDENTS)


def expected_radius(weight: float, respondents: int, drawn: Fraction | None = None) -> float:
    """Return the radius of one forged report if as many people report as are expected, rounded down.

    Parameters
    ----------
    weight : float
        A, as `spread` gives it.
    respondents : int
        1 or more.
    drawn : Fraction, optional
        The part of the boxes on which a person reports, where they are sampled.

    Examples
    --------
    >>> from survey.mechanisms import sampled_box
    >>> round(expected_radius(spread(sampled_box(3, 1.0)), 100, Fraction(1, 3)), 4)
    0.0656
    """
    part = Fraction(1) if drawn is None else drawn
    return weight * float(part) / max(math.floor(respondents * part), 1)
