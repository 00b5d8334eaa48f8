"""The figures of a draft as it stands in the browser: they follow the slider, and nothing is stored."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from flask import render_template

from server.drafts.advice import amount, measure_chosen
from server.drafts.draft_problems import entry, is_for_the_plan
from server.drafts.draft_reading import LinkedReading, draft_readings, linked_places, linked_reading
from server.drafts.linked_view import LinkedView, linked_view
from server.drafts.planning.plan import has_epsilon, unplanned
from server.drafts.published_entry import published_entry, published_part, text_of
from server.drafts.question_preview import Preview, together
from server.drafts.question_settings import QuestionReading, preview_of
from server.drafts.unit_names import unit_name
from server.drafts.wording import Hint, hints
from server.language.request_language import current, translate
from server.language.rounding import rounded_people
from server.runtime import offload
from server.web.page_parts import parts_of_page
from survey.draft import Parts, expected_of, lines_of_groups, parts_of
from survey.fields import Problem
from survey.privacy import guess, plain_sum
from survey.privacy.budget import MOST_WAVES
from survey.read_definition import LARGEST_LIMIT

Question = Mapping[str, Any]
"""A question of a draft."""


@dataclass(frozen=True)
class QuestionView:
    """All that is shown of the question that is open.

    Attributes
    ----------
    preview : Preview or None
        None where a setting is missing or wrong.
    missing : tuple of str
        What is missing, in words.
    planned : bool
        Whether its epsilon is left to the plan.
    marked : bool
        Whether a field says what is wrong with it.
    unit : str
        Of a number, in the language of the page.
    hints : tuple of Hint
        What is worth another look in its texts.
    """

    preview: Preview | None
    missing: tuple[str, ...]
    planned: bool
    marked: bool
    unit: str
    hints: tuple[Hint, ...]

    @property
    def partial(self) -> bool:
        """Return whether the comparison with the other mechanisms is still to be asked for."""
        comparison = self.preview.comparison if self.preview else None
        return comparison is not None and not comparison.complete


def preview(
    document: Mapping[str, Any], opened: str | None, changed: Collection[str] | None, in_full: bool
) -> dict[str, Any]:
    """Work out the figures of a draft, as the page shows them.

    Parameters
    ----------
    document : Mapping[str, Any]
        A draft, right or wrong: see `survey.draft.require_document`.
    opened : str or None
        The uid of the question or the section that is open, of which all is told.
    changed : collection of str or None
        The uids of the questions and sections whose figures are wanted; None for all.
    in_full : bool
        Whether to compare the other mechanisms even where that takes longer than a slider should wait.

    Returns
    -------
    dict
        As the script reads it: cards, problems, the open question, the total and what is left to plan.
    """
    questions: list[Question] = document.get("questions", [])
    parts, expected, lines = parts_of(document), expected_of(document), lines_of_groups(document)
    readings = offload.compute(draft_readings, document)
    wheels = {section["uid"]: (section, places) for section, places in linked_places(document)}
    linked = {uid: linked_reading(document, *own) for uid, own in wheels.items()}
    wanted = wanted_questions(questions, wheels, changed)
    previews = offload.compute(
        lambda: [
            preview_of(reading, expected if wanted[n] else None, parts.chance(n), in_full)
            for n, reading in enumerate(readings)
        ]
    )
    numbers = [n for n, question in enumerate(questions) if wanted[n] and question["uid"] == opened]
    read_nodes: list[tuple[Question, QuestionReading | LinkedReading]] = [
        *((wheels[uid][0], reading) for uid, reading in linked.items()),
        *zip(questions, readings, strict=True),
    ]
    shown = {questions[n]["uid"]: view_of(document, questions[n], readings[n], previews[n]) for n in numbers}
    of_wheel = view_of_wheel(document, linked.get(opened or ""), wheels.get(opened or ""))
    figures = parts_of_page(
        render_template(
            "drafts/figures.html",
            shown=shown,
            wheel=of_wheel,
            previews=previews,
            **budget_of(document, previews, parts),
        )
    )
    return {
        "cards": {
            question["uid"]: card_of(question, seen, question.get("section") in wheels)
            for question, seen, is_wanted in zip(questions, previews, wanted, strict=True)
            if is_wanted
        }
        | {uid: card_of_wheel(wheels[uid][0], reading) for uid, reading in linked.items()},
        "problems": [
            asdict(entry(document, problem))
            for node, reading in read_nodes
            if node["uid"] not in lines
            for problem in wrong_settings(node, reading)
        ],
        "shown": {
            uid: {
                "meaning": figures[uid],
                "wording": figures[f"wording-{uid}"],
                "partial": view.partial or not is_compared(readings[n], in_full),
                "people": people_of(readings[n], in_full),
                "entry": published_entry(questions[n], readings[n]),
            }
            for n, (uid, view) in zip(numbers, shown.items(), strict=True)
        }
        | {
            section["uid"]: {
                "meaning": figures["wheel"],
                "entry": published_part(document, linked.get(opened), wheels.get(opened), waves_of(document)),
                "partial": False,
                "people": {},
            }
            for section in document.get("sections", [])
            if section["uid"] == opened
        },
        "total": figures["total"],
        "sum": figures["sum"],
        "plan": plan_words(unplanned(document)),
    }


def is_compared(reading: QuestionReading, in_full: bool) -> bool:
    """Return whether it is known how many people each mechanism needs, where another can be chosen."""
    known = reading.known
    return in_full or known is None or not known.has_choice or "people" in vars(known)


def people_of(reading: QuestionReading, in_full: bool) -> dict[str, str]:
    """Say how many people each mechanism of a question needs; nothing as long as that is not known."""
    if reading.known is None or not reading.known.has_choice or not is_compared(reading, in_full):
        return {}
    people = offload.compute(lambda known: known.people, reading.known)
    return {
        mechanism: translate("editor.mechanism.people", people=f"{rounded_people(number):,}")
        if number < math.inf
        else translate("editor.mechanism.no_people")
        for mechanism, number in people.items()
    }


def wanted_questions(
    questions: Sequence[Question],
    wheels: Mapping[str, tuple[Question, list[int]]],
    changed: Collection[str] | None,
) -> list[bool]:
    """Say of which questions figures are wanted: what changes one that is linked changes all of its wheel."""
    if changed is None:
        return [True] * len(questions)
    wanted = [question["uid"] in changed for question in questions]
    for uid, (_, places) in wheels.items():
        if uid in changed or any(wanted[place] for place in places):
            for place in places:
                wanted[place] = True
    return wanted


def wrong_settings(question: Question, reading: QuestionReading | LinkedReading) -> Iterator[Problem]:
    """Yield the settings of a question or a linked section that are wrong, at their units."""
    for problem in reading.problems:
        if problem.value is not None and not isinstance(problem.value, list):
            yield at(question, problem)


def view_of(
    document: Mapping[str, Any], question: Question, reading: QuestionReading, preview: Preview | None
) -> QuestionView:
    """Put together what is shown of the question that is open."""
    lacking = [problem for problem in reading.problems if problem.value is None]
    missing = [problem for problem in lacking if not is_for_the_plan(at(question, problem))]
    named = (unit_name(document, at(question, problem).path).rpartition(", ")[2] for problem in missing)
    wrong = any(True for _ in wrong_settings(question, reading))
    unit = question.get("unit", {}).get(current(), "")
    return QuestionView(
        preview, tuple(dict.fromkeys(named)), len(missing) < len(lacking), wrong, unit, hints_of(question)
    )


def at(question: Question, problem: Problem) -> Problem:
    """Name the unit of a draft in place of the key of a question."""
    return Problem(f"{question['uid']}.{problem.path}", problem.rule, problem.limits, problem.value)


def hints_of(question: Question) -> tuple[Hint, ...]:
    """Return what is worth another look in the texts of a question.

    A line of several on one scale is no sentence of its own, and gets no advice.
    """
    if question.get("matrix"):
        return ()
    options = [option.get("text", {}) for option in question.get("options", [])]
    kind = question.get("kind", "yes_no")
    return hints(question.get("wording", {}), question.get("note", {}), kind, options)


def budget_of(
    document: Mapping[str, Any], previews: Sequence[Preview | None], parts: Parts
) -> Mapping[str, Any]:
    """Return the survey's total and its limit, as far as its settings can be read."""
    waves, limit = waves_of(document), document.get("budget", {}).get("limit")
    limited = isinstance(limit, int | float) and 0 < limit <= LARGEST_LIMIT
    reports = together(previews, parts)
    return {
        "sum_of_all": plain_sum(reports, waves) if waves else None,
        "guess_of_all": guess(reports, waves) if waves else None,
        "parts": parts if parts.samples else None,
        "waves": waves,
        "limit": float(limit) if limited else None,
        "limit_known": limited or limit is None,
    }


