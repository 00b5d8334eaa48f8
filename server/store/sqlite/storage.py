"""Transactions on a SQLite file: each waits for others as long as it may, and is durable or undone."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from sqlite_utils import Database

from server.runtime import offload
from server.store import counted_lists, invitations, publication_cache
from server.store.engine import Condition, Unavailable
from server.store.lifecycle.finisher import run_for_each
from server.store.lifecycle.paced_storage import PacedStorage
from server.store.sqlite import conversion, deleting, removal
from server.store.sqlite.attestation import deviations
from server.store.sqlite.condition import condition
from server.store.sqlite.connection import (
    BUSY_SECONDS,
    File,
    SQLite,
    connect,
    errors_translated,
    file_at,
    make_private,
    refuse_left_over,
    refuse_log,
    take_back,
)
from server.store.sqlite.copy_pages import page_copy
from server.store.sqlite.migrations import check, migrate
from server.store.upkeep import versions
from server.store.upkeep.deviation import Deviation

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

HeldConnection = tuple[SQLite, File]
"""A connection, and the file that it holds."""

AGAIN_SECONDS = 0.001
"""Seconds after which a transaction that finds another process writing looks again."""

BATCH_CACHE = 32 * 1024
"""The most KiB of pages that a connection for batches remembers, where others remember 2 MiB: each batch
changes pages anywhere in a survey's buckets, and 300 000 respondents fill 28 MiB of them."""


