"""Gather what the files of a survey are made from."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from importlib.metadata import version

from werkzeug.exceptions import NotFound

from server.results.estimates import chosen_precision, estimate_survey
from server.results.files.material import Material
from server.results.reports import reports_of
from server.runtime import offload
from server.services import services
from server.store import counted_lists, pictures
from server.store.engine import Storage
from server.store.lifecycle import life
from server.store.results import survey_results
from server.store.results.sorted_reports import SortedReports
from server.store.results.visible_results import ReportsRemoved, ReportsWithheld
from server.store.staff import audit_chain
from server.store.surveys import SurveyGone
from survey.publication import Publication, section_columns
from survey.results import Reached, Results

VERSION = version("candor-survey")


def gather(slug: str, arguments: Mapping[str, str]) -> Material:
    """Read a survey's estimates, as an address asks for them, and its reports where they may be had.

    Notes
    -----
    The counts of an open survey lag behind. Where it gives its rows out even so, the estimates are those of
    the rows, so that one file can be worked out from the other.
    """
    precision = chosen_precision(arguments)
    storage = services().storage
    found = storage.read(survey_results.survey_with_results, slug)
    if found is None:
        raise NotFound
    survey, results = found
    assert survey.publication is not None  # noqa: S101  # a draft is not found
    try:
        reports: SortedReports | None = reports_of(storage, survey, results)
    except (ReportsWithheld, ReportsRemoved):
        reports = None
    if reports is not None and not results.final:
        results = offload.compute(count_reports, survey.publication, reports)
    held = storage.read(life.of, survey.id)
    picture = partial(picture_of, storage, survey.id)
    made = storage.read(counted_lists.of, survey.id)
    figures = estimate_survey(survey, results, precision)
    root = None if made is None or figures.withheld else made.root
    head = None if root is None else storage.read(audit_chain.head_at_list, root)
    return Material(figures, reports, VERSION, held, picture, root, head)


def picture_of(storage: Storage, survey_id: int, sha256: str) -> bytes:
    """Read a picture of a survey when its turn comes."""
    found = storage.read(pictures.used_by, survey_id, sha256)
    if found is None:
        raise SurveyGone(f"the survey {survey_id} was removed meanwhile")
    return found.data


def count_reports(publication: Publication, reports: SortedReports) -> Results:
    """Count the codes of every column in reports that were given out."""
    counts = {
        name: reports.counts(place, column.codes).tolist()
        for place, (name, column) in enumerate(publication.columns.items())
    }
    sections = {}
    for section, columns in section_columns(publication):
        column = next(iter(columns.values()))
        sections[section.id] = Reached(column.split(counts[column.name]).asked, len(reports))
    return Results(len(reports), counts, final=False, prepared=True, sections=sections)
