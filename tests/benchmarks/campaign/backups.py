"""Backups while respondents send: each holds everything that was acknowledged before it was begun."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from installation import INSTALLATIONS, SQLiteInstallation, serving, wait_until
from ledger import SLUG, faults, summary
from respondents import plan_for, read_ledger, sending

from server.store import surveys


def at_once(installation: SQLiteInstallation, to: Path) -> None:
    """Copy with SQLite's backup, all pages in one step."""
    with closing(sqlite3.connect(installation.address)) as db, closing(sqlite3.connect(to)) as copy:
        db.backup(copy)


def in_steps(installation: SQLiteInstallation, to: Path) -> None:
    """Copy with SQLite's backup, ten pages at a time: it begins anew when somebody writes."""
    with closing(sqlite3.connect(installation.address)) as db, closing(sqlite3.connect(to)) as copy:
        db.backup(copy, pages=10, sleep=0.001)


def vacuumed(installation: SQLiteInstallation, to: Path) -> None:
    """Copy with VACUUM INTO."""
    with closing(sqlite3.connect(installation.address)) as db:
        db.execute("VACUUM INTO ?", [str(to)])


WAYS: dict[str, Callable[[SQLiteInstallation, Path], None]] = {
    "backup at once": at_once,
    "backup in steps": in_steps,
    "VACUUM INTO": vacuumed,
}


def table(engine: str, each: int = 5, count: int = 3000) -> bool:
    """Print a row for each backup; return whether nothing was missed."""
    print("backup           number  acknowledged before  sent meanwhile  wrong")
    well = True
    with tempfile.TemporaryDirectory() as folder:
        installation = INSTALLATIONS[engine](Path(folder))
        storage = installation.prepare()
        survey = storage.read(surveys.by_slug, SLUG)
        storage.close()
        with serving(installation) as running:
            plan = plan_for(survey, running, count=count, together=16, rate=100)
            with sending(plan) as respondents:
                taken = []
                for number in range(each * len(WAYS)):
                    wait_until(lambda: respondents.acknowledged() > number * count / 20)  # noqa: B023
                    name = list(WAYS)[number % len(WAYS)]
                    before = read_ledger(respondents.notes)
                    (copy := Path(folder) / f"backup-{number}").mkdir()
                    WAYS[name](installation, copy / "candor.db")
                    taken.append((name, copy, before, read_ledger(respondents.notes)))
                report = respondents.report()
        for number, (name, copy, before, after) in enumerate(taken):
            after.acknowledged = before.acknowledged
            wrong = faults(type(installation)(copy).storage(), after)
            meanwhile = len(after.sent) - len(before.sent)
            print(f"{name:16} {number:6} {len(before.acknowledged):20,} {meanwhile:15,}  {summary(wrong)}")
            well &= not wrong
        wrong = report.wrong + faults(installation.storage(), report.ledger)
    print(f"the database itself {summary(wrong)}")
    return well and not wrong
