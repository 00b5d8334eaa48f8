"""The best design that uses no other sets than some: Newton steps through the interior."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from survey.design.information import Matrix, Sets, Vector

MOST_STEPS = 60
"""The most Newton steps; five to twenty are usual."""

ROUNDING = 1e-8
"""The largest distance of a row's sum from 1 in what is returned."""

ROUNDED_UP = 1e-13
"""The part of its trace that is added to the second derivative, which is 0 in one direction at least."""

SHORTER = 0.97
"""The part of the way to the nearest bound that a step may take."""


class Interior(NamedTuple):
    """A point within the bounds, and the prices that show how good it is.

    Attributes
    ----------
    rates : ndarray, shape (sets,)
        theta, above 0.
    prices : ndarray, shape (answers,)
        lambda, of the constraints that every row sums to 1.
    slacks : ndarray, shape (sets,)
        z, above 0: lambda'a - d in the end.
    """

    rates: Vector
    prices: Vector
    slacks: Vector


@dataclass(frozen=True, eq=False)
class Curvature:
    """The objective f = tr(G M^-1) around some rates.

    Attributes
    ----------
    value : float
        f.
    quadratic : ndarray, shape (answers, answers)
        Q = M^-1 G M^-1: a little more of a set lowers f by d = a' Q a/m.
    root : ndarray
        L, where L L' is the second derivative: of two packed matrices U and V, 2 tr(U M^-1 V Q).
    """

    value: float
    quadratic: Matrix
    root: Matrix

    @classmethod
    def at(cls, sets: Sets, goal: Matrix, rates: Vector) -> Curvature:
        """Work it out at some rates."""
        inverse = np.linalg.inv(sets.packing.unpack(rates @ sets.information))
        inverse = (inverse + inverse.T) / 2
        quadratic = inverse @ goal @ inverse
        basis = sets.packing.basis
        flat = basis.reshape(len(basis), -1)
        second = 2 * flat @ (inverse @ basis @ quadratic).reshape(len(basis), -1).T
        second[np.diag_indices_from(second)] += ROUNDED_UP * np.trace(second)
        root = np.asarray(np.linalg.cholesky(second), np.float64)
        return cls(float(np.sum(goal * inverse)), quadratic, root)


def best_rates(sets: Sets, goal: Matrix, rates: Vector, precision: float) -> tuple[Interior, Curvature]:
    """Minimize tr(G M^-1) over the rates of some sets such that every row of chances sums to 1.

    Parameters
    ----------
    sets : Sets
        Enough of them to tell all answers apart.
    goal : ndarray, shape (answers, answers)
        G, positive semidefinite.
    rates : ndarray, shape (sets,)
        The rates to start from, above 0; rows need not sum to 1.
    precision : float
        How far from the least value the result may be, as a share of it.

    Returns
    -------
    Interior
    Curvature
        The objective there.

    Notes
    -----
    The primal-dual method with Mehrotra's predictor and corrector. The step of the rates satisfies

        (H + Z/Theta) dtheta + A' dlambda = r,   r = d - A' lambda + (target - correction)/theta,
        A dtheta = 1 - A theta,

    A having the columns a. H = J' K J, with J the packed a a'/m of the sets and K the second derivative in M,
    and A = C J. However many sets there are, M has k (k + 1)/2 numbers; so with K = L L', T = (L, C'),
    D = Theta/Z and dtheta = D (r - J' T s) only s has to be solved for:

        (T' J D J' T + diag(1, 0)) s = T' J D r - (0, 1 - A theta).

    References
    ----------
    Nocedal & Wright (2006), Numerical Optimization, chapter 14 and section 19.3.
    """
    rates = rates / (rates @ sets.chances).mean()
    curvature = Curvature.at(sets, goal, rates)
    point = first_prices(sets, rates, curvature)
    for _ in range(MOST_STEPS):
        rows_miss = 1 - point.rates @ sets.chances
        complementarity = float(point.rates @ point.slacks)
        if complementarity <= precision * curvature.value and np.abs(rows_miss).max() <= ROUNDING:
            break
        point = newton_step(sets, curvature, point, rows_miss)
        curvature = Curvature.at(sets, goal, point.rates)
    return point, curvature


def first_prices(sets: Sets, rates: Vector, curvature: Curvature) -> Interior:
    """Return equal prices that leave every set a slack."""
    gains = sets.information @ sets.packing.pack(curvature.quadratic)
    per_answer = float((gains / sets.chances.sum(axis=1)).max())
    prices = np.full(sets.packing.size, 1.1 * per_answer)
    return Interior(rates, prices, sets.chances @ prices - gains)


def newton_step(sets: Sets, curvature: Curvature, point: Interior, rows_miss: Vector) -> Interior:
    """Return the point after one step of predictor and corrector."""
    rates, prices, slacks = point
    information, totals = sets.information, sets.totals
    gains = information @ sets.packing.pack(curvature.quadratic)  # d
    scaling = rates / slacks  # D
    span = np.hstack([curvature.root, totals.T])  # T
    spread = span.T @ ((information * scaling[:, None]).T @ information) @ span
    of_rows = len(span.T) - len(prices)
    spread[range(of_rows), range(of_rows)] += 1

    def direction(target: Vector | float) -> Interior:
        """Return the step after which rates times slacks are `target`, to first order."""
        right = gains - sets.chances @ prices + target / rates
        wanted = span.T @ (information.T @ (scaling * right))
        wanted[of_rows:] -= rows_miss
        solution: Vector = np.linalg.solve(spread, wanted).astype(np.float64)
        rates_step = scaling * (right - information @ (span @ solution))
        return Interior(rates_step, solution[of_rows:], target / rates - slacks - slacks / rates * rates_step)

    predictor = direction(0.0)
    rates_ahead = rates + way(rates, predictor.rates) * predictor.rates
    slacks_ahead = slacks + way(slacks, predictor.slacks) * predictor.slacks
    now, ahead = float(rates @ slacks), float(rates_ahead @ slacks_ahead)
    target = min(1.0, ahead / now) ** 3 * now / len(rates)  # Mehrotra's
    corrector = direction(target - predictor.rates * predictor.slacks)
    length = min(way(rates, corrector.rates), way(slacks, corrector.slacks))
    return Interior(*(old + length * step for old, step in zip(point, corrector, strict=True)))


def way(values: Vector, step: Vector) -> float:
    """Return the part of a step that keeps all values above 0, at most all of it."""
    falling = step < 0
    return min(1.0, SHORTER * float(np.min(-values[falling] / step[falling], initial=np.inf)))
