"""The best three ways to ask a draft: apart or linked, everything or some of it at random."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

from server.drafts.planning.plan import sections_of
from survey.draft import parts_of
from survey.plan.proposal import Proposals, propose
from survey.plan.wanted import Want
from survey.question import Choice, YesNo
from survey.section import Section

MOST_PAIRED = 12
"""With more questions that may be linked, not all pairs can be compared while somebody waits."""


def best_ways(
    draft: Mapping[str, Any],
    total: float,
    respondents: int,
    right: int,
    telling: int,
    pairs: bool,
    single: bool,
) -> Proposals:
    """Find the best ways to ask a draft within both limits.

    Parameters
    ----------
    draft : Mapping[str, Any]
        Its document.
    total, respondents, right, telling
        As of `server.drafts.planning.plan.plan_draft`.
    pairs : bool
        Whether the share of people with both answers is wanted of every two questions.
    single : bool
        Whether `right` limits guesses at any single answer, instead of all of them together.

    Raises
    ------
    server.drafts.planning.plan.Incomplete
        If there is no question, or one lacks a setting other than epsilon.
    survey.plan.PlanError
        If no way has everything that is wanted within the limits.
    """
    sections = with_names(draft)
    questions = [question for section in sections for question in section.questions]
    paired = [
        place
        for place, question in enumerate(questions)
        if isinstance(question, YesNo | Choice) and question.epsilon is not None
    ]
    wanted = list(combinations(paired, 2)) if pairs and len(paired) <= MOST_PAIRED else []
    return propose(
        sections,
        respondents,
        wants=[Want.usual("both", *pair) for pair in wanted],
        total=total,
        right=right,
        telling=telling,
        about="single" if single else "all",
        waves=draft.get("budget", {}).get("waves", 1),
    )


def with_names(draft: Mapping[str, Any]) -> list[Section]:
    """Return the sections of a draft; a question that is in no part has a section of its name."""
    listed = []
    for section, places in zip(sections_of(draft), parts_of(draft).sections, strict=True):
        free = len(places) == 1 and not draft["questions"][places[0]].get("section")
        name = section.questions[0].id if free else section.id
        listed.append(replace(section, id=name))
    return listed
