"""Counts of every code that came, and those that may be shown: one row a survey, overwritten in place."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sqlite_utils import Database

Array = npt.NDArray[np.int64]


@dataclass
class Counts:
    """The row of one survey, as it is stored.

    Attributes
    ----------
    key : bytes or None
        What spreads its reports over buckets; None once they are in a plain table.
    counted : ndarray of int, shape (codes of all columns,)
        How often each code came.
    published : ndarray of int, shape (codes of all columns,)
        What may be shown.
    """

    key: bytes | None
    counted: Array
    published: Array


def read_counts(db: Database, survey_id: int) -> Counts:
    """Read the row of a survey."""
    select = "SELECT key, counted, published FROM counts WHERE survey_id = ?"
    key, *blobs = db.conn.execute(select, [survey_id]).fetchone()
    return Counts(key, *map(array_of, blobs))


def insert_counts(db: Database, survey_id: int, counts: Counts) -> None:
    """Make the row of a survey."""
    db.conn.execute(
        "INSERT INTO counts (survey_id, key, counted, published) VALUES (?, ?, ?, ?)",
        [survey_id, counts.key, *map(blob_of, (counts.counted, counts.published))],
    )


def write_counts(db: Database, survey_id: int, counts: Counts) -> None:
    """Overwrite the row of a survey."""
    db.conn.execute(
        "UPDATE counts SET key = ?, counted = ?, published = ? WHERE survey_id = ?",
        [counts.key, *map(blob_of, (counts.counted, counts.published)), survey_id],
    )


def array_of(blob: bytes) -> Array:
    """Read counts: eight bytes each, the highest first.

    Examples
    --------
    >>> array_of(blob_of(np.array([3, 256]))).tolist()
    [3, 256]
    """
    return np.frombuffer(blob, ">i8").astype(np.int64)


def blob_of(counts: Array) -> bytes:
    """Write counts: eight bytes each, so that all values take the same room."""
    return counts.astype(">i8").tobytes()
