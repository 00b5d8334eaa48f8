"""How often each code came: counted with every report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlite_utils import Database

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

    def add(self, reports: Mapping[str, int]) -> None:
        """Count one more respondent."""
        self.unwritten.update(reports.items())
        self.respondents += 1
        self.added += 1

    def write(self, db: Database) -> None:
        """Add what is unwritten to the counts: only the rows that change, however many codes a column has."""
        db.conn.executemany(
            """
            UPDATE tallies SET count = count + ? WHERE survey_id = ? AND "column" = ? AND report = ?
            """,
            [(times, self.survey_id, column, code) for (column, code), times in self.unwritten.items()],
        )
        self.unwritten.clear()
