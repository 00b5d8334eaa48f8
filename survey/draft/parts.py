"""The questions of a draft that are asked together, and how likely a person is to be asked each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from survey.section import MOST_QUESTIONS, asked_together


@dataclass(frozen=True)
class Parts:
    """Questions that are asked together, and how many of the parts a person is asked.

    Attributes
    ----------
    places : tuple of (str, str)
        For each question, its section and its matrix; empty for none.
    always : frozenset of str
        The sections that everybody is asked.
    asked : int or None
        How many of the others; None for all of them.
    """

    places: tuple[tuple[str, str], ...]
    always: frozenset[str]
    asked: int | None

    @cached_property
    def sections(self) -> list[list[int]]:
        """Return the questions of each part, as their places; every question by itself is one."""
        return asked_together(self.places)

    def is_always(self, question: int) -> bool:
        """Return whether everybody is asked a question."""
        return self.places[question][0] in self.always

    @property
    def drawn(self) -> int:
        """Return how many parts with questions are not always asked."""
        return len(self.sections) - self.fixed

    @property
    def fixed(self) -> int:
        """Return how many parts with questions everybody is asked."""
        return sum(self.is_always(together[0]) for together in self.sections)

    @property
    def samples(self) -> bool:
        """Return whether people are asked different parts."""
        return self.asked is not None and self.asked < self.drawn

    @property
    def part(self) -> float:
        """Return the share of all people who are asked a question that is not always asked."""
        return self.asked / self.drawn if self.asked is not None and self.samples else 1.0

    def chance(self, question: int) -> float:
        """Return how likely a person is to be asked a question."""
        return 1.0 if self.is_always(question) else self.part


def parts_of(document: Mapping[str, Any]) -> Parts:
    """Return which questions of a draft are asked together.

    Examples
    --------
    >>> questions = [{"uid": "n00000000000a"}, {"uid": "n00000000000b"}, {"uid": "n00000000000c"}]
    >>> parts = parts_of({"questions": questions, "asked": 2})
    >>> parts.sections, parts.samples, parts.part == 2 / 3
    ([[0], [1], [2]], True, True)
    """
    asked = document.get("asked")
    drawn = type(asked) is int and 1 <= asked <= MOST_QUESTIONS
    return Parts(
        tuple(
            (question.get("section", ""), question.get("matrix", ""))
            for question in document.get("questions", [])
        ),
        frozenset(
            section["uid"] for section in document.get("sections", []) if section.get("always") is True
        ),
        asked if drawn else None,
    )
