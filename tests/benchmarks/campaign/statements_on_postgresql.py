"""Killed before each statement that is sent: we ourselves, or the process of the server that would take it.

Usage: python statements_on_postgresql.py {create|close} FOLDER DATABASE

Does the work on copies of a database of the server in a folder. Nothing else runs in this process: it forks.
A file of SQL is sent statement by statement, in the one transaction that it is part of anyway.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import psycopg
from engines import wait_until
from on_postgresql import DATABASE, PostgreSQL, programs, unprivileged
from statements_on_sqlite import WORK, status_of, use

from server.database import PostgreSQLURL
from server.store.engine import Unavailable
from server.store.postgresql import connection
from server.store.postgresql.storage import PostgreSQLStorage

COPY = "copied"
KILLED = 3
"""What a child exits with whose server was killed."""

WAYS: dict[str, Callable[[psycopg.Connection], int]] = {
    "ourselves": lambda _: os.getpid(),
    "the server": lambda connection: connection.info.backend_pid,
}
"""Who is killed, as the number of a process."""


def main(work: str, folder: str, database: str) -> int:
    """Print how many statements were killed and what was found wrong; 1 if anything was."""
    os.urandom = bytes  # so that what is drawn on the way is always the same
    server, wrong, total = PostgreSQL(Path(folder)), [], 0
    with copied(server, database) as url:
        before = dump(url)
        finish(url, work)
        after = dump(url)
    for who, way in WAYS.items():
        for statements in range(10_000):
            with copied(server, database) as url:
                if not is_killed(url, work, way, statements):
                    break
                wait_until(server.answers)
                if work != "close" and dump(url) not in (before, after):
                    wrong.append(f"{who} killed before statement {statements + 1}, it is half done")
                finish(url, work)
                if dump(url) != after:
                    wrong.append(f"{who} killed before statement {statements + 1} and finished, it differs")
            total += 1
    print(total, *wrong, sep="\n")
    return int(bool(wrong) or before == after)


@contextmanager
def copied(server: PostgreSQL, database: str) -> Iterator[str]:
    """Copy a database, for as long as the block lasts."""
    with psycopg.connect(server.url("postgres"), autocommit=True) as db:
        db.execute(f"CREATE DATABASE {COPY} TEMPLATE {database}")
    yield server.url(COPY)
    with psycopg.connect(server.url("postgres"), autocommit=True) as db:
        db.execute(f"DROP DATABASE {COPY} WITH (FORCE)")


def finish(url: str, work: str) -> None:
    """Do the work, and leave no connection that a child would inherit."""
    storage = PostgreSQLStorage(PostgreSQLURL(url))
    WORK[work](storage)
    storage.close()


def is_killed(url: str, work: str, way: Callable[[psycopg.Connection], int], statements: int) -> bool:
    """Do the work in a process that kills somebody after so many statements; return whether it did."""

    def mortal() -> None:
        kills = dying(way, statements)
        try:
            finish(url, work)
        except Unavailable:
            if not kills:
                raise
        if kills:
            os._exit(KILLED)

    status = status_of(mortal)
    if status not in (0, KILLED, -signal.SIGKILL):
        raise RuntimeError("the work failed")
    return status != 0


def dying(way: Callable[[psycopg.Connection], int], statements: int) -> list[int]:
    """Let all connections of this process count what they send, and kill once; return who was killed."""
    execute, wait = connection.PostgreSQL.execute, connection.PostgreSQL.wait
    left, kills = iter(range(statements)), []

    def counted(self, *arguments, **options):
        if next(left, None) is None and not kills:
            kills.append(way(self))
            os.kill(kills[0], signal.SIGKILL)
        return wait(self, *arguments, **options)

    def one_by_one(self, sql, parameters=(), **options):
        for statement in [sql] if parameters else split(sql):
            done = execute(self, statement, parameters, **options)
        return done

    connection.PostgreSQL.wait, connection.PostgreSQL.execute = counted, one_by_one
    return kills


def split(script: str) -> list[str]:
    """Split SQL into statements, each of which ends a line; a function's body is part of one."""
    found = [""]
    for line in script.splitlines(keepends=True):
        found[-1] += line
        if line.rstrip().endswith(";") and found[-1].count("$$") % 2 == 0:
            found.append("")
    return [statement for statement in found if statement.strip()]


def dump(url: str) -> list[str]:
    """Write out a database."""
    command = [*unprivileged(), programs() / "pg_dump", f"--dbname={url}"]
    run = subprocess.run(command, capture_output=True, text=True, cwd="/", check=True)
    marks = ("\\restrict", "\\unrestrict")  # drawn anew each time
    return [line for line in run.stdout.splitlines() if not line.startswith(marks)]


def killed(work: str, folder: Path, database: str) -> tuple[int, list[str]]:
    """Run this file; return how many statements were killed, and what is wrong."""
    command = [sys.executable, __file__, work, str(folder), database]
    run = subprocess.run(command, capture_output=True, text=True)
    statements, *wrong = run.stdout.splitlines() or ["0", run.stderr[-2000:]]
    return int(statements), wrong or ([] if run.returncode == 0 else ["it changed nothing"])


def cases() -> Iterator[tuple[str, Callable[[], tuple[int, list[str]]]]]:
    """Give each work: its name, and what kills it."""
    with tempfile.TemporaryDirectory() as short, PostgreSQL(Path(short), "fsync=off") as server:
        server.create("used")
        use(PostgreSQLStorage(PostgreSQLURL(server.url("used"))))
        yield "create", partial(killed, "create", server.folder, DATABASE)
        yield "close", partial(killed, "close", server.folder, "used")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
