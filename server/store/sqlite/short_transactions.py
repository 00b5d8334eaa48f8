"""Large work on a file, in transactions so short that whoever submits does not notice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from typing import Any

from sqlite_utils import Database

from server.store.sqlite.report_table import is_there

AIM = 0.015
"""The seconds that a transaction should hold the lock. It may take 0.05, and a busy machine prolongs it."""

PAUSE = 0.01
"""The seconds between two transactions. Whoever waits to write looks again each millisecond, and gets in."""

FIRST = 10
"""The rows or buckets of the first transaction. The next has at most twice as many, and so on."""

Step = Callable[[Database, int], bool]
"""Does what takes so many rows or buckets, in one transaction; returns whether there is more to do."""


def in_turn(
    transaction: Callable[..., Any], step: Step, clock: Callable[[], float], pause: Callable[[float], None]
) -> None:
    """Repeat a step, each in a transaction that takes about `AIM`, until there is nothing more to do."""
    for _ in turns(transaction, step, clock, pause):
        pass


def turns(
    transaction: Callable[..., Any], step: Step, clock: Callable[[], float], pause: Callable[[float], None]
) -> Iterator[None]:
    """Do as `in_turn` does, and yield after each transaction.

    A commit takes its time for few rows as for many, so that a row takes what more rows have taken more.
    """
    rows, more = FIRST, True
    rows_before, took_before, each = 0, 0.0, 0.0
    while more:
        began, more = transaction(timed, step, rows, clock)
        took = clock() - began  # with the commit, without the wait for the lock
        if rows != rows_before:
            each = (took - took_before) / (rows - rows_before)
        rows_before, took_before = rows, took
        fitting = AIM / each if each > 0 else inf
        rows = max(1, rows // 2, int(min(2 * rows, fitting)))
        yield
        if more:
            pause(PAUSE)


def timed(db: Database, step: Step, rows: int, clock: Callable[[], float]) -> tuple[float, bool]:
    """Note when a transaction has begun, and do what it is for."""
    return clock(), step(db, rows)


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
