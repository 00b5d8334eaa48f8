"""A copy in memory of a file as it is at one moment: nobody waits for what is done with it there."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

from server.store.engine import Unavailable
from server.store.sqlite.connection import SQLite


@contextmanager
def in_memory(db: SQLite) -> Iterator[SQLite]:
    """Copy a file into memory, page by page, with what it has freed.

    Raises
    ------
    Unavailable
        If memory has no room for it.

    Notes
    -----
    Whoever reads a file keeps others from writing to it, so nothing but reading is done meanwhile. In steps
    with pauses between them, SQLite's online backup would begin anew whenever another process has written
    (https://www.sqlite.org/backup.html), and would not end while a survey is busy.
    """
    memory = sqlite3.connect(":memory:", isolation_level=None)
    try:
        with closing(SQLite(memory, execute_plugins=False)) as copy:
            db.conn.execute("BEGIN")
            db.conn.execute("SELECT count(*) FROM sqlite_master").fetchone()  # it waits as long as it may
            db.conn.backup(memory)
            db.conn.execute("COMMIT")
            yield copy
    except MemoryError as error:
        raise Unavailable("memory has no room for a copy of it") from error
