"""Every question of a draft, read without its texts: alone, or with the wheel of its section."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from server.drafts.comparison import alone
from server.drafts.question_preview import Preview, preview
from server.drafts.question_settings import (
    LANGUAGE,
    TEXT,
    KnownQuestion,
    QuestionReading,
    preview_of,
    read,
    settings,
)
from survey.draft import expected_of, linked_sections, parts_of, section_table
from survey.fields import Fields, Problem
from survey.linked_section import OF_LINKED
from survey.plan.linking_cost import LinkingCost, linking_cost
from survey.progress import each_a_step
from survey.publication import question_entry
from survey.question import Question
from survey.section import Section, read_section

Table = Mapping[str, Any]

OF_QUESTION = re.compile(r"questions\[(\d+)\]\.(.+)")
"""The path of a problem of one question, in the table of its section."""


@dataclass(frozen=True, eq=False)
class LinkedReading:
    """A linked section of a draft, read without its texts.

    Attributes
    ----------
    section : Section or None
        None where a setting is missing or refused.
    questions : tuple of QuestionReading
    problems : tuple of Problem
        What is missing or refused of the section itself.
    """

    section: Section | None
    questions: tuple[QuestionReading, ...]
    problems: tuple[Problem, ...]

    @cached_property
    def cost(self) -> LinkingCost | None:
        """The people that it needs and those of the best plan without it; None where that is not known."""
        return linking_cost(self.section) if self.section else None


def draft_readings(document: Table) -> list[QuestionReading]:
    """Read every question of a draft."""
    questions = document.get("questions", [])
    readings: dict[int, QuestionReading] = {}
    for section, places in linked_places(document):
        readings |= dict(zip(places, linked_reading(document, section, places).questions, strict=True))

    def reading(place: int) -> QuestionReading:
        return readings.get(place) or read(settings(questions[place]))

    return each_a_step(reading, range(len(questions)))


def draft_previews(document: Table) -> list[Preview | None]:
    """Return the preview of every question of a draft, None where a setting is missing or refused."""
    parts, expected = parts_of(document), expected_of(document)
    return [
        preview_of(reading, expected, parts.chance(place))
        for place, reading in enumerate(draft_readings(document))
    ]


def linked_places(document: Table) -> list[tuple[Table, list[int]]]:
    """List the linked sections of a draft that have questions, each with the places of these."""
    linked = linked_sections(document)
    listed: dict[str, list[int]] = {}
    for place, question in enumerate(document.get("questions", [])):
        if question.get("section") in linked:
            listed.setdefault(question["section"], []).append(place)
    return [(each, listed[each["uid"]]) for each in document.get("sections", []) if each["uid"] in listed]


def linked_reading(
    document: Table, section: Table, places: list[int], epsilon: float | None = None
) -> LinkedReading:
    """Read a linked section.

    Parameters
    ----------
    document, section : Mapping[str, Any]
    places : list of int
        Of its questions.
    epsilon : float, optional
        What it gets if it has none yet.
    """
    written = section_table(section)
    table = {key: written[key] for key in OF_LINKED if key in written}
    if epsilon is not None and "by_hand" not in table:
        table = {"epsilon": epsilon} | table
    own = [settings(document["questions"][place], linked=True) for place in places]
    return read_linked(json.dumps(table, sort_keys=True), tuple(own))


@lru_cache(maxsize=128)
def read_linked(chosen: str, questions: tuple[str, ...]) -> LinkedReading:
    """Read the settings of a linked section and of its questions, and build its wheels once."""
    named = [json.loads(own) | {"id": f"question_{n}", "wording": TEXT} for n, own in enumerate(questions, 1)]
    fields = Fields(json.loads(chosen) | {"id": "draft", "linked": True, "questions": named})
    section = read_section(fields, (LANGUAGE,), published=False)
    if not fields.problems:
        return LinkedReading(section, tuple(map(known, section.questions)), ())
    wrong: list[list[Problem]] = [[] for _ in questions]
    of_section = []
    for problem in fields.problems:
        if inside := OF_QUESTION.fullmatch(problem.path):
            wrong[int(inside[1])].append(replace(problem, path=inside[2]))
        else:
            of_section.append(problem)
    return LinkedReading(
        None, tuple(QuestionReading(problems=tuple(each)) for each in wrong), tuple(of_section)
    )


def known(question: Question) -> QuestionReading:
    """Return all that follows from the settings of a linked question. The one report is that of the first."""
    columns = question.columns()
    own = alone(question, columns[0].channel)
    own = replace(own, contests=tuple(replace(each, best=each.chosen) for each in own.contests))
    shown = preview(question, columns, None)
    if question.place:
        shown = replace(shown, reports=())
    linked = question.linked
    chance = linked.asked / len(linked.sizes) if linked else 1.0
    return QuestionReading(
        KnownQuestion(shown, question, own, question_entry(question, columns)), chance=chance
    )
