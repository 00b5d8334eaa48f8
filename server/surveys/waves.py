"""The loss of somebody who answers every wave of a survey."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from server.runtime import offload
from server.services import services
from server.staff.guard import may
from server.store import origins
from server.store.origins import Relative
from server.store.surveys import Survey
from survey.publication import Publication

Total = tuple[int, float, float]
"""The number of surveys, and the sums of their epsilons and deltas."""


def publications(relatives: Iterable[Relative]) -> dict[int, Publication | None]:
    """Return what each survey has published, or what its draft would if it is complete, by its number."""
    return {each.survey.id: offload.compute(publication_of, each.survey) for each in relatives}


def publication_of(survey: Survey) -> Publication | None:
    """Return what a survey has published, or what its draft would if it is complete."""
    return survey.complete


def total_of(
    survey: Survey, relatives: list[Relative], published: Mapping[int, Publication | None]
) -> Total | None:
    """Return what somebody loses who answers all surveys that ask the people of one.

    None where there is only one, or one is incomplete.

    Notes
    -----
    Losses add up over surveys as they do over questions.
    """
    people = {each.people for each in relatives if each.survey.id == survey.id}
    theirs = [published[each.survey.id] for each in relatives if each.people in people]
    budgets = [each.budget for each in theirs if each is not None]
    if len(theirs) < 2 or len(budgets) < len(theirs):
        return None
    return len(budgets), sum(each.epsilon for each in budgets), sum(each.delta for each in budgets)


def total_with(survey: Survey) -> Total | None:
    """Return the total of a survey that has waves or is one; None where the reader may not see them all."""
    family = services().storage.read(origins.family, survey.id)
    if not all(may("look", each.survey.id) for each in family):
        return None
    return total_of(survey, family, publications(family))
