"""The SQLite file: how it is opened, read, written and brought up to date."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlite_utils import Database

from server.store import loading
from server.store.engine import Condition, Unavailable
from server.store.sqlite import closing as conversion
from server.store.sqlite import deleting
from server.store.sqlite.condition import condition
from server.store.sqlite.migrations import migrations
from server.store.sqlite.reports import SQLiteReports
from server.store.versions import generation
from server.web import offload

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

File = tuple[int, int]
"""Device and number of a file: another file at the same path has others."""

BUSY_SECONDS = 5.0
"""How long a transaction waits in all: for a thread, and for locks of others."""

AGAIN_SECONDS = 0.001
"""How soon a transaction that finds another process writing looks again."""

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


class SQLite(Database):
    """A connection to a file, as the store's functions use it."""

    draw: Callable[[int], bytes]

    @property
    def reports(self) -> SQLiteReports:
        """Where reports are stored."""
        return SQLiteReports(self, self.draw)

    def hold(self, survey_ids: Iterable[int]) -> None:
        """Do nothing: while one transaction writes to a file, no other does."""

    def patiently(self, seconds: float) -> None:
        """Do nothing: a statement here ends by itself only while it waits for a lock."""

    def insert_numbered(self, table: str, columns: Sequence[str], row: Sequence[Any]) -> None:
        """Add a row under a number that is given."""
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
    create: bool = False,
    draw: Callable[[int], bytes] = os.urandom,
) -> SQLite:
    """Open the database.

    Parameters
    ----------
    path : Path or str
        The file.
    busy_seconds : float
        How long to wait for a lock, in seconds.
    create : bool
        Whether to make the file if it is missing.
    draw : callable
        Draws the keys of surveys that open: as many random bytes as it is asked for.

    Raises
    ------
    sqlite3.OperationalError
        If there is no such file, unless `create`, or it cannot be opened.

    Notes
    -----
    A write-ahead log shows the order of arrival, and before SQLite 3.51.3 it can be corrupted by several
    connections; so the journal is a rollback journal. It is emptied at every commit and not deleted: under
    ``synchronous=FULL`` SQLite syncs the emptied journal before it returns, and not the folder from which one
    was deleted, so that a power cut could bring a deleted journal back and undo what was acknowledged.
    ``secure_delete`` overwrites what is removed, ``temp_store`` keeps sorting off the disk. Transactions are
    begun by hand.
    One thread at a time may use the connection, not always the same.
    """
    address = f"{Path(path).absolute().as_uri()}?mode={'rwc' if create else 'rw'}"
    connection = sqlite3.connect(
        address, uri=True, timeout=busy_seconds, isolation_level=None, check_same_thread=False
    )
    try:
        db = SQLite(connection, execute_plugins=False)
        db.draw = draw
        for pragma in (
            "journal_mode=TRUNCATE",
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


def is_unused(db: Database) -> bool:
    """Return whether the database is empty, or Candor's without an account or a survey."""
    if not db.table_names():
        return True
    return all(db[name].exists() and not db[name].count for name in ("accounts", "surveys"))


def migrate(db: Database) -> None:
    """Bring the database up to date in one transaction; do nothing when it is: see `migrations`.

    Raises
    ------
    Unavailable
        If a later version of Candor has changed it.
    """
    refuse_later(db)
    if not migrations.pending(db) and held(db) >= ours():
        return
    db.conn.execute("BEGIN IMMEDIATE")  # of two that start at once, the second finds nothing left to do
    try:
        migrations.apply(db)
        db.execute(f"PRAGMA user_version={ours():d}")  # a number
        db.conn.execute("COMMIT")
    except BaseException:
        db.rollback()
        raise


def applied(db: Database) -> set[str]:
    """Return the names of the migrations that the database has seen; none if Candor did not make it."""
    return {migration.name for migration in migrations.applied(db)}


@cache
def known() -> frozenset[str]:
    """Return the names of the migrations of this version."""
    with closing(sqlite3.connect(":memory:")) as nothing:
        return frozenset(migration.name for migration in migrations.pending(Database(nothing)))


def ours() -> int:
    """Return the generation that this version of Candor works on: see `server.store.versions`."""
    return generation(known())


def held(db: Database) -> int:
    """Return the generation of the database, which every transaction compares with `ours`: it costs 2 µs."""
    ((number,),) = db.conn.execute("PRAGMA user_version").fetchall()
    return int(number)


def refuse_later(db: Database) -> None:
    """Refuse a database that has moved, or that a later version has made unusable for this one."""
    if held(db) == MOVED:
        ((target,),) = db.execute("SELECT value FROM settings WHERE name = 'moved'").fetchall()
        raise Unavailable(f"it was moved to {target}: use that, or go back with candor move --undo")
    if held(db) > ours():
        later = sorted(applied(db) - known())
        raise Unavailable(f"a later version of Candor has changed it ({', '.join(later)})")


def check(db: Database) -> None:
    """Refuse a database that is not as this version of Candor leaves it, such as an empty one.

    Raises
    ------
    Unavailable
        With what is wrong with it.
    """
    refuse_later(db)
    if not applied(db):
        raise Unavailable(NOT_OURS)
    if migrations.pending(db) or held(db) != ours():
        raise Unavailable(
            "it is of an earlier version of Candor; candor serve brings it up to date when it starts"
        )


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


MOVED = -1
"""The generation of a file whose content has moved to another database: see `server.store.sqlite.moved`."""

NOT_OURS = "it is not a database that candor serve made"


@dataclass(frozen=True)
class SQLiteStorage:
    """The database in a file, as `server.store.engine.Storage` describes it.

    Attributes
    ----------
    path : Path
        The SQLite file.
    busy_seconds : float
        How long a transaction waits for a lock, in seconds.
    draw : callable
        Draws the keys of surveys that open: as many random bytes as it is asked for.
    idle : list of (SQLite, File)
        Connections that are open and not in use, each with the file that it holds: to open one costs twenty
        times a small reading.

    Notes
    -----
    An open connection keeps using a file that was removed or replaced, and what it stored would be lost. So
    each transaction looks before it begins and after it has ended whether its file still stands at the path.
    """

    path: Path
    busy_seconds: float = BUSY_SECONDS
    draw: Callable[[int], bytes] = field(default=os.urandom, repr=False, compare=False)
    idle: list[tuple[SQLite, File]] = field(default_factory=list, repr=False, compare=False)

    @property
    def name(self) -> str:
        """How messages name the database."""
        return str(self.path)

    def read(
        self,
        function: Callable[Concatenate[SQLite, Arguments], Result],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """Call ``function(db, *args)`` on one state of the database.

        Raises
        ------
        Unavailable
            If the database cannot be read now.
        """
        return loading.run(partial(self.until, self.deadline(), "BEGIN", function, *args, **kwargs))

    def write(
        self,
        function: Callable[Concatenate[SQLite, Arguments], Result],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """Call ``function(db, *args)`` in one transaction, durable when this returns; undone if it raises.

        Raises
        ------
        Unavailable
            If the database cannot be written now; nothing was stored.
        """
        return loading.run(partial(self.until, self.deadline(), "BEGIN IMMEDIATE", function, *args, **kwargs))

    def write_until(
        self,
        deadline: float,
        function: Callable[Concatenate[SQLite, Arguments], Result],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """Write as `write` does, but wait no longer than up to a moment of `time.monotonic`.

        Notes
        -----
        Only what waits leaves the event loop. In another thread each statement would give up the interpreter
        and wait to get it back, which costs more than the statement.
        """
        transaction = partial(self.until, deadline, "BEGIN IMMEDIATE", function, *args, **kwargs)
        return loading.run(transaction, here=True)

    def deadline(self) -> float:
        """Return the moment up to which a transaction waits that is asked for now, by `time.monotonic`."""
        return time.monotonic() + self.busy_seconds

    def create(self) -> None:
        """Make the database where there is none, and bring it up to date.

        Raises
        ------
        Unavailable
            If it cannot be made, or the file holds something else.
        """
        with translated(), closing(connect(self.path, self.busy_seconds, create=True)) as db:
            if db.table_names() and not applied(db):
                raise Unavailable(NOT_OURS)
            migrate(db)

    def migrate(self) -> None:
        """Bring the database up to date.

        Raises
        ------
        Unavailable
            If there is none, or it cannot be used.
        """
        file_at(self.path)
        with translated(), closing(connect(self.path, self.busy_seconds)) as db:
            if not applied(db):
                raise Unavailable(NOT_OURS)
            migrate(db)

    def check(self) -> None:
        """See whether the database can be read now, by this version.

        Raises
        ------
        Unavailable
            With what is wrong with it.
        """
        self.read(check)

    def warnings(self) -> list[str]:
        """Return what an operator should know about how the database is set up."""
        return []

    def condition(self) -> Condition:
        """Look at the database as it is, also one that is not up to date.

        Raises
        ------
        Unavailable
            If there is none, it cannot be read, or it is not one that this version can bring up to date.
        """
        file_at(self.path)
        with translated(), closing(connect(self.path, self.busy_seconds)) as db:
            if not applied(db):
                raise Unavailable(NOT_OURS)
            refuse_later(db)
            return condition(db)

    def write_here(
        self,
        function: Callable[Concatenate[SQLite, Arguments], Result],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """Write as `write` does, in the thread that calls: for a process that will fork."""
        return self.until(self.deadline(), "BEGIN IMMEDIATE", function, *args, **kwargs)

    def until(
        self,
        deadline: float,
        begin: str,
        function: Callable[Concatenate[SQLite, Arguments], Result],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """Begin, call, commit, with all waits for locks over at the deadline.

        A connection that met an error is not used again.
        """
        with translated():
            db, file = self.connection(deadline)
            try:
                start(db, begin, deadline)
                if held(db) != ours():
                    check(db)
                result = function(db, *args, **kwargs)
                offload.run(db.conn.execute, "COMMIT")  # waits for readers and for the disk
                if file_at(self.path) != file:
                    raise Unavailable("the file was replaced by another")
            except BaseException as error:
                with closing(db):  # and with it, what was not committed is undone
                    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR:
                        check(db)  # "no such table": ours to mend, unless somebody has emptied the file
                raise
            self.idle.append((db, file))
            return result

    def connection(self, deadline: float) -> tuple[SQLite, File]:
        """Take an idle connection to the file that stands at the path now, or open one."""
        file = file_at(self.path)
        while True:
            try:
                db, held = self.idle.pop()
            except IndexError:
                break
            if held == file:
                return db, file
            db.close()
        return offload.run(opened, self.path, deadline, self.draw), file

    def finish(self) -> None:
        """Make plain tables of the buckets of closed surveys, and remove the reports of deleted ones."""
        conversion.finish(self)
        deleting.finish(self)

    def close(self) -> None:
        """Close the connections that are not in use; SQLite's must not be open when a process forks."""
        while self.idle:
            db, _ = self.idle.pop()
            db.close()


def opened(path: Path, deadline: float, draw: Callable[[int], bytes]) -> SQLite:
    """Open a connection, and see whether the database can be used, by this version."""
    db = connect(path, left(deadline), draw=draw)
    try:
        wait_until(db, deadline)
        check(db)
    except BaseException:
        db.close()
        raise
    return db


def left(deadline: float) -> float:
    """Return the seconds up to a moment of `time.monotonic`, 0 after it."""
    return max(0.0, deadline - time.monotonic())


def start(db: Database, begin: str, deadline: float) -> None:
    """Begin a transaction, whose later waits for locks are over at the deadline too.

    Notes
    -----
    SQLite looks again after 1, 2, 5, 10 and up to 100 ms. Of two processes that write all the time, one would
    mostly sleep while the file is free.
    """
    while begin != "BEGIN":
        db.conn.execute("PRAGMA busy_timeout=0").close()
        try:
            db.conn.execute(begin)
            break
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or not left(deadline):
                raise
        offload.pause(AGAIN_SECONDS)
    wait_until(db, deadline)
    if begin == "BEGIN":
        db.conn.execute(begin)


def wait_until(db: Database, deadline: float) -> None:
    """Let the next statement wait for locks up to a moment of `time.monotonic`."""
    db.conn.execute(f"PRAGMA busy_timeout={round(1000 * left(deadline))}").close()


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
