"""Records in as few bytes as their codes need: each is a few numbers, with a digit for every column."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from server.store.engine import Block
from survey.publication import Publication
from survey.record import Layout, layout_of

LARGEST = 2**64
"""A number has fewer values than this, so that it fits the integers of numpy."""

NO_CODE = 0xFFFF
"""Stands for each code of a damaged record; in one byte it is 255."""


@dataclass(frozen=True)
class Digits:
    """Neighbouring columns that are written as one number, the first column as its highest digit.

    Attributes
    ----------
    first, end : int
        The places of the columns.
    bases : ndarray of int, shape (columns,)
        Their numbers of codes.
    """

    first: int
    end: int
    bases: npt.NDArray[np.uint64]

    @cached_property
    def worth(self) -> npt.NDArray[np.uint64]:
        """The worth of each digit."""
        return np.append(np.cumprod(self.bases[:0:-1], dtype=np.uint64)[::-1], np.uint64(1))

    @cached_property
    def largest(self) -> int:
        """The number of the highest codes."""
        return math.prod(map(int, self.bases)) - 1

    @cached_property
    def width(self) -> int:
        """The bytes of the number."""
        return (self.largest.bit_length() + 7) // 8


@dataclass(frozen=True)
class PackedRecords:
    """The bytes of a survey's records in buckets.

    Attributes
    ----------
    layout : Layout

    Notes
    -----
    Ten yes/no questions take two bytes instead of ten. Numbers in mixed radix: Knuth, The Art of Computer
    Programming, volume 2, 4.1.
    """

    layout: Layout

    @cached_property
    def numbers(self) -> tuple[Digits, ...]:
        """The numbers in the order of their columns: each takes as many columns as fit."""
        sizes = [codes for _, codes in self.layout.codes]
        ends, values = [0], 1
        for place, size in enumerate(sizes):
            if values * size > LARGEST:
                ends.append(place)
                values = 1
            values *= size
        bounds = zip(ends, [*ends[1:], len(sizes)], strict=True)
        return tuple(Digits(first, end, np.array(sizes[first:end], np.uint64)) for first, end in bounds)

    @property
    def size(self) -> int:
        """The bytes of a packed record."""
        return sum(number.width for number in self.numbers)

    def pack(self, records: bytes) -> bytes:
        r"""Pack records that follow each other.

        Examples
        --------
        >>> packing = PackedRecords(Layout((("copied", 2), ("hours", 300), ("party", 4))))
        >>> packing.pack(b"\x01\x01\x02\x03")
        b'\x08\xbb'
        >>> packing.unpack(b"\x08\xbb")
        b'\x01\x01\x02\x03'
        """
        table = self.layout.table(records).astype(np.uint64)
        parts = []
        for number in self.numbers:
            values = (table[:, number.first : number.end] * number.worth).sum(axis=1, dtype=np.uint64)
            parts.append(values.astype(">u8").view(np.uint8).reshape(len(table), 8)[:, 8 - number.width :])
        return np.hstack(parts).tobytes()

    def codes(self, packed: bytes) -> npt.NDArray[np.int64]:
        """Return the codes of packed records that follow each other, shape (records, columns).

        Every code of a record that holds too large a number is `NO_CODE`: no record is written so.
        """
        rows = np.frombuffer(packed, np.dtype((np.uint8, (self.size,))))
        table = np.empty((len(rows), len(self.layout.codes)), np.int64)
        start = 0
        for number in self.numbers:
            digits = np.zeros((len(rows), 8), np.uint8)
            digits[:, 8 - number.width :] = rows[:, start : start + number.width]
            start += number.width
            values = digits.view(">u8")
            table[:, number.first : number.end] = values // number.worth % number.bases
            table[values[:, 0] > np.uint64(number.largest)] = NO_CODE
        return table

    def unpack(self, packed: bytes) -> bytes:
        """Return the records that were packed, one after the other."""
        return self.layout.records(self.codes(packed))

    def packed(self, block: Block) -> Block:
        """Pack the records of some receipts."""
        return with_records(block, self.pack(b"".join(record for _, record in block)), self.size)

    def unpacked(self, block: Block) -> Block:
        """Unpack the records of some receipts."""
        return with_records(block, self.unpack(b"".join(record for _, record in block)), self.layout.size)


def with_records(block: Block, records: bytes, size: int) -> Block:
    """Return the same receipts with other records, which follow each other."""
    return [(receipt, records[place * size : (place + 1) * size]) for place, (receipt, _) in enumerate(block)]


@lru_cache(maxsize=256)
def packing_of(publication: Publication) -> PackedRecords:
    """Return the packing of a survey's records."""
    return PackedRecords(layout_of(publication))
