"""The SQLite file: how it is opened, read, written and brought up to date."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from sqlite_utils import Database

from server.store.migrations import migrations
from server.web import offload

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

BUSY_SECONDS = 5.0
"""How long a transaction waits for another one's lock."""

PASSING = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CANTOPEN,
    }
)
"""Errors of the disk or of its neighbours. They pass; any other is a defect of ours and stays loud."""


class Unavailable(Exception):
    """The database cannot be read or written now: locked, full, read-only or gone. Nothing was stored."""


def connect(path: Path | str, busy_seconds: float = BUSY_SECONDS) -> Database:
    """Open the database.

    Parameters
    ----------
    path : Path or str
        The file; it is made if it is missing.
    busy_seconds : float
        How long to wait for a lock, in seconds.

    Notes
    -----
    A write-ahead log shows the order of arrival, and before SQLite 3.51.3 it can be corrupted by several
    connections; so the journal is a rollback journal, deleted at every commit. ``secure_delete`` overwrites
    what is removed, ``temp_store`` keeps sorting off the disk. Transactions are begun by hand.
    One thread at a time may use the connection, not always the same.
    """
    connection = sqlite3.connect(path, timeout=busy_seconds, isolation_level=None, check_same_thread=False)
    try:
        db = Database(connection, execute_plugins=False)
        for pragma in (
            "journal_mode=DELETE",
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


def migrate(db: Database) -> None:
    """Bring the database up to date; does nothing when it is. See `server.store.migrations`."""
    migrations.apply(db)


@dataclass(frozen=True)
class Storage:
    """The database as the views use it: whole transactions, away from the event loop.

    Attributes
    ----------
    path : Path
        The SQLite file.
    busy_seconds : float
        How long a transaction waits for a lock, in seconds.
    idle : list of Database
        Connections that are open and not in use: to open one costs twenty times a small reading.
    """

    path: Path
    busy_seconds: float = BUSY_SECONDS
    idle: list[Database] = field(default_factory=list, repr=False, compare=False)

    def read(
        self,
        function: Callable[Concatenate[Database, Arguments], Result],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """Call ``function(db, *args)`` on one state of the database.

        Raises
        ------
        Unavailable
            If the database cannot be read now.
        """
        return offload.run(partial(self.transaction, "BEGIN", function, *args, **kwargs))

    def write(
        self,
        function: Callable[Concatenate[Database, Arguments], Result],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """Call ``function(db, *args)`` in one transaction, durable when this returns; undone if it raises.

        Raises
        ------
        Unavailable
            If the database cannot be written now; nothing was stored.
        """
        return offload.run(partial(self.transaction, "BEGIN IMMEDIATE", function, *args, **kwargs))

    def migrate(self) -> None:
        """Bring the database up to date."""
        with translated():
            db = connect(self.path, self.busy_seconds)
            try:
                migrate(db)
            finally:
                db.close()

    def transaction(
        self,
        begin: str,
        function: Callable[Concatenate[Database, Arguments], Result],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """Begin, call, commit: in the thread that calls. A connection that met an error is not used again."""
        with translated():
            try:
                db = self.idle.pop()
            except IndexError:
                db = connect(self.path, self.busy_seconds)
            try:
                db.conn.execute(begin)
                result = function(db, *args, **kwargs)
                db.conn.execute("COMMIT")
            except BaseException:
                db.close()  # and with it, what was not committed is undone
                raise
            self.idle.append(db)
            return result

    def close(self) -> None:
        """Close the connections that are not in use; SQLite's must not be open when a process forks."""
        while self.idle:
            self.idle.pop().close()


@contextmanager
def translated() -> Iterator[None]:
    """Turn SQLite's passing errors into `Unavailable`, for callers that know no SQLite."""
    try:
        yield
    except sqlite3.Error as error:
        # The low byte is the kind of the error; the rest says more about it.
        if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF in PASSING:
            raise Unavailable(str(error)) from error
        raise
