"""Connections to the SQLite file: opening one, and telling errors that pass from defects."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from server.store.engine import Unavailable
from server.store.sqlite.reports import SQLiteReports
from server.store.upkeep.backup_file import PRIVATE

File = tuple[int, int]
"""Device and number of a file: another file at the same path has others."""

OLDEST = (3, 35)
"""The oldest SQLite that is supported: it gave RETURNING, in March 2021."""

BUSY_SECONDS = 5.0
"""Seconds that a transaction waits in all: for a thread, and for locks of others."""

PASSING = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_CORRUPT,
    }
)
"""Errors of the disk, of its neighbours, or of a file that was damaged or replaced. They pass, or an operator
mends them; any other is a defect of ours and stays loud."""


LOG = "another program has given it a write-ahead log, which shows the order of arrival: close that program"


class SQLite(Database):
    """A connection to a file, as the store's functions use it."""

    draw: Callable[[int], bytes]
    alone = ""

    @property
    def reports(self) -> SQLiteReports:
        """The reports of surveys, within the transaction of this connection."""
        return SQLiteReports(self, self.draw)

    def hold(self, survey_ids: Iterable[int], *, alone: bool = False) -> None:
        """Do nothing: while one transaction writes to a file, no other does."""

    @property
    def required(self) -> int:
        """The version that a server must know; every transaction asks for it, which costs 2 µs."""
        ((number,),) = self.conn.execute("PRAGMA user_version").fetchall()
        return int(number)

    def require(self, version: int) -> None:
        """Let servers that do not know a version stop at their next transaction."""
        self.conn.execute(f"PRAGMA user_version={version:d}")

    def touch(self) -> None:
        """Write the first page again as it is.

        SQLite leaves out an UPDATE that changes nothing, but not this number, which stays what it is.
        """
        self.require(self.required)

    def patiently(self, seconds: float, *, between: bool = False) -> None:
        """Do nothing: a statement here ends by itself only while it waits for a lock."""

    def insert_numbered(self, table: str, columns: Sequence[str], row: Sequence[Any]) -> None:
        """Add a row whose number is its first value."""
        marks = ", ".join("?" * len(columns))
        self.conn.execute(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", row)

    def last_number(self, table: str) -> int:
        """Return the highest number that a table has ever used; 0 if none."""
        row = self.conn.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", [table]).fetchone()
        return 0 if row is None else int(row[0])

    def number_after(self, table: str, last: int) -> None:
        """Let a table never use a number up to this one again."""
        self.conn.execute("DELETE FROM sqlite_sequence WHERE name = ?", [table])
        self.conn.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", [table, last])


def connect(
    path: Path | str,
    busy_seconds: float = BUSY_SECONDS,
    *,
    draw: Callable[[int], bytes] = os.urandom,
) -> SQLite:
    """Open the database.

    Parameters
    ----------
    path : Path or str
        The file.
    busy_seconds : float
        How long to wait for a lock, in seconds.
    draw : callable
        Draws the keys of surveys that open: as many random bytes as it is asked for.

    Raises
    ------
    sqlite3.OperationalError
        If there is no such file, or it cannot be opened.
    Unavailable
        If another program keeps it open with a write-ahead log, or this SQLite is too old.

    Notes
    -----
    A write-ahead log shows the order of arrival, and before SQLite 3.51.3 it can be corrupted by several
    connections; so the journal is a rollback journal, also where another program has left a log. It is
    emptied at every commit and not deleted: under ``synchronous=FULL`` SQLite syncs the emptied journal
    before it returns, and not the folder from which one was deleted, so that a power cut could bring a
    deleted journal back and undo what was acknowledged.
    ``secure_delete`` overwrites what is removed, ``temp_store`` keeps sorting off the disk. Transactions are
    begun by hand.
    One thread at a time may use the connection, not always the same.
    """
    if sqlite3.sqlite_version_info < OLDEST:
        raise Unavailable(f"SQLite must be 3.{OLDEST[1]} or later, got {sqlite3.sqlite_version}")
    address = f"{Path(path).absolute().as_uri()}?mode=rw"
    connection = sqlite3.connect(
        address, uri=True, timeout=busy_seconds, isolation_level=None, check_same_thread=False
    )
    try:
        db = SQLite(connection, execute_plugins=False)
        db.draw = draw
        connection.text_factory = text_or_bytes
        set_journal(connection)
        for pragma in (
            "synchronous=FULL",
            "secure_delete=ON",
            "foreign_keys=ON",
            "temp_store=MEMORY",
        ):
            connection.execute(f"PRAGMA {pragma}").close()
    except BaseException:
        connection.close()
        raise
    return db


def text_or_bytes(stored: bytes) -> str | bytes:
    """Return a text of the file, or its bytes if they are not UTF-8: Candor writes none such."""
    try:
        return stored.decode()
    except UnicodeDecodeError:
        return stored


def make_private(path: Path | str) -> bool:
    """Make an empty file that only its owner can open, where there is none; return whether it was made.

    The file holds hashes of passwords, the secrets of second factors and the key of sessions. SQLite gives
    the journal beside it the same mode.
    """
    with suppress(OSError):  # it is there already, or SQLite says why it cannot be made
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))
        return True
    return False


