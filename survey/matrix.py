"""Questions on one scale: neighbours that are read as one group. Each stays a question by itself.

Each has its own report, column and epsilon, so that nothing that is computed knows of the group: it is how
they look. The losses add up as those of any questions do.
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
"""Keys that no question of a group has: they belong to a question that has a screen to itself."""

LONGEST_EXPECTED = 200
"""Characters of what the first question of a group has, where another has something else."""


def groups(questions: Sequence[Question]) -> list[tuple[Question, ...]]:
    """Return neighbours with the same name of a group together, every other question by itself."""
    numbered = enumerate(questions)
    return [
        tuple(question for _, question in members)
        for _, members in groupby(numbered, lambda pair: pair[1].matrix or pair[0])
    ]


def with_stems(questions: Sequence[Question]) -> tuple[Question, ...]:
    """Give every question of a group the text that stands above the group, as its `stem`."""
    return tuple(
        replace(question, stem=group[0].matrix_wording) if question.matrix else question
        for group in groups(questions)
        for question in group
    )


def problems(questions: Sequence[Question], place: str) -> Iterator[Problem]:
    """Note what keeps the questions of a list from being read in their groups.

    Parameters
    ----------
    questions : sequence of Question
        Those of one section, or of a file without sections.
    place : str
        That of the list, such as ``sections[0].questions``.
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
    """Note what a question has otherwise than the first of its group."""
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
    """Note groups that stand in a section with the name of a group of another section."""
    seen: dict[str, int] = {}
    for number, questions in enumerate(lists):
        for place, question in enumerate(questions):
            if question.matrix and seen.setdefault(question.matrix, number) != number:
                key = f"sections[{number}].questions[{place}].matrix"
                yield Problem(key, "matrix_section", {}, question.matrix)
