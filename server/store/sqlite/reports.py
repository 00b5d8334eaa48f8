"""Reports in SQLite: buckets while a survey is open, then a plain table; and their counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt
from sqlite_utils import Database

from server.store.engine import Block, Place, Rearranged
from server.store.sqlite.bucket_shape import KEY, shape_of
from server.store.sqlite.buckets import Buckets, create_buckets
from server.store.sqlite.deleting import drop
from server.store.sqlite.packed_records import packing_of
from server.store.sqlite.removal import remove_rows
from server.store.sqlite.report_table import (
    find_rows,
    is_there,
    rows_after,
    table_name,
)
from server.store.walk import whole
from survey.publication import Publication
from survey.record import layout_of

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


@dataclass(frozen=True)
class SQLiteReports:
    """The reports of surveys within one transaction; see `server.store.engine.Reports`.

    Attributes
    ----------
    db : Database
    draw : callable
        Draws the key of a survey that opens: as many bytes as it is asked for.
    """

    pause: ClassVar = 0.0

    db: Database
    draw: Callable[[int], bytes]

    def create(self, survey_id: int, publication: Publication) -> None:
        """Publish a survey and make its first bucket and its counts; every count starts at zero."""
        self.db.execute(
            "UPDATE surveys SET state = 'open', draft = NULL, saves = NULL WHERE id = ?", [survey_id]
        )
        self.db.execute(
            "INSERT INTO publications (survey_id, json, fingerprint) VALUES (?, ?, ?)",
            [survey_id, publication.json, publication.fingerprint],
        )
        create_buckets(self.db, survey_id, shape_of(packing_of(publication).size))
        nothing = np.zeros(layout_of(publication).ends[-1], np.int64)
        insert_counts(self.db, survey_id, Counts(self.draw(KEY), nothing, nothing))

    def put(self, survey_id: int, publication: Publication, records: Mapping[bytes, bytes]) -> set[bytes]:
        """Store records whose receipts are new, and count them."""
        if not records:
            return set()
        layout, counts = layout_of(publication), read_counts(self.db, survey_id)
        buckets = self.buckets(survey_id, publication, counts)
        known = buckets.find(records)
        new = {receipt: record for receipt, record in records.items() if receipt not in known}
        if new:
            buckets.put(dict(packing_of(publication).packed([*new.items()])))
            counts.counted += layout.count(layout.table(b"".join(new.values())))
            write_counts(self.db, survey_id, counts)
        return set(new)

    def fill(
        self, survey_id: int, publication: Publication, counts: Array, read: Callable[[], Iterable[Block]]
    ) -> None:
        """Store all reports of a survey that has none yet, each bucket once."""
        self.count(survey_id, publication, counts)
        packing = packing_of(publication)
        buckets = self.buckets(survey_id, publication, read_counts(self.db, survey_id))
        buckets.fill(lambda: map(packing.packed, read()))

    def count_alone(self, survey_id: int) -> None:
        """Do nothing: whoever writes to a file writes alone."""

    def add_to_day(self, survey_id: int, day: str, started: int, sent: int) -> None:
        """Add to the totals of a UTC day; a survey that is gone is passed over."""
        self.db.execute(
            """
            INSERT INTO days (survey_id, day, started, sent) SELECT id, ?, ?, ? FROM surveys WHERE id = ?
            ON CONFLICT (survey_id, day)
            DO UPDATE SET started = days.started + excluded.started, sent = days.sent + excluded.sent
            """,
            [day, started, sent, survey_id],
        )

    def find(self, survey_id: int, publication: Publication, receipts: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return what is stored under receipts, for those that are known."""
        counts = read_counts(self.db, survey_id)
        if counts.key is None:
            there = is_there(self.db, table_name(survey_id))  # nobody knows a receipt that was removed
            return find_rows(self.db, survey_id, publication, receipts) if there else {}
        known = self.buckets(survey_id, publication, counts).find(receipts)
        return dict(packing_of(publication).unpacked([*known.items()]))

    def respondents(self, survey_id: int, publication: Publication) -> int:
        """Return how many records are stored."""
        return respondents(publication, self.counts(survey_id, publication))

    def counts(self, survey_id: int, publication: Publication) -> Array:
        """Return how often each code came."""
        return read_counts(self.db, survey_id).counted

    def published(self, survey_id: int, publication: Publication) -> Array:
        """Return the counts that may be shown."""
        return read_counts(self.db, survey_id).published

    def may_publish(self, survey_id: int) -> bool:
        """Return that it may: whoever writes to a file writes alone."""
        return True

    def publish(self, survey_id: int, publication: Publication, published: Array) -> None:
        """Store the counts that may be shown."""
        counts = read_counts(self.db, survey_id)
        counts.published = published
        write_counts(self.db, survey_id, counts)

    def count(self, survey_id: int, publication: Publication, counts: Array) -> None:
        """Set how often each code came."""
        held = read_counts(self.db, survey_id)
        held.counted = counts
        write_counts(self.db, survey_id, held)

    def records(self, survey_id: int, publication: Publication) -> Iterator[tuple[bytes, bytes]]:
        """Return every receipt with its record."""
        return whole(self, survey_id, publication)

    def part(
        self, survey_id: int, publication: Publication, place: Place, most: int
    ) -> tuple[Block, Place | None]:
        """Return about so many reports from a place on, and the next place.

        Notes
        -----
        In a table, a place is the receipt before. In buckets, it is how many there were at the beginning, and
        the next of those. With each of them those are read that were divided from it since: they hold what
        was in it, and what has come.
        """
        counts = read_counts(self.db, survey_id)
        if counts.key is None:
            if isinstance(place, tuple):
                raise Rearranged
            rows = rows_after(self.db, survey_id, publication, place or b"", most)
            return rows, rows[-1][0] if len(rows) == most else None
        buckets = self.buckets(survey_id, publication, counts)
        number = buckets.shape.buckets(buckets.respondents)
        before, first = place or (number, 0)
        end = min(before, first + max(1, most // buckets.shape.load))
        block = packing_of(publication).unpacked(buckets.all_in(first, end, before, number))
        return block, (before, end) if end < before else None

    def close(self, survey_id: int, publication: Publication) -> None:
        """Close a survey and publish its exact counts; `closing.finish` makes a table of its buckets."""
        self.publish(survey_id, publication, self.counts(survey_id, publication))
        self.db.execute("UPDATE surveys SET state = 'closed' WHERE id = ?", [survey_id])

    def arrivals_mark(self) -> object:
        """Return the counts of all open surveys."""
        opened = "SELECT id FROM surveys WHERE state = 'open'"
        counts = f"SELECT survey_id, counted FROM counts WHERE survey_id IN ({opened}) ORDER BY survey_id"
        return self.db.conn.execute(counts).fetchall()

    def finished(self, survey_id: int) -> bool:
        """Return whether the reports of a closed survey are in a plain table."""
        return read_counts(self.db, survey_id).key is None

    def remove(self, survey_id: int) -> None:
        """Note that the reports of a closed survey go; `removal.finish` removes them."""
        remove_rows(self.db, survey_id)

    def drop(self, survey_id: int) -> None:
        """Remove the survey; `deleting.finish` removes its reports."""
        drop(self.db, survey_id)

    def buckets(self, survey_id: int, publication: Publication, counts: Counts) -> Buckets:
        """Return the buckets of an open survey."""
        if counts.key is None:
            raise ValueError(f"survey {survey_id} is closed: it has no buckets")
        shape = shape_of(packing_of(publication).size)
        return Buckets(self.db, survey_id, shape, counts.key, respondents(publication, counts.counted))


def respondents(publication: Publication, counts: Array) -> int:
    """Return how many respondents these counts hold: every one has a code in the first column."""
    return int(counts[: layout_of(publication).ends[0]].sum())


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
