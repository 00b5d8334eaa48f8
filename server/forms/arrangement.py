"""Questions and options in another order, more of them or fewer: what the editor's buttons do."""

from __future__ import annotations

import re
from typing import Any

from server.forms.question import MOST, new_question
from survey.section import MOST_QUESTIONS

ACTION = re.compile(r"(?P<what>remove|up|down|option)-(?P<question>[0-9]{1,3})(?:-(?P<option>[0-9]{1,3}))?")


def rearrange(questions: list[dict[str, Any]], action: str, kind: str) -> str | None:
    """Add, remove or move a question or an option as the pressed button says.

    Parameters
    ----------
    questions : list of dict
        What was typed; changed in place.
    action : str
        ``save``, ``add``, ``option-0`` (one more option of the first question), or ``remove``, ``up`` or
        ``down`` with the place of a question (``up-1``) or of an option (``up-1-2``).
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
        target = moved(questions, number, found["what"])
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
