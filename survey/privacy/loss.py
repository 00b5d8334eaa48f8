"""The privacy loss of a report, as the random variable that it is."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from survey.channel import Channel, require_whole
from survey.mechanisms.gaussian_mechanism import require_delta
from survey.privacy.requirements import is_number

Array = npt.NDArray[np.float64]

FAR = 700.0
"""e to the power of this is near the end of a double; what lies beyond counts as infinite loss."""


@dataclass(frozen=True, eq=False)
class LossDistribution:
    """The distribution of the privacy loss between two possibilities when the first one is true.

    Attributes
    ----------
    losses : ndarray
        The values that the loss takes, in natural units, increasing. The last may be infinite: what is seen
        then rules the second possibility out.
    chances : ndarray
        The chance of each, under the first possibility. They add up to 1.

    References
    ----------
    Dwork & Rothblum (2016), Concentrated Differential Privacy, section 2; Sommer, Meiser & Mohammadi
    (2019), Privacy Loss Classes, PoPETs 2019(2), for delta as a function of epsilon.
    """

    losses: Array
    chances: Array

    @cached_property
    def sums_above(self) -> tuple[Array, Array, Array]:
        """The losses above minus infinity, and the sums of P and of P e^-loss from each of them on."""
        counted = self.losses > -FAR
        losses, chances = self.losses[counted], self.chances[counted]
        above = np.append(np.cumsum(chances[::-1])[::-1], 0.0)
        return losses, above, np.append(np.cumsum((chances * np.exp(-losses))[::-1])[::-1], 0.0)

    @property
    def infinite(self) -> float:
        """The chance of infinite loss: what no epsilon covers."""
        return float(self.chances[np.isinf(self.losses)].sum())

    def delta(self, epsilon: float) -> float:
        """Return E[max(0, 1 - e^(epsilon - loss))], the smallest delta that goes with epsilon.

        Raises
        ------
        ValueError
            If epsilon is not a number.
        """
        if not is_number(epsilon):
            raise ValueError(f"epsilon must be a number, got {epsilon!r}")
        first = int(np.searchsorted(self.losses, epsilon, side="right"))
        return float(self.chances[first:] @ -np.expm1(epsilon - self.losses[first:]))

    def exceeds(self, epsilon: float) -> float:
        """Return P(loss > epsilon), the "probability of breaking epsilon".

        It is never below `delta`, and most of the time far above it: a loss just over epsilon counts in
        full here and hardly at all there. Taken for delta, it overstates it.
        """
        return float(self.chances[self.losses > epsilon].sum())

    def epsilon(self, delta: float) -> float:
        """Return the smallest epsilon of 0 or more that goes with delta.

        Parameters
        ----------
        delta : float
            In (0, 1).

        Returns
        -------
        float
            Infinity if the loss is infinite with a chance above delta.

        Raises
        ------
        ValueError
            If delta is outside (0, 1).
        """
        allowed = require_delta(delta)
        # delta falls as epsilon rises: find the step (below, end] of losses in which it passes `allowed`.
        ends = np.append(0.0, self.losses.clip(0.0))
        place = bisect_left(ends, True, key=lambda loss: self.delta(loss) <= allowed)
        if ends[place] in (0.0, math.inf):
            return float(ends[place])
        below = float(ends[place - 1])
        # Within the step, delta(epsilon) = delta(below) - (e^(epsilon - below) - 1) T with T = sum of
        # chance * e^(below - loss) over the losses above it: solved for epsilon.
        above = self.losses > below
        discounted = float(self.chances[above] @ np.exp(below - self.losses[above]))
        return below + math.log1p((self.delta(below) - allowed) / discounted)


def losses(channel: Channel, answer: int, other: int) -> Array:
    """Return the privacy loss of each report between two answers, ln(P[answer][y] / P[other][y]).

    Parameters
    ----------
    channel : Channel
    answer, other : int

    Returns
    -------
    ndarray, shape (reports,)
        Positive where the report speaks for `answer`; infinite where it rules one of the two out; 0 for a
        report that neither can give.

    Raises
    ------
    ValueError
        If there is no such answer.

    Examples
    --------
    >>> from survey.mechanisms import coin
    >>> [round(loss, 4) for loss in losses(coin(), 1, 0).tolist()]
    [-1.0986, 1.0986]
    """
    mine = channel.weights[require_whole("answer", answer, 0, channel.answers - 1)]
    theirs = channel.weights[require_whole("other", other, 0, channel.answers - 1)]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(mine == theirs, 0.0, np.log(mine / theirs))


def loss_distribution(channel: Channel, answer: int, other: int) -> LossDistribution:
    """Return the distribution of the privacy loss between two answers when the first is true.

    Parameters
    ----------
    channel : Channel
    answer, other : int

    Returns
    -------
    LossDistribution
        Equal losses are one value.

    Raises
    ------
    ValueError
        If there is no such answer.

    Examples
    --------
    >>> from survey.mechanisms import coin
    >>> loss_distribution(coin(), 1, 0).chances.tolist()
    [0.25, 0.75]
    """
    values, place = np.unique(losses(channel, answer, other), return_inverse=True)
    chances = np.bincount(place, weights=channel.probabilities[answer], minlength=len(values)).astype(float)
    return LossDistribution(values[chances > 0], chances[chances > 0])


def exceeding(channel: Channel, epsilon: float) -> float:
    """Return the chance of a report whose loss is above epsilon, under the answer for which it is greatest.

    Parameters
    ----------
    channel : Channel
    epsilon : float
        0 or more.

    Returns
    -------
    float
        max over answers a of P(y : ln(P[a][y] / P[b][y]) > epsilon for some other answer b). With the
        epsilon of an (epsilon, delta) promise it is far above delta; see `LossDistribution.exceeds`.

    Raises
    ------
    ValueError
        If epsilon is negative or not a number.

    Examples
    --------
    >>> from survey.mechanisms import gaussian
    >>> exceeding(gaussian(0, 10, 1, 1.0, 1e-6), 1.0) > 20e-6
    True
    """
    if not (is_number(epsilon) and epsilon >= 0):
        raise ValueError(f"epsilon must be a number of 0 or more, got {epsilon!r}")
    least = channel.weights.min(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        losses = np.log(channel.weights / least)  # NaN for a report that nobody can give
    # A loss that is epsilon but for rounding does not exceed it.
    return float(np.where(losses > epsilon * (1 + 1e-12), channel.probabilities, 0.0).sum(axis=1).max())
