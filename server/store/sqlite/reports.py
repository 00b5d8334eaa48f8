"""Reports in SQLite: a table for each survey, keyed by the receipt, with nothing that shows who or when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sqlite_utils import Database

from server.store.sqlite.tally import Tally
from survey.publication import Publication
from survey.record import layout_of

SMALL = 1000
"""Below this many rows every commit writes the table anew in the order of its keys."""

LARGE = 20_000
"""From here on only closing does: it takes a third of a second now, and nobody else can write meanwhile."""

STRIDE = 50
"""In between, every step of the results does, but no more often than once in so many respondents."""


def table_name(survey_id: int) -> str:
    """Name the table of a survey's reports."""
    return f"reports_{survey_id:d}"


def quoted(name: str) -> str:
    """Quote a column's name, although `survey.question.IDENTIFIER` lets nothing through that needs it."""
    return '"' + name.replace('"', '""') + '"'


@dataclass(frozen=True)
class SQLiteReports:
    """The reports of surveys within one transaction; see `server.store.engine.Reports`."""

    db: Database

    def create(self, survey_id: int, publication: Publication) -> None:
        """Make the table and the tallies of a survey that opens; every count starts at zero."""
        create_table(self.db, survey_id, publication)

    def put(self, survey_id: int, publication: Publication, records: Mapping[bytes, bytes]) -> set[bytes]:
        """Store records whose receipts are new, and count them."""
        layout = layout_of(publication)
        before = self.respondents(survey_id, publication)
        tally = Tally(survey_id, publication, before)
        marks = ", ".join("?" * len(layout.codes))
        insert = f"INSERT INTO {table_name(survey_id)} VALUES (?, {marks})"
        known = self.find(survey_id, publication, records)
        stored = set()
        for receipt, record in records.items():
            if receipt in known:
                continue
            reports = layout.unpack(record)
            self.db.conn.execute(insert, [receipt, *reports.values()])
            tally.add(reports)
            stored.add(receipt)
        if stored:
            tally.write(self.db)
            if is_due(before, tally.respondents, publication.definition.step):
                write_in_key_order(self.db, survey_id)
        return stored

    def find(self, survey_id: int, publication: Publication, receipts: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return what is stored under receipts, for those that are known."""
        layout = layout_of(publication)
        select = f"SELECT * FROM {table_name(survey_id)} WHERE receipt = ?"
        rows = (self.db.conn.execute(select, [receipt]).fetchone() for receipt in receipts)
        return {row[0]: layout.fields.pack(*row[1:]) for row in rows if row is not None}

    def respondents(self, survey_id: int, publication: Publication) -> int:
        """Return how many records are stored."""
        first = next(iter(publication.columns))  # every respondent has a code in every column
        ((respondents,),) = self.db.execute(
            'SELECT sum(count) FROM tallies WHERE survey_id = ? AND "column" = ?', [survey_id, first]
        ).fetchall()
        return int(respondents)

    def counts(self, survey_id: int, publication: Publication) -> npt.NDArray[np.int64]:
        """Return the counts of all that is stored."""
        return self.tally(survey_id, publication, "count")

    def published(self, survey_id: int, publication: Publication) -> npt.NDArray[np.int64]:
        """Return the counts that may be shown."""
        return self.tally(survey_id, publication, "published")

    def tally(self, survey_id: int, publication: Publication, state: str) -> npt.NDArray[np.int64]:
        """Return one of the two states of the counts."""
        rows = self.db.execute(
            f'SELECT "column", report, {state} FROM tallies WHERE survey_id = ?',
            [survey_id],
        ).fetchall()
        counts = {(column, code): count for column, code, count in rows}
        return np.array(
            [counts[name, code] for name, codes in layout_of(publication).codes for code in range(codes)]
        )

    def publish(self, survey_id: int, publication: Publication, published: npt.NDArray[np.int64]) -> None:
        """Set the counts that may be shown; `pending` was another state, and is now the same."""
        self.db.conn.executemany(
            """
            UPDATE tallies SET published = ?1, pending = ?1
            WHERE survey_id = ?2 AND "column" = ?3 AND report = ?4
            """,
            [
                (count, survey_id, column, code)
                for column, counts in layout_of(publication).by_column(published).items()
                for code, count in enumerate(counts)
            ],
        )

    def table(self, survey_id: int, publication: Publication) -> npt.NDArray[np.int64]:
        """Return all reports, as an array of shape (records, columns)."""
        names = ", ".join(map(quoted, publication.columns))
        rows = self.db.conn.execute(f"SELECT {names} FROM {table_name(survey_id)}").fetchall()
        return np.array(rows, np.int64).reshape(-1, len(publication.columns))

    def close(self, survey_id: int, publication: Publication) -> None:
        """Publish the exact counts of a survey that closes, and leave its reports in the order of their keys.

        Notes
        -----
        ``count - pending`` counts those who came after the last step; where that is one person, it is that
        person's row. So it must not outlive the survey.
        """
        write_in_key_order(self.db, survey_id)
        self.db.execute(
            "UPDATE tallies SET published = count, pending = count WHERE survey_id = ?", [survey_id]
        )

    def drop(self, survey_id: int) -> None:
        """Remove the table, if the survey ever had one."""
        self.db.execute(f"DROP TABLE IF EXISTS {table_name(survey_id)}")


def create_table(db: Database, survey_id: int, publication: Publication) -> None:
    """Make the table and the tallies of a survey that opens; every count starts at zero."""
    table = table_name(survey_id)
    columns = ",\n".join(
        f"{quoted(name)} INTEGER NOT NULL "
        f"CHECK (typeof({quoted(name)}) = 'integer' AND {quoted(name)} BETWEEN 0 AND {column.codes - 1})"
        for name, column in publication.columns.items()
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
        f"CREATE TRIGGER {table}_come_once BEFORE INSERT ON {table} "
        f"WHEN EXISTS (SELECT 1 FROM {table} WHERE receipt = NEW.receipt) "
        f"OR (SELECT state FROM surveys WHERE id = {survey_id:d}) IS NOT 'open' "
        "BEGIN SELECT RAISE(ABORT, 'a report comes once, while the survey is open'); END"
    )
    db.execute(
        f"CREATE TRIGGER {table}_stay_once_closed BEFORE DELETE ON {table} "
        f"WHEN (SELECT state FROM surveys WHERE id = {survey_id:d}) IS NOT 'open' "
        "BEGIN SELECT RAISE(ABORT, 'the reports of a closed survey are final'); END"
    )
    db.conn.executemany(
        'INSERT INTO tallies (survey_id, "column", report) VALUES (?, ?, ?)',
        [
            (survey_id, name, code)
            for name, column in publication.columns.items()
            for code in range(column.codes)
        ],
    )


def is_due(before: int, after: int, step: int) -> bool:
    """Return whether to write the table in key order for a commit of this many rows to this many."""
    every = max(step, STRIDE)
    return after < SMALL or (after < LARGE and before // every < after // every)


def write_in_key_order(db: Database, survey_id: int) -> None:
    """Rewrite the whole table, so that no place in the file shows when a row came.

    A page of the file fills in the order of arrival: as long as a table has only a few pages, the place of a
    row would tell its rank among the respondents. Keys are random, so their order tells nothing. What the old
    rows leave behind is overwritten (``secure_delete``), and the copy is in memory (``temp_store``).
    """
    table = table_name(survey_id)
    db.execute(f"CREATE TEMP TABLE ordered AS SELECT * FROM {table} ORDER BY receipt")
    db.execute(f"DELETE FROM {table}")
    db.execute(f"INSERT INTO {table} SELECT * FROM ordered ORDER BY receipt")
    db.execute("DROP TABLE ordered")
