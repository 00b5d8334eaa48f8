"""Which version of Candor left a file as it is, and bringing it up to date."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import cache

from sqlite_utils import Database

from server.store.engine import Unavailable
from server.store.sqlite.migrations import migrations
from server.store.versions import generation

MOVED = -1
"""The generation of a file whose content has moved to another database: see `server.store.sqlite.moved`."""

NOT_OURS = "it is not a database that candor serve made"


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