def take_back(path: Path) -> None:
    """Remove a file that was just made, if nothing came into it; ``candor restore`` overwrites none.

    Another process that has started meanwhile may be writing into it, and nothing is seen of that before it
    commits: then it is locked, and stays.
    """
    address = f"{path.absolute().as_uri()}?mode=rw"
    with (
        suppress(OSError, sqlite3.Error),
        closing(sqlite3.connect(address, uri=True, timeout=0, isolation_level=None)) as connection,
    ):
        connection.execute("PRAGMA journal_mode=MEMORY").close()  # there may be no room for a journal
        connection.execute("BEGIN EXCLUSIVE").close()
        if not path.stat().st_size:
            path.unlink()


def refuse_left_over(path: Path) -> None:
    """Refuse a place beside which an earlier file has left a journal or a log.

    SQLite knows them by their names alone. It would write old pages into whatever file comes there, or remove
    them if that is empty, and the earlier file could not be read any more:
    https://www.sqlite.org/howtocorrupt.html#_unlinking_or_renaming_a_database_file_while_in_use

    Raises
    ------
    Unavailable
        With the name of what is in the way. An empty one is in nobody's.
    """
    for left in (path.with_name(path.name + ending) for ending in ("-journal", "-wal")):
        with suppress(OSError):  # it is not there, or SQLite says why nothing can be
            if left.stat().st_size:
                raise Unavailable(
                    f"{left.name} beside it is of an earlier file: move it to where that file is"
                )


def set_journal(connection: sqlite3.Connection) -> None:
    """Use a rollback journal that is emptied; SQLite cannot while others keep the file open with a log."""
    try:
        connection.execute("PRAGMA journal_mode=TRUNCATE").close()
    except sqlite3.OperationalError:
        connection.execute("PRAGMA busy_timeout=0").close()  # it has waited
        with suppress(sqlite3.OperationalError):
            refuse_log(connection)
        raise
    refuse_log(connection)


def refuse_log(connection: sqlite3.Connection) -> None:
    """Refuse a file that has a write-ahead log: any program can give it one, between two transactions."""
    ((journal,),) = connection.execute("PRAGMA journal_mode").fetchall()
    if journal == "wal":
        raise Unavailable(LOG)


def file_at(path: Path) -> File:
    """Look which file stands at a path.

    Raises
    ------
    Unavailable
        If there is none, or it cannot be reached.
    """
    try:
        found = path.stat()
    except FileNotFoundError:
        raise Unavailable("there is no such file; candor serve makes it when it starts") from None
    except OSError as error:
        raise Unavailable(str(error.strerror)) from error
    return found.st_dev, found.st_ino


@contextmanager
def errors_translated() -> Iterator[None]:
    """Turn SQLite's passing errors into `Unavailable`, for callers that know no SQLite."""
    try:
        yield
    except sqlite3.Error as error:
        # The low byte is the kind of the error; the rest says more about it.
        if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF in PASSING:
            raise Unavailable(str(error)) from error
        raise
