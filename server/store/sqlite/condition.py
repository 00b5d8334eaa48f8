"""The state of a file as an operator wants to know it: whether it is whole, up to date and safe."""

from __future__ import annotations

import sqlite3

from server.store.engine import Condition
from server.store.sqlite.connection import SQLite
from server.store.sqlite.migrations import missing


def damage(db: SQLite) -> list[str]:
    """Return what SQLite finds wrong with a file, and rows that refer to none."""
    found = [str(line) for (line,) in db.execute("PRAGMA integrity_check").fetchall() if line != "ok"]
    lost = {str(row[0]) for row in db.execute("PRAGMA foreign_key_check").fetchall()}
    return found + [f"rows of {table} refer to what is not there" for table in sorted(lost)]


def condition(db: SQLite) -> Condition:
    """Look at a file through a connection that `connect` has set up."""
    return Condition(
        engine=f"SQLite {sqlite3.sqlite_version}",
        steps=[step.name for step in missing(db).values()],
        damage=damage(db),
        durability=None,  # each connection sets by itself what makes its commits last
        risks=[],
        clock=None,
    )
