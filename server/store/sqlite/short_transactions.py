"""Large work on a file, in transactions so short that whoever submits does not notice."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from math import inf
from typing import Any

from sqlite_utils import Database

from server.store.sqlite.report_table import is_there

AIM = 0.005
"""The seconds that a transaction should take beside those of any commit."""

FIRST = 10
"""The rows or buckets of the first transaction. The next has at most twice as many, and so on."""

Step = Callable[[Database, int], bool]
"""Does what takes so many rows or buckets, in one transaction; returns whether there is more to do."""


def in_turn(
    transaction: Callable[..., Any], step: Step, clock: Callable[[], float] = time.perf_counter
) -> None:
    """Repeat a step, each in a transaction that takes about `AIM`, until there is nothing more to do."""
    for _ in turns(transaction, step, clock):
        pass


def turns(
    transaction: Callable[..., Any], step: Step, clock: Callable[[], float] = time.perf_counter
) -> Iterator[None]:
    """Do as `in_turn` does, and yield after each transaction.

    A disk takes its time for the commit of few rows too, now more and now less. So as much as the last one of
    few rows has taken does not count.
    """
    rows, more, commit = FIRST, True, 0.0
    while more:
        began, done, more = transaction(timed, step, rows, clock)
        committing = clock() - done
        if rows <= FIRST:
            commit = committing
        worked = done - began + max(0.0, committing - commit)
        fitting = rows * AIM / worked if worked > 0 else inf
        rows = max(1, rows // 2, int(min(2 * rows, fitting)))
        yield


def timed(db: Database, step: Step, rows: int, clock: Callable[[], float]) -> tuple[float, float, bool]:
    """Do in a transaction what it is for; note when that began and when it was done."""
    began, more = clock(), step(db, rows)
    return began, clock(), more


def remove(table: str, db: Database, rows: int) -> bool:
    """Remove so many rows of a table, and the table with the last ones: what is removed is overwritten."""
    if not is_there(db, table):
        return False
    ((key,),) = db.conn.execute(f"SELECT name FROM pragma_table_info('{table}') WHERE pk = 1").fetchall()
    last = f"SELECT {key} FROM {table} ORDER BY {key} DESC LIMIT ?"
    if db.conn.execute(f"DELETE FROM {table} WHERE {key} IN ({last})", [rows]).rowcount == rows:
        return True
    db.execute(f"DROP TABLE {table}")
    return False
