"""Questions on one scale as they are typed: the scale of the first is that of all, wherever they move."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wtforms import FieldList, Form

from server.forms.question import new_question
from survey.section import MOST_QUESTIONS

SHARED = ("kind", "mechanism", "epsilon", "size", "utility", "skip", "ordered")
"""Fields that the questions of a group have alike, besides their options."""

KINDS = ("yes_no", "choice")


def runs(questions: Sequence[Form]) -> Iterator[list[Form]]:
    """List the groups: neighbours of one part with the same name of a group."""
    found: list[Form] = []
    for question in questions:
        if found and name_of(question) == name_of(found[0]) != ("", ""):
            found.append(question)
            continue
        yield from [found] if found else []
        found = [question] if question["matrix"].data else []
    yield from [found] if found else []


def name_of(question: Form) -> tuple[str, str]:
    """Return the group and the part of a question; two empty texts of one in no group."""
    name = question["matrix"].data or ""
    return (name, question["section"].data or "") if name else ("", "")


def regroup(questions: FieldList) -> None:
    """Make the questions of each group alike; one that was moved out of its group is a question by itself."""
    taken: set[str] = set()
    for found in list(runs([entry.form for entry in questions.entries])):
        name = found[0]["matrix"].data
        if name in taken or found[0]["kind"].data not in KINDS:
            for question in found:
                question["matrix"].data = ""
            continue
        taken.add(name)
        first = found[0]
        above: dict[str, str] = next(
            (said for each in found if any((said := each["matrix_wording"].data).values())), {}
        )
        for question in found:
            give(question["matrix_wording"], above)
            give(question["help"], {})
            question["by_hand"].data = False
        for question in found[1:]:
            for key in SHARED:
                question[key].data = first[key].data
            question["options"].process(None, data=first["options"].data)


def say_once(questions: FieldList) -> None:
    """Leave what is wrong with a scale to the first of its lines: the others have no field for it."""
    for _, *lines in runs([entry.form for entry in questions.entries]):
        for line in lines:
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


def give(field: Any, texts: dict[str, str]) -> None:
    """Put texts into the fields of their languages."""
    for code, each in field.form._fields.items():
        each.data = texts.get(code, "")


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
    added = [new_question("choice") | {"matrix": name, "options": options} for _ in range(LINES)]
    questions += added[: MOST_QUESTIONS - place]
    return min(place, len(questions) - 1)


def add_line(questions: list[dict[str, Any]], index: int) -> int:
    """Add an empty question to a group, behind another; give its place."""
    if len(questions) < MOST_QUESTIONS and questions[index].get("matrix"):
        empty: dict[str, Any] = {"uid": "", "id": "", "wording": {}, "note": {}}
        questions.insert(index + 1, copy.deepcopy(questions[index]) | empty)
        return index + 1
    return index