@dataclass(frozen=True, eq=False, repr=False)
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
    version : int
        The version of the tables that this Candor requires.
    idle : list of (SQLite, File)
        Connections that are open and not in use, each with the file that it holds: to open one costs twenty
        times a small reading.
    idle_for_batches : list of (SQLite, File)
        The same for batches of submissions; there is one as long as batches come one after the other.

    Notes
    -----
    An open connection keeps using a file that was removed or replaced, and what it stored would be lost. So
    each transaction looks before it begins and after it has ended whether its file still stands at the path.
    """

    path: Path
    busy_seconds: float = BUSY_SECONDS
    draw: Callable[[int], bytes] = os.urandom
    version: int = field(default_factory=versions.required)
    idle: list[HeldConnection] = field(default_factory=list)
    idle_for_batches: list[HeldConnection] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The name of the database in messages."""
        return str(self.path)

    @property
    def shows_together(self) -> bool:
        """A file holds pages that are overwritten in place, and no number of a transaction."""
        return False

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
        return publication_cache.run(
            partial(self.until, self.idle, self.deadline(), "BEGIN", function, *args, **kwargs)
        )

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
        return publication_cache.run(
            partial(self.until, self.idle, self.deadline(), "BEGIN IMMEDIATE", function, *args, **kwargs)
        )

    def write_until(
        self,
        deadline: float,
        function: Callable[Concatenate[SQLite, Arguments], Result],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """Write a batch as `write` does, but wait no longer than up to a moment of `time.monotonic`.

        Notes
        -----
        Only what waits leaves the event loop. In another thread each statement would give up the interpreter
        and wait to get it back, which costs more than the statement.
        """
        transaction = partial(
            self.until, self.idle_for_batches, deadline, "BEGIN IMMEDIATE", function, *args, **kwargs
        )
        return publication_cache.run(transaction, here=True)

    def deadline(self) -> float:
        """Return the moment up to which a transaction waits that is asked for now, by `time.monotonic`."""
        return time.monotonic() + self.busy_seconds

    def create(self) -> None:
        """Make the database where there is none, and bring it up to date.

        Raises
        ------
        Unavailable
            If it cannot be made, or the file holds something else. No empty file is left then.
        """
        path = Path(os.path.realpath(self.path))  # SQLite follows a link, and keeps the journal there
        if not os.path.lexists(path):
            refuse_left_over(path)
        made = make_private(path)
        try:
            with errors_translated(), closing(connect(path, self.busy_seconds)) as db:
                migrate(db, create=True)
        except BaseException:
            if made:
                take_back(path)
            raise

    def migrate(self) -> None:
        """Bring the database up to date.

        Raises
        ------
        Unavailable
            If there is none, or it cannot be used.
        """
        file_at(self.path)
        with errors_translated(), closing(connect(self.path, self.busy_seconds)) as db:
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
        """Return what an operator should know about how the database is set up: that nothing can be stored.

        A server serves all the same: a full disk may have room again, and pages can be read meanwhile.
        """
        try:
            self.write_here(SQLite.touch)
        except Unavailable as error:
            return [f"{self.path} can be read, and nothing can be stored in it: {error}"]
        return []

    def condition(self) -> Condition:
        """Look at the database as it is, also one that is not up to date.

        Raises
        ------
        Unavailable
            If there is none, it cannot be read, or it is not one that this version can bring up to date.
        """
        file_at(self.path)
        with (
            errors_translated(),
            closing(connect(self.path, self.busy_seconds)) as db,
            page_copy(db, self.path.parent) as moment,
        ):
            return condition(moment)

    def deviations(self) -> list[Deviation]:
        """Compare the schema with the one that this version makes; the file stays as it is.

        Raises
        ------
        Unavailable
            If it cannot be looked at.
        """
        file_at(self.path)
        with errors_translated(), closing(connect(self.path, self.busy_seconds)) as db:
            db.conn.execute("BEGIN")
            return deviations(db)

    def write_here(
        self,
        function: Callable[Concatenate[SQLite, Arguments], Result],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """Write as `write` does, in the thread that calls: for a process that will fork."""
        with offload.here():
            return self.until(self.idle, self.deadline(), "BEGIN IMMEDIATE", function, *args, **kwargs)

    def until(
        self,
        idle: list[HeldConnection],
        deadline: float,
        begin: str,
        function: Callable[Concatenate[SQLite, Arguments], Result],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """Begin, call, commit, with all waits for locks over at the deadline.

        A connection that met an error is not used again.
        """
        with errors_translated():
            db, file = self.connection(idle, deadline)
            try:
                begin_transaction(db, begin, deadline)
                if db.required != self.version:
                    check(db)
                refuse_log(db.conn)  # the connection has noticed by now, as it has read the first page
                result = function(db, *args, **kwargs)
                offload.run_first(db.conn.execute, "COMMIT")  # it waits for readers and for the disk
                if file_at(self.path) != file:
                    raise Unavailable("the file was replaced by another")
            except BaseException as error:
                with closing(db):  # and with it, what was not committed is undone
                    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR:
                        check(db)  # "no such table": ours to mend, unless somebody has emptied the file
                raise
            idle.append((db, file))
            return result

    def connection(self, idle: list[HeldConnection], deadline: float) -> HeldConnection:
        """Take an idle connection to the file that stands at the path now, or open one."""
        file = file_at(self.path)
        while True:
            try:
                db, held = idle.pop()
            except IndexError:
                break
            if held == file:
                return db, file
            db.close()
        db = offload.run(open_checked, self.path, deadline, self.draw)
        if idle is self.idle_for_batches:
            db.conn.execute(f"PRAGMA cache_size=-{BATCH_CACHE}").close()
        return db, file

    def finish(self, gently: bool = False) -> None:
        """Remove what nobody needs any more, and make plain tables of the buckets of closed surveys.

        Parameters
        ----------
        gently : bool
            Whether to rest between transactions, as others use the database.
        """
        storage = PacedStorage(self) if gently else self
        work = (
            deleting.finish,
            invitations.forget_unusable,
            counted_lists.forget,
            conversion.finish,
            counted_lists.finish,
            removal.finish,
        )
        run_for_each(lambda task: task(), [partial(finish, storage) for finish in work])

    def close(self) -> None:
        """Close the connections that are not in use; SQLite's must not be open when a process forks."""
        for idle in (self.idle, self.idle_for_batches):
            while idle:
                db, _ = idle.pop()
                db.close()


def open_checked(path: Path, deadline: float, draw: Callable[[int], bytes]) -> SQLite:
    """Open a connection, and see whether the database can be used, by this version."""
    db = connect(path, seconds_left(deadline), draw=draw)
    try:
        wait_until(db, deadline)
        check(db)
    except BaseException:
        db.close()
        raise
    return db


def seconds_left(deadline: float) -> float:
    """Return the seconds up to a moment of `time.monotonic`, 0 after it."""
    return max(0.0, deadline - time.monotonic())


def begin_transaction(db: Database, begin: str, deadline: float) -> None:
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
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or not seconds_left(deadline):
                raise
        offload.pause(AGAIN_SECONDS)
    wait_until(db, deadline)
    if begin == "BEGIN":
        db.conn.execute(begin)


def wait_until(db: Database, deadline: float) -> None:
    """Let the next statement wait for locks up to a moment of `time.monotonic`."""
    db.conn.execute(f"PRAGMA busy_timeout={round(1000 * seconds_left(deadline))}").close()
