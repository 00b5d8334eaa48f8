"""What a page of staff reads at once: surveys together with the counts that may be shown."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from server.store import submissions, surveys
from server.store.engine import Connection
from server.store.submissions import ReportsWithheld, Results
from server.store.surveys import Survey
from survey.publication import Publication
from survey.record import layout_of


def surveys_with_results(db: Connection) -> list[tuple[Survey, Results | None]]:
    """Return every survey, the latest first. A draft has no results."""
    found = reversed(surveys.all_surveys(db))
    return [(survey, submissions.results(db, survey) if survey.publication else None) for survey in found]


def survey_with_results(db: Connection, slug: str) -> tuple[Survey, Results] | None:
    """Return a published survey with its results, or None if there is none of this name or it is a draft."""
    survey = surveys.by_slug(db, slug)
    if survey is None or survey.publication is None:
        return None
    return survey, submissions.results(db, survey)


def publication_with_reports(db: Connection, slug: str) -> tuple[Publication, npt.NDArray[np.int64]] | None:
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


def joint_table(db: Connection, survey: Survey, row: str, column: str) -> npt.NDArray[np.int64]:
    """Count how often each pair of codes is stored in two columns.

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
    """
    if survey.publication is None or survey.state != "closed":
        raise ReportsWithheld(f"{survey.slug} is not closed; its tables can be had when it is")
    layout = layout_of(survey.publication)
    places = {name: place for place, (name, _) in enumerate(layout.codes)}
    codes = dict(layout.codes)
    both = db.reports.table(survey.id, survey.publication)[:, [places[row], places[column]]]
    pairs = np.bincount(both @ [codes[column], 1], minlength=codes[row] * codes[column])
    return pairs.reshape(codes[row], codes[column])
