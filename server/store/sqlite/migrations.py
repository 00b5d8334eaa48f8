"""The version of Candor that left a file as it is, and bringing it up to date."""

from __future__ import annotations

from server.store.engine import Unavailable
from server.store.sqlite.connection import SQLite
from server.store.sqlite.report_table import is_there
from server.store.sqlite.script import statements
from server.store.upkeep import versions
from server.store.upkeep.versions import NOT_OURS, OUTDATED, Step

MOVED = -1
"""Stands in place of a version in a file whose content has moved: see `server.store.upkeep.move_mark`."""


def is_unused(db: SQLite) -> bool:
    """Return whether the database is empty, or Candor's without an account or a survey."""
    if not db.table_names():
        return True
    return all(db[name].exists() and not db[name].count for name in ("accounts", "surveys"))


def migrate(db: SQLite, *, create: bool = False) -> None:
    """Bring the database up to date in one transaction; do nothing when it is.

    Parameters
    ----------
    db : SQLite
    create : bool
        Whether to make the tables where there are none.

    Raises
    ------
    Unavailable
        If it cannot be brought up to date: see `missing`.
    """
    if not missing(db, create=create):
        return
    db.conn.execute("BEGIN IMMEDIATE")  # of two that start at once, the second finds nothing left to do
    try:
        steps = missing(db, create=create)
        if not db.table_names():
            db.execute(versions.TABLE)
        versions.take(
            db, steps, "sqlite", lambda script: [db.execute(statement) for statement in statements(script)]
        )
        db.require(versions.required())
        db.conn.execute("COMMIT")
    except BaseException:
        db.rollback()
        raise


def missing(db: SQLite, *, create: bool = False) -> dict[int, Step]:
    """Return the steps that bring the database up to date: see `server.store.upkeep.versions.missing`.

    Raises
    ------
    Unavailable
        Also if its content has moved.
    """
    if create and not db.table_names():
        return versions.missing({})
    if db.required == MOVED:
        ((target,),) = db.execute("SELECT value FROM settings WHERE name = 'moved'").fetchall()
        raise Unavailable(f"it was moved to {target}: use that, or go back with candor move --undo")
    return versions.missing(recorded(db))


def recorded(db: SQLite) -> dict[int, bool]:
    """Return the versions that the database has had: see `server.store.upkeep.versions.recorded`.

    Raises
    ------
    Unavailable
        If Candor did not make it.
    """
    if is_there(db, "versions"):
        return versions.recorded(db)
    if is_there(db, "publications"):  # up to version 13, only the file's own number told it
        return {db.required: True}
    raise Unavailable(NOT_OURS)


def check(db: SQLite) -> None:
    """Refuse a database that is not as this version of Candor leaves it, such as an empty one.

    Raises
    ------
    Unavailable
        With what is wrong with it.
    """
    if missing(db):
        raise Unavailable(OUTDATED)
