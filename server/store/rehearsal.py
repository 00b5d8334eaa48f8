"""Rehearse an upgrade on a copy of a file: whether it succeeds, what it changes, and how long it takes."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from server.store import archive, backup
from server.store.engine import Unavailable
from server.store.sqlite.file import connect, translated
from server.store.sqlite.storage import SQLiteStorage
from server.store.versions import ADDITIVE


@dataclass(frozen=True)
class Rehearsal:
    """What an upgrade did to a copy.

    Attributes
    ----------
    steps : list of str
        The migrations that ran, in their order; none if the file is up to date.
    made, gone : list of str
        Tables that came and went.
    rolling : bool
        Whether servers of the version before can go on meanwhile.
    seconds : float
        How long it took.
    before, after : int
        The size of the file in bytes.
    reports : int
        How many reports were counted again afterwards.
    """

    steps: list[str]
    made: list[str]
    gone: list[str]
    rolling: bool
    seconds: float
    before: int
    after: int
    reports: int


def rehearse(path: Path, clock: Callable[[], float] = time.perf_counter) -> Rehearsal:
    """Copy a file beside itself, bring the copy up to date, count it again, and remove it.

    Parameters
    ----------
    path : Path
        A database of SQLite's. It is read once and stays as it is.
    clock : callable
        Gives a moment in seconds.

    Raises
    ------
    Unavailable
        If it cannot be read, or the upgrade fails on it.
    """
    with archive.room(path.parent) as room, closing(SQLiteStorage(room / path.name)) as copy:
        backup.copy(SQLiteStorage(path), copy.path)
        steps, tables = copy.condition().steps, tables_of(copy.path)
        before, began = copy.path.stat().st_size, clock()
        try:
            copy.migrate()
        except (sqlite3.Error, ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise Unavailable(f"a step cannot be done: {error}") from error
        seconds = clock() - began
        now = tables_of(copy.path)
        return Rehearsal(
            steps=steps,
            made=sorted(now - tables),
            gone=sorted(tables - now),
            rolling=ADDITIVE.issuperset(steps),
            seconds=seconds,
            before=before,
            after=copy.path.stat().st_size,
            reports=backup.recounted(copy),
        )


def tables_of(path: Path) -> set[str]:
    """Return the names of the tables in a file."""
    with translated(), closing(connect(path)) as db:
        return set(db.table_names())
