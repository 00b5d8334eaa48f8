"""The reports of a closed survey, read once and remembered for its tables and downloads."""

from __future__ import annotations

from functools import partial
from operator import attrgetter, call

from server.runtime.bounded_cache import BoundedCache
from server.store.engine import Storage
from server.store.lifecycle import life
from server.store.results import survey_results
from server.store.results.sorted_reports import SortedReports
from server.store.results.visible_results import ReportsRemoved
from server.store.surveys import Survey
from survey.results import Results

MOST_BYTES = 32 * 2**20
"""The memory that reports may take."""

REPORTS: BoundedCache[SortedReports] = BoundedCache(MOST_BYTES, weigh=attrgetter("nbytes"), run=call)
"""Reports of closed surveys. They are read in many transactions, each in a thread already."""


def reports_of(storage: Storage, survey: Survey, results: Results) -> SortedReports:
    """Return every respondent's reports, sorted by their own values; those of a closed survey are remembered.

    Raises
    ------
    ReportsWithheld
        If the survey is open and does not give them out before it closes.
    ReportsRemoved
        If the day has come on which they were to go.
    """
    read = partial(survey_results.noisy_reports, storage, survey)
    if survey.publication is None or survey.state != "closed":
        return read()  # a draft is refused, too
    refuse_removed(storage, survey)
    counts = tuple(map(tuple, results.counts.values()))  # another file may have come with another survey
    return REPORTS.get((storage.name, survey.id, survey.publication.fingerprint, counts), read)


def refuse_removed(storage: Storage, survey: Survey) -> None:
    """Refuse reports that were removed, and forget those that are remembered here.

    Raises
    ------
    ReportsRemoved
    """
    if storage.read(life.of, survey.id).removed:
        REPORTS.forget(lambda key: isinstance(key, tuple) and key[:2] == (storage.name, survey.id))
        raise ReportsRemoved(f"the reports of {survey.slug} were removed")
