"""The same information from fewer sets."""

from __future__ import annotations

from survey.design.information import Masks, Sets, Vector
from survey.solvers import nnls


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
    M has k (k + 1)/2 numbers, and rows that sum to 1 follow from it, as M 1/k = sum theta a. Least squares
    with rates of 0 or more ends at rates above 0 whose sets are linearly independent, so that there are no
    more of them than numbers (Caratheodory's theorem; Lawson & Hanson 1974, Solving Least Squares Problems,
    chapter 23).
    """
    information = sets.information
    fewer = nnls(information.T, rates @ information, maxiter=20 * len(rates))
    left = fewer.nonzero()[0]
    left = left[sets.masks[left].argsort()]
    return sets.masks[left], fewer[left]
