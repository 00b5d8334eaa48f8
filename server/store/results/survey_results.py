"""What a page of staff reads at once: surveys together with the counts that may be shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from server.runtime import offload
from server.store import surveys
from server.store.engine import Connection, Storage
from server.store.lifecycle import life
from server.store.results import visible_results
from server.store.results.visible_results import GroupWithheld, InPreparation, ReportsRemoved, ReportsWithheld
from server.store.surveys import Survey
from survey.publication import Publication
from survey.record import Layout, layout_of
from survey.results import Results

BLOCK = 10_000
"""Reports that are read in one transaction: it takes about 20 ms."""


@dataclass(frozen=True)
class Totals:
    """How much an installation holds: surveys by state, and submissions to all of them before a day."""

    surveys: dict[str, int]
    sent: int


def totals(db: Connection, today: str) -> Totals:
    """Count surveys, and what was sent up to the end of the day before."""
    found = dict(db.execute("SELECT state, count(*) FROM surveys GROUP BY state").fetchall())
    ((sent,),) = db.execute("SELECT coalesce(sum(sent), 0) FROM days WHERE day < ?", [today]).fetchall()
    return Totals({state: found.get(state, 0) for state in ("draft", "open", "closed")}, int(sent))


def surveys_with_results(db: Connection) -> list[tuple[Survey, Results | None]]:
    """Return every survey, the latest first. A draft has no results."""
    found = reversed(surveys.all_surveys(db))
    return [(survey, visible_results.results(db, survey) if survey.publication else None) for survey in found]


def surveys_in_lists(
    db: Connection, *, archived: bool
) -> tuple[list[tuple[Survey, Results | None]], list[tuple[Survey, Results | None]]]:
    """Return what a list shows, the archive or all other surveys, and what it leaves out."""
    away, found = life.archived(db), surveys_with_results(db)
    parts: tuple[list[tuple[Survey, Results | None]], ...] = ([], [])
    for each in found:
        parts[(each[0].id in away) != archived].append(each)
    return parts[0], parts[1]


def survey_with_results(db: Connection, slug: str) -> tuple[Survey, Results] | None:
    """Return a published survey with its results, or None if there is none of this name or it is a draft."""
    survey = surveys.by_slug(db, slug)
    if survey is None or survey.publication is None:
        return None
    return survey, visible_results.results(db, survey)


def noisy_reports(storage: Storage, survey: Survey) -> npt.NDArray[np.unsignedinteger]:
    """Return every respondent's reports, sorted by their own values, so that the order reveals nothing.

    Parameters
    ----------
    storage : Storage
        Called by a request, outside any transaction.
    survey : Survey

    Returns
    -------
    ndarray of int, shape (respondents, columns)
        Columns in the order of the questions, in one byte each, or two where one needs them.

    Raises
    ------
    ValueError
        If the survey is a draft.
    ReportsWithheld
        If it is open and its definition does not allow the download before it closes; `GroupWithheld` if
        too few people of a group have answered it.
    InPreparation
        If it is closed, and `Storage.finish` is not done with it.
    ReportsRemoved
        If the day has come on which they were to go.
    SurveyGone
        If it is deleted meanwhile.

    Notes
    -----
    Reports of a closed survey stay as they are, so they are read in many short transactions: nobody who
    writes waits for a million of them. They are sorted outside any.
    """
    if survey.publication is None:
        raise ValueError(f"{survey.slug} is a draft: it has no reports")
    layout = layout_of(survey.publication)
    if storage.read(visible_results.is_withheld, survey):
        raise GroupWithheld(
            f"fewer than a step of people answered {survey.slug}, and it asks one of several groups"
        )
    if survey.state == "closed":
        table = np.concatenate(list(blocks(storage, survey, layout)))
    elif survey.publication.definition.reports_while_open:
        table = storage.read(table_of, survey)
    else:
        raise ReportsWithheld(f"{survey.slug} is open; its reports can be had when it is closed")
    return offload.compute(layout.in_order, table)


def blocks(storage: Storage, survey: Survey, layout: Layout) -> Iterator[npt.NDArray[np.unsignedinteger]]:
    """Yield all reports of a closed survey, `BLOCK` at a time; the last block may be empty."""
    receipt, length = b"", BLOCK
    while length == BLOCK:
        receipt, records = storage.read(block_after, survey, receipt)
        block = layout.table(records).astype(layout.narrow)
        length = len(block)
        yield block


def block_after(db: Connection, survey: Survey, receipt: bytes) -> tuple[bytes, bytes]:
    """Return the last receipt and the joined records of the block that follows a receipt."""
    publication = publication_of(db, survey)
    if life.of(db, survey.id).removed:
        raise ReportsRemoved(f"the reports of {survey.slug} were removed")
    if not db.reports.finished(survey.id):
        raise InPreparation(f"the reports of {survey.slug} are being prepared")
    found = db.reports.following(survey.id, publication, receipt, BLOCK)
    return (found[-1][0] if found else receipt), b"".join(record for _, record in found)


def table_of(db: Connection, survey: Survey) -> npt.NDArray[np.int64]:
    """Return all reports of a survey in one reading."""
    return db.reports.table(survey.id, publication_of(db, survey))


def publication_of(db: Connection, survey: Survey) -> Publication:
    """Return what a survey published.

    Raises
    ------
    SurveyGone
        If it is deleted meanwhile.
    """
    publication = surveys.get(db, survey.id).publication
    assert publication is not None  # noqa: S101  # what was published once stays so
    return publication
