"""The true answers of the simulated people of the examples. Nothing of them reaches the server."""

from __future__ import annotations

import random
from bisect import bisect
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from statistics import NormalDist
from types import MappingProxyType

from survey.question import Number, Question


@dataclass(frozen=True)
class Truth:
    """The truth about the people who answer one question.

    Attributes
    ----------
    shares : tuple of float
        For one choice, yes/no included, the share of each answer; for boxes, the share who tick each box.
    mean, deviation : float
        For a number, a normal distribution, cut to the grid.
    skip : float
        The share who leave the question out, where they may.
    by_hand : float
        The share who use real coins, where they may.
    """

    shares: tuple[float, ...] = ()
    mean: float = 0.0
    deviation: float = 0.0
    skip: float = 0.0
    by_hand: float = 0.0

    def answer(self, question: Question, quantile: float) -> int:
        """Return the answer of a person at a quantile to a question with one column."""
        if isinstance(question, Number):
            within = min(max(quantile, 1e-9), 1 - 1e-9)  # a normal distribution has no ends
            number = NormalDist(self.mean, self.deviation).inv_cdf(within)
            return min(max(round((number - question.low) / question.step), 0), question.answers - 1)
        return bisect(list(accumulate(self.shares))[:-1], quantile)

    def ticks(self, box: int, quantile: float) -> int:
        """Return 1 if a person at a quantile ticks a box, else 0."""
        return int(quantile >= 1 - self.shares[box])


@dataclass
class Person:
    """One simulated person.

    Attributes
    ----------
    chance : random.Random
    leaning : float
        The person's quantile, in [0, 1), on a part of the questions: so one person's answers are related, as
        in reality, without any effect on the shares.
    """

    chance: random.Random
    leaning: float

    def quantile(self) -> float:
        """Return the person's quantile on one question."""
        return self.leaning if self.chance.random() < RELATED else self.chance.random()


RELATED = 0.4
"""The share of questions on which a person's quantile is the leaning."""


def yes(share: float, skip: float = 0.0, by_hand: float = 0.0) -> Truth:
    """Build the truth of a yes/no question from the share of yes."""
    return Truth(shares=(1 - share, share), skip=skip, by_hand=by_hand)


EXAMPLES: Mapping[str, Mapping[str, Truth]] = MappingProxyType(
    {
        "exam-honesty": {
            "copied": yes(0.18),
            "notes": yes(0.11),
            "helped": yes(0.34),
            "bought": yes(0.22),
            "pressure": yes(0.07),
        },
        "workplace": {
            "humiliated": yes(0.29),
            "harassed": yes(0.09),
            "concealed": yes(0.41),
            "took": yes(0.26),
            "unpaid": yes(0.63),
            "leaving": yes(0.38),
        },
        "undeclared-work": {
            "undeclared": yes(0.16),
            "hired": yes(0.31),
            "drugs": yes(0.08),
            "drove": yes(0.13),
        },
        "student-life": {
            "lonely": yes(0.22, skip=0.05),
            "cannabis": yes(0.27, skip=0.04, by_hand=0.15),
            "relief": Truth(shares=(0.31, 0.24, 0.28, 0.12, 0.05)),
            "income": Truth(shares=(0.38, 0.14, 0.17, 0.13, 0.09, 0.02, 0.03, 0.04)),
            "worry": Truth(shares=(0.21, 0.27, 0.26, 0.18, 0.08), skip=0.06),
            "taken": Truth(shares=(0.12, 0.16)),
            "happened": Truth(shares=(0.24, 0.11, 0.13, 0.05, 0.09, 0.03)),
            "content": Truth(mean=6.1, deviation=2.2),
            "hours": Truth(mean=11.0, deviation=8.0),
            "drinks": Truth(mean=6.0, deviation=5.0),
            "spent": Truth(mean=25.0, deviation=30.0, skip=0.08),
        },
    }
)
"""Slug of an example -> question -> the truth about its simulated people."""
