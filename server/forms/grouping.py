"""Questions on one scale as they are typed: the scale of the first is that of all, wherever they move."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wtforms import FieldList

from server.forms.names import proposed
from server.forms.question import new_question
from server.forms.rows import Row
from survey.section import MOST_QUESTIONS

SHARED = ("kind", "mechanism", "epsilon", "size", "utility", "skip", "ordered")
"""Fields that the questions of a group have alike, besides their options."""

KINDS = ("yes_no", "choice")


def runs(questions: Sequence[Row]) -> Iterator[list[Row]]:
    """List the groups: neighbours of one part with the same name of a group."""
    found: list[Row] = []
    for question in questions:
        if found and name_of(question) == name_of(found[0]) != ("", ""):
            found.append(question)
            continue
        yield from [found] if found else []
        found = [question] if question.value("matrix") else []
    yield from [found] if found else []


def name_of(question: Row) -> tuple[str, str]:
    """Return the group and the part of a question; two empty texts of one in no group."""
    name = question.value("matrix") or ""
    return (name, question.value("section") or "") if name else ("", "")


def regroup(questions: FieldList) -> None:
    """Make the questions of each group alike; one that was moved out of its group is a question by itself."""
    taken: set[str] = set()
    for found in list(runs(questions.entries)):
        name = found[0].value("matrix")
        if name in taken or found[0].value("kind") not in KINDS:
            for question in found:
                change(question, {"matrix": ""})
            continue
        taken.add(name)
        first = found[0].data
        said: list[dict[str, str]] = [each.value("matrix_wording") for each in found]
        above = next((texts for texts in said if any(texts.values())), {})
        for place, question in enumerate(found):
            alike = copy.deepcopy({key: first[key] for key in ("options", *SHARED)}) if place else {}
            blank = dict.fromkeys(question.value("help"), "")
            change(question, {**alike, "matrix_wording": blank | above, "help": blank, "by_hand": False})


def change(question: Row, changes: Mapping[str, Any]) -> None:
    """Put other values into a question, if it has not got them."""
    if any(question.value(name) != value for name, value in changes.items()):
        question.process(None, {**question.data, **changes})


def say_once(questions: FieldList) -> None:
    """Leave what is wrong with a scale to the first of its lines: the others have no field for it."""
    for _, *lines in runs(questions.entries):
        for line in (each.form for each in lines if each.built):
            for field in (*(line[key] for key in SHARED), *fields_of(line["options"])):
                field.errors = ()


def fields_of(options: FieldList) -> Iterator[Any]:
    """List the fields of the options, in every language, and that of their number."""
    yield options
    yield from (field for entry in options.entries for field in entry.form)


def scales(questions: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the groups of questions of a draft with what `regroup` makes alike, to see whether it would."""
    keys = ("matrix", "options", *SHARED)
    return [{key: each.get(key) for key in keys} for each in questions if each.get("matrix")]


def is_line(questions: Sequence[Mapping[str, Any]], index: int) -> bool:
    """Return whether a question of a draft has the scale of the one before it."""
    own = questions[index].get("matrix")
    return bool(own) and index > 0 and questions[index - 1].get("matrix") == own


def only_first(questions: Sequence[tuple[str, dict[str, Any]]]) -> None:
    """Leave out what stands above a group of every question but its first, as the survey file has it."""
    before: object = None
    for place, question in questions:
        own = (place, question["matrix"]) if "matrix" in question else None
        if own is None or own == before:
            question.pop("matrix_wording", None)
        before = own


LINES, STEPS = 3, 5
"""Of a group that was just added: questions, and options of their scale."""


def add_group(questions: list[dict[str, Any]]) -> int:
    """Add a group of empty questions at the end; give the place of the first."""
    taken = {question.get("matrix") for question in questions}
    name = next(name for n in range(1, len(questions) + 2) if (name := f"scale_{n}") not in taken)
    place = len(questions)
    options: list[dict[str, str]] = [{} for _ in range(STEPS)]
    for _ in range(min(LINES, MOST_QUESTIONS - place)):
        named = {"id": proposed(questions), "matrix": name, "options": options}
        questions.append(new_question("choice") | named)
    return min(place, len(questions) - 1)


def add_line(questions: list[dict[str, Any]], index: int) -> int:
    """Add an empty question to a group, behind another; give its place."""
    if len(questions) < MOST_QUESTIONS and questions[index].get("matrix"):
        empty: dict[str, Any] = {"uid": "", "id": proposed(questions), "wording": {}, "note": {}}
        questions.insert(index + 1, copy.deepcopy(questions[index]) | empty)
        return index + 1
    return index
