"""One person's reports as bytes of a fixed length, many of them as a table, and their counts by block."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import lt

import numpy as np
import numpy.typing as npt

from survey.block import Codes, blocks_of
from survey.publication import Publication

ONE_BYTE = 256
"""A column with at most so many codes takes one byte; any other takes two, the higher one first."""


@dataclass(frozen=True)
class RowCodes:
    """The rows of codes that the columns of one block may hold, numbered in their order.

    Attributes
    ----------
    first : int
        The place of its first column.
    rows : tuple of tuple of int
    """

    first: int
    rows: tuple[Codes, ...]

    @cached_property
    def table(self) -> npt.NDArray[np.int64]:
        """The rows, shape (rows, columns)."""
        return np.array(self.rows, np.int64)

    @cached_property
    def sorted_keys(self) -> tuple[npt.NDArray[np.bytes_], npt.NDArray[np.intp]]:
        """The rows as strings of bytes in their order, and the number of each."""
        keys = as_bytes(self.table)
        order = keys.argsort()
        return keys[order], order

    def numbers(self, table: npt.NDArray[np.int64]) -> npt.NDArray[np.intp]:
        """Return the number of the row that each record of a table holds.

        Raises
        ------
        ValueError
            If a record holds none of them.
        """
        ordered, order = self.sorted_keys
        held = as_bytes(table[:, self.first : self.first + self.table.shape[1]])
        places = np.searchsorted(ordered, held).clip(max=len(ordered) - 1)
        if (ordered[places] != held).any():
            raise ValueError("columns of one block must hold codes that can come together")
        numbers: npt.NDArray[np.intp] = order[places]
        return numbers


def as_bytes(table: npt.NDArray[np.integer]) -> npt.NDArray[np.bytes_]:
    """Write each row as a string of bytes, two for each number."""
    return np.ascontiguousarray(table, ">u2").view(f"S{2 * table.shape[1]}").ravel()


@dataclass(frozen=True)
class Layout:
    """The places of a survey's columns in a record, and of the counts of its blocks in an array.

    Attributes
    ----------
    codes : tuple of (str, int)
        Every column and the number of its codes, in the order of the publication.
    together : tuple of (int, tuple of tuple of int)
        For each block of several columns the place of its first column, and the rows of codes that its
        columns may hold. Every other column is a block of one.

    Notes
    -----
    Lists of what was counted hold records, so every later version must read the same bytes.
    """

    codes: tuple[tuple[str, int], ...]
    together: tuple[tuple[int, tuple[Codes, ...]], ...] = ()

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

    @cached_property
    def row(self) -> np.dtype[np.void]:
        """The same for numpy."""
        return np.dtype(
            [(f"f{n}", ">u1" if codes <= ONE_BYTE else ">u2") for n, (_, codes) in enumerate(self.codes)]
        )

    @property
    def narrow(self) -> np.dtype[np.unsignedinteger]:
        """The smallest integers that fit every column's codes."""
        return np.result_type(*(self.row[place] for place in range(len(self.codes))))

    @cached_property
    def blocks(self) -> tuple[RowCodes | int, ...]:
        """The blocks in the order of their columns; of a block of one, the place of its column."""
        several = {first: RowCodes(first, rows) for first, rows in self.together}
        blocks: list[RowCodes | int] = []
        place = 0
        while place < len(self.codes):
            blocks.append(several.get(place, place))
            place += several[place].table.shape[1] if place in several else 1
        return tuple(blocks)

    @cached_property
    def ends(self) -> npt.NDArray[np.int64]:
        """The end of each block's counts in an array of all counts."""
        return np.cumsum(
            [self.codes[block][1] if isinstance(block, int) else len(block.table) for block in self.blocks]
        )

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
        read = np.frombuffer(records, self.row)
        table = np.empty((len(read), len(self.codes)), np.int64)
        for n in range(len(self.codes)):
            table[:, n] = read[f"f{n}"]
        return table

    def records(self, table: npt.NDArray[np.int64]) -> bytes:
        """Write many records one after the other, from what `table` reads."""
        rows = np.empty(len(table), self.row)
        for n in range(len(self.codes)):
            rows[f"f{n}"] = table[:, n]
        return rows.tobytes()

    def count(self, table: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Count how often each code of each block comes.

        Parameters
        ----------
        table : ndarray of int, shape (records, columns)

        Returns
        -------
        ndarray of int, shape (codes of all blocks,)
            The codes of the first block, then those of the second, and so on.

        Raises
        ------
        ValueError
            If columns of one block hold codes that cannot come together.

        Examples
        --------
        >>> Layout((("copied", 2), ("party", 3))).count(np.array([[0, 2], [1, 2]])).tolist()
        [1, 1, 0, 0, 2]
        >>> linked = Layout((("copied", 2), ("party", 2)), ((0, ((0, 0), (0, 1), (1, 0), (1, 1))),))
        >>> linked.count(np.array([[0, 1], [1, 1]])).tolist()
        [0, 1, 0, 1]
        """
        starts = np.concatenate(([0], self.ends[:-1]))
        if self.together:
            found = [table[:, each] if isinstance(each, int) else each.numbers(table) for each in self.blocks]
            table = np.stack(found, axis=1)
        return np.bincount((table + starts).ravel(), minlength=self.ends[-1])

    def by_block(self, counts: Sequence[int] | npt.NDArray[np.int64]) -> list[npt.NDArray[np.int64]]:
        """Take an array of all counts apart, block by block."""
        return np.split(np.asarray(counts), self.ends[:-1])

    def by_column(self, counts: Sequence[int] | npt.NDArray[np.int64]) -> dict[str, list[int]]:
        """Take an array of all counts apart: column -> how often each code came.

        Examples
        --------
        >>> linked = Layout((("copied", 2), ("party", 2)), ((0, ((0, 0), (0, 1), (1, 0), (1, 1))),))
        >>> linked.by_column([5, 1, 2, 3])
        {'copied': [6, 5], 'party': [7, 4]}
        """
        columns: dict[str, list[int]] = {}
        for block, part in zip(self.blocks, self.by_block(counts), strict=True):
            if isinstance(block, int):
                columns[self.codes[block][0]] = part.tolist()
                continue
            for place, own in enumerate(block.table.T, block.first):
                name, codes = self.codes[place]
                sums = np.zeros(codes, np.int64)
                np.add.at(sums, own, part)
                columns[name] = sums.tolist()
        return columns


@lru_cache(maxsize=256)
def layout_of(publication: Publication) -> Layout:
    """Return the layout of a survey's records."""
    codes = tuple((name, column.codes) for name, column in publication.columns.items())
    places = {name: place for place, name in enumerate(publication.columns)}
    several = (block for block in blocks_of(publication) if block.rows is not None)
    return Layout(codes, tuple((places[block.columns[0].name], block.rows or ()) for block in several))
