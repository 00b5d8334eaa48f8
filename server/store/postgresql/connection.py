"""Connections to PostgreSQL: opening one with its settings, and telling errors that pass from defects."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, TypeVar

import psycopg
from psycopg import errors, waiting
from psycopg.abc import PQGen
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from server.database import PostgreSQLURL
from server.store.engine import Unavailable
from server.store.postgresql.reports import PostgreSQLReports

Result = TypeVar("Result")

SCHEMA = "candor"
"""The schema that holds all tables, so that none is taken for another application's."""

ENCODING = "UTF8"
"""The encoding that the database must have: no other has room for every language."""

OLDEST = 140000
"""The oldest PostgreSQL that is supported, as it gives its version: 14."""

IDLE_SECONDS = 60
"""Seconds that the server lets a transaction wait for us: a process that was stopped must not hold its locks.
Each transaction sets shorter limits for what it waits for itself."""

PASSING = (
    psycopg.OperationalError,
    psycopg.InterfaceError,
    errors.IdleInTransactionSessionTimeout,
    errors.InsufficientPrivilege,
    errors.ReadOnlySqlTransaction,
    errors.DataCorrupted,
    errors.IndexCorrupted,
)
"""Errors of the network, of the server, its disk, of rights that it does not give, or of a process that was
stopped. They pass, or an operator mends them; any other is a defect of ours and stays loud."""

GATES = 0x63616E64 << 32
"""``cand`` in ASCII; a survey's gate is the advisory lock of this plus the survey's number."""

PASS = f"pg_advisory_lock_shared({GATES} + id), pg_advisory_unlock_shared({GATES} + id)"
SHUT = f"pg_advisory_xact_lock({GATES} + id)"
HOLD = """
    WITH gates AS MATERIALIZED (SELECT id, {gate} FROM unnest(?::bigint[]) AS id)
    SELECT FROM surveys WHERE id = ANY (ARRAY(SELECT id FROM gates)) ORDER BY id {lock}
"""
"""Goes through the gates of surveys and takes their rows, in the order of the numbers in its parameter."""

wait = getattr(waiting, "wait_c", waiting.wait)
"""The function with which psycopg waits for a socket. A transaction has a thread to itself, so it may block
there, under gevent too."""


class PostgreSQL(psycopg.Connection[tuple[Any, ...]]):
    """A connection, as the store's functions use it: transactions are begun by hand.

    Attributes
    ----------
    until : float
        The moment by `time.monotonic` after which nobody waits for an answer of the server any more.
    writing : bool
        Whether the transaction is one that writes.
    warnings : list of str
        What the server has warned about since the list was emptied.
    parts : dict[int, int]
        Survey -> the part of its tally that the transaction holds; see `PostgreSQLReports.take_part`.
    """

    until: float
    writing: bool
    warnings: list[str]
    parts: dict[int, int]
    alone = "FOR UPDATE"

    @property
    def reports(self) -> PostgreSQLReports:
        """The reports of surveys, within the transaction of this connection."""
        return PostgreSQLReports(self)

    def execute(  # type: ignore[override]
        self, sql: str, parameters: Sequence[Any] = (), **options: Any
    ) -> psycopg.Cursor[tuple[Any, ...]]:
        """Run a statement whose parameters are written ``?``."""
        if not parameters:
            return super().execute(sql.encode(), **options)
        return super().execute(translated_marks(sql), parameters, **options)

    def wait(self, gen: PQGen[Result], interval: float = 0.1, timeout: float | None = None) -> Result:
        """Wait for the server, up to the moment that is set; it may have gone without a word."""
        if timeout is None:
            timeout = self.until - time.monotonic()
        found: Result = wait(gen, self.pgconn.socket, interval, timeout)
        return found

    def note(self, diagnostic: errors.Diagnostic) -> None:
        """Remember a warning of the server."""
        if diagnostic.severity_nonlocalized == "WARNING":
            self.warnings.append(diagnostic.message_primary or "a warning")

    def hold(self, survey_ids: Iterable[int], *, alone: bool = False) -> None:
        """Keep surveys from being closed or removed by others until the transaction ends.

        Notes
        -----
        The locks of the rows keep them. But whoever shares a row passes by those who wait to have it alone,
        and under load they would wait for ever. So before each row stands a gate, an advisory lock, for which
        everybody queues. Whoever shares the survey goes through and lets go of the gate. Whoever wants it
        alone shuts the gate, waits for those who went through before, and opens it when the transaction ends.

        Everybody goes through the gates in the order of the numbers, and takes a row after the last gate. So
        nobody waits in a circle, and a batch over many surveys leaves room among the locks of the server.
        """
        gate, lock = (SHUT, "FOR UPDATE") if alone else (PASS, "FOR SHARE")
        self.execute(HOLD.format(gate=gate, lock=lock), [sorted(survey_ids)])

    def touch(self) -> None:
        """Do nothing: to lock a row is to write, so after `hold` a commit waits as every other does."""

    def patiently(self, seconds: float, *, between: bool = False) -> None:
        """Allow the rest of the transaction at least so many seconds: nobody waits for it."""
        if self.until < time.monotonic() + seconds:
            self.until = time.monotonic() + seconds
            self.execute(limits(seconds), prepare=False)
        if between:
            self.execute(f"SET LOCAL idle_in_transaction_session_timeout = '{seconds:.0f}s'")

    def insert_numbered(self, table: str, columns: Sequence[str], row: Sequence[Any]) -> None:
        """Add a row whose number is its first value."""
        marks = ", ".join("?" * len(columns))
        into = f"INSERT INTO {table} ({', '.join(columns)}) OVERRIDING SYSTEM VALUE VALUES ({marks})"
        self.execute(into, row)

    def last_number(self, table: str) -> int:
        """Return the highest number that a table has ever used, or uses now where the role may not ask."""
        ((held, sequence),) = self.execute(
            f"SELECT coalesce(max(id), 0), pg_get_serial_sequence('{table}', 'id') FROM {table}"
        ).fetchall()
        ((readable,),) = self.execute("SELECT has_sequence_privilege(?, 'SELECT')", [sequence]).fetchall()
        if not readable:
            return int(held)
        ((last,),) = self.execute(
            f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {sequence}"
        ).fetchall()
        return max(int(held), int(last))

    def number_after(self, table: str, last: int) -> None:
        """Let a table never use a number up to this one again."""
        self.execute("SELECT setval(pg_get_serial_sequence(?, 'id'), ?)", [table, last])


