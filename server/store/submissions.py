"""What respondents send: recorded once each and tallied; and the counts and rows that may be shown."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt
from sqlite_utils import Database

from server.store import reports
from server.store.reports import quoted, table_name
from server.store.surveys import Survey, by_slug
from server.store.tally import Tally, tally_of
from survey.asked import set_faults
from survey.column import Column
from survey.publication import Publication, section_columns

Outcome = Literal["stored", "different", "stale", "closed", "missing", "refused"]
"""What became of a submission; ``missing``: the survey was deleted meanwhile."""


class ReportsWithheld(ValueError):
    """The noisy reports of an open survey whose definition does not give them out before it closes."""


@dataclass(frozen=True)
class Submission:
    """One respondent's reports.

    Attributes
    ----------
    survey_id : int
    fingerprint : str
        Of the publication that the respondent saw.
    receipt : str
        32 hexadecimal digits that the respondent's browser drew.
    reports : Mapping[str, int]
        Column -> code, every column of the publication.
    """

    survey_id: int
    fingerprint: str
    receipt: str = field(repr=False)
    reports: Mapping[str, int] = field(repr=False)


@dataclass(frozen=True)
class Reached:
    """How many people the counts of one section hold.

    Attributes
    ----------
    asked : int
        Who were asked the section.
    respondents : int
        Everybody who had sent the survey when these counts were taken, whatever they were asked.
    """

    asked: int
    respondents: int


@dataclass(frozen=True)
class Results:
    """Counts that may be shown.

    Attributes
    ----------
    respondents : int
        How many respondents the latest of these counts hold; in an open survey a multiple of its step.
    counts : dict[str, list[int]]
        Column -> how often each code came, indexed by code; `survey.column.Column` takes them apart.
    final : bool
        Whether the survey is closed and the counts are all there will ever be.
    sections : dict[str, Reached]
        Section -> whom its counts hold. Where all are asked everything these are all respondents.
    """

    respondents: int
    counts: dict[str, list[int]]
    final: bool
    sections: dict[str, Reached]


@dataclass(frozen=True)
class Day:
    """How often a survey was opened and sent on one day, UTC, in total."""

    day: str
    started: int
    sent: int


def record(db: Database, batch: Sequence[Submission], day: str) -> list[Outcome]:
    """Record many submissions in the caller's transaction.

    Parameters
    ----------
    db : Database
    batch : sequence of Submission
    day : str
        The UTC day, ``YYYY-MM-DD``, under which they are counted.

    Returns
    -------
    list of Outcome
        One for each submission, in order. A submission that cannot be stored leaves its neighbours alone.

    Raises
    ------
    sqlite3.Error
        If the database itself fails; then none of them may be acknowledged.
    """
    tallies = {survey_id: tally_of(db, survey_id) for survey_id in {one.survey_id for one in batch}}
    outcomes = [record_one(db, submission, tallies[submission.survey_id]) for submission in batch]
    for survey_id, tally in tallies.items():
        if tally and tally.added:
            tally.write(db)
            before, step = tally.respondents - tally.added, tally.publication.definition.step
            if reports.is_due(before, tally.respondents, step):
                reports.write_in_key_order(db, survey_id)
            add_to_day(db, survey_id, day, sent=tally.added)
    return outcomes


def record_one(db: Database, submission: Submission, tally: Tally | None) -> Outcome:
    """Record one submission. The receipt is looked up before anything else, so a retry is always answered."""
    if tally is None:
        return "missing"
    known = same(db, submission, tally.publication)
    if known is not None:
        return "stored" if known else "different"
    if submission.fingerprint != tally.publication.fingerprint:
        return "stale"
    if tally.state != "open":
        return "closed"
    if set(submission.reports) != set(tally.publication.columns):
        return "refused"
    if set_faults(tally.publication, submission.reports):
        return "refused"
    insert, columns = insert_statement(submission.survey_id, tuple(submission.reports))
    try:
        db.conn.execute(
            insert, [bytes.fromhex(submission.receipt), *(submission.reports[column] for column in columns)]
        )
    except sqlite3.IntegrityError:
        return "refused"  # the statement is undone, the transaction goes on
    tally.add(db, submission.reports)
    return "stored"


@lru_cache(maxsize=256)
def insert_statement(survey_id: int, columns: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Write the INSERT for a survey's columns."""
    names = ", ".join(map(quoted, columns))
    marks = ", ".join("?" * len(columns))
    return f"INSERT INTO {table_name(survey_id)} (receipt, {names}) VALUES (?, {marks})", columns


