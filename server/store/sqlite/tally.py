"""How often each code came: counted with every report, shown in steps of each section."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from sqlite_utils import Database

from survey.asked import not_asked_codes
from survey.publication import Publication


@dataclass
class Tally:
    """What a batch adds to the tallies of one survey.

    Attributes
    ----------
    survey_id : int
    publication : Publication
    respondents : int
        How many there are, those of the batch included.
    added : int
        How many of them the batch has brought.
    unwritten : Counter
        (column, code) -> how often it came and is not written yet.
    """

    survey_id: int
    publication: Publication
    respondents: int
    added: int = 0
    unwritten: Counter[tuple[str, int]] = field(default_factory=Counter, repr=False)

    def add(self, db: Database, reports: Mapping[str, int]) -> None:
        """Count one more respondent; exactly at a multiple of the step, sections may advance."""
        self.unwritten.update(reports.items())
        self.respondents += 1
        self.added += 1
        if self.respondents % self.publication.definition.step == 0:
            self.write(db)
            self.advance(db)

    def advance(self, db: Database) -> None:
        """Show the counts of the step before, of each section that a step more people were asked.

        Notes
        -----
        What is shown lags one step, so that closing, which shows everything, adds at least a whole step too.
        A section that everybody is asked advances at every multiple of the step. The others wait for one as
        well: a section that advanced with the last person it needed would show that this person was asked it.
        """
        lag = """
            UPDATE tallies SET published = pending, pending = count
            WHERE survey_id = ? AND "column" IN (SELECT value FROM json_each(?))
        """
        for columns in advancing(self.publication):
            first = self.publication.columns[columns[0]]  # who is asked has such a code in every column
            ((more,),) = db.execute(
                """
                SELECT sum(count - pending) FROM tallies WHERE survey_id = ? AND "column" = ? AND report < ?
                """,
                [self.survey_id, first.name, first.asked_codes],
            ).fetchall()
            if more >= self.publication.definition.step:
                db.execute(lag, [self.survey_id, json.dumps(columns)])

    def write(self, db: Database) -> None:
        """Add what is unwritten to the counts: only the rows that change, however many codes a column has."""
        db.conn.executemany(
            """
            UPDATE tallies SET count = count + ? WHERE survey_id = ? AND "column" = ? AND report = ?
            """,
            [(times, self.survey_id, column, code) for (column, code), times in self.unwritten.items()],
        )
        self.unwritten.clear()


@lru_cache(maxsize=256)
def advancing(publication: Publication) -> tuple[tuple[str, ...], ...]:
    """Return the columns whose counts advance together: all that are always asked, and each section's."""
    everybody = tuple(name for name, column in publication.columns.items() if not column.drawn)
    drawn = (tuple(codes) for codes in not_asked_codes(publication).values())
    return tuple(columns for columns in (everybody, *drawn) if columns)
