"""A linked section in figures: its wheel, its guess figures, the people that it takes, and advice."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from server.drafts.draft_reading import LinkedReading
from survey.plan.linking_cost import LinkingCost, People
from survey.privacy import Guess, guess, times_knowing_one
from survey.promises import pattern
from survey.section import Section

KNOWN: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "en": pattern(
            r"\bhow old\b",
            r"\b(?:age|gender|sex|job|role|position|rank|department|faculty|team|school|nationality)\b",
            r"\b(?:year of (?:study|birth)|age group|marital status)\b",
            r"\b(?:are|is) (?:you|they) (?:an? )?(?:man|woman|male|female|married|manager|teacher|student)\b",
        ),
        "ko": pattern(
            r"몇 살|나이|연령|성별|직급|직책|직위|직업|부서|소속|학년|학과|국적|결혼",
        ),
    }
)
"""Language -> words of a question whose answer others are likely to know."""


@dataclass(frozen=True)
class LinkedView:
    """The figures of a linked section, and advice on it.

    Attributes
    ----------
    section : Section or None
        None where a setting is missing or wrong.
    guess : Guess or None
        At all answers, and at any single one.
    apart : int
        Times in 100 that a guess at a single answer is right where every one has its part of the total.
    cost : LinkingCost or None
    knows_one : int or None
        The figure of `times_knowing_one`, over all waves; None where it is not known how many these are.
    known : tuple of int
        The numbers, within the section, of questions whose answers others are likely to know.
    """

    section: Section | None
    guess: Guess | None = None
    apart: int = 0
    cost: LinkingCost | None = None
    knows_one: int | None = None
    known: tuple[int, ...] = ()

    @property
    def bright(self) -> float:
        """The share of the wheel on which all answers stand."""
        wheel = self.wheel
        return float(wheel.probabilities[0, 0] - wheel.probabilities[1, 0])

    @property
    def wheel(self) -> Any:
        """The wheel that tells the most."""
        assert self.section is not None  # noqa: S101  # nothing is shown of another
        assert self.section.linked is not None  # noqa: S101
        return self.section.linked.weakest

    @property
    def people(self) -> list[tuple[str, People]]:
        """The people for the shares and for the pairs: as linked, and in the best plans that link nothing."""
        if self.cost is None:
            return []
        ways = ("linked", "same_total", "same_guess", "same_single")
        return [(way, getattr(self.cost, way)) for way in ways]


def linked_view(
    reading: LinkedReading, questions: Sequence[Mapping[str, Any]], waves: int | None
) -> LinkedView:
    """Work out what is shown of a linked section.

    Parameters
    ----------
    reading : LinkedReading
    questions : sequence of Mapping
        Its questions, as in the draft.
    waves : int or None
        None where the draft has no valid number of them.
    """
    known = tuple(number for number, question in enumerate(questions, 1) if is_known(question))
    section = reading.section
    if section is None or section.linked is None:
        return LinkedView(None, known=known)
    knows_one = None if waves is None else times_knowing_one([section.linked], waves)
    own = guess([section.linked.weakest])
    return LinkedView(section, own, right_apart(section), reading.cost, knows_one, known)


def right_apart(section: Section) -> int:
    """Return the times in 100 that a guess at one answer is right, were each asked at its part of the total.

    Notes
    -----
    A wheel of k answers at E keeps with p = (E - 1)/(E + k - 1); a guess between two is right 1/2 + p/2.
    """
    linked, total = section.linked, section.epsilon
    assert linked is not None  # noqa: S101  # as the caller has checked
    assert total is not None  # noqa: S101
    grown = math.expm1(total / linked.asked)
    bright = grown / (grown + min(linked.sizes) + linked.skip)
    return math.ceil(100 * (0.5 + bright / 2) - 1e-9)


def is_known(question: Mapping[str, Any]) -> bool:
    """Return whether others are likely to know the answer to a question of a draft."""
    texts = question.get("wording", {})
    return any(words.search(texts.get(language, "")) for language, words in KNOWN.items())
