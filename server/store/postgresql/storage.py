"""Transactions on a PostgreSQL database, and bringing it up to date."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from typing import Concatenate, ParamSpec, TypeVar

import psycopg
from psycopg import errors

from server.database import PostgreSQLURL
from server.store import counted_lists, invitations, publication_cache
from server.store.engine import Condition, Unavailable
from server.store.lifecycle.finisher import run_for_each
from server.store.lifecycle.paced_storage import PacedStorage
from server.store.postgresql import migrations
from server.store.postgresql.attestation import deviations
from server.store.postgresql.connection import PostgreSQL, connect, errors_translated, limits
from server.store.postgresql.order_leaks import leaks
from server.store.postgresql.stalled_commits import commit, go_on
from server.store.upkeep import versions
from server.store.upkeep.deviation import Deviation

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

BUSY_SECONDS = 5.0
"""Seconds that a transaction waits in all: for a thread, for the network and for locks of others."""

GRACE = 1.0
"""Seconds after which we stop listening to a server that should have ended a statement by itself."""

MIGRATION_SECONDS = 3600.0
"""Seconds that bringing a database up to date may take, and that another server waits for it."""

ATTEST_SECONDS = 60.0
"""Seconds that comparing the schema may take."""

REWRITE_SECONDS = 24 * 3600.0
"""Seconds that writing the reports of a closed survey anew may take; nobody waits for it."""

RETRY_SECONDS = 0.2
"""Seconds for which a table is left to its readers before it is asked for again."""

READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
WRITE = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"

CONDITION = """
    SELECT current_setting('server_version'), current_setting('fsync'), current_setting('full_page_writes'),
        extract(epoch FROM clock_timestamp()),
        (SELECT coalesce(checksum_failures, 0) FROM pg_stat_database WHERE datname = current_database())
