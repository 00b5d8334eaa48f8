"""Deleting a survey: nobody sees it any more, at once; its rows go in short transactions, overwritten.

The tables get another name in the transaction that removes the survey. They wait under it if a process is
killed or the disk is full, until a server goes on. No number of a survey is used twice, so no name is either.
"""

from __future__ import annotations

from functools import partial

from sqlite_utils import Database

from server.store.engine import Transactions
from server.store.lifecycle.finisher import run_for_each
from server.store.sqlite.buckets import buckets_name
from server.store.sqlite.report_table import table_name
from server.store.sqlite.short_transactions import in_turn, remove

GONE = "deleted_"
"""The beginning of the name of a table whose survey was deleted."""


def drop(db: Database, survey_id: int) -> None:
    """Remove a survey in the caller's transaction, and leave its reports to `finish`."""
    for table in (buckets_name(survey_id), table_name(survey_id)):
        triggers = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?"
        for (name,) in db.conn.execute(triggers, [table]).fetchall():
            db.execute(f"DROP TRIGGER {name}")
        if db[table].exists():
            db.execute(f"ALTER TABLE {table} RENAME TO {GONE}{table}")
    db.execute("DELETE FROM surveys WHERE id = ?", [survey_id])  # the rest refers to it and goes too


def finish(storage: Transactions) -> None:
    """Remove the reports of deleted surveys."""

    def clear(table: str) -> None:
        in_turn(storage.write, partial(remove, table))

    run_for_each(clear, storage.read(left_over))


def left_over(db: Database) -> list[str]:
    """Return the tables whose survey was deleted."""
    return [name for name in db.table_names() if name.startswith(GONE)]
