"""The counts that may be shown of a survey, and the reasons for which its single reports may not."""

from __future__ import annotations

from functools import lru_cache

from server.store import origins
from server.store.engine import Connection
from server.store.surveys import Survey
from survey.block import section_blocks
from survey.publication import Publication
from survey.record import layout_of
from survey.results import Reached, Results


class ReportsWithheld(ValueError):
    """Raised when the noisy reports of an open survey are asked for, and it shows them only once closed."""


class GroupWithheld(ReportsWithheld):
    """Raised when the noisy reports of a group are asked for that fewer than a step of people answered."""


class ReportsRemoved(LookupError):
    """Raised when the reports of a closed survey were removed on the day set for that; its counts stay."""


class InPreparation(Exception):
    """Raised while `Storage.finish` prepares the reports of a closed survey, so that they cannot be read."""


def results(db: Connection, survey: Survey) -> Results:
    """Return the counts of a published survey that may be shown: while it is open those a step old, then all.

    Raises
    ------
    ValueError
        If the survey is a draft.
    """
    if survey.publication is None:
        raise ValueError(f"{survey.slug} is a draft: it has no results")
    published = db.reports.published(survey.id, survey.publication)
    withheld = is_withheld(db, survey)
    shown = 0 * published if withheld else published
    counts, sections, linked = taken_apart(survey.publication, tuple(shown.tolist()))
    respondents = max(section.respondents for section in sections.values())
    final = survey.state == "closed"
    prepared = not final or db.reports.finished(survey.id)
    return Results(respondents, counts, final, prepared, sections, withheld, linked)


@lru_cache(maxsize=64)
def taken_apart(
    publication: Publication, shown: tuple[int, ...]
) -> tuple[dict[str, list[int]], dict[str, Reached], dict[str, list[int]]]:
    """Return of all counts those by column, the people of each section, and the counts of what is linked.

    The same counts are asked for again and again, until they advance by a step.
    """
    layout = layout_of(publication)
    parts = iter(layout.by_block(shown))
    sections: dict[str, Reached] = {}
    linked: dict[str, list[int]] = {}
    for section, blocks in section_blocks(publication):
        first, *_ = [next(parts) for _ in blocks]  # everybody has a code in every block
        linked |= {section.id: first.tolist()} if section.linked else {}
        sections[section.id] = Reached(int(first[: blocks[0].asked_codes].sum()), int(first.sum()))
    return layout.by_column(shown), sections, linked


def is_withheld(db: Connection, survey: Survey) -> bool:
    """Return whether a closed survey is one of several groups, and has fewer than a step of people.

    An open survey shows nothing before two steps have come; closing it shows the rest. If its link says to
    which group somebody belongs, the answers of a few people are not shown even then.
    """
    if survey.publication is None or survey.state != "closed":
        return False
    few = db.reports.respondents(survey.id, survey.publication) < survey.publication.definition.step
    return few and origins.one_of_groups(db, survey.id)
