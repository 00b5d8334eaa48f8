"""Matrix questions: neighbours on one scale that are shown as one group.

Each has its own report, column and epsilon, so the group affects the layout alone, and no figure. The losses
add up as those of any questions do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from survey.fields import Problem, shortened
from survey.question import Question

KINDS = ("yes_no", "choice")
OWN = frozenset({"id", "wording", "note", "matrix", "matrix_wording"})
"""The keys in which the questions of one group may differ."""

NOT_WITHIN = ("help", "picture", "by_hand")
"""Keys that no question of a group has: they need a screen of their own."""

LONGEST_EXPECTED = 200
"""The most characters of the first question's value, in a message about another question's."""


def groups(questions: Sequence[Question]) -> list[tuple[Question, ...]]:
    """Group neighbours with the same ``matrix``; every other question is a group by itself."""
    numbered = enumerate(questions)
    return [
        tuple(question for _, question in members)
        for _, members in groupby(numbered, lambda pair: pair[1].matrix or pair[0])
    ]


def with_stems(questions: Sequence[Question]) -> tuple[Question, ...]:
    """Set the `stem` of every question of a group to the text above the group."""
    return tuple(
        replace(question, stem=group[0].matrix_wording) if question.matrix else question
        for group in groups(questions)
        for question in group
    )


def problems(questions: Sequence[Question], place: str) -> Iterator[Problem]:
    """Find what keeps the questions of a list from forming their groups.

    Parameters
    ----------
    questions : sequence of Question
        Those of one section, or of a file without sections.
    place : str
        The place of the list, such as ``sections[0].questions``.
    """
    number, seen = 0, set[str]()
    for group in groups(questions):
        first = group[0]
        if first.matrix in seen:
            yield Problem(f"{place}[{number}].matrix", "matrix_neighbours", {}, first.matrix)
        seen |= {first.matrix} if first.matrix else set()
        for question in group:
            yield from faults(question, first, f"{place}[{number}].")
            number += 1


def faults(question: Question, first: Question, place: str) -> Iterator[Problem]:
    """Find the keys in which a question differs from the first of its group."""
    name = question.matrix
    if not name:
        if question.matrix_wording:
            yield Problem(f"{place}matrix_wording", "matrix_absent", {}, dict(question.matrix_wording))
        return
    table, right = question.as_dict(), first.as_dict()
    if question is first and not question.matrix_wording:
        yield Problem(f"{place}matrix_wording", "matrix_wording", {"matrix": name}, None)
    if question is not first and question.matrix_wording:
        limits = {"first": first.id, "matrix": name}
        yield Problem(f"{place}matrix_wording", "matrix_first", limits, dict(question.matrix_wording))
    for key in NOT_WITHIN:
        if key in table:
            yield Problem(f"{place}{key}", "matrix_without", {}, table[key])
    for key in sorted((table.keys() | right.keys()) - OWN - {*NOT_WITHIN}):
        if table.get(key) != right.get(key):
            expected = shortened(repr(right.get(key)), LONGEST_EXPECTED)
            limits = {"first": first.id, "matrix": name, "expected": expected}
            yield Problem(f"{place}{key}", "matrix_same", limits, table.get(key, "nothing"))


def repeated(lists: Sequence[Sequence[Question]]) -> Iterator[Problem]:
    """Find groups with the name of a group of another section."""
    seen: dict[str, int] = {}
    for number, questions in enumerate(lists):
        for place, question in enumerate(questions):
            if question.matrix and seen.setdefault(question.matrix, number) != number:
                key = f"sections[{number}].questions[{place}].matrix"
                yield Problem(key, "matrix_section", {}, question.matrix)