def same(db: Database, submission: Submission, publication: Publication) -> bool | None:
    """Return whether this very submission is already stored.

    Returns
    -------
    bool or None
        True: the same bytes. False: the receipt is there with other bytes. None: the receipt is new.
    """
    found = stored(db, submission.survey_id, publication, submission.receipt)
    if found is None:
        return None
    return found == dict(submission.reports) and submission.fingerprint == publication.fingerprint


def stored(db: Database, survey_id: int, publication: Publication, receipt: str) -> dict[str, int] | None:
    """Return the reports that are stored under a receipt, column -> code, or None if it is new."""
    columns = list(publication.columns)
    row = db.conn.execute(
        f"SELECT {', '.join(map(quoted, columns))} FROM {table_name(survey_id)} WHERE receipt = ?",
        [bytes.fromhex(receipt)],
    ).fetchone()
    return None if row is None else dict(zip(columns, row, strict=True))


def find_with_receipt(
    db: Database, slug: str, receipt: str | None
) -> tuple[Survey, Publication, dict[str, int] | None] | None:
    """Return a published survey and what is stored under a receipt, or None if there is no such survey."""
    survey = by_slug(db, slug)
    if survey is None or survey.publication is None:
        return None
    reports = None if receipt is None else stored(db, survey.id, survey.publication, receipt)
    return survey, survey.publication, reports


def add_to_day(db: Database, survey_id: int, day: str, started: int = 0, sent: int = 0) -> None:
    """Add to the totals of a UTC day; a survey that is gone is passed over."""
    db.execute(
        """
        INSERT INTO days (survey_id, day, started, sent) SELECT id, ?, ?, ? FROM surveys WHERE id = ?
        ON CONFLICT DO UPDATE SET started = started + excluded.started, sent = sent + excluded.sent
        """,
        [day, started, sent, survey_id],
    )


def started(db: Database, starts: Counter[tuple[int, str]]) -> None:
    """Count how often surveys were opened: (survey's number, UTC day) -> times."""
    for (survey_id, day), times in starts.items():
        add_to_day(db, survey_id, day, started=times)


def days(db: Database, survey_id: int) -> list[Day]:
    """Return the totals by UTC day, the earliest first."""
    rows = db.execute("SELECT day, started, sent FROM days WHERE survey_id = ? ORDER BY day", [survey_id])
    return [Day(*row) for row in rows.fetchall()]


def results(db: Database, survey: Survey) -> Results:
    """Return the counts that may be shown of a published survey: the last step but one while open, then all.

    Raises
    ------
    ValueError
        If the survey is a draft.
    """
    if survey.publication is None:
        raise ValueError(f"{survey.slug} is a draft: it has no results")
    counts = {name: [0] * column.codes for name, column in survey.publication.columns.items()}
    rows = db.execute('SELECT "column", report, published FROM tallies WHERE survey_id = ?', [survey.id])
    for column, code, count in rows.fetchall():
        counts[column][code] = count
    sections = {
        section.id: reached(next(iter(columns.values())), counts)
        for section, columns in section_columns(survey.publication)
    }
    respondents = max(each.respondents for each in sections.values())
    return Results(respondents, counts, survey.state == "closed", sections)


def reached(column: Column, counts: Mapping[str, Sequence[int]]) -> Reached:
    """Return whom the counts of a section hold, from any one of its columns: everybody has a code in each."""
    codes = counts[column.name]
    return Reached(column.split(codes).asked, sum(codes))


def noisy_reports(db: Database, survey: Survey) -> npt.NDArray[np.int64]:
    """Return every respondent's reports, sorted by their own values, so that the order reveals nothing.

    Returns
    -------
    ndarray of int, shape (respondents, columns)
        Columns in the order of the questions.

    Raises
    ------
    ValueError
        If the survey is a draft.
    ReportsWithheld
        If it is open and its definition does not allow the download before it closes.
    """
    if survey.publication is None:
        raise ValueError(f"{survey.slug} is a draft: it has no reports")
    if survey.state == "open" and not survey.publication.definition.reports_while_open:
        raise ReportsWithheld(f"{survey.slug} is open; its reports can be had when it is closed")
    columns = list(survey.publication.columns)
    names = ", ".join(map(quoted, columns))
    rows = db.execute(
        f"SELECT {names}, count(*) FROM {table_name(survey.id)} GROUP BY {names} ORDER BY {names}"
    ).fetchall()
    table = np.array(rows, dtype=np.int64).reshape(-1, len(columns) + 1)
    return np.repeat(table[:, :-1], table[:, -1], axis=0)
