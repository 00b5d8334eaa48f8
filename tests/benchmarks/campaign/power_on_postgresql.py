"""A run on PostgreSQL that is watched, for the power that goes: a server, and two that commit to it."""

from __future__ import annotations

import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import psycopg
from disk import Disk
from engines import prepared
from ledger import DAY, SLUG, sizes_of, submission
from losses import Recording, planned, say
from on_postgresql import PATIENCE, PostgreSQL
from recording import record

from server.database import PostgreSQLURL
from server.store import surveys
from server.store.committer import Committer
from server.store.postgresql import connection
from server.store.postgresql.storage import PostgreSQLStorage
from server.store.surveys import Survey

sys.path.append(str(Path(__file__).parents[2] / "postgresql"))
from cluster import place

SEGMENT = 1
"""Megabytes of a file of the log, the fewest there can be: new ones are begun, and old ones used again."""

SETTINGS = (f"min_wal_size={2 * SEGMENT}MB", f"max_wal_size={2 * SEGMENT}MB")
"""What differs from PostgreSQL's defaults; nothing of what makes a commit durable."""

WEAKER = {"synchronous_commit=off": ("wal_writer_delay=10s",), "fsync=off": ("fsync=off",)}
"""Settings that lose what was acknowledged: what the server is started with. Connections set
synchronous_commit themselves, so those of the run are made to set something else; the log is written later
then, the latest after this delay."""

CHECKPOINT = 12
"""Every how many batches there is one, beside them."""


def main(folder: str, batches: str, weaker: str = "") -> None:
    """Start the server, commit batches by two committers, close and stop: in a process that is watched."""
    if weaker == "synchronous_commit=off":
        weaken(connection.PostgreSQL, "synchronous_commit = on", weaker)
    server = PostgreSQL(Path(folder), *SETTINGS, *WEAKER.get(weaker, ()))
    server.start()
    storage = PostgreSQLStorage(PostgreSQLURL(server.address), busy_seconds=PATIENCE)  # strace takes its time
    survey = storage.read(surveys.by_slug, SLUG)
    committers = [Committer(storage), Committer(storage)]
    number, plan = 0, planned(sizes_of(survey), int(batches))

    def send(number: int, receipt: str, codes: tuple[int, ...]) -> None:
        say("sent", number, number + 1)
        made = submission(survey, receipt, codes)
        assert committers[number % 2].submit(made, DAY) == "stored"
        say("acknowledged", number, number + 1)

    with ThreadPoolExecutor(13) as threads:
        for nth, batch in enumerate(plan):
            work = [threads.submit(send, number + n, *one) for n, one in enumerate(batch)]
            if nth % CHECKPOINT == 1:
                work.append(threads.submit(checkpoint, server))
            for future in work:
                future.result()
            number += len(batch)
    storage.write(surveys.close_survey, survey.id)
    say("closed")
    storage.finish()
    say("finished")
    checkpoint(server)
    storage.close()
    server.stop(signal.SIGQUIT)


def weaken(connections: type[connection.PostgreSQL], right: str, wrong: str) -> None:
    """Let connections set something else than they are asked to."""
    execute = connections.execute

    def weakened(self, sql, *parameters, **options):
        return execute(self, sql.replace(right, wrong), *parameters, **options)

    connections.execute = weakened


def checkpoint(server: PostgreSQL) -> None:
    """Begin another file of the log, and write everything to its place."""
    with psycopg.connect(server.url("postgres"), autocommit=True) as db:
        db.execute("SELECT pg_switch_wal()")
        db.execute("CHECKPOINT")


@contextmanager
def data_folder() -> Iterator[str]:
    """Give a folder for a server's files, with a path short enough for a socket, and in memory, as no disk
    is needed where the power goes on paper."""
    with tempfile.TemporaryDirectory(dir=place()) as folder:
        (data := Path(folder) / "data").mkdir(mode=0o700)
        yield str(data)


def recorded(folder: Path, batches: int, weaker: str = "") -> Recording:
    """Record a run on a server that was stopped in order, and copied."""
    with data_folder() as data:
        survey = made(Path(data))
        copy = shutil.copytree(data, folder / "before")
        command = [sys.executable, __file__, Path(data).parent, str(batches), *([weaker] if weaker else [])]
        events = record(command, folder / "strace", Path(data))
    sent = [one for batch in planned(sizes_of(survey), batches) for one in batch]
    return Recording(events, sent, partial(disk, str(Path(data).resolve()), copy), data_folder, opened)


def made(data: Path) -> Survey:
    """Make a server with the open survey of the campaign, and stop it."""
    data.rmdir()
    server = PostgreSQL(data.parent, "fsync=off")
    server.make(f"--wal-segsize={SEGMENT}", "--no-sync")
    survey = prepared(server)
    server.stop()
    return survey


def disk(data: str, copy: Path) -> Disk:
    """Return the disk with a folder on it that was copied."""
    made = Disk(data)
    made.load(copy)
    return made


@contextmanager
def opened(data: Path) -> Iterator[PostgreSQLStorage]:
    """Start a server on an image, which need not last.

    Notes
    -----
    Its lock names a process that is gone. PostgreSQL removes it, unless the power went before its number was
    in it: then it asks an operator to.
    """
    (data / "postmaster.pid").unlink(missing_ok=True)
    server = PostgreSQL(data.parent, "fsync=off")
    for path in (data.parent, data, *data.rglob("*")):
        server.owned(path)
    server.start()
    storage = server.storage()
    try:
        yield storage
    finally:
        storage.close()
        server.stop(signal.SIGQUIT)


if __name__ == "__main__":
    main(*sys.argv[1:])
