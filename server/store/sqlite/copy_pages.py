"""A copy of a file as it is at one moment, without a name: nobody waits for what is done with it there."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile

from server.store.engine import Unavailable
from server.store.sqlite.connection import SQLite


@contextmanager
def page_copy(db: SQLite, folder: Path) -> Iterator[SQLite]:
    """Copy a file page by page, with what it has freed, into one that has no name any more.

    Only its owner could open it before.

    Parameters
    ----------
    db : SQLite
        A connection without a transaction.
    folder : Path
        Where the copy lies. What its disk frees in the end can show what it held.

    Raises
    ------
    Unavailable
        If nothing can be written there.

    Notes
    -----
    Whoever reads a file keeps others from writing to it, so nothing but reading is done meanwhile. In steps
    with pauses between them, SQLite's online backup would begin anew whenever another process has written
    (https://www.sqlite.org/backup.html), and would not end while a survey is busy.
    """
    try:
        with NamedTemporaryFile(dir=folder, prefix=".candor-copy-") as named:
            connection = sqlite3.connect(named.name, isolation_level=None)
    except OSError as error:
        raise Unavailable(f"it cannot be copied to {folder}: {error.strerror}") from error
    with closing(SQLite(connection, execute_plugins=False)) as copy:
        for pragma in ("journal_mode=OFF", "synchronous=OFF", "locking_mode=EXCLUSIVE"):
            connection.execute(f"PRAGMA {pragma}").close()
        db.conn.execute("BEGIN")
        db.conn.execute("SELECT count(*) FROM sqlite_master").fetchone()  # it waits as long as it may
        db.conn.backup(connection)
        db.conn.execute("COMMIT")
        yield copy
