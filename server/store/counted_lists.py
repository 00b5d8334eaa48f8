"""The lists of what closed surveys counted: made after closing, and the same whatever becomes of the reports.

Each is a tree of hashes, as `survey.counted_list` describes it. The finisher makes it in short transactions,
and reports are removed only once it is there. Of several servers at it, each writes the same sheets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from server.runtime import offload
from server.runtime.sort_rows import in_order
from server.store import surveys
from server.store.engine import Block, Connection, Place, Storage, Transactions
from server.store.lifecycle import life
from server.store.lifecycle.finisher import run_for_each
from server.store.staff import audit
from server.store.walk import parts
from survey.counted_list import (
    HASH,
    LEAST,
    SALT,
    SHEET,
    bits_of,
    count_starts,
    leaves_of,
    prefix_bits,
    root_of,
    salt_of,
    sheets_of,
)

BLOCK = 4000
"""Reports that one transaction reads, and that are hashed without a pause, in about 10 ms."""

AT_ONCE = 8
"""Sheets that one transaction writes or removes: 256 kB."""


class NotToBeHad(LookupError):
    """The reports of a survey are gone, or not prepared yet."""


@dataclass(frozen=True)
class CountedList:
    """The root of a survey's list, and the bits that a prefix may have.

    Attributes
    ----------
    survey_id : int
    root : str
        In hexadecimal digits.
    leaves : int
    bits : int or None
        The number of first bits of a leaf by which one may ask for it; None if nobody may.
    """

    survey_id: int
    root: str
    leaves: int
    bits: int | None


def of(db: Connection, survey_id: int) -> CountedList | None:
    """Return the list of a survey; None if it is not made yet."""
    row = db.execute(
        "SELECT survey_id, root, leaves, bits FROM counted_lists WHERE survey_id = ?", [survey_id]
    ).fetchone()
    return None if row is None else CountedList(*row)


def finish(storage: Transactions) -> None:
    """Make the list of every closed survey that has none."""
    run_for_each(partial(make, storage), storage.read(without_list))


def without_list(db: Connection) -> list[int]:
    """Return the numbers of the closed surveys that have no list yet, and still their reports."""
    rows = db.execute(
        "SELECT id FROM surveys WHERE state = 'closed' AND id NOT IN (SELECT survey_id FROM counted_lists) "
        "AND id NOT IN (SELECT survey_id FROM life WHERE removed = 1) ORDER BY id"
    ).fetchall()
    return [survey_id for (survey_id,) in rows]


def make(storage: Transactions, survey_id: int) -> None:
    """Make the list of one survey, unless it is deleted meanwhile or its reports are still being prepared."""
    try:
        total, least = storage.read(size_of, survey_id)
        least = max(LEAST, least)
        bits = bits_of(total, least)
        starts = np.zeros(2**bits, np.int64)
        roots: list[bytes] = []
        for joined in in_leaf_order(storage, survey_id, HASH, leaves_of):
            starts += count_starts(joined, bits)
            sheets = sheets_of(split_rows(joined, HASH))
            some = [(b"".join(sheet), offload.run(root_of, sheet)) for sheet in sheets]
            storage.write(put_sheets, survey_id, len(roots), some)
            roots += [root for _, root in some]
    except NotToBeHad:
        return
    prefix = prefix_bits(starts, least)
    storage.write(put, CountedList(survey_id, root_of(roots).hex(), int(starts.sum()), prefix))


def in_leaf_order(
    storage: Transactions,
    survey_id: int,
    width: int,
    rows_of: Callable[[Block], list[bytes]],
) -> Iterator[bytes]:
    """Yield rows of a closed survey's reports in order, as many as make `AT_ONCE` sheets at a time.

    Parameters
    ----------
    storage : Transactions
    survey_id : int
    width : int
        The bytes of a row.
    rows_of : callable
        Returns the rows of some reports, each of which begins with its leaf.

    Raises
    ------
    NotToBeHad
        If the reports are gone, or not prepared yet.
    """

    def pieces() -> Iterator[bytes]:
        for block in parts(lambda place: storage.read(part_of, survey_id, place)):
            yield b"".join(offload.run(rows_of, block))

    return in_order(pieces, width, AT_ONCE * SHEET)


def split_rows(joined: bytes, width: int) -> list[bytes]:
    """Return rows one by one that follow each other."""
    return [joined[at : at + width] for at in range(0, len(joined), width)]


def salted_rows(storage: Storage, survey_id: int, width: int) -> Iterator[list[bytes]]:
    """Yield of each report its salt and its row, in the order of their leaves, in portions.

    Parameters
    ----------
    storage : Storage
    survey_id : int
    width : int
        The bytes of a report's row.

    Raises
    ------
    NotToBeHad
        If the reports are gone.
    """

    def salted(block: Block) -> list[bytes]:
        rows = zip(leaves_of(block), block, strict=True)
        return [leaf + salt_of(receipt) + row for leaf, (receipt, row) in rows]

    whole = HASH + SALT + width
    for joined in in_leaf_order(storage, survey_id, whole, salted):
        yield [row[HASH:] for row in split_rows(joined, whole)]


def part_of(db: Connection, survey_id: int, place: Place) -> tuple[Block, Place | None]:
    """Return some reports of a closed survey, and the next place.

    Raises
    ------
    NotToBeHad
        If they are gone, or not prepared yet.
    """
    try:
        publication = surveys.get(db, survey_id).publication
    except surveys.SurveyGone:
        raise NotToBeHad from None
    if publication is None or life.of(db, survey_id).removed or not db.reports.finished(survey_id):
        raise NotToBeHad
    return db.reports.part(survey_id, publication, place, BLOCK)


def size_of(db: Connection, survey_id: int) -> tuple[int, int]:
    """Return how many reports a survey has, and the step in which its results advanced.

    Raises
    ------
    NotToBeHad
        If it was deleted.
    """
    try:
        publication = surveys.get(db, survey_id).publication
    except surveys.SurveyGone:
        raise NotToBeHad from None
    if publication is None:
        raise NotToBeHad
    return db.reports.respondents(survey_id, publication), publication.definition.step


def put_sheets(db: Connection, survey_id: int, first: int, sheets: list[tuple[bytes, bytes]]) -> None:
    """Store sheets that nobody has stored yet."""
    if not is_wanted(db, survey_id):
        return
    there = db.execute("SELECT place FROM leaf_sheets WHERE survey_id = ? AND place >= ?", [survey_id, first])
    stored = {place for (place,) in there.fetchall()}
    for place, (hashes, root) in enumerate(sheets, first):
        if place not in stored:
            insert = f"INSERT INTO leaf_sheets ({', '.join(SHEET_COLUMNS)}) VALUES (?, ?, ?, ?, ?)"
            db.execute(insert, [survey_id, place, hashes[:HASH], root, hashes])


def put(db: Connection, made: CountedList) -> None:
    """Store what stands above the leaves, unless somebody has."""
    if is_wanted(db, made.survey_id):
        db.execute(
            "INSERT INTO counted_lists (survey_id, root, leaves, bits) VALUES (?, ?, ?, ?)",
            [made.survey_id, made.root, made.leaves, made.bits],
        )


def is_wanted(db: Connection, survey_id: int) -> bool:
    """Return whether a survey is there and has no list."""
    there = db.execute("SELECT 1 FROM surveys WHERE id = ?", [survey_id]).fetchone()
    return there is not None and of(db, survey_id) is None


IDLE = "survey_id NOT IN (SELECT id FROM surveys)"

SHEET_COLUMNS = ("survey_id", "place", "first", "root", "hashes")
SHEETS = f"SELECT {', '.join(SHEET_COLUMNS)} FROM leaf_sheets WHERE NOT ({IDLE})"
"""Those of surveys that are there."""


def forget(storage: Transactions) -> None:
    """Remove the sheets of surveys that were deleted."""
    while storage.write(remove_some):
        pass


def remove_some(db: Connection) -> bool:
    """Remove a few sheets; return whether there are more."""
    rows = db.execute(
        f"SELECT survey_id, place FROM leaf_sheets WHERE {IDLE} ORDER BY survey_id, place LIMIT {AT_ONCE}"
    ).fetchall()
    for row in rows:
        db.execute("DELETE FROM leaf_sheets WHERE survey_id = ? AND place = ?", row)
    return len(rows) == AT_ONCE


# Where a quota closed a survey, a line at once would tell when the last report came. It waits for the next
# day, as on which day that was is known by how many came on each.

TO_NOTE = """
    SELECT counted_lists.survey_id FROM counted_lists
    LEFT JOIN life ON life.survey_id = counted_lists.survey_id
    WHERE noted = 0 AND (closed_by IS NULL OR closed_by <> 'quota' OR NOT EXISTS (
        SELECT 1 FROM days WHERE days.survey_id = counted_lists.survey_id AND sent > 0 AND day >= ?
    ))
    ORDER BY counted_lists.survey_id
