"""Surveys together with the results that may be shown, and their noisy reports, for the pages of staff."""

from __future__ import annotations

from dataclasses import dataclass

from server.runtime import offload
from server.store import submissions, surveys
from server.store.engine import Block, Connection, Place, Rearranged, Storage
from server.store.lifecycle import life
from server.store.results import visible_results
from server.store.results.progress import joined
from server.store.results.sorted_reports import SortedReports, Sorter
from server.store.results.visible_results import GroupWithheld, InPreparation, ReportsRemoved, ReportsWithheld
from server.store.surveys import Survey
from server.store.walk import parts
from survey.publication import Publication
from survey.record import layout_of
from survey.results import Results

BLOCK = 4000
"""The number of reports that one transaction reads, in about 10 ms."""

Listed = list[tuple[Survey, Results | None]]
"""Surveys with their results; a draft has none."""


@dataclass(frozen=True)
class Totals:
    """The contents of an installation: surveys by state, and submissions to all of them."""

    surveys: dict[str, int]
    sent: int


def totals(db: Connection, today: str) -> Totals:
    """Count the surveys, and the submissions up to the end of the day before, of each survey in its steps."""
    counts, sent = {"draft": 0, "open": 0, "closed": 0}, 0
    for survey in surveys.all_surveys(db):
        counts[survey.state] += 1
        if survey.publication is not None:
            past = [day for day in submissions.days(db, survey.id) if day.day < today]
            rows = joined(past, survey.publication.definition.step, closed=survey.state == "closed")
            sent += sum(row.sent for row in rows)
    return Totals(counts, sent)


def surveys_with_results(db: Connection) -> Listed:
    """Return every survey, the latest first. A draft has no results."""
    latest_first = reversed(surveys.all_surveys(db))
    return [
        (survey, visible_results.results(db, survey) if survey.publication else None)
        for survey in latest_first
    ]


def surveys_in_lists(db: Connection, *, archived: bool) -> tuple[Listed, Listed]:
    """Return the surveys in a list, those in the archive or all others, and the surveys outside it."""
    in_archive = life.archived(db)
    parts: tuple[Listed, Listed] = ([], [])
    for survey, results in surveys_with_results(db):
        parts[(survey.id in in_archive) != archived].append((survey, results))
    return parts


def survey_with_results(db: Connection, slug: str) -> tuple[Survey, Results] | None:
    """Return the published survey of a name with its results; None if there is none or it is a draft."""
    survey = surveys.by_slug(db, slug)
    if survey is None or survey.publication is None:
        return None
    return survey, visible_results.results(db, survey)


def noisy_reports(storage: Storage, survey: Survey) -> SortedReports:
    """Return the reports of all respondents, sorted by their own values so that the order reveals nothing.

    Parameters
    ----------
    storage : Storage
        Called outside any transaction.
    survey : Survey

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
        If the day on which they were to be removed has come.
    SurveyGone
        If it is deleted meanwhile.

    Notes
    -----
    They are read in many short transactions, so that writers do not wait for a million of them, and sorted
    outside any. Of an open survey, those that come meanwhile may be among them or not.
    """
    if survey.publication is None:
        raise ValueError(f"{survey.slug} is a draft: it has no reports")
    if storage.read(visible_results.is_withheld, survey):
        raise GroupWithheld(
            f"fewer than a step of people answered {survey.slug}, and it asks one of several groups"
        )
    if survey.state != "closed" and not survey.publication.definition.reports_while_open:
        raise ReportsWithheld(f"{survey.slug} is open; its reports can be had when it is closed")
    sorter = Sorter(layout_of(survey.publication))
    try:
        for block in parts(lambda place: storage.read(part_of, survey, place)):
            offload.compute(sorter.add, b"".join(record for _, record in block))
    except Rearranged as error:
        raise InPreparation(f"{survey.slug} was closed meanwhile") from error
    reports = offload.compute(sorter.sorted)
    if survey.state != "closed" and reports.times.sum() < survey.publication.definition.step:
        return Sorter(sorter.layout).sorted()  # nothing moves with the first report
    return reports


def part_of(db: Connection, survey: Survey, place: Place) -> tuple[Block, Place | None]:
    """Return some reports of a survey from a place on, and the next place."""
    publication = publication_of(db, survey)
    if life.of(db, survey.id).removed:
        raise ReportsRemoved(f"the reports of {survey.slug} were removed")
    if survey.state == "closed" and not db.reports.finished(survey.id):
        raise InPreparation(f"the reports of {survey.slug} are being prepared")
    return db.reports.part(survey.id, publication, place, BLOCK)


def publication_of(db: Connection, survey: Survey) -> Publication:
    """Return the publication of a survey.

    Raises
    ------
    SurveyGone
        If it is deleted meanwhile.
    """
    publication = surveys.get(db, survey.id).publication
    assert publication is not None  # noqa: S101  # what was published once stays so
    return publication
