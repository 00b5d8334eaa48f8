"""Delta as a function of epsilon: comparisons of two curves, and the curve nowhere below several."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from survey.privacy.loss import FAR, Array, LossDistribution

ROUNDING = 1e-11
"""The greatest error of sums of chances: more than that of Fourier transforms over a whole grid."""
NEAR = 1e-6
"""Losses that differ by less count as the greatest of them."""
MOST = 512
"""The number of losses at which a curve is tabulated."""
STRIDE = 32
"""Two curves are compared first at one in so many losses, and then at all."""


def deltas(part: LossDistribution, epsilons: Array) -> Array:
    """Return the delta of a loss distribution at many epsilons of either sign: `LossDistribution.delta`."""
    # delta(epsilon) = sum of chance (1 - e^(epsilon - loss)) over the losses above epsilon
    losses, above, discounted = part.sums_above
    first = np.searchsorted(losses, epsilons, side="right")
    return np.asarray((above[first] - np.exp(epsilons) * discounted[first]).clip(min=0))


def nowhere_below(first: LossDistribution, other: LossDistribution) -> bool:
    """Return whether the first delta is at least the other one at every epsilon, but for `ROUNDING`.

    Notes
    -----
    In e^epsilon both are convex, and the first is straight between its losses. So comparing them at these
    losses suffices. Beyond the last of them the first stays at its chance of infinite loss, and the other
    falls.
    """
    points = first.losses[np.abs(first.losses) < FAR]
    few = points[::STRIDE]  # most curves that cross do so at one of these
    return all((deltas(first, some) >= deltas(other, some) - ROUNDING).all() for some in (few, points))


def padded(part: LossDistribution) -> LossDistribution:
    """Return a loss distribution with `ROUNDING` more chance of infinite loss."""
    finite = np.isfinite(part.losses)
    return LossDistribution(
        np.append(part.losses[finite], np.inf), np.append(part.chances[finite], part.infinite + ROUNDING)
    )


def envelope(parts: Sequence[LossDistribution]) -> LossDistribution:
    """Return a loss distribution whose delta is nowhere below that of any of several.

    Parameters
    ----------
    parts : sequence of LossDistribution
        For every pair of answers among them, its reverse is too, or one that is nowhere below it.

    Notes
    -----
    The largest of the curves is convex in e^epsilon and 1 at 0. Any such curve belongs to a pair of
    distributions, which may replace each of the parts in a composition. The curve here joins exact values at
    a few losses by straight lines; between many losses that lie close together rounding would spoil the
    slopes.

    References
    ----------
    Zhu, Dong & Wang (2022), Optimal Accounting of Differential Privacy via Characteristic Function, AISTATS,
    propositions 8 and 10; Doroshenko et al. (2022), as in `on_grid`.
    """
    losses = np.unique(np.concatenate([part.losses for part in parts]))
    points = np.append(0.0, losses[(losses > NEAR) & (losses < FAR)])
    points = points[np.append(np.diff(points) > NEAR, True)]
    points = points[np.linspace(0, len(points) - 1, min(len(points), MOST)).round().astype(np.int64)]
    return pair_of(points, np.max([deltas(part, points) for part in parts], axis=0))


def pair_of(above: Array, delta: Array) -> LossDistribution:
    """Return the loss of the pair whose delta has these values at these epsilons, and straight lines between.

    Parameters
    ----------
    above : ndarray
        Increasing, from 0.
    delta : ndarray
        Of a convex curve in e^epsilon that is the same for both orders of the pair. A line of slope -S
        between two ratios says that the second distribution has mass S beyond them.
    """
    # Exchanging the two answers: h(1/x) = 1 - 1/x + h(x)/x.
    below = -np.expm1(-above) + delta * np.exp(-above)
    epsilons = np.concatenate([-above[:0:-1], above])
    values = np.concatenate([below[:0:-1], delta])
    ratios = np.exp(epsilons)
    slopes = np.diff(np.concatenate([[1.0], values])) / np.diff(np.concatenate([[0.0], ratios]))
    second = np.diff(np.append(slopes, 0.0)).clip(min=0)  # the second distribution's mass at each ratio
    chances = ratios * second
    return LossDistribution(np.append(epsilons, np.inf), np.append(chances, values[-1]))