"""


def to_note(db: Connection, today: str) -> list[int]:
    """Return the surveys whose root the audit log has to get on a UTC day, ``YYYY-MM-DD``."""
    return [survey_id for (survey_id,) in db.execute(TO_NOTE, [today]).fetchall()]


def note(db: Connection, survey_id: int) -> None:
    """Note the root of a survey in the audit log, unless somebody has."""
    update = "UPDATE counted_lists SET noted = 1 WHERE survey_id = ? AND noted = 0"
    made = of(db, survey_id)
    if made is not None and db.execute(update, [survey_id]).rowcount:
        audit.note(db, audit.AFTER_CLOSING, "list_made", surveys.get(db, survey_id).slug, made.root)


def sheet_at(db: Connection, survey_id: int, place: int) -> list[bytes]:
    """Return the leaves of a sheet."""
    select = "SELECT hashes FROM leaf_sheets WHERE survey_id = ? AND place = ?"
    ((joined,),) = db.execute(select, [survey_id, place]).fetchall()
    return split_rows(bytes(joined), HASH)


def sheets(storage: Storage, survey_id: int) -> Iterator[list[bytes]]:
    """Yield the leaves of a survey, sheet by sheet, each in a transaction of its own."""
    places = storage.read(places_of, survey_id)
    for place in places:
        yield storage.read(sheet_at, survey_id, place)


def places_of(db: Connection, survey_id: int) -> list[int]:
    """Return the places of a survey's sheets, in order."""
    select = "SELECT place FROM leaf_sheets WHERE survey_id = ? ORDER BY place"
    return [place for (place,) in db.execute(select, [survey_id]).fetchall()]
