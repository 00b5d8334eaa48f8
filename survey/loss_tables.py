"""Privacy losses of a survey as tables of names and numbers, for JSON and for downloads."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from survey.privacy import Budget, Shuffled
from survey.publication import Publication

Table = dict[str, Any]


def budget_table(publication: Publication, total: Budget) -> Table:
    """Return the loss of one person over all their questions and waves, and the survey's limit."""
    return {
        "epsilon": total.epsilon,
        "delta": total.delta,
        "waves": publication.definition.waves,
        "limit": publication.definition.limit,
        "guess": publication.guess.as_dict(),
        "composed": asdict(total.composed) if total.composed else None,
    }


def draw_table(publication: Publication) -> Table:
    """Return the number of sections, and of those that one person is asked, where some are drawn."""
    definition = publication.definition
    if not definition.samples:
        return {}
    return {"sections": len(definition.sections), "asked": definition.sections_asked}


def shuffle_table(published: Shuffled | None) -> Table:
    """Return the loss of published counts; all values are None where there are none."""
    names = ("epsilon", "delta", "respondents", "exact", "reason")
    return {f"shuffle_{name}": getattr(published, name, None) for name in names}