"""
"""Version, what makes commits last and no connection sets, the server's clock, and pages that it found
damaged in this database."""

ONE_AT_A_TIME = f"SELECT pg_advisory_xact_lock({migrations.LOCK + 1})"
"""The lock that all writers take, as with a file of SQLite's, so that they may look first and write then,
whichever server they are on. Only submissions do without: they take their locks themselves."""


@dataclass(frozen=True)
class PostgreSQLStorage:
    """A PostgreSQL database, as `server.store.engine.Storage` describes it.

    Attributes
    ----------
    url : PostgreSQLURL
        Where it is.
    busy_seconds : float
        How long a transaction waits in all, in seconds.
    idle : list of PostgreSQL
        Connections that are open and not in use.
    given_up : set of int
        Processes of the server at commits that took too long: see `server.store.postgresql.stalled_commits`.

    Notes
    -----
    A process opens as many connections as it has threads for transactions, under gevent at most ten.
    """

    url: PostgreSQLURL
    busy_seconds: float = BUSY_SECONDS
    idle: list[PostgreSQL] = field(default_factory=list, repr=False, compare=False)
    given_up: set[int] = field(default_factory=set, repr=False, compare=False)

    @property
    def name(self) -> str:
        """The name of the database in messages."""
        return str(self.url)

    @property
    def shows_together(self) -> bool:
        """Every row has the number of the transaction that wrote it, which ``xmin`` gives."""
        return True

    def read(
        self,
        function: Callable[Concatenate[PostgreSQL, Arguments], Result],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """Call ``function(db, *args)`` on one state of the database.

        Raises
        ------
        Unavailable
            If the database cannot be read now.

        Notes
        -----
        The table of arrivals goes when it has been written anew; whoever saw it just before looks again.
        """
        whole = partial(self.until, self.deadline(), READ, function, *args, **kwargs)
        try:
            return publication_cache.run(whole)
        except errors.UndefinedTable:
            return publication_cache.run(whole)

    def write(
        self,
        function: Callable[Concatenate[PostgreSQL, Arguments], Result],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """Call ``function(db, *args)`` in one transaction, durable when this returns; undone if it raises.

        Raises
        ------
        Unavailable
            If the database cannot be written now; nothing was stored.
        """
        return publication_cache.run(partial(self.write_here, function, *args, **kwargs))

    def write_until(
        self,
        deadline: float,
        function: Callable[Concatenate[PostgreSQL, Arguments], Result],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """Write up to a moment of `time.monotonic`, side by side with others who write in this way."""
        return publication_cache.run(partial(self.until, deadline, WRITE, function, *args, **kwargs))

    def write_here(
        self,
        function: Callable[Concatenate[PostgreSQL, Arguments], Result],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """Write as `write` does, in the thread that calls: for a process that will fork."""
        return self.until(self.deadline(), f"{WRITE}; {ONE_AT_A_TIME}", function, *args, **kwargs)

    def deadline(self) -> float:
        """Return the moment, by `time.monotonic`, up to which a transaction that begins now may wait."""
        return time.monotonic() + self.busy_seconds

    def create(self) -> None:
        """Make the tables where there are none, and bring them up to date.

        Raises
        ------
        Unavailable
            If they cannot be made, or the database holds something else.
        """
        self.change(create=True)

    def migrate(self) -> None:
        """Bring the database up to date.

        Raises
        ------
        Unavailable
            If there is none, or it cannot be used.
        """
        self.change(create=False)

    def change(self, *, create: bool) -> None:
        """Bring the database up to date; if another server is doing so, wait for it first."""
        with errors_translated(), closing(connect(self.url, self.deadline())) as db, db.transaction():
            db.patiently(MIGRATION_SECONDS)
            migrations.migrate(db, create=create)

    def check(self) -> None:
        """See whether the database can be read now, by this version.

        Raises
        ------
        Unavailable
            With what is wrong with it.
        """
        self.read(migrations.check)

    def finish(self, gently: bool = False) -> None:
        """Write the reports of closed surveys anew, so that nothing in a table tells when one came.

        Parameters
        ----------
        gently : bool
            Whether to rest between transactions, as others use the database; writing a survey anew is one.

        Raises
        ------
        Unavailable
            If the database goes away meanwhile; whoever calls this next goes on.
        """
        storage = PacedStorage(self) if gently else self
        work: list[Callable[[], None]] = [
            partial(invitations.forget_unusable, storage),
            partial(counted_lists.forget, storage),
            self.rewrite_all,
            partial(counted_lists.finish, storage),
        ]
        run_for_each(lambda task: task(), work)

    def rewrite_all(self) -> None:
        """Write the reports of every closed survey anew."""
        run_for_each(self.rewrite, self.read(to_rewrite))

    def rewrite(self, survey_id: int) -> None:
        """Write the reports of one survey anew, and let them take the place of the arrivals."""
        self.write_until(self.deadline(), write_anew, survey_id)
        while not self.write_until(self.deadline(), forget_arrivals, survey_id):
            time.sleep(RETRY_SECONDS)

    def warnings(self) -> list[str]:
        """Return what an operator should know about how the database is set up."""
        return [lost_when_off(setting) for setting in self.read(unsafe_settings)]

    def condition(self) -> Condition:
        """Look at the database as it is, also one that is not up to date.

        Raises
        ------
        Unavailable
            If there is none, it cannot be read, or it is not one that this version can bring up to date.

        Notes
        -----
        PostgreSQL looks at its files itself as it reads them: where it keeps checksums, it counts those that
        were wrong.
        """
        with errors_translated(), closing(connect(self.url, self.deadline())) as db:
            steps = migrations.missing(db)
            ((server, fsync, pages, clock, wrong),) = db.execute(CONDITION).fetchall()
            return Condition(
                engine=f"PostgreSQL {server}",
                steps=[step.name for step in steps.values()],
                damage=[f"{wrong} of its pages had a wrong checksum"] if wrong else [],
                durability=f"fsync {fsync}, full_page_writes {pages}",
                risks=[lost_when_off(setting) for setting in unsafe_settings(db)],
                clock=float(clock),
                leaks=tuple(leaks(db)),
            )

    def deviations(self) -> list[Deviation]:
        """Compare the schema with the one that this version makes; the database stays as it is.

        Raises
        ------
        Unavailable
            If it cannot be looked at, such as by a role that may make no temporary table.
        """
        with errors_translated():
            db = self.idle.pop() if self.idle else connect(self.url, self.deadline())
            try:
                db.until = time.monotonic() + ATTEST_SECONDS
                listed = deviations(db)
            except BaseException:
                db.close()
                raise
            self.idle.append(db)
            return listed

    def until(
        self,
        deadline: float,
        begin: str,
        function: Callable[Concatenate[PostgreSQL, Arguments], Result],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """Begin, call, commit, with all waiting over at the deadline.

        A connection on which the database has failed is not used again.
        """
        with errors_translated():
            if begin != READ and self.given_up and self.until(deadline, READ, go_on, self.given_up):
                raise Unavailable("it still waits to confirm what was written before")
            db = self.connection_in_transaction(deadline, begin)
            try:
                result = function(db, *args, **kwargs)
                db.warnings.clear()
                done = commit(db, self.given_up)
                if done != "COMMIT" or db.warnings:  # undone, or not on the standby that must have it
                    raise Unavailable(f"the commit did not succeed: {'; '.join(db.warnings) or done}")
            except BaseException as error:
                self.undo(db, error)
                if isinstance(error, errors.UndefinedTable):
                    self.refuse_unless_ours()  # ours to mend, unless somebody has emptied the database
                raise
            self.idle.append(db)
            return result

    def undo(self, db: PostgreSQL, error: BaseException) -> None:
        """Undo a transaction. Whatever is not about the survey or the account itself ends the connection."""
        if isinstance(error, LookupError | ValueError):
            try:
                db.execute("ROLLBACK")
            except psycopg.Error:
                pass
            else:
                self.idle.append(db)
                return
        db.close()

    def connection_in_transaction(self, deadline: float, begin: str) -> PostgreSQL:
        """Take an idle connection, or open one, and begin a transaction.

        Notes
        -----
        An idle connection may have been lost, and then the others are too: the server was started anew.
        """
        while True:
            try:
                db = self.idle.pop()
            except IndexError:
                break
            try:
                begin_on(db, deadline, begin)
            except psycopg.Error as error:
                lost = db.broken or not isinstance(error, psycopg.OperationalError)
                db.close()
                if not lost:
                    raise
                self.close()
                break
            except BaseException:
                db.close()
                raise
            return db
        if time.monotonic() > deadline:  # to connect takes two seconds for each host that does not answer
            raise Unavailable("it does not answer in time")
        db = connect(self.url, deadline)
        try:
            migrations.check(db)
            begin_on(db, deadline, begin)
        except BaseException:
            db.close()
            raise
        return db

    def refuse_unless_ours(self) -> None:
        """Refuse a database that is not ours any more."""
        with closing(connect(self.url, self.deadline())) as db:
            migrations.check(db)

    def close(self) -> None:
        """Close the connections that are not in use; none may be open when a process forks."""
        while self.idle:
            self.idle.pop().close()


def begin_on(db: PostgreSQL, deadline: float, begin: str) -> None:
    """Begin a transaction in which the server ends each statement that waits beyond the deadline."""
    left = max(0.0, deadline - time.monotonic())
    db.until = time.monotonic() + left + GRACE
    db.writing, db.parts = begin.startswith(WRITE), {}
    first, *rest = begin.split("; ")
    sent = db.execute("; ".join([first, limits(left), *rest, versions.REQUIRED]), prepare=False)
    while sent.nextset():
        pass
    if sent.fetchone() != (versions.required(),):
        migrations.check(db)


def to_rewrite(db: PostgreSQL) -> list[int]:
    """Return the numbers of closed surveys whose reports still stand in the order in which they came."""
    rows = db.execute(
        """
        SELECT id FROM surveys JOIN tallies ON survey_id = id WHERE state = 'closed' AND NOT rewritten
        ORDER BY id
        """
    )
    return [survey_id for (survey_id,) in rows.fetchall()]


def write_anew(db: PostgreSQL, survey_id: int) -> None:
    """Write a survey's reports into the table that will hold them.

    Of two servers at it, one waits for the other's transaction before it looks what is left to do.
    """
    db.patiently(REWRITE_SECONDS)
    db.execute("SELECT FROM tallies WHERE survey_id = ? FOR UPDATE", [survey_id])
    db.execute("SELECT write_anew(?)", [survey_id])


def forget_arrivals(db: PostgreSQL, survey_id: int) -> bool:
    """Let a survey's new table take the place of its arrivals, unless somebody reads them.

    Notes
    -----
    Everybody takes the survey first, then its reports: whoever sends again has the survey, and looks its
    receipt up.
    """
    db.hold([survey_id], alone=True)
    ((done,),) = db.execute("SELECT forget_arrivals(?)", [survey_id]).fetchall()
    return bool(done)


def lost_when_off(setting: str) -> str:
    """Say what a setting of the server costs."""
    return f"{setting} is off: what was acknowledged can be lost when the power fails"


def unsafe_settings(db: PostgreSQL) -> list[str]:
    """Return the settings of the server that give up what was committed when the power fails."""
    rows = db.execute(
        """
        SELECT name FROM pg_settings WHERE name IN ('fsync', 'full_page_writes') AND setting = 'off'
        ORDER BY name
        """
    )
    return [name for (name,) in rows.fetchall()]
