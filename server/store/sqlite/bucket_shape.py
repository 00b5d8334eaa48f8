"""The shape of a survey's buckets: how large a row is, how many there are, and which holds a receipt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import count
from math import log

RECEIPT = 16
"""The length of a receipt in bytes."""

KEY = 16
"""The length of a survey's key in bytes."""

COUNT = 4
"""The bytes at the start of a row that say how many records it holds, the highest first."""

PAGE, MORE = 4056, 4092
"""Bytes of a row whose cell fills one page of 4096 bytes, and bytes that each further page adds.

Of the 4096 bytes, a leaf keeps at most 4096 - 35 in place, and SQLite describes the two columns in 5; a
further page gives 4 to the number of the next (https://www.sqlite.org/fileformat2.html, 1.6 and 2.1).
"""

OVERFULL = 1e-9
"""The largest chance with which a bucket may outgrow its row."""

LEAST = 8
"""A row has as many pages as it takes to hold so many records on average with that chance."""


@dataclass(frozen=True)
class Shape:
    """The layout by which the records of one survey are spread.

    Attributes
    ----------
    width : int
        The bytes of a receipt and its record.
    size : int
        The bytes of a row; a row that they overfill has a multiple of it.
    load : int
        So many respondents call for one more bucket.

    Notes
    -----
    Buckets come one at a time (W. Litwin, Linear hashing, VLDB 1980): with B of them, 2**l <= B < 2**(l + 1),
    a receipt with the hash h is in bucket h mod 2**(l + 1), or h mod 2**l if there is no such bucket yet.
    Bucket B takes its records from bucket B - 2**l. Both B and the place depend on the set alone.

    A bucket that has waited longest for its division holds 2 `load` records on average. Their number is
    binomial, so that k or more come with a chance below exp(-m) (e m / k)**k, where m = 2 `load` (Chernoff's
    bound; Mitzenmacher and Upfal, Probability and Computing, theorem 5.4). For k = what a row holds and one
    more, `shape_of` keeps this below `OVERFULL`: 155 records of 26 bytes fit a page, and 44 are its load.

    The hash has a key, which a survey draws when it opens. Without the key nobody can choose receipts that
    meet in one bucket. It hides nothing from a reader of the file: there the key stands beside the buckets.

    Files hold rows of these shapes: what is written once must be read by every later version.
    """

    width: int
    size: int
    load: int

    def buckets(self, respondents: int) -> int:
        """Return how many buckets hold so many respondents."""
        return 1 + respondents // self.load

    def length(self, records: int) -> int:
        """Return the bytes of a row with so many records."""
        return self.size * -(-(COUNT + records * self.width) // self.size)


def hash_of(receipt: bytes, key: bytes) -> int:
    """Return the hash of a receipt, 64 bits (BLAKE2b, RFC 7693)."""
    return int.from_bytes(blake2b(receipt, key=key, digest_size=8).digest())


def bucket_of(hashed: int, buckets: int) -> int:
    """Return which of so many buckets holds a hash.

    Examples
    --------
    >>> [bucket_of(6, buckets) for buckets in (1, 2, 3, 4, 6, 7, 8)]
    [0, 0, 2, 2, 2, 6, 6]
    """
    level = 1 << buckets.bit_length()  # the first power of two above
    bucket = hashed & (level - 1)
    return bucket if bucket < buckets else hashed & (level // 2 - 1)


def source_bucket(bucket: int) -> int:
    """Return the bucket from which a new one, any but the first, takes its records.

    Examples
    --------
    >>> [source_bucket(bucket) for bucket in range(1, 9)]
    [0, 0, 1, 0, 1, 2, 3, 0]
    """
    return bucket - (1 << bucket.bit_length() - 1)


def divided_since(bucket: int, before: int, buckets: int) -> Iterator[int]:
    """Yield the buckets that were divided from one, or from those, since there were `before` of them.

    Examples
    --------
    >>> [[*divided_since(bucket, 3, 8)] for bucket in range(3)]
    [[4], [3, 7, 5], [6]]
    """
    for level in range(bucket.bit_length(), buckets.bit_length()):
        new = bucket + (1 << level)
        if before <= new < buckets:
            yield new
            yield from divided_since(new, before, buckets)


@lru_cache(maxsize=256)
def shape_of(record: int) -> Shape:
    """Return the shape for records of so many bytes.

    Examples
    --------
    >>> shape_of(10)
    Shape(width=26, size=4056, load=44)
    >>> shape_of(1000)
    Shape(width=1016, size=49068, load=8)
    """
    width = RECEIPT + record
    loads = ((size, largest_load((size - COUNT) // width + 1)) for size in count(PAGE, MORE))
    size, load = next((size, load) for size, load in loads if load >= LEAST)
    return Shape(width, size, load)


def largest_load(overfull: int) -> int:
    """Return the largest load that keeps `overfull` records in one bucket rare; 0 if even one is too many."""
    return sum(
        overfull - mean - overfull * log(overfull / mean) <= log(OVERFULL) for mean in range(2, overfull, 2)
    )