def waves_of(document: Mapping[str, Any]) -> int | None:
    """Return how often the people of a draft are asked; None where that is no valid number."""
    waves = document.get("budget", {}).get("waves", 1)
    return waves if type(waves) is int and 1 <= waves <= MOST_WAVES else None


def card_of(question: Question, preview: Preview | None, is_linked: bool) -> dict[str, str]:
    """Write the figures that the card of a question shows; a linked one leaves epsilon to its part."""
    unset = "" if has_epsilon(question) else translate("editor.no_epsilon")
    margins = preview.comparison.margins if preview and preview.comparison else ()
    unit = text_of(question.get("unit", {}), current())
    return {
        "epsilon": "" if is_linked else f"ε = {amount(preview.epsilon)}" if preview else unset,
        "margin": next((measure_chosen(margin, unit) for margin in margins), ""),
    }


def card_of_wheel(section: Mapping[str, Any], reading: LinkedReading) -> dict[str, str]:
    """Write the figures that the card of a linked section shows."""
    if reading.section is None:
        return {"epsilon": "" if has_epsilon(section) else translate("editor.no_epsilon"), "margin": ""}
    return {"epsilon": f"ε = {amount(reading.section.epsilon or 0)}", "margin": ""}


def view_of_wheel(
    document: Mapping[str, Any],
    reading: LinkedReading | None,
    wheel: tuple[Mapping[str, Any], list[int]] | None,
) -> LinkedView | None:
    """Put together what is shown of the linked section that is open."""
    if reading is None or wheel is None:
        return None
    questions = [document["questions"][place] for place in wheel[1]]
    return offload.compute(linked_view, reading, questions, waves_of(document))


def plan_words(unset: int) -> str:
    """Say how many epsilons a plan is to set; nothing where there is none."""
    return translate("starting.plan.title", n=unset) if unset else ""
