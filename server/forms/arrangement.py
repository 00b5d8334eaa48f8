"""Questions, options and parts in another order, more of them or fewer: what the editor's buttons do."""

from __future__ import annotations

import re
from typing import Any

from server.forms.question import MOST, new_question
from server.forms.section import ALONE, new_section
from survey.section import MOST_QUESTIONS

REMOVE_SECTION = re.compile(r"remove-section-(?P<section>[0-9]{1,3})")
ACTION = re.compile(r"(?P<what>remove|up|down|option)-(?P<question>[0-9]{1,3})(?:-(?P<option>[0-9]{1,3}))?")


def rearrange(
    sections: list[dict[str, Any]], questions: list[dict[str, Any]], action: str, kind: str
) -> str | None:
    """Add, remove or move a question, an option or a part as the pressed button says.

    Parameters
    ----------
    sections, questions : list of dict
        What was typed; changed in place.
    action : str
        ``save``, ``add``, ``option-0`` (one more option of the first question), ``add-section``,
        ``remove-section-0`` (its questions stay), or ``remove``, ``up`` or ``down`` with the place of a
        question (``up-1``) or of an option (``up-1-2``).
    kind : str
        That of the question to add.

    Returns
    -------
    str or None
        The place to look at next.
    """
    if action == "add":
        if len(questions) < MOST_QUESTIONS:
            questions.append(new_question(kind))
        return f"question-{len(questions)}"
    if action == "add-section":
        if len(sections) < MOST_QUESTIONS:
            sections.append(new_section(sections))
        return f"sections-{len(sections) - 1}"
    if removed := REMOVE_SECTION.fullmatch(action):
        remove_section(sections, questions, int(removed["section"]))
        return "parts"
    found = ACTION.fullmatch(action)
    if found is None or int(found["question"]) >= len(questions):
        return None
    number = int(found["question"])
    if found["what"] == "option":
        options = questions[number]["options"]
        if len(options) < MOST.get(questions[number]["kind"], 0):
            options.append({})
        return f"questions-{number}-options-{len(options) - 1}"
    if found["option"] is None:
        remove = found["what"] == "remove"
        target = moved(questions, number, "remove") if remove else passed(questions, number, found["what"])
        return "questions" if target is None else f"question-{target + 1}"
    target = moved(questions[number]["options"], int(found["option"]), found["what"])
    return f"questions-{number}-options" + ("" if target is None else f"-{target}")


def moved(entries: list[Any], index: int, what: str) -> int | None:
    """Remove an entry, or move it by one; give its new place."""
    if index >= len(entries):
        return None
    entry = entries.pop(index)
    if what == "remove":
        return None
    target = min(max(index + (-1 if what == "up" else 1), 0), len(entries))
    entries.insert(target, entry)
    return target


def remove_section(sections: list[dict[str, Any]], questions: list[dict[str, Any]], index: int) -> None:
    """Remove a part; its questions become parts by themselves."""
    if index >= len(sections):
        return
    sections.pop(index)
    later = {str(row + 1): str(row) for row in range(index, len(sections))}
    for question in questions:
        question["section"] = ({str(index): ALONE} | later).get(question["section"], question["section"])


def passed(questions: list[dict[str, Any]], index: int, what: str) -> int:
    """Move a question by one within its part; at the end of the part, the part past the neighbour's.

    Questions of one part are asked together, so that one alone cannot leave it by moving.
    """
    other = index + (-1 if what == "up" else 1)
    if not 0 <= other < len(questions):
        return index
    own, neighbour = block(questions, index), block(questions, other)
    if own == neighbour:
        questions[index], questions[other] = questions[other], questions[index]
        return other
    first, second = sorted((own, neighbour), key=lambda span: span.start)
    questions[first.start : second.stop] = (
        questions[second.start : second.stop] + questions[first.start : first.stop]
    )
    return index + len(neighbour) * (-1 if what == "up" else 1)


def block(questions: list[dict[str, Any]], index: int) -> range:
    """Return the neighbouring questions of the same part, the question itself included."""
    place = questions[index]["section"]
    first, last = index, index
    while place != ALONE and first > 0 and questions[first - 1]["section"] == place:
        first -= 1
    while place != ALONE and last + 1 < len(questions) and questions[last + 1]["section"] == place:
        last += 1
    return range(first, last + 1)
