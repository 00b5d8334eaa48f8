"""The reports of a closed survey: a plain table in the order of the receipts, which any SQL tool reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlite_utils import Database

from survey.publication import Publication
from survey.record import layout_of


def table_name(survey_id: int) -> str:
    """Name the table of a closed survey's reports."""
    return f"reports_{survey_id:d}"


def quote(name: str) -> str:
    """Quote a column's name, although `survey.question.IDENTIFIER` lets nothing through that needs it."""
    return '"' + name.replace('"', '""') + '"'


def create_table(db: Database, survey_id: int, codes: Sequence[tuple[str, int]]) -> None:
    """Make the table, which takes rows until it is sealed: the receipt, and the columns with their codes."""
    table = table_name(survey_id)
    columns = ",\n".join(
        f"{quote(name)} INTEGER NOT NULL "
        f"CHECK (typeof({quote(name)}) = 'integer' AND {quote(name)} BETWEEN 0 AND {number - 1})"
        for name, number in codes
    )
    db.execute(
        f"CREATE TABLE {table} (\n"
        "receipt BLOB PRIMARY KEY NOT NULL CHECK (typeof(receipt) = 'blob' AND length(receipt) = 16),\n"
        f"{columns}\n) WITHOUT ROWID"
    )
    db.execute(
        f"CREATE TRIGGER {table}_never_change BEFORE UPDATE ON {table} "
        "BEGIN SELECT RAISE(ABORT, 'a report cannot change'); END"
    )
    db.execute(
        f"CREATE TRIGGER {table}_stay_once_closed BEFORE DELETE ON {table} "
        f"WHEN (SELECT state FROM surveys WHERE id = {survey_id:d}) IS NOT 'open' "
        "BEGIN SELECT RAISE(ABORT, 'the reports of a closed survey are final'); END"
    )


def seal_table(db: Database, survey_id: int) -> None:
    """Let nothing more into the table of a closed survey."""
    table = table_name(survey_id)
    db.execute(
        f"CREATE TRIGGER {table}_come_once BEFORE INSERT ON {table} "
        f"WHEN EXISTS (SELECT 1 FROM {table} WHERE receipt = NEW.receipt) "
        f"OR (SELECT state FROM surveys WHERE id = {survey_id:d}) IS NOT 'open' "
        "BEGIN SELECT RAISE(ABORT, 'a report comes once, while the survey is open'); END"
    )


def is_there(db: Database, table: str) -> bool:
    """Return whether the database has a table of this name."""
    return db.conn.execute("SELECT 1 FROM sqlite_master WHERE name = ?", [table]).fetchone() is not None


def insert_rows(
    db: Database, survey_id: int, publication: Publication, rows: Iterable[tuple[Any, ...]]
) -> None:
    """Store rows, each a receipt and its codes; in the order of their receipts they fill the file evenly."""
    marks = ", ".join("?" * (1 + len(publication.columns)))
    db.conn.executemany(f"INSERT INTO {table_name(survey_id)} VALUES ({marks})", rows)


def last_receipt(db: Database, survey_id: int) -> bytes | None:
    """Return the last receipt in the order of the table, or None if it is empty."""
    last: bytes | None
    (last,) = db.conn.execute(f"SELECT max(receipt) FROM {table_name(survey_id)}").fetchone()
    return last


def find_rows(
    db: Database, survey_id: int, publication: Publication, receipts: Iterable[bytes]
) -> dict[bytes, bytes]:
    """Return what is stored under receipts: receipt -> record, for those that are known."""
    fields = layout_of(publication).fields
    select = f"SELECT * FROM {table_name(survey_id)} WHERE receipt = ?"
    rows = (db.conn.execute(select, [receipt]).fetchone() for receipt in receipts)
    return {row[0]: fields.pack(*row[1:]) for row in rows if row is not None}


def rows_after(
    db: Database, survey_id: int, publication: Publication, receipt: bytes, most: int
) -> list[tuple[bytes, bytes]]:
    """Return the first receipts above one, in order, each with its record."""
    pack = layout_of(publication).fields.pack
    select = f"SELECT * FROM {table_name(survey_id)} WHERE receipt > ? ORDER BY receipt LIMIT ?"
    return [(row[0], pack(*row[1:])) for row in db.conn.execute(select, [receipt, most]).fetchall()]
