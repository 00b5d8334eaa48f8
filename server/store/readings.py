"""What a page of staff reads at once: surveys together with the counts that may be shown."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from sqlite_utils import Database

from server.store import submissions, surveys
from server.store.reports import quoted, table_name
from server.store.submissions import ReportsWithheld, Results
from server.store.surveys import Survey
from survey.publication import Publication


def surveys_with_results(db: Database) -> list[tuple[Survey, Results | None]]:
    """Return every survey, the latest first. A draft has no results."""
    found = reversed(surveys.all_surveys(db))
    return [(survey, submissions.results(db, survey) if survey.publication else None) for survey in found]


def survey_with_results(db: Database, slug: str) -> tuple[Survey, Results] | None:
    """Return a published survey with its results, or None if there is none of this name or it is a draft."""
    survey = surveys.by_slug(db, slug)
    if survey is None or survey.publication is None:
        return None
    return survey, submissions.results(db, survey)


def publication_with_reports(db: Database, slug: str) -> tuple[Publication, npt.NDArray[np.int64]] | None:
    """Return a survey's publication and all its noisy reports, sorted by their own values.

    Raises
    ------
    ReportsWithheld
        If the survey is open and does not give them out before it closes.
    """
    survey = surveys.by_slug(db, slug)
    if survey is None or survey.publication is None:
        return None
    return survey.publication, submissions.noisy_reports(db, survey)


def joint_table(db: Database, survey: Survey, row: str, column: str) -> npt.NDArray[np.int64]:
    """Count how often each pair of codes is stored in two columns, in one scan.

    Parameters
    ----------
    db : Database
    survey : Survey
        Closed.
    row, column : str
        Names of two of its columns.

    Returns
    -------
    ndarray of int, shape (codes of the row, codes of the column)

    Raises
    ------
    ReportsWithheld
        If the survey is not closed: the table would move with every respondent, and not in steps.
    LookupError
        If it has no such column.

    Notes
    -----
    Only pairs that occur are handed on, so that memory does not grow with the respondents.
    """
    if survey.publication is None or survey.state != "closed":
        raise ReportsWithheld(f"{survey.slug} is not closed; its tables can be had when it is")
    columns = survey.publication.columns
    shape = columns[row].codes, columns[column].codes
    table = np.zeros(shape, np.int64)
    rows = db.execute(
        f"SELECT {quoted(row)}, {quoted(column)}, count(*) FROM {table_name(survey.id)} GROUP BY 1, 2"
    ).fetchall()
    for one, other, count in rows:
        table[one, other] = count
    return table
