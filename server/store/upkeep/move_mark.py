"""A file whose content has moved to another database: marked, so that nothing is stored in it any more."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from server.store.engine import Unavailable
from server.store.sqlite.connection import SQLite, connect, errors_translated, file_at
from server.store.sqlite.migrations import MOVED, check, recorded
from server.store.upkeep.versions import REQUIRED, missing


@contextmanager
def locked_file(path: Path) -> Iterator[SQLite]:
    """Open a file and let nobody else write to it while the block lasts; what the block writes is undone.

    Raises
    ------
    Unavailable
        If there is none, or this version cannot use it, or it has moved.
    """
    file_at(path)
    with errors_translated(), closing(connect(path)) as db:
        db.conn.execute("BEGIN IMMEDIATE")
        check(db)
        yield db


def mark(db: SQLite, target: str) -> None:
    """Say in the file where its content has moved, for good, and end the transaction that kept it.

    Every server that has the file open meets the mark in its next transaction.
    """
    db.execute("INSERT INTO settings (name, value) VALUES ('moved', ?)", [target])
    db.require(MOVED)
    db.conn.execute("COMMIT")


def unmark(path: Path) -> str:
    """Take the mark off a file, so that it can be used again; return where its content had moved.

    Raises
    ------
    Unavailable
        If there is no such file, or it has no mark.
    """
    file_at(path)
    with errors_translated(), closing(connect(path)) as db:
        if db.required != MOVED:
            raise Unavailable("it has not been moved")
        missing(recorded(db))  # refuses another version's
        db.conn.execute("BEGIN IMMEDIATE")
        ((target,),) = db.execute("SELECT value FROM settings WHERE name = 'moved'").fetchall()
        db.execute("DELETE FROM settings WHERE name = 'moved'")
        ((version,),) = db.execute(REQUIRED).fetchall()
        db.require(version)
        db.conn.execute("COMMIT")
        return str(target)
