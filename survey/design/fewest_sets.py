"""The same information from fewer sets."""

from __future__ import annotations

import numpy as np

from survey.design.information import Masks, Matrix, Sets, Vector

RANK = 1e-9
"""The part of the largest below which what is left of a set's information, beside others, is rounding."""

FLAT = 1e-10
"""A smaller change of a rate is rounding."""


def fewest_sets(sets: Sets, rates: Vector) -> tuple[Masks, Vector]:
    """Keep the information M of a design with at most k (k + 1)/2 of its sets.

    Parameters
    ----------
    sets : Sets
    rates : ndarray, shape (sets,)

    Returns
    -------
    masks : ndarray of int
        Some of the sets, in increasing order of their masks.
    rates : ndarray of float
        Their rates.

    Notes
    -----
    M has k (k + 1)/2 numbers, and rows that sum to 1 follow from it, as M 1/k = sum theta a. So no more sets
    than that are linearly independent, and each of the others is a sum of them: what it tells can be pushed
    over to them until its rate is 0, or the rate of one of them, which then leaves in its place
    (Caratheodory's theorem; the pushes are those of Megiddo 1991, On Finding Primal- and Dual-Optimal Bases).
    Least squares of SciPy would do the same, and hold up all other threads for ten seconds.
    """
    order = np.argsort(-rates, kind="stable")
    basis = independent(sets.information[order])
    rest = np.setdiff1d(np.arange(len(order)), basis)
    held, pushed = rates[order[basis]], rates[order[rest]]
    sums = np.linalg.lstsq(sets.information[order[basis]].T, sets.information[order[rest]].T, rcond=None)[0]
    for place in range(len(rest)):
        change = sums[:, place]
        falling = np.flatnonzero(change < -FLAT)
        steps = held[falling] / -change[falling]
        first = int(steps.argmin()) if len(falling) else 0
        if not len(falling) or steps[first] >= pushed[place]:
            held = np.maximum(held + pushed[place] * change, 0.0)
            continue
        leaving = falling[first]
        held = np.maximum(held + steps[first] * change, 0.0)
        held[leaving] = pushed[place] - steps[first]
        basis[leaving] = rest[place]
        row = sums[leaving, place + 1 :] / change[leaving]
        sums[:, place + 1 :] -= np.outer(change, row)
        sums[leaving, place + 1 :] = row
    few = order[basis[held > 0]]
    few = few[sets.masks[few].argsort()]
    exact = np.linalg.lstsq(sets.information[few].T, rates @ sets.information, rcond=None)[0]
    return sets.masks[few], np.maximum(exact, 0.0)


def independent(rows: Matrix) -> Masks:
    """Return the places of rows that are linearly independent and span all, preferably of early ones."""
    left = rows.copy()
    places = []
    scale = (left**2).sum(axis=1).max()
    for place in range(len(left)):
        if (left[place] ** 2).sum() <= RANK * scale:
            continue
        unit = left[place] / np.linalg.norm(left[place])
        left[place:] -= np.outer(left[place:] @ unit, unit)
        places.append(place)
        if len(places) == rows.shape[1]:
            break
    return np.array(places)
