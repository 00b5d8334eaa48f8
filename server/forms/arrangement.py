"""Questions, options and parts in another order, or more of them: what the editor's buttons do.

``static/js/editor/arrangement.js`` does the same without loading a page.
"""

from __future__ import annotations

import copy
import re
from typing import Any

from server.forms.grouping import add_group, add_line
from server.forms.names import free, proposed
from server.forms.question import MOST, new_question
from server.forms.section import ALONE, new_section
from survey.section import MOST_QUESTIONS

ADD = re.compile(r"add-(?P<kind>[a-z_]{1,20})(?:-in-(?P<part>[0-9]{1,3}))?")
ACTION = re.compile(
    r"(?P<what>up|down|option|copy|place|line)-(?P<question>[0-9]{1,3})(?:-(?P<option>[0-9]{1,3}))?"
)
PLACE = re.compile(r"[1-9][0-9]{0,3}")


def rearrange(
    sections: list[dict[str, Any]], questions: list[dict[str, Any]], action: str, kind: str, to: str = ""
) -> str | None:
    """Add, copy or move a question, an option or a part as the pressed button says.

    Parameters
    ----------
    sections, questions : list of dict
        What was typed; changed in place.
    action : str
        ``save``, ``add``, ``add-choice``, ``add-choice-in-0`` (at the end of the first part), ``option-0``
        (one more option of the first question), ``add-section``, ``scale`` (several questions on one),
        ``line-0`` (one more of them), ``copy-0``,
        ``place-0`` (to the place `to`), or ``up`` or ``down`` with the place of a question (``up-1``) or of
        an option (``up-1-2``).
    kind : str
        That of the question to add where the action does not say it.
    to : str
        The place that a question is moved to, from 1.

    Returns
    -------
    str or None
        The place to look at next.
    """
    added = ADD.fullmatch(action)
    if action == "add-section":
        if len(sections) < MOST_QUESTIONS:
            sections.append(new_section(sections))
        return f"sections-{len(sections) - 1}"
    if action == "scale":
        return f"question-{add_group(questions) + 1}"
    if action == "add" or added:
        part = added["part"] if added else None
        place = len(questions) if part is None else end_of(questions, str(int(part)))
        if len(questions) < MOST_QUESTIONS and (part is None or int(part) < len(sections)):
            into = {} if part is None else {"section": str(int(part))}
            named = {"id": proposed(questions)} | into
            questions.insert(place, new_question(added["kind"] if added else kind) | named)
        return f"question-{min(place + 1, len(questions))}"
    found = ACTION.fullmatch(action)
    if found is None or int(found["question"]) >= len(questions):
        return None
    number = int(found["question"])
    if found["what"] == "line":
        return f"question-{add_line(questions, number) + 1}"
    if found["what"] == "option":
        options = questions[number]["options"]
        if len(options) < MOST.get(questions[number]["kind"], 0):
            options.append({})
        return f"questions-{number}-options-{len(options) - 1}"
    if found["option"] is not None:
        target = option_moved(questions[number]["options"], int(found["option"]), found["what"])
        return f"questions-{number}-options" + ("" if target is None else f"-{target}")
    return f"question-{question_moved(questions, number, found['what'], to) + 1}"


def end_of(questions: list[dict[str, Any]], part: str) -> int:
    """Return the place behind the last question of a part; that behind all others if it has none."""
    inside = [place for place, question in enumerate(questions) if question.get("section") == part]
    return inside[-1] + 1 if inside else len(questions)


def option_moved(options: list[dict[str, str]], index: int, what: str) -> int | None:
    """Move an option by one; give its new place."""
    if what not in ("up", "down") or index >= len(options):
        return None
    target = min(max(index + (-1 if what == "up" else 1), 0), len(options) - 1)
    options.insert(target, options.pop(index))
    return target


def question_moved(questions: list[dict[str, Any]], index: int, what: str, to: str) -> int:
    """Copy a question, or move it; give the place of the copy, or its new place."""
    if what == "copy":
        return copied(questions, index) if len(questions) < MOST_QUESTIONS else index
    if what != "place":
        return passed(questions, index, what)
    if PLACE.fullmatch(to):
        return placed(questions, index, int(to) - 1)
    return index


def copied(questions: list[dict[str, Any]], index: int) -> int:
    """Put a copy of a question behind it, with a short name that no other has."""
    twin = copy.deepcopy(questions[index]) | {"uid": ""}
    if twin.get("id"):
        named = re.fullmatch(r"q[0-9]{1,4}", twin["id"])
        stem = re.sub(r"_[0-9]{1,3}$", "", twin["id"])[:36]
        twin["id"] = proposed(questions) if named else free(questions, f"{stem}_", 2)
    questions.insert(index + 1, twin)
    return index + 1


def placed(questions: list[dict[str, Any]], index: int, to: int) -> int:
    """Move a question to a place. It joins the part in the midst of which it comes to stand.

    It stays in its own part next to another question of it, or if it is the only one there.
    """
    to = min(to, len(questions) - 1)
    if to == index:
        return index
    question = questions.pop(index)
    before = questions[to - 1]["section"] if to > 0 else None
    after = questions[to]["section"] if to < len(questions) else None
    own = question["section"]
    if before == after and before:
        question["section"] = before
    elif own not in (before, after) and any(each["section"] == own for each in questions):
        question["section"] = ALONE
    questions.insert(to, question)
    return to


def passed(questions: list[dict[str, Any]], index: int, what: str) -> int:
    """Move a question by one within its part; at the end of the part, the part past the neighbour's.

    Questions of one part are asked together, so that one alone cannot leave it by moving by one.
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
