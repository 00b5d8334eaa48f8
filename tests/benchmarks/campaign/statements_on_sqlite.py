"""Killed before each statement: what was begun is whole or not there, and whoever comes next finishes it.

Usage: python statements_on_sqlite.py {create|close} FILE

Runs the work on a copy of a database in a child that kills itself before its first statement, on the next
copy before its second, and so on until it comes through. Nothing else runs in this process: it forks.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

from ledger import SLUG, answers, draw, open_survey, sizes_of

from server.store import surveys
from server.store.engine import Storage
from server.store.sqlite.storage import SQLiteStorage


def create(storage: Storage) -> None:
    """Make a database where there is none."""
    storage.create()


def close(storage: Storage) -> None:
    """Close the survey of the campaign, or go on with it."""
    survey = storage.read(surveys.by_slug, SLUG)
    if survey.state == "open":
        storage.write(surveys.close_survey, survey.id)
    storage.finish()


WORK: dict[str, Callable[[Storage], None]] = {"create": create, "close": close}


def main(work: str, file: str) -> int:
    """Print how many statements were killed and what was found wrong; 1 if anything was."""
    os.urandom = bytes  # so that what is drawn on the way is always the same
    done, wrong, killed = WORK[work], [], 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "candor.db"
        shutil.copy(file, path)
        before = dump(path)
        finish(path, done)
        after = dump(path)
        while True:
            shutil.copy(file, path)
            if not is_killed(path, done, killed):
                break
            if work != "close" and dump(path) not in (before, after):
                wrong.append(f"killed before statement {killed + 1}, it is half done")
            finish(path, done)
            if dump(path) != after:
                wrong.append(f"killed before statement {killed + 1} and finished, it differs")
            killed += 1
    if dump(Path(file)) != before:
        wrong.append("the database that was copied has changed")
    print(killed, *wrong, sep="\n")
    return int(bool(wrong) or before == after)


def finish(path: Path, work: Callable[[SQLiteStorage], None]) -> None:
    """Do the work, and leave no connection that a child would inherit."""
    storage = SQLiteStorage(path)
    work(storage)
    storage.close()


def is_killed(path: Path, work: Callable[[SQLiteStorage], None], statements: int) -> bool:
    """Do the work in a process that kills itself after so many statements; return whether it did."""
    left = iter(range(statements))

    def count(statement: str) -> None:
        if not statement.startswith("--") and next(left, None) is None:  # not those of triggers
            os.kill(os.getpid(), signal.SIGKILL)

    class Mortal(sqlite3.Connection):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            self.set_trace_callback(count)

    def mortal() -> None:
        sqlite3.connect = partial(sqlite3.connect, factory=Mortal)
        work(SQLiteStorage(path))

    status = status_of(mortal)
    if status not in (0, -signal.SIGKILL):
        raise RuntimeError("the work failed")
    return status != 0


def status_of(work: Callable[[], None]) -> int:
    """Do the work in another process; return its exit code, or minus the signal that ended it."""
    number = os.fork()
    if number == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])


def dump(path: Path) -> list[str]:
    """Write out a database, recovered if it must be."""
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return list(db.iterdump())


def killed(work: str, file: Path) -> tuple[int, list[str]]:
    """Run this file; return how many statements were killed, and what is wrong."""
    run = subprocess.run([sys.executable, __file__, work, file], capture_output=True, text=True)
    statements, *wrong = run.stdout.splitlines() or ["0", run.stderr[-2000:]]
    return int(statements), wrong or ([] if run.returncode == 0 else ["it changed nothing"])


def empty(path: Path) -> Path:
    """Make an empty file."""
    path.touch()
    return path


def use(storage: Storage, respondents: int = 200) -> None:
    """Make a database with an open survey that some have answered."""
    storage.create()
    survey = storage.write(open_survey)
    chance = random.Random(1)
    sent = dict(draw(sizes_of(survey), chance) for _ in range(respondents))
    assert all(outcome == "stored" for _, outcome in answers(storage, survey, sent))
    storage.close()


def in_use(path: Path) -> Path:
    """Make a database that is used."""
    use(SQLiteStorage(path))
    return path


def cases() -> Iterator[tuple[str, Callable[[], tuple[int, list[str]]]]]:
    """Give each work: its name, and what kills it."""
    with tempfile.TemporaryDirectory() as folder:
        yield "create", partial(killed, "create", empty(Path(folder) / "empty.db"))
        yield "close", partial(killed, "close", in_use(Path(folder) / "open.db"))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
