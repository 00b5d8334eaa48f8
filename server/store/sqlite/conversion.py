"""After closing: buckets become a plain table, in short transactions between which others submit.

1. The rows are added in the order of their receipts, as many at a time as memory has room for. Wherever a
   process is killed, the last receipt in the table says where the next one goes on.
2. The transaction that finds all rows there makes the table final and forgets the key of the buckets: from
   then on receipts are looked up in the table.
3. The buckets go, a few at a time, since whatever is removed is overwritten; at last goes their table.

Several processes may do this at once. Each transaction looks first how far the others have come.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from sqlite_utils import Database

from server.runtime.sort_rows import Portion, smallest
from server.store import surveys
from server.store.engine import Transactions
from server.store.lifecycle.finisher import run_for_each
from server.store.sqlite.bucket_shape import RECEIPT
from server.store.sqlite.buckets import buckets_name, records_in, rows_between
from server.store.sqlite.packed_records import packing_of
from server.store.sqlite.report_table import (
    create_table,
    insert_rows,
    is_there,
    last_receipt,
    seal_table,
    table_name,
)
from server.store.sqlite.short_transactions import in_turn, remove, turns
from survey.publication import Publication
from survey.record import layout_of

MOST_BUCKETS = 1000
"""The most buckets that are in memory at a time: 4 MB."""


def finish(storage: Transactions, clock: Callable[[], float] = time.perf_counter) -> None:
    """Convert every survey that is closed and still has buckets.

    Parameters
    ----------
    storage : Transactions
        Of SQLite.
    clock : callable
        Gives a moment in seconds.

    Raises
    ------
    Unavailable
        If the database cannot be used meanwhile. What is done stays done, and the next call goes on.
    """
    run_for_each(partial(convert, storage, clock), storage.read(with_buckets))


def convert(storage: Transactions, clock: Callable[[], float], survey_id: int) -> None:
    """Convert one survey, unless it is deleted meanwhile."""
    publication = storage.read(publication_of, survey_id)
    if publication is None:
        return
    width = RECEIPT + packing_of(publication).size
    last = False
    while not last:
        added = storage.read(last_in_table, survey_id)
        walk = Walk(survey_id, width)
        pieces = (walk.take() for _ in turns(storage.read, walk.gather, clock))
        portion = smallest(pieces, width, above(added, width) if added else None)
        last = portion.last
        step = partial(append, survey_id, publication, portion)
        in_turn(storage.write, step, clock)
        del portion, step  # there is no room for two
    in_turn(storage.write, partial(remove, buckets_name(survey_id)), clock)


def with_buckets(db: Database) -> list[int]:
    """Return the numbers of the closed surveys that still have buckets."""
    closed = db.execute("SELECT id FROM surveys WHERE state = 'closed' ORDER BY id").fetchall()
    return [survey_id for (survey_id,) in closed if is_there(db, buckets_name(survey_id))]


def publication_of(db: Any, survey_id: int) -> Publication | None:
    """Return what a survey published, or None if it was deleted meanwhile."""
    try:
        return surveys.get(db, survey_id).publication
    except surveys.SurveyGone:
        return None


class Walk:
    """A walk over the buckets of a closed survey, which do not change.

    Parameters
    ----------
    survey_id : int
    width : int
        The bytes of a receipt and its record.
    """

    def __init__(self, survey_id: int, width: int) -> None:
        self.survey_id, self.width = survey_id, width
        self.first, self.rows = 0, list[bytes]()

    def gather(self, db: Database, buckets: int) -> bool:
        """Read some more buckets, none once their reports are in a table; return whether there are more."""
        most = min(buckets, MOST_BUCKETS)
        if is_converting(db, self.survey_id):
            self.rows = rows_between(db, self.survey_id, self.first, self.first + most)
        self.first += len(self.rows)
        return len(self.rows) == most

    def take(self) -> bytes:
        """Return the records that were read, once."""
        rows, self.rows = self.rows, []
        return b"".join(records_in(row, self.width) for row in rows)


def last_in_table(db: Database, survey_id: int) -> bytes | None:
    """Return the last receipt that was added to a survey's table, which may not be there yet."""
    return last_receipt(db, survey_id) if is_there(db, table_name(survey_id)) else None


def append(survey_id: int, publication: Publication, portion: Portion, db: Database, rows: int) -> bool:
    """Add so many rows after the last that is there; if none is above them, make the table final."""
    if not is_converting(db, survey_id):
        return False
    if not is_there(db, table_name(survey_id)):
        create_table(db, survey_id, layout_of(publication).codes)
    last = last_receipt(db, survey_id)
    width = portion.rows.itemsize
    start = np.searchsorted(portion.rows, above(last, width), "right") if last else 0
    chunk = portion.rows[start : start + rows]
    held = chunk.view(np.dtype((np.uint8, (width,))))
    receipts = (row.tobytes() for row in held[:, :RECEIPT])
    codes = packing_of(publication).codes(held[:, RECEIPT:].tobytes()).tolist()
    insert_rows(
        db, survey_id, publication, ((receipt, *row) for receipt, row in zip(receipts, codes, strict=True))
    )
    if start + len(chunk) < len(portion.rows):
        return True
    if portion.last:
        seal_table(db, survey_id)
        db.execute("UPDATE counts SET key = NULL WHERE survey_id = ?", [survey_id])
    return False


def above(receipt: bytes, width: int) -> bytes:
    """Return the largest row that a receipt can have."""
    return receipt.ljust(width, b"\xff")


def is_converting(db: Database, survey_id: int) -> bool:
    """Return whether reports are still looked up in buckets: the survey is there, and its table not final."""
    row = db.conn.execute("SELECT key FROM counts WHERE survey_id = ?", [survey_id]).fetchone()
    return row is not None and row[0] is not None
