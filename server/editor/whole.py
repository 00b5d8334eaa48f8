"""A plan of a whole draft: how many parts a person is asked and the epsilon of every question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from server.editor.comparison import HOPELESS
from server.editor.reading import read, settings
from server.forms.section import apart, parts, together
from survey.fields import Problem
from survey.plan import Outlook, PlanWithin, SurveyPlan, outlook, people_without_skips, plans_within
from survey.privacy.limits import MOST_RIGHT, MOST_TELLING
from survey.question import Question
from survey.section import Section
from survey.version import FORMAT, WITH_SECTIONS

SOME = 1.0
"""An epsilon for a question that has none yet: the plan chooses another."""

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
class Change:
    """What a plan changes for one question.

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
    changes : tuple of Change
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
    changes: tuple[Change, ...]
    chosen: PlanWithin
    others: tuple[PlanWithin, ...]
    people_without_skips: float | None

    @property
    def hopeless(self) -> bool:
        """Whether some margin would be so large that hardly anything could be said."""
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
    draft : Mapping
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
    others = plans_within(sections, respondents, **limits)
    grouped = parts(draft)
    wanted = (each for each in others if (each.plan.asked or grouped.drawn) == asked)
    chosen = next(wanted, others[0])
    planned = chosen.plan
    now = outlook(sections, grouped.asked if grouped.samples else None, respondents)
    then = outlook(planned.sections, planned.asked, respondents)
    questions = [question for _, question in apart(draft)[1]]
    changes = tuple(
        Change(question, before if has_epsilon(question) else None, after)
        for question, before, after in zip(questions, now, then, strict=True)
    )
    always = any(section.always for section in sections)
    plain = people_without_skips(planned, sections, respondents, **limits)
    return DraftPlan(planned, grouped.drawn, always, changes, chosen, others, plain)


def has_epsilon(question: Table) -> bool:
    """Return whether a question's epsilon is known."""
    return "epsilon" in question or question.get("mechanism") == "coin"


def is_for_the_plan(problem: Problem) -> bool:
    """Return whether what keeps a draft from being opened is an epsilon that nobody has set."""
    return problem.value is None and problem.path.endswith(".epsilon")


def sections_of(draft: Table) -> list[Section]:
    """Return the sections of a draft, without their texts.

    Raises
    ------
    Incomplete
        If there is no question, or one lacks a setting other than epsilon.
    """
    questions = [question_of(table, number) for number, (_, table) in enumerate(apart(draft)[1], 1)]
    if not questions:
        raise Incomplete(0)
    grouped = parts(draft)
    return [
        Section(
            f"section_{number}",
            tuple(questions[place] for place in together),
            always=grouped.is_always(together[0]),
        )
        for number, together in enumerate(grouped.sections, 1)
    ]


def question_of(table: Table, number: int) -> Question:
    """Read one question without its texts."""
    given = dict(table) if has_epsilon(table) else {**table, "epsilon": SOME}
    known = read(settings(given)).known
    if known is None:
        raise Incomplete(number)
    return replace(known.question, id=f"question_{number}")


def taken_over(draft: Table, found: DraftPlan) -> dict[str, Any]:
    """Return a draft with the plan's epsilons, the number of parts asked, and its total as the limit."""
    rows, questions = apart(draft)
    chosen = [
        (place, {**question, **({} if change.then.question.epsilon is None else epsilon_of(change))})
        for (place, question), change in zip(questions, found.changes, strict=True)
    ]
    kept = {key: value for key, value in draft.items() if key not in {"questions", "sections", "asked"}}
    asked = {} if found.plan.asked is None else {"asked": found.plan.asked}
    version = {"candor": max(draft["candor"], WITH_SECTIONS if asked else FORMAT)}
    budget = {"budget": {**draft.get("budget", {}), "limit": found.chosen.total}}
    return {**kept, **version, **asked, **budget, **together(rows, chosen)}


def epsilon_of(change: Change) -> dict[str, Any]:
    """Return the setting that a plan changes."""
    return {"epsilon": change.then.question.epsilon}
