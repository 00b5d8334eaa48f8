"""A plan of a whole draft: how many parts a person is asked, and the epsilon of every question."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from server.drafts.comparison import HOPELESS
from server.drafts.draft_reading import draft_readings, linked_places, linked_reading
from server.drafts.question_settings import read, settings
from survey.draft import linked_sections, parts_of
from survey.plan import Outlook, PlanWithin, SurveyPlan, outlook, people_without_skips, plans_within
from survey.plan.stand_ins import SOME_EPSILON
from survey.privacy.limits import LARGEST_TOTAL, MOST_RIGHT, MOST_TELLING
from survey.progress import stretch
from survey.question import Question
from survey.section import Section

USUAL_TOTAL = math.floor(LARGEST_TOTAL * 1e4) / 1e4
"""The total that a draft without a limit is planned for, unless the admin wants another."""

Table = Mapping[str, Any]


class Incomplete(Exception):
    """A question lacks a setting, so that no plan can be made.

    Attributes
    ----------
    number : int
        The question's, from 1; 0 where there is none at all.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(number)


@dataclass(frozen=True)
class PlannedChange:
    """The change that a plan makes to one question.

    Attributes
    ----------
    question : dict
        As in the draft.
    now : Outlook or None
        None where the question has no epsilon yet.
    then : Outlook
    """

    question: Table
    now: Outlook | None
    then: Outlook


@dataclass(frozen=True)
class DraftPlan:
    """A plan of a draft, before it is taken over.

    Attributes
    ----------
    plan : SurveyPlan
    drawn : int
        How many parts are not always asked.
    always : bool
        Whether there are others.
    changes : tuple of PlannedChange
    chosen : PlanWithin
        The plan with its figures.
    others : tuple of PlanWithin
        All plans that keep both limits, this one among them, the most precise first.
    people_without_skips : float or None
        As `survey.plan.people_without_skips`.
    """

    plan: SurveyPlan
    drawn: int
    always: bool
    changes: tuple[PlannedChange, ...]
    chosen: PlanWithin
    others: tuple[PlanWithin, ...]
    people_without_skips: float | None

    @property
    def hopeless(self) -> bool:
        """Return whether some margin would be so large that hardly anything could be said."""
        planned = (change.then for change in self.changes)
        return any(each.margin is None or each.margin >= HOPELESS * each.span for each in planned)


def plan_draft(
    draft: Table,
    total: float,
    respondents: int,
    right: int = MOST_RIGHT,
    telling: int = MOST_TELLING,
    asked: int | None = None,
) -> DraftPlan:
    """Plan a draft within both limits.

    Parameters
    ----------
    draft : Mapping[str, Any]
        Its document.
    total : float
        The most epsilon that one person may lose.
    respondents : int
    right, telling : int
        As of `survey.plan.plans_within`.
    asked : int, optional
        How many parts a person is asked, if one of the plans asks so many; otherwise the best plan is made.

    Raises
    ------
    Incomplete
        If there is no question, or one lacks a setting other than epsilon.
    survey.plan.PlanError
        If total or respondents are too small.
    """
    sections = sections_of(draft)
    waves = draft.get("budget", {}).get("waves", 1)
    limits: Table = {"right": right, "telling": telling, "total": total, "waves": waves}
    with stretch(0, 0.7):
        others = plans_within(sections, respondents, **limits)
    grouped = parts_of(draft)
    wanted = (each for each in others if (each.plan.asked or grouped.drawn) == asked)
    chosen = next(wanted, others[0])
    planned = chosen.plan
    with stretch(0.7, 0.8):
        now = outlook(sections, grouped.asked if grouped.samples else None, respondents)
        then = outlook(planned.sections, planned.asked, respondents)
    known = [reading.known is not None for reading in draft_readings(draft)]
    changes = tuple(
        PlannedChange(question, before if is_known else None, after)
        for question, is_known, before, after in zip(draft["questions"], known, now, then, strict=True)
    )
    always = any(section.always for section in sections)
    with stretch(0.8, 1):
        plain = people_without_skips(planned, sections, respondents, **limits)
    return DraftPlan(planned, grouped.drawn, always, changes, chosen, others, plain)


def has_epsilon(question: Table) -> bool:
    """Return whether the epsilon of a question, or of a linked section, is known. Coins have none to set."""
    coins = question.get("linked") and question.get("by_hand") == "coin"
    return bool("epsilon" in question or question.get("mechanism") == "coin" or coins)


def sections_of(draft: Table) -> list[Section]:
    """Return the sections of a draft, without their texts.

    Raises
    ------
    Incomplete
        If there is no question, or one lacks a setting other than epsilon.
    """
    questions = draft.get("questions", [])
    if not questions:
        raise Incomplete(0)
    grouped = parts_of(draft)
    wheels = {places[0]: section for section, places in linked_places(draft)}
    return [
        replace(
            with_wheel(draft, wheels[together[0]], together)
            if together[0] in wheels
            else Section("", tuple(question_of(questions[place], place + 1) for place in together)),
            id=f"section_{number}",
            always=grouped.is_always(together[0]),
        )
        for number, together in enumerate(grouped.sections, 1)
    ]


def with_wheel(draft: Table, section: Table, places: list[int]) -> Section:
    """Read a linked section without its texts."""
    reading = linked_reading(draft, section, places, SOME_EPSILON)
    if reading.section is None:
        lacking = (number for number, each in enumerate(reading.questions) if each.problems)
        raise Incomplete(places[next(lacking, 0)] + 1)
    questions = (
        replace(question, id=f"question_{place + 1}")
        for question, place in zip(reading.section.questions, places, strict=True)
    )
    return replace(reading.section, questions=tuple(questions))


def question_of(table: Table, number: int) -> Question:
    """Read one question without its texts."""
    known = read(settings(table if has_epsilon(table) else {**table, "epsilon": SOME_EPSILON})).known
    if known is None:
        raise Incomplete(number)
    return replace(known.question, id=f"question_{number}")


def taken_over(draft: Table, plan: DraftPlan) -> dict[str, Any]:
    """Return a draft with the plan's epsilons, the number of parts asked, and its total as the limit."""
    linked, wheels = linked_sections(draft), {}
    questions = []
    for question, change in zip(draft["questions"], plan.changes, strict=True):
        epsilon = change.then.question.epsilon
        if question.get("section") in linked:
            wheels[question["section"]] = {"epsilon": epsilon}
        questions.append(
            question
            if epsilon is None or question.get("section") in linked
            else question | {"epsilon": epsilon}
        )
    without = {key: value for key, value in draft.items() if key != "asked"}
    asked = {} if plan.plan.asked is None else {"asked": plan.plan.asked}
    budget = {**draft.get("budget", {}), "limit": plan.chosen.total}
    of_wheels = [section | wheels.get(section["uid"], {}) for section in draft.get("sections", [])]
    sections = {"sections": of_wheels} if wheels else {}
    return {**without, **asked, **sections, "budget": budget, "questions": questions}


def usual_total(draft: Table) -> str:
    """Return the total that a plan of a draft begins with: its limit, if it has one."""
    limit = draft.get("budget", {}).get("limit", USUAL_TOTAL)
    return f"{limit:g}" if isinstance(limit, int | float) else str(limit)


def unplanned(draft: Table) -> int:
    """Return how many epsilons of a draft a plan is to set: of linked questions, one for all."""
    linked = linked_sections(draft)
    alone = [each for each in draft.get("questions", []) if each.get("section") not in linked]
    wheels = (section for section, _ in linked_places(draft))
    return sum(not has_epsilon(each) for each in [*alone, *wheels])
