"""What may be shown of what respondents sent: counts, and the reasons why single reports may not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from server.store import origins
from server.store.engine import Connection
from server.store.surveys import Survey
from survey.column import Column
from survey.publication import section_columns
from survey.record import layout_of
from survey.results import Reached, Results


class ReportsWithheld(ValueError):
    """The noisy reports of an open survey whose definition does not give them out before it closes."""


class GroupWithheld(ReportsWithheld):
    """The noisy reports of one of several groups, of which fewer than a step of people had answered."""


class ReportsRemoved(LookupError):
    """The reports of a closed survey were removed on the day that was set for it; its counts are there."""


class InPreparation(Exception):
    """The reports of a closed survey cannot be read yet: `Storage.finish` is still at them."""


def results(db: Connection, survey: Survey) -> Results:
    """Return the counts that may be shown of a published survey: those a step old while it is open, then all.

    Raises
    ------
    ValueError
        If the survey is a draft.
    """
    if survey.publication is None:
        raise ValueError(f"{survey.slug} is a draft: it has no results")
    published = db.reports.published(survey.id, survey.publication)
    withheld = is_withheld(db, survey)
    counts = layout_of(survey.publication).by_column(0 * published if withheld else published)
    sections = {
        section.id: reached(next(iter(columns.values())), counts)
        for section, columns in section_columns(survey.publication)
    }
    respondents = max(each.respondents for each in sections.values())
    final = survey.state == "closed"
    prepared = not final or db.reports.finished(survey.id)
    return Results(respondents, counts, final, prepared, sections, withheld)


def is_withheld(db: Connection, survey: Survey) -> bool:
    """Return whether a survey was closed that asks one of several groups, with fewer than a step of people.

    An open survey shows nothing before two steps have come, and closing it shows what is left. Where the link
    says to which group somebody belongs, what a few people answered is not shown even then.
    """
    if survey.publication is None or survey.state != "closed":
        return False
    few = db.reports.respondents(survey.id, survey.publication) < survey.publication.definition.step
    return few and origins.one_of_groups(db, survey.id)


def reached(column: Column, counts: Mapping[str, Sequence[int]]) -> Reached:
    """Return whom the counts of a section hold, from any one of its columns: everybody has a code in each."""
    codes = counts[column.name]
    return Reached(column.split(codes).asked, sum(codes))
