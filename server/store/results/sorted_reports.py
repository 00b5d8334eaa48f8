"""The noisy reports of a survey in the order of their own values: each combination once, with its number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from survey.record import Layout

LEAST = 2**16
"""Records that are gathered at least before they are counted."""


@dataclass(frozen=True)
class SortedReports:
    """All respondents' reports, sorted so that their order reveals nothing.

    Attributes
    ----------
    combinations : ndarray of int, shape (combinations, columns)
        The different rows, in order; columns in the order of the questions.
    times : ndarray of int, shape (combinations,)
        How many respondents sent each.
    """

    combinations: npt.NDArray[np.unsignedinteger]
    times: npt.NDArray[np.int64]

    @classmethod
    def of(cls, table: npt.ArrayLike) -> SortedReports:
        """Sort a table with a row for each respondent.

        Examples
        --------
        >>> SortedReports.of([[1, 0], [0, 1], [1, 0]]).between(0, 3).tolist()
        [[0, 1], [1, 0], [1, 0]]
        """
        combinations, times = np.unique(np.asarray(table, np.uint16), axis=0, return_counts=True)
        return cls(combinations, times)

    @cached_property
    def ends(self) -> npt.NDArray[np.int64]:
        """The number of rows up to the last of each combination."""
        return np.cumsum(self.times)

    def __len__(self) -> int:
        return int(self.times.sum())

    @property
    def columns(self) -> int:
        """The number of columns."""
        return int(self.combinations.shape[1])

    @property
    def nbytes(self) -> int:
        """The memory that they take."""
        return self.combinations.nbytes + self.times.nbytes

    def between(self, start: int, end: int) -> npt.NDArray[np.unsignedinteger]:
        """Return the rows from one place up to another."""
        first, last = np.searchsorted(self.ends, [start, end - 1], "right")
        here = slice(first, last + 1)
        begins = self.ends[here] - self.times[here]
        times = np.minimum(self.ends[here], end) - np.maximum(begins, start)
        return np.repeat(self.combinations[here], times, axis=0)

    def blocks(self, rows: int) -> Iterator[npt.NDArray[np.unsignedinteger]]:
        """Yield all rows, so many at a time."""
        for start in range(0, len(self), rows):
            yield self.between(start, start + rows)

    def counts(self, place: int, codes: int) -> npt.NDArray[np.int64]:
        """Count how often each of so many codes comes in a column."""
        return self.joint(self.combinations[:, place], codes)

    def pairs(self, first: int, second: int, shape: tuple[int, int]) -> npt.NDArray[np.int64]:
        """Count how often each pair of codes comes in two columns.

        Examples
        --------
        >>> SortedReports.of([[0, 2], [1, 0], [1, 0]]).pairs(0, 1, (2, 3)).tolist()
        [[0, 0, 1], [2, 0, 0]]
        """
        numbers = self.combinations[:, first].astype(np.int64) * shape[1] + self.combinations[:, second]
        return self.joint(numbers, shape[0] * shape[1]).reshape(shape)

    def joint(self, numbers: npt.NDArray[np.integer], most: int) -> npt.NDArray[np.int64]:
        """Add up the times of the combinations with each number; sums are exact up to 2**53."""
        return np.bincount(numbers, weights=self.times, minlength=most).astype(np.int64)


class Sorter:
    """Counts combinations of codes among records that come in any order.

    Parameters
    ----------
    layout : Layout
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.rows = np.array([], f"S{layout.size}")
        self.times = np.array([], np.int64)
        self.waiting: list[bytes] = []
        self.number = 0

    def add(self, records: bytes) -> None:
        """Add records, and count those that wait if they are as many as the combinations."""
        self.waiting.append(records)
        self.number += len(records) // self.layout.size
        if self.number >= max(LEAST, len(self.rows)):
            self.merge()

    def merge(self) -> None:
        """Count the records that wait. Bytes of records compare as their codes do."""
        new = np.frombuffer(b"".join(self.waiting), self.rows.dtype)
        self.waiting, self.number = [], 0
        rows = np.concatenate([self.rows, new])
        times = np.concatenate([self.times, np.ones(len(new), np.int64)])
        order = np.argsort(rows, kind="stable")
        rows, times = rows[order], times[order]
        starts = np.flatnonzero(np.append(True, rows[1:] != rows[:-1])[: len(rows)])
        self.rows, self.times = rows[starts], np.add.reduceat(times, starts) if len(rows) else times

    def sorted(self) -> SortedReports:
        """Return all records."""
        self.merge()
        codes = np.empty((len(self.rows), len(self.layout.codes)), self.layout.narrow)
        for start in range(0, len(codes), LEAST):
            some = slice(start, start + LEAST)
            codes[some] = self.layout.table(self.rows[some].tobytes())
        return SortedReports(codes, self.times)
