"""A run on SQLite that is watched, for the power that goes."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from disk import Disk
from ledger import SLUG, Ledger, open_survey, sizes_of, submission
from losses import Recording, Sent, ledger, planned, said, say
from recording import Event, record

from server.store import submissions, surveys
from server.store.sqlite.storage import SQLiteStorage

WEAKER = {
    "synchronous=OFF": ("synchronous=FULL", "synchronous=OFF"),
    "journal_mode=DELETE": ("journal_mode=TRUNCATE", "journal_mode=DELETE"),
}
"""Settings that lose what was acknowledged: what the server sets, and what is set instead."""


def main(path: str, batches: str, weaker: str = "") -> None:
    """Make a database, open a survey, commit batches and close: in a process that is watched."""
    if weaker:
        sqlite3.connect = partial(sqlite3.connect, factory=weakened(*WEAKER[weaker]))
    storage = SQLiteStorage(Path(path))
    storage.create()
    survey = storage.write(open_survey)
    number = 0
    for batch in planned(sizes_of(survey), int(batches)):
        say("sent", number, number + len(batch))
        made = [submission(survey, receipt, codes) for receipt, codes in batch]
        assert set(storage.write(submissions.record, made, "2026-05-04")) == {"stored"}
        say("acknowledged", number, number + len(batch))
        number += len(batch)
    storage.write(surveys.close_survey, survey.id)
    say("closed")
    storage.finish()
    say("finished")
    storage.close()


def weakened(right: str, wrong: str) -> type[sqlite3.Connection]:
    """Build a connection that sets something else than it is asked to."""

    class Weakened(sqlite3.Connection):
        def execute(self, sql, *parameters):
            return super().execute(sql.replace(right, wrong), *parameters)

    return Weakened


def recorded(folder: Path, batches: int, weaker: str = "") -> Recording:
    """Record a run."""
    path = folder / "candor.db"
    command = [sys.executable, __file__, path, str(batches), *([weaker] if weaker else [])]
    events = record(command, folder / "strace", folder)
    before = partial(Disk, str(folder.resolve()))
    return Recording(events, sent_to(path, batches), before, tempfile.TemporaryDirectory, opened)


@contextmanager
def opened(folder: Path) -> Iterator[SQLiteStorage]:
    """Open an image as a server does that starts."""
    storage = SQLiteStorage(folder / "candor.db")
    try:
        storage.create()
        yield storage
    finally:
        storage.close()


def cut_short(path: Path, batches: int, acknowledged: int) -> Ledger:
    """Kill a run as soon as it has acknowledged so many submissions: while it commits the next ones."""
    command = [sys.executable, __file__, path, str(batches)]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        words = []
        for line in process.stderr:
            words.append(Event("say", "", data=line))
            word, _, end = line.split()
            if word == b"acknowledged" and int(end) >= acknowledged:
                process.kill()
    return ledger(sent_to(path, batches), said(words))


def sent_to(path: Path, batches: int) -> Sent:
    """Return everything that a run sends, or would have."""
    storage = SQLiteStorage(path)
    sizes = sizes_of(storage.read(surveys.by_slug, SLUG))
    storage.close()
    return [one for batch in planned(sizes, batches) for one in batch]


if __name__ == "__main__":
    main(*sys.argv[1:])
