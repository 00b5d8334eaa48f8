"""Questions of a draft that are asked as lines on one scale: what the first has holds for all."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from copy import deepcopy
from typing import Any

from survey import matrix
from survey.draft.units import Document, is_node

Question = dict[str, Any]

SHARED = (
    "kind",
    "mechanism",
    "epsilon",
    "size",
    "utility",
    "skip",
    "ordered",
    "options",
    "matrix_wording",
)
"""Keys that the lines of a group have alike."""


USUAL_KIND = "yes_no"
"""Kind of a question that names none."""


def regrouped(document: Document) -> Document:
    """Make the lines of each group on one scale alike: what the first has holds for all.

    A line that was moved away from its group is a question by itself.
    """
    taken: set[str] = set()
    before: Question = {}
    for question in document.get("questions", []):
        name = question.get("matrix")
        if is_line(question, before):
            share(before, question)
        elif name and (name in taken or question.get("kind", USUAL_KIND) not in matrix.KINDS):
            question.pop("matrix")
        taken.add(name)
        before = question
    return document


def led(document: Document, known: Collection[str], changed: Collection[str]) -> Document:
    """Let each group have the scale that somebody has changed, not that of a line that the other has added.

    Parameters
    ----------
    document : dict
        Put together of what is stored and of changes.
    known : collection of str
        The uids of the questions that are stored.
    changed : collection of str
        Of these, the ones whose scale the changes are about.
    """
    for lines in groups(document):
        stored = [line for line in lines if line["uid"] in known]
        leaders = [line for line in stored if line["uid"] in changed] or stored
        if leaders and leaders[0] is not lines[0]:
            share(leaders[0], lines[0])
    return document


def lines_of_groups(document: Mapping[str, Any]) -> set[str]:
    """Return the uids of the lines that have their scale from the first of their group."""
    return {line["uid"] for lines in groups(document) for line in lines[1:]}


def is_of_scale(unit: str) -> bool:
    """Return whether a unit of a question is one that the lines of a group have alike."""
    key = unit.split(".")[1:2]
    return bool(key) and (key[0] in SHARED or is_node(key[0]))


def groups(document: Mapping[str, Any]) -> Iterator[list[Question]]:
    """Yield the lines of each group."""
    lines: list[Question] = []
    for question in document.get("questions", []):
        if lines and not is_line(question, lines[-1]):
            yield lines
            lines = []
        if question.get("matrix"):
            lines.append(question)
    if lines:
        yield lines


def is_line(question: Question, before: Question) -> bool:
    """Return whether a question is a line of the group of the one before it."""
    name = question.get("matrix")
    return bool(name) and (name, question.get("section")) == (before.get("matrix"), before.get("section"))


def share(leader: Question, line: Question) -> None:
    """Let a line have what another of its group has."""
    for key in SHARED:
        line.pop(key, None)
        if key in leader:
            line[key] = deepcopy(leader[key])
