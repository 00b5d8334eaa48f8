"""Every set of answers looked at once: how far the bound on a design is from holding there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from survey.design.information import Masks, Matrix, Vector


@dataclass(frozen=True)
class AllSets:
    """All 2^k sets of k answers; set number S holds the answers whose bits of S are 1.

    Parameters
    ----------
    answers : int
        k.
    ratio : float
        E = e^epsilon.

    Notes
    -----
    A set is a set of the first k/2 answers and one of the others. A quadratic form of its indicator is a
    part of either and a product of the two, so that all sets together cost one product of matrices.
    """

    answers: int
    ratio: float

    @cached_property
    def halves(self) -> tuple[Matrix, Matrix]:
        """The indicators of all sets of the first k/2 answers, and of all sets of the others."""
        first = self.answers // 2
        return indicators(first), indicators(self.answers - first)

    def excess(self, quadratic: Matrix, prices: Vector) -> Vector:
        """Return (d - lambda'a)/(1'a) of every set, where d = a' Q a/m, a = 1 + (E-1) 1_S and m = mean a.

        Parameters
        ----------
        quadratic : ndarray, shape (answers, answers)
            Q.
        prices : ndarray, shape (answers,)
            lambda.

        Returns
        -------
        ndarray, shape (2**answers,)
            Adding the largest of them to every price makes lambda'a at least d for all sets.
        """
        k, more = self.answers, self.ratio - 1
        first = k // 2
        low, high = self.halves
        sums = quadratic.sum(axis=1)
        # a' Q a = 1'Q1 + 2 (E-1) (Q1)'x + (E-1)^2 x'Qx, x the indicator.
        form = 2 * more**2 * (high @ quadratic[first:, :first]) @ low.T
        form += part(low, quadratic[:first, :first], sums[:first], more)
        form += part(high, quadratic[first:, first:], sums[first:], more)[:, None] + sums.sum()
        mean = 1 + more / k * (high.sum(axis=1)[:, None] + low.sum(axis=1))
        form /= mean
        form -= more * (low @ prices[:first]) + prices.sum()
        form -= more * (high @ prices[first:])[:, None]
        form /= k * mean
        return form.ravel()

    def peaks(self, values: Vector, most: int) -> Masks:
        """Return the sets with a value above 0 that no answer more or less makes larger, the largest first.

        Parameters
        ----------
        values : ndarray, shape (2**answers,)
        most : int
            How many sets to return at most.
        """
        sets = np.flatnonzero(values > 0)
        for answer in range(self.answers):
            other = values[sets ^ 2**answer]
            more = sets >> answer & 1 == 0
            sets = sets[np.where(more, values[sets] >= other, values[sets] > other)]
        return sets[np.argsort(-values[sets])][:most]


def indicators(answers: int) -> Matrix:
    """Return the indicators of all sets of some answers, shape (2**answers, answers)."""
    return (np.arange(2**answers)[:, None] >> np.arange(answers) & 1).astype(float)


def part(sets: Matrix, quadratic: Matrix, sums: Vector, more: float) -> Vector:
    """Return 2 (E-1) (Q1)'x + (E-1)^2 x'Qx of sets x within one half."""
    squares: Vector = ((sets @ quadratic) * sets).sum(axis=1)
    return 2 * more * (sets @ sums) + more**2 * squares
