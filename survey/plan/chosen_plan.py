"""A way to ask a survey that a planner chose, with its figures."""

from __future__ import annotations

import math
from dataclasses import dataclass

from survey.plan.arrangement import Arrangement
from survey.plan.mechanism_ways import Way
from survey.plan.survey_plan import DIGITS
from survey.privacy import Guess

ASKED_ONE, ASKED_SOME, SPLIT, LINKED, SETS, MIXED = FAMILIES = (
    "one", "some", "split", "linked", "sets", "mixed",
)  # fmt: skip
"""Each person is asked one question, or some; everything apart; everything on one wheel; random sets of
questions on one wheel; several of these."""


@dataclass(frozen=True)
class ChosenPart:
    """Questions of which a person is asked all or none, or a random set on one wheel.

    Attributes
    ----------
    questions : tuple of int
    on_wheel : int
        How many of them a person is asked on one wheel; 0 where they draw apart.
    epsilons : tuple of float
        One for each question, or one for the wheel; rounded down to four decimals.
    ways : tuple of Way
        The mechanism of each question that draws apart.
    always : bool
    """

    questions: tuple[int, ...]
    on_wheel: int
    epsilons: tuple[float, ...]
    ways: tuple[Way, ...]
    always: bool


@dataclass(frozen=True)
class ChosenPlan:
    """A way to ask a survey, with its figures.

    Attributes
    ----------
    family : str
        One of `FAMILIES`.
    parts : tuple of ChosenPart
    asked : int
        How many of the parts that are not always asked; 0 where there are none.
    total : float
        The most epsilon that one person may lose over all waves.
    guess : Guess
        At all answers of a person.
    single : float
        The share of right guesses at that single answer which is guessed best.
    people : int
        With whom every want has its margin.
    """

    family: str
    parts: tuple[ChosenPart, ...]
    asked: int
    total: float
    guess: Guess
    single: float
    people: int

    @property
    def drawn(self) -> int:
        """The number of parts that are not always asked."""
        return sum(not part.always for part in self.parts)


def family_of(arrangement: Arrangement) -> str:
    """Name the way in which an arrangement asks."""
    wheels = [item for _, item in arrangement.items if item.on_wheel]
    if not wheels:
        if arrangement.asked == arrangement.drawn:
            return SPLIT
        return ASKED_ONE if arrangement.asked == 1 else ASKED_SOME
    if len(wheels) == len(arrangement.items) == 1:
        return LINKED if wheels[0].on_wheel == len(wheels[0].places) else SETS
    return MIXED


def rounded_up(total: float) -> float:
    """Round a total up to what a plan writes."""
    return float(math.ceil(total * 10**DIGITS - 1e-4) / 10**DIGITS)
