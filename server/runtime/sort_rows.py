"""Sort rows of bytes of which more come than memory holds: the smallest first, and again those above them.

Nothing is written to a disk, where it could be found later. In turn, all rows are read once for each portion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from server.runtime import offload

MOST_BYTES = 48 * 2**20
"""The memory that a portion may take: a million and a half leaves."""

SPARE = 4
"""Rows are sorted again whenever a quarter more have come than a portion has."""

Rows = npt.NDArray[np.bytes_]


@dataclass(frozen=True)
class Portion:
    """Rows in order.

    Attributes
    ----------
    rows : ndarray of bytes, shape (rows,)
    last : bool
        Whether no rows are above them.
    """

    rows: Rows
    last: bool


def smallest(pieces: Iterable[bytes], width: int, above: bytes | None, most: int = 0) -> Portion:
    """Find the smallest rows above one; no two rows may be equal.

    Parameters
    ----------
    pieces : iterable of bytes
        Each some rows that follow each other.
    width : int
        The bytes of a row.
    above : bytes or None
        None for all rows.
    most : int, optional
        The bytes that they may take, instead of `MOST_BYTES`.

    Examples
    --------
    >>> found = smallest([b"cbda"], 1, b"a", 2)
    >>> found.rows.tolist(), found.last
    ([b'b', b'c'], False)
    """
    most = max(1, (most or MOST_BYTES) // width)
    # What is not written to yet takes no memory, so all of it can be asked for at once.
    held, number, below, full = np.empty(most + max(1, most // SPARE), f"S{width}"), 0, None, False
    for piece in pieces:
        rows = np.frombuffer(piece, f"S{width}")
        if above is not None:
            rows = rows[rows > above]
        while len(rows := rows if below is None else rows[rows < below]):
            room = len(held) - number
            fitting, rows = rows[:room], rows[room:]
            held[number : number + len(fitting)] = fitting
            number += len(fitting)
            if number == len(held):
                offload.run(held.sort)
                full, number, below = True, most, held[most - 1]
    offload.run(held[:number].sort)
    return Portion(held[: min(number, most)], last=not full and number <= most)


def in_order(read: Callable[[], Iterable[bytes]], width: int, at_once: int) -> Iterator[bytes]:
    """Yield all rows in order, so many at a time; no two may be equal.

    Parameters
    ----------
    read : callable
        Yields them in pieces, all of them whenever it is called: once for each portion.
    width : int
        The bytes of a row.
    at_once : int

    Examples
    --------
    >>> list(in_order(lambda: [b"cb", b"da"], 1, 3))
    [b'abc', b'd']
    """
    most = max(1, MOST_BYTES // (at_once * width)) * at_once * width
    above, last = None, False
    while not last:
        portion = smallest(read(), width, above, most)
        above, last = portion.rows[-1:].tobytes() or above, portion.last
        for start in range(0, len(portion.rows), at_once):
            yield portion.rows[start : start + at_once].tobytes()
        del portion  # there is no room for two
