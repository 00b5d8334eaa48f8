"""n times the variance of an estimate, before anybody has answered."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from survey.channel import Channel
from survey.counts import informative_reports
from survey.estimate import numbers_and_values, unbiased_inverse
from survey.mechanisms import NumberChannel

Array = npt.NDArray[np.float64]


def share_variances(channel: Channel, proportions: npt.ArrayLike) -> Array:
    """Return n times the variance of the unbiased estimate of each answer's share.

    Parameters
    ----------
    channel : Channel
    proportions : array_like of float, shape (answers,)
        The true shares.

    Returns
    -------
    ndarray of float, shape (answers,)
        For yes/no, pi (1 - pi) + E/(E - 1)^2, with E = e^epsilon. Of a sampled box n counts everybody, also
        those who did not report on it.

    Raises
    ------
    ValueError
        If the proportions are not one number of 0 or more for each answer with sum 1, or the channel is
        too close to singular.
    """
    return variances_at(channel, read_proportions(channel, proportions))


def reporting(channel: Channel) -> float:
    """Return the chance that a report depends on the answer: of a sampled box, that it is on that box."""
    return float(channel.probabilities[0, informative_reports(channel)].sum())


def variances_at(channel: Channel, truth: Array) -> Array:
    """Return `share_variances` at shares that are known to be valid."""
    inverse = unbiased_inverse(channel)
    informative = informative_reports(channel)
    chances = (truth @ channel.probabilities)[informative]
    heard = float(chances.sum())
    spread = inverse[informative] - truth
    return np.asarray((chances / heard) @ spread**2 / heard)


def read_proportions(channel: Channel, proportions: npt.ArrayLike) -> Array:
    """Check true shares that somebody supposes."""
    allowed = f"proportions must be {channel.answers} numbers of 0 or more with sum 1"
    try:
        truth = np.array(proportions, np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{allowed}, got {proportions!r}") from None
    if truth.shape != (channel.answers,) or not (truth >= 0).all() or not abs(truth.sum() - 1) <= 1e-6:
        raise ValueError(f"{allowed}, got {proportions!r}")
    return np.asarray(truth / truth.sum())


def mean_variance(channel: Channel, grid: npt.ArrayLike | None = None) -> float:
    """Return n times the variance of the estimated mean where everybody has the worst answer.

    Parameters
    ----------
    channel : Channel
    grid : array_like of float, optional
        As for `survey.estimate.estimate_mean`.

    Returns
    -------
    float
        In squared units of the number. Differences between people add to it.
    """
    if isinstance(channel, NumberChannel):
        return float(channel.variances.max())
    numbers, values = numbers_and_values(channel, grid)
    centred = values - numbers.mean()
    means = channel.probabilities @ centred
    return float((channel.probabilities @ centred**2 - means**2).max())
