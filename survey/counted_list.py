"""The list of the reports that a survey counted, as a Merkle tree in which who kept a receipt finds a row.

A leaf is the SHA-256 of a zero byte, a salt that only the receipt gives, and the row as it is stored: a byte
for each column, or two, the higher first, where it has more than 256 codes. Leaves are sorted, so their order
tells nothing. The tree above them is that of RFC 6962, section 2.1: https://www.rfc-editor.org/rfc/rfc6962
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256

import numpy as np
import numpy.typing as npt

HASH = 32
SALT = 16

SHEET = 1024
"""Leaves of a sheet: a subtree of its own, so that a path needs the leaves of two sheets and of no others."""

LEAST = 64
"""The fewest leaves that whoever asks for one gets with it."""

MOST_BYTES = 1_000_000
"""The longest answer to somebody who asks."""

MOST_BITS = 24


def salt_of(receipt: bytes) -> bytes:
    """Return the salt of a row, by its receipt, of 16 bytes."""
    return sha256(b"candor leaf" + receipt).digest()[:SALT]


def leaf_of(salt: bytes, row: bytes) -> bytes:
    r"""Return the leaf of a row.

    Examples
    --------
    >>> leaf_of(salt_of(bytes(16)), b"\1").hex()[:16]
    '6640b1a1de0cd691'
    """
    return sha256(b"\0" + salt + row).digest()


def leaves_of(records: Iterable[tuple[bytes, bytes]]) -> list[bytes]:
    """Return the leaves of receipts with their rows, in the order in which they come."""
    return [
        sha256(b"\0" + sha256(b"candor leaf" + receipt).digest()[:SALT] + row).digest()
        for receipt, row in records
    ]


def root_of(nodes: Sequence[bytes]) -> bytes:
    """Return the root above leaves, or above the roots of sheets that are full but for the last."""
    if not nodes:
        return sha256().digest()
    while len(nodes) > 1:
        odd = nodes[len(nodes) & ~1 :]
        pairs = zip(nodes[::2], nodes[1::2], strict=False)
        nodes = [*(sha256(b"\1" + left + right).digest() for left, right in pairs), *odd]
    return nodes[0]


def sheets_of(leaves: Sequence[bytes]) -> Iterator[Sequence[bytes]]:
    """Yield sorted leaves sheet by sheet."""
    for start in range(0, len(leaves), SHEET):
        yield leaves[start : start + SHEET]


def prefix_bits(starts: npt.NDArray[np.int64], least: int) -> int | None:
    """Return how many first bits of a leaf are sent to ask for it; None if the answer would be too long.

    They are the most with which every prefix has at least so many leaves: nobody learns more of who asks than
    that it is one of them. There are none where all leaves together are fewer.

    Parameters
    ----------
    starts : ndarray of int, shape (2**bits,)
        How many leaves begin with each of so many bits, as `count_starts` counts them.
    least : int

    Examples
    --------
    >>> prefix_bits(np.full(64, 16), 64)
    4
    """
    if not starts.any():
        return None
    bits = len(starts).bit_length() - 1
    while bits and starts.min() < least:
        bits, starts = bits - 1, starts.reshape(-1, 2).sum(axis=1)
    return bits if HASH * (int(starts.max()) + 2 * MOST_BITS) <= MOST_BYTES else None


def bits_of(leaves: int, least: int) -> int:
    """Return the most bits that a prefix of so many leaves may have."""
    return min(MOST_BITS, max(1, leaves // least).bit_length() - 1)


def count_starts(leaves: bytes, bits: int) -> npt.NDArray[np.int64]:
    r"""Count the leaves, which follow each other, that begin with each of so many bits, up to `MOST_BITS`.

    Examples
    --------
    >>> count_starts(bytes(32) + 32 * b"\x80" + 32 * b"\xff", 1).tolist()
    [1, 2]
    """
    first = np.frombuffer(leaves, ">u4")[:: HASH // 4]
    return np.bincount((first >> (32 - bits)).astype(np.int64) if bits else 0 * first, minlength=2**bits)


def path_of(total: int, start: int, count: int, node: Callable[[int, int], bytes]) -> list[bytes]:
    """Return the nodes that lead from neighbouring leaves to the root, from left to right.

    Parameters
    ----------
    total : int
        How many leaves there are.
    start, count : int
        The first of those leaves, and how many they are.
    node : callable
        Gives the node above the leaves from one place up to another.
    """

    def walk(low: int, high: int) -> Iterator[bytes]:
        if high <= start or low >= start + count:
            yield node(low, high)
        elif low < start or high > start + count:
            middle = low + half_of(high - low)
            yield from walk(low, middle)
            yield from walk(middle, high)

    return list(walk(0, total)) if total else []


def half_of(leaves: int) -> int:
    """Return how many leaves stand left under a node: the largest power of two below their number."""
    return 1 << (leaves - 1).bit_length() - 1
