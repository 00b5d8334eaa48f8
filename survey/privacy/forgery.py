"""How far forged reports can move an estimate."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from survey.channel import Channel, require_whole
from survey.limits import MOST_RESPONDENTS
from survey.mechanisms import NumberChannel

WARNING = 5.0
"""Above this spread the admin is warned before publishing."""


@lru_cache(maxsize=256)
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
    such as "not sampled", is left out of the mean: A is that of the other reports, over their share.

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
        return float(np.ptp(channel.values) / np.ptp(channel.grid))
    telling = channel.weights.max(axis=0) > channel.weights.min(axis=0)
    chances = channel.probabilities[:, telling]
    if not telling.any() or np.linalg.matrix_rank(chances) < channel.answers:
        return float("inf")
    share = float(chances[0].sum())  # the same under every answer: what is left out is
    root = np.sqrt(chances.mean(axis=0) / share)
    # u = (P / w)^+ / w with w = sqrt(the shares of the reports at equal proportions), P given that it tells.
    values = np.linalg.pinv(chances / share / root) / root[:, np.newaxis]
    return float(np.ptp(values, axis=0).max() / share)


def radius(channel: Channel, respondents: int, forged: int = 1) -> float:
    """Return how far forged reports can move an estimate at most.

    Parameters
    ----------
    channel : Channel
    respondents : int
        n, all reports received, the forged ones among them.
    forged : int
        How many of them are forged, 1 to n.

    Returns
    -------
    float
        forged A / n, in the unit of `spread`.

    Raises
    ------
    ValueError
        If respondents is not a whole number of 1 or more, or more are forged than there are.

    Examples
    --------
    >>> from survey.mechanisms import coin
    >>> radius(coin(), respondents=1000, forged=10)
    0.02
    """
    people = require_whole("respondents", respondents, 1, MOST_RESPONDENTS)
    return require_whole("forged", forged, 1, people) * spread(channel) / people
