"""The information that reports of sets have about the shares, linear in how often every set is reported."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float64]
Vector = npt.NDArray[np.float64]
Masks = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Packing:
    """Symmetric matrices as vectors, such that tr(U V) is the product of the two vectors.

    Parameters
    ----------
    size : int
        k, the number of rows of a matrix; a vector has k (k + 1)/2 numbers.
    """

    size: int

    @cached_property
    def places(self) -> tuple[Masks, Masks]:
        """The rows and columns of the numbers of a vector."""
        return np.triu_indices(self.size)

    @cached_property
    def scales(self) -> Vector:
        """The factor of each: a number off the diagonal stands twice in the matrix, so sqrt 2."""
        rows, columns = self.places
        return np.where(rows == columns, 1.0, math.sqrt(2))

    @cached_property
    def basis(self) -> Matrix:
        """The matrices of the unit vectors, shape (k (k + 1)/2, k, k)."""
        rows, columns = self.places
        basis = np.zeros((len(rows), self.size, self.size))
        basis[range(len(rows)), rows, columns] = basis[range(len(rows)), columns, rows] = 1 / self.scales**2
        basis *= self.scales[:, None, None]
        return basis

    def pack(self, matrix: Matrix) -> Vector:
        """Write a symmetric matrix as a vector."""
        return matrix[self.places] * self.scales

    def unpack(self, vector: Vector) -> Matrix:
        """Write a vector as a symmetric matrix."""
        matrix = np.zeros((self.size, self.size))
        rows, columns = self.places
        matrix[rows, columns] = matrix[columns, rows] = vector / self.scales
        return matrix


@dataclass(frozen=True, eq=False)
class Sets:
    """Some sets of answers that may be reported.

    A set S is reported with probability theta E under the answers in it, and theta under the others.

    Parameters
    ----------
    packing : Packing
        Of matrices of k rows, k the number of answers.
    ratio : float
        E = e^epsilon.
    masks : ndarray of int
        Bit i, ``2**i``, of a mask is 1 if answer i is in the set.
    """

    packing: Packing
    ratio: float
    masks: Masks

    @cached_property
    def chances(self) -> Matrix:
        """The vector a = 1 + (E - 1) 1_S of every set, shape (sets, answers): P(S | answer) is theta a."""
        members = (self.masks[:, None] >> np.arange(self.packing.size) & 1).astype(np.float64)
        return 1 + (self.ratio - 1) * members

    @cached_property
    def information(self) -> Matrix:
        """The packed a a'/m of every set, m = mean a: the information is M = sum theta a a'/m.

        At equal shares a report S comes with probability theta m, so M is the sum over S of
        P(S | .) P(S | .)' / P(S), which the least-squares estimate of the shares inverts.
        """
        rows, columns = self.packing.places
        scaled: Matrix = self.chances / np.sqrt(self.chances.mean(axis=1, keepdims=True))
        packed: Matrix = scaled[:, rows] * scaled[:, columns] * self.packing.scales
        return packed

    @cached_property
    def totals(self) -> Matrix:
        """The map from a packed M to M 1/k, which is sum theta a: it must be 1 under every answer."""
        k = self.packing.size
        return np.stack([self.packing.pack((row[:, None] + row) / (2 * k)) for row in np.eye(k)])
