"""The end of a closed survey's reports: their rows go in short transactions, overwritten; the counts stay."""

from __future__ import annotations

from functools import partial

from sqlite_utils import Database

from server.store.engine import Transactions
from server.store.lifecycle.finisher import run_for_each
from server.store.sqlite.report_table import is_there, table_name
from server.store.sqlite.short_transactions import in_turn, remove


def remove_rows(db: Database, survey_id: int) -> None:
    """Note that the reports go, which only a closed survey with a date allows, and lift what keeps them.

    What keeps rows from being changed or added stays until their table is gone.
    """
    if not db.execute("UPDATE life SET removed = 1 WHERE survey_id = ?", [survey_id]).rowcount:
        raise ValueError(f"the reports of survey {survey_id} stay: no day is set on which they go")
    db.execute(f"DROP TRIGGER IF EXISTS {table_name(survey_id)}_stay_once_closed")


def finish(storage: Transactions) -> None:
    """Remove the rows of which that is noted."""
    run_for_each(partial(clear, storage), storage.read(to_remove))


def clear(storage: Transactions, survey_id: int) -> None:
    """Remove the rows of one survey, unless it is deleted meanwhile."""
    storage.write(lift, survey_id)
    in_turn(storage.write, partial(remove, table_name(survey_id)))


def lift(db: Database, survey_id: int) -> None:
    """Lift what keeps the rows of a survey that is still there."""
    if survey_id in to_remove(db):
        remove_rows(db, survey_id)


def to_remove(db: Database) -> list[int]:
    """Return the numbers of the surveys whose reports go and are still there."""
    rows = db.execute("SELECT survey_id FROM life WHERE removed = 1 ORDER BY survey_id").fetchall()
    return [survey_id for (survey_id,) in rows if is_there(db, table_name(survey_id))]
