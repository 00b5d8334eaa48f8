"""The pairs of answers that are told apart best: a few distributions that bound all that a channel shows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from survey.channel import Channel
from survey.cyclic_sets import CyclicSets
from survey.privacy.curve import ROUNDING, envelope
from survey.privacy.loss import LossDistribution, loss_distribution, losses
from survey.sets_on_grid import SetsOnGrid
from survey.weighted_sets import WeightedSets

MOST_WEIGHTS = 2500
"""Larger tables are not compared pair by pair."""


@dataclass(frozen=True)
class Told:
    """The part of a channel that guesses need: the channel itself may take up megabytes.

    Attributes
    ----------
    guarantee : tuple of float
        Its epsilon and delta.
    pairs : tuple of LossDistribution
        Its hardest pairs, the same objects for equal channels.
    """

    guarantee: tuple[float, float]
    pairs: tuple[LossDistribution, ...]

    @classmethod
    def of(cls, channel: Channel) -> Told:
        """Take it from a channel."""
        return cls(channel.guarantee, hardest_pairs(channel))

    @classmethod
    def of_wheel(cls, combinations: int, epsilon: float) -> Told:
        """Take it from a wheel with so many combinations of answers, without its table.

        Any two of them are told apart alike: each is reported E times as often as the other if it is true,
        and all others as often under both.
        """
        return told_by_wheel(combinations, epsilon)


@lru_cache(maxsize=1024)
def told_by_wheel(combinations: int, epsilon: float) -> Told:
    """Return what a wheel tells; the same object for the same arguments."""
    wrong = 1 / (math.exp(epsilon) + combinations - 1)
    chances = np.array([wrong, (combinations - 2) * wrong, math.exp(epsilon) * wrong])
    losses = np.array([-epsilon, 0.0, epsilon])
    some = chances > 0
    return Told((epsilon, 0.0), (LossDistribution(losses[some], chances[some]),))


Telling = Channel | Told
"""A channel, or the part of it that guesses need."""


@lru_cache(maxsize=256)
def hardest_pairs(channel: Telling) -> tuple[LossDistribution, ...]:
    """Return the losses of pairs of answers such that every other pair has less delta than one of them.

    Returns
    -------
    tuple of LossDistribution
        Of ordered pairs. For any pair, one of these has at least its delta at every epsilon of either sign.
        All mechanisms but the exponential with an own table need one pair: the first and the last answer, see
        `ends_dominate` of the forms, or the one that is `furthest` apart. For a table too large to
        compare, the loss of a yes/no question with the same loss bound.

    References
    ----------
    Kairouz, Oh & Viswanath (2015), The Composition Theorem for Differential Privacy, theorem 3.3 (a channel
    with this loss bound gives away no more than that yes/no question).

    Examples
    --------
    >>> from survey.mechanisms import coin, exponential
    >>> hardest_pairs(coin())[0].chances.tolist()
    [0.25, 0.75]
    >>> len(hardest_pairs(exponential(3, 1.0, [[2, 1, 0], [0, 1, 0], [0, 1, 3]])))
    2
    """
    if isinstance(channel, Told):
        return channel.pairs
    if channel.form.ends_dominate:
        return (loss_distribution(channel, 0, channel.answers - 1),)
    if isinstance(channel.form, SetsOnGrid):  # an answer on the grid mixes the rows of places
        return hardest_pairs(Channel(channel.form.sets.weights(), channel.form.sets))
    if isinstance(channel.form, WeightedSets | CyclicSets):
        return (loss_distribution(channel, *furthest(channel)),)
    if channel.weights.size <= MOST_WEIGHTS:
        return tuple(loss_distribution(channel, *pair) for pair in undominated(channel))
    epsilon, shrink = channel.epsilon, math.exp(-channel.epsilon)  # 1/E
    return (LossDistribution(np.array([-epsilon, epsilon]), np.array([shrink, 1.0]) / (1 + shrink)),)


def furthest(channel: Channel) -> tuple[int, int]:
    """Return the first two answers whose rows differ most, of a channel that reports sets.

    Notes
    -----
    A set S weighs E theta under the answers in it and theta under the others. For answers a and b, let U be
    the sum of theta over the sets with a and without b, and V that over those with b and without a. Under a
    the former weigh E U and the latter V, under b U and E V; every other set weighs the same under both. Rows
    have one sum, so U = V. Then delta(epsilon), of 2**32, is (E - R) U where R = e^epsilon is between 1 and
    E, and 1 - R + (E R - 1) U between 1/E and 1: the pair with the largest U, whose rows differ by
    2 (E - 1) U, has the largest delta everywhere. Only the rounding of weights is left out, less than 1e-6 of
    a row.
    """
    rows = channel.weights
    pairs = combinations(range(channel.answers), 2)
    return max(pairs, key=lambda pair: int(np.abs(rows[pair[0]] - rows[pair[1]]).sum()))


def undominated(channel: Channel) -> list[tuple[int, int]]:
    """Return ordered pairs of answers of which none has less delta than another at every epsilon.

    The pairs are taken from the largest delta(0) down. Each removes the pairs that it is nowhere below.
    """
    first, second = (~np.eye(channel.answers, dtype=bool)).nonzero()
    mine, theirs = channel.probabilities[first], channel.probabilities[second]
    left = np.ones(len(first), dtype=bool)
    pairs: list[tuple[int, int]] = []
    for pair in np.argsort(-np.maximum(mine - theirs, 0).sum(axis=1), kind="stable").tolist():
        if not left[pair]:
            continue
        answer, other = int(first[pair]), int(second[pair])
        epsilons = np.unique(losses(channel, answer, other))
        ratios = np.exp(epsilons[np.isfinite(epsilons)])
        others = np.flatnonzero(left)
        beaten = (
            excess(mine[others], theirs[others], ratios)
            <= excess(mine[[pair]], theirs[[pair]], ratios) + ROUNDING
        )
        left[others[beaten.all(axis=1)]] = False
        pairs.append((answer, other))
    return pairs


def excess(
    mine: npt.NDArray[np.float64], theirs: npt.NDArray[np.float64], ratios: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Return the sum over reports of max(0, P - R Q), shape (pairs, ratios)."""
    return np.stack([np.maximum(mine - ratio * theirs, 0).sum(axis=1) for ratio in ratios], axis=1)


@lru_cache(maxsize=256)
def worst_loss(channel: Telling) -> LossDistribution:
    """Return one loss distribution whose delta is nowhere below that of any pair of answers."""
    pairs = hardest_pairs(channel)
    return pairs[0] if len(pairs) == 1 else envelope(pairs)