@lru_cache(maxsize=512)
def translated_marks(sql: str) -> bytes:
    """Write a statement's ``?`` as psycopg wants them."""
    return sql.replace("%", "%%").replace("?", "%s").encode()


def limits(seconds: float) -> str:
    """Return the statements after which the server waits no longer, in this transaction.

    Examples
    --------
    >>> limits(2.5)
    'SET LOCAL statement_timeout = 2500; SET LOCAL lock_timeout = 2500'
    >>> limits(0.0)
    'SET LOCAL statement_timeout = 1; SET LOCAL lock_timeout = 1'
    """
    milliseconds = max(1, round(1000 * seconds))  # 0 would be for ever
    return f"SET LOCAL statement_timeout = {milliseconds}; SET LOCAL lock_timeout = {milliseconds}"


def connect(url: PostgreSQLURL, deadline: float) -> PostgreSQL:
    """Connect to a server that takes writes, the first of the URL's hosts that does.

    Parameters
    ----------
    url : PostgreSQLURL
    deadline : float
        The moment by `time.monotonic` up to which to try.

    Raises
    ------
    psycopg.Error
        If there is none.
    Unavailable
        If libpq cannot read the URL, the server is too old, or the database cannot keep every text.
    """
    try:
        url_settings = conninfo_to_dict(url.text)
    except (psycopg.ProgrammingError, UnicodeError) as error:
        raise Unavailable(f"its URL cannot be read: {fault_of_url(error)}") from error
    hosts = str(url_settings.get("host") or "").count(",") + 1
    settings: dict[str, Any] = {
        "target_session_attrs": "read-write",
        "connect_timeout": max(2, math.ceil((deadline - time.monotonic()) / hosts)),
        "application_name": "candor",
    }
    try:
        connection = PostgreSQL.connect(make_conninfo(**settings | url_settings), autocommit=True)
    except psycopg.ProgrammingError as error:  # an option that psycopg reads itself
        raise Unavailable(f"its URL cannot be used: {sentence(error)}") from error
    try:
        connection.until = deadline
        if connection.info.server_version < OLDEST:
            found = connection.info.server_version // 10000
            raise Unavailable(f"it must be PostgreSQL {OLDEST // 10000} or later, got {found}")
        encoding = connection.info.parameter_status("server_encoding")
        if encoding != ENCODING:
            raise Unavailable(f"its encoding must be {ENCODING}, got {encoding}: make one with that encoding")
        connection.warnings = []
        connection.add_notice_handler(connection.note)
        connection.execute(
            f"""
            SET search_path = {SCHEMA}, pg_temp;
            SET client_encoding = 'UTF8';
            SET synchronous_commit = on;
            SET default_transaction_isolation = 'read committed';
            SET statement_timeout = '{IDLE_SECONDS}s';
            SET lock_timeout = '{IDLE_SECONDS}s';
            SET idle_in_transaction_session_timeout = '{IDLE_SECONDS}s'
            """
        )
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def errors_translated() -> Iterator[None]:
    """Turn PostgreSQL's passing errors into `Unavailable`, for callers that know no PostgreSQL."""
    try:
        yield
    except PASSING as error:
        raise Unavailable(sentence(error)) from error


def fault_of_url(error: Exception) -> str:
    """Return what libpq says of a URL without what it quotes of it, which may be the password."""
    if isinstance(error, UnicodeError):
        return "it is not UTF-8"
    told = sentence(error).partition(': "')[0]
    return "it has an option that is not libpq's" if told == "invalid URI query parameter" else told


def sentence(error: BaseException) -> str:
    """Return what an error says, in one line; libpq never says a password."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0].strip().rstrip(".:")
