"""One person's reports as bytes of a fixed length, and many of them as a table."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import lt

import numpy as np
import numpy.typing as npt

from survey.publication import Publication

ONE_BYTE = 256
"""A column with at most so many codes takes one byte; any other takes two, the higher one first."""


@dataclass(frozen=True)
class Layout:
    """The places of a survey's columns in a record, and of their counts in an array.

    Attributes
    ----------
    codes : tuple of (str, int)
        Every column and the number of its codes, in the order of the publication.

    Notes
    -----
    Files hold records, so every later version must read the same bytes.
    """

    codes: tuple[tuple[str, int], ...]

    @cached_property
    def fields(self) -> struct.Struct:
        """The struct of a record."""
        return struct.Struct(">" + "".join("B" if codes <= ONE_BYTE else "H" for _, codes in self.codes))

    @cached_property
    def names_and_sizes(self) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """The columns, and the number of codes of each."""
        return tuple(name for name, _ in self.codes), tuple(codes for _, codes in self.codes)

    @property
    def size(self) -> int:
        """The length of a record in bytes."""
        return self.fields.size

    @property
    def narrow(self) -> np.dtype[np.unsignedinteger]:
        """The smallest integers that fit every column's codes."""
        return np.dtype(">u1" if all(codes <= ONE_BYTE for _, codes in self.codes) else ">u2")

    @cached_property
    def ends(self) -> npt.NDArray[np.int64]:
        """The end of each column's counts in an array of all counts."""
        return np.cumsum([codes for _, codes in self.codes])

    def pack(self, reports: Mapping[str, int]) -> bytes:
        r"""Write one person's reports.

        Parameters
        ----------
        reports : Mapping[str, int]
            Column -> code, every column.

        Raises
        ------
        ValueError
            If a column is missing, is not the survey's, or holds anything but one of its codes.

        Examples
        --------
        >>> layout = Layout((("copied", 2), ("hours", 300)))
        >>> layout.pack({"hours": 258, "copied": 1})
        b'\x01\x01\x02'
        >>> layout.unpack(b"\x01\x01\x02")
        {'copied': 1, 'hours': 258}
        """
        if len(reports) == len(self.codes):
            try:
                names, sizes = self.names_and_sizes
                row = [reports[name] for name in names]
                if all(map(lt, row, sizes)):
                    return self.fields.pack(*row)
            except (KeyError, TypeError, struct.error):
                pass
        raise ValueError("a record has one code of each column")

    def unpack(self, record: bytes) -> dict[str, int]:
        """Read one person's reports: column -> code."""
        return dict(zip((name for name, _ in self.codes), self.fields.unpack(record), strict=True))

    def table(self, records: bytes) -> npt.NDArray[np.int64]:
        """Read many records that follow each other.

        Returns
        -------
        ndarray of int, shape (records, columns)
        """
        widths = [">u1" if codes <= ONE_BYTE else ">u2" for _, codes in self.codes]
        read = np.frombuffer(records, np.dtype([(f"f{n}", width) for n, width in enumerate(widths)]))
        table = np.empty((len(read), len(widths)), np.int64)
        for n in range(len(widths)):
            table[:, n] = read[f"f{n}"]
        return table

    def count(self, table: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Count how often each code of each column comes.

        Parameters
        ----------
        table : ndarray of int, shape (records, columns)

        Returns
        -------
        ndarray of int, shape (codes of all columns,)
            The codes of the first column, then those of the second, and so on.

        Examples
        --------
        >>> Layout((("copied", 2), ("party", 3))).count(np.array([[0, 2], [1, 2]])).tolist()
        [1, 1, 0, 0, 2]
        """
        starts = np.concatenate(([0], self.ends[:-1]))
        return np.bincount((table + starts).ravel(), minlength=self.ends[-1])

    def by_column(self, counts: Sequence[int] | npt.NDArray[np.int64]) -> dict[str, list[int]]:
        """Take an array of all counts apart: column -> how often each code came."""
        parts = np.split(np.asarray(counts), self.ends[:-1])
        return {name: part.tolist() for (name, _), part in zip(self.codes, parts, strict=True)}


@lru_cache(maxsize=256)
def layout_of(publication: Publication) -> Layout:
    """Return the layout of a survey's records."""
    return Layout(tuple((name, column.codes) for name, column in publication.columns.items()))
