"""After closing: buckets become a plain table, in short transactions between which others submit.

1. The rows are added in the order of their receipts. Wherever a process is killed, the last receipt in the
   table says where the next one goes on.
2. The transaction that finds all rows there makes the table final and forgets the key of the buckets: from
   then on receipts are looked up in the table.
3. The buckets go, a few at a time, since whatever is removed is overwritten; at last goes their table.

Several processes may do this at once. Each transaction looks first how far the others have come.
"""

from __future__ import annotations

import struct
import time
from bisect import bisect_right
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from sqlite_utils import Database

from server.runtime import offload
from server.store import surveys
from server.store.engine import Storage
from server.store.lifecycle.finisher import run_for_each
from server.store.sqlite.bucket_shape import RECEIPT
from server.store.sqlite.buckets import buckets_name, records_in
from server.store.sqlite.report_table import (
    create_table,
    insert_rows,
    is_there,
    last_receipt,
    seal_table,
    table_name,
)
from server.store.sqlite.short_transactions import in_turn, remove
from survey.publication import Publication
from survey.record import layout_of


def finish(
    storage: Storage,
    clock: Callable[[], float] = time.perf_counter,
    pause: Callable[[float], None] = time.sleep,
) -> None:
    """Convert every survey that is closed and still has buckets.

    Parameters
    ----------
    storage : Storage
        Of SQLite.
    clock : callable
        Gives a moment in seconds.
    pause : callable
        Waits for so many seconds.

    Raises
    ------
    Unavailable
        If the database cannot be used meanwhile. What is done stays done, and the next call goes on.
    """
    run_for_each(partial(convert, storage, clock, pause), storage.read(with_buckets))


def convert(
    storage: Storage, clock: Callable[[], float], pause: Callable[[float], None], survey_id: int
) -> None:
    """Convert one survey, unless it is deleted meanwhile."""
    publication = storage.read(publication_of, survey_id)
    if publication is None:
        return
    held: list[bytes] = []
    width = RECEIPT + layout_of(publication).size
    in_turn(storage.read, partial(gather, survey_id, width, held), clock, pause)
    ordered = offload.run(in_key_order, b"".join(held), width)
    in_turn(storage.write, partial(append, survey_id, publication, ordered), clock, pause)
    in_turn(storage.write, partial(remove, buckets_name(survey_id)), clock, pause)


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


def gather(survey_id: int, width: int, held: list[bytes], db: Database, buckets: int) -> bool:
    """Read so many more buckets; those of a closed survey do not change."""
    if not is_converting(db, survey_id):
        return False
    select = f"SELECT records FROM {buckets_name(survey_id)} WHERE bucket >= ? ORDER BY bucket LIMIT ?"
    rows = db.conn.execute(select, [len(held), buckets]).fetchall()
    held += (records_in(row, width) for (row,) in rows)
    return len(rows) == buckets


def in_key_order(records: bytes, width: int) -> bytes:
    """Sort records, each a receipt and what is stored under it.

    Examples
    --------
    >>> in_key_order(b"b" * 16 + b"1" + b"a" * 16 + b"2", 17)
    b'aaaaaaaaaaaaaaaa2bbbbbbbbbbbbbbbb1'
    """
    rows = np.frombuffer(records, np.uint8).reshape(len(records) // width, width)
    first, second = np.ascontiguousarray(rows[:, :RECEIPT]).view(">u8").astype(np.uint64).T
    return rows[np.lexsort((second, first))].tobytes()


def append(survey_id: int, publication: Publication, ordered: bytes, db: Database, rows: int) -> bool:
    """Add so many rows after the last that is there; if there are none, make the table final."""
    if not is_converting(db, survey_id):
        return False
    fields = struct.Struct(f">{RECEIPT}s" + layout_of(publication).fields.format[1:])
    last = None
    if is_there(db, table_name(survey_id)):
        last = last_receipt(db, survey_id)
    else:
        create_table(db, survey_id, layout_of(publication).codes)
    start = (
        0
        if last is None
        else fields.size
        * bisect_right(
            range(len(ordered) // fields.size),
            last,
            key=lambda number: ordered[number * fields.size : number * fields.size + RECEIPT],
        )
    )
    chunk = ordered[start : start + rows * fields.size]
    insert_rows(db, survey_id, publication, fields.iter_unpack(chunk))
    if start + len(chunk) < len(ordered):
        return True
    seal_table(db, survey_id)
    db.execute("UPDATE counts SET key = NULL WHERE survey_id = ?", [survey_id])
    return False


def is_converting(db: Database, survey_id: int) -> bool:
    """Return whether reports are still looked up in buckets: the survey is there, and its table not final."""
    row = db.conn.execute("SELECT key FROM counts WHERE survey_id = ?", [survey_id]).fetchone()
    return row is not None and row[0] is not None
