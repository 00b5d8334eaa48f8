"""A design as exact fractions, the channel of integers that estimates use, and what a report gives away."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations

import numpy as np

from survey.channel import TOTAL, Channel, smallest_double_not_below_log
from survey.rules import Refusal

NO_YES = ("no", "yes")

SMALLEST = Fraction(1, TOTAL)
"""The smallest chance of a channel that is not 0."""


@dataclass(frozen=True)
class Design:
    """A design as the exact chance of every report under every answer.

    Attributes
    ----------
    name : str
    chances : tuple of tuples of Fraction, shape (answers, reports)
        P(report | answer).
    answers, reports : tuple of str
        The name of each, in order.

    Raises
    ------
    ValueError
        If there are not two answers or more, a chance is none, the chances of an answer do not add up to
        1, or no report depends on the answer.
    """

    name: str
    chances: tuple[tuple[Fraction, ...], ...]
    answers: tuple[str, ...] = NO_YES
    reports: tuple[str, ...] = NO_YES

    def __post_init__(self) -> None:
        if len(self.chances) < 2 or {len(row) for row in self.chances} != {len(self.reports)}:
            raise ValueError(
                f"{self.name} must have two or more answers with {len(self.reports)} chances each, got "
                f"{', '.join(str(len(row)) for row in self.chances)}"
            )
        for answer, row in zip(self.answers, self.chances, strict=True):
            for chance in row:
                if not 0 <= chance <= 1 or 0 < chance < SMALLEST:
                    raise ValueError(
                        f"{self.name} must have chances in [0, 1], 0 or at least 2**-32, got {chance}"
                    )
            if sum(row) != 1:
                shown = " + ".join(map(str, row))
                raise ValueError(
                    f"{self.name} must give every answer chances with the sum 1, got {shown} = "
                    f"{float(sum(row)):.6g} for the answer {answer}"
                )
        if not any(self.depends):
            raise ValueError(f"{self.name} must have reports that depend on the answer: here none does")

    @property
    def depends(self) -> tuple[bool, ...]:
        """For each report, true if it is likelier under some answer than under another."""
        return tuple(len(set(column)) > 1 for column in zip(*self.chances, strict=True))

    @cached_property
    def channel(self) -> Channel:
        """The channel of integers, each within (reports - 1) / 2**32 of its chance; 0 stays 0.

        What rounding leaves goes to the likeliest report that depends on the answer. So a report that does
        not depend on it has the same integer under every answer, and goes on saying nothing.
        """
        weights = []
        for row in self.chances:
            rounded = [round(chance * TOTAL) for chance in row]
            likeliest = max(range(len(row)), key=lambda report: (self.depends[report], row[report]))
            rounded[likeliest] += TOTAL - sum(rounded)
            weights.append(rounded)
        return Channel(np.array(weights))

    @property
    def epsilon(self) -> float:
        """The privacy loss of the exact chances, rounded up; infinite if a report rules an answer out."""
        largest = Fraction(1)
        for column in zip(*self.chances, strict=True):
            if max(column) > 0 == min(column):
                return math.inf
            if max(column) > 0:
                largest = max(largest, max(column) / min(column))
        return smallest_double_not_below_log(largest.numerator, largest.denominator)

    @property
    def proofs(self) -> tuple[str, ...]:
        """A sentence for each report that rules answers out; none where epsilon is finite."""
        sentences = []
        for report, column in zip(self.reports, zip(*self.chances, strict=True), strict=True):
            left = [answer for answer, chance in zip(self.answers, column, strict=True) if chance > 0]
            if 0 < len(left) < len(self.answers):
                what = (
                    f"that the answer is {left[0]}"
                    if len(left) == 1
                    else f"that it is one of {', '.join(left)}"
                )
                sentences.append(f"The report “{report}” proves {what}.")
        return tuple(sentences)

    @property
    def right(self) -> Fraction:
        """The chance that a guess between two equally likely answers is right after the report.

        (1 + TV)/2, TV the total variation distance between the rows of the two answers that are told apart
        best; see `survey.privacy.guess`.
        """
        pairs = combinations(self.chances, 2)
        distance = max(sum(max(p - q, Fraction(0)) for p, q in zip(*pair, strict=True)) for pair in pairs)
        return (1 + Fraction(distance)) / 2

    @property
    def protection(self) -> str:
        """The protection of the design, in words."""
        average = (
            "Whoever thinks two answers of a person equally likely is right, after reading the report, at "
            f"most {100 * float(self.right):.1f} % of the time"
        )
        if math.isinf(self.epsilon):
            return " ".join([f"No epsilon holds for this design. {average}.", *self.proofs])
        telling = 1 / (1 + math.exp(-self.epsilon))  # E/(E + 1), E = e^epsilon
        return f"{average}; after the most telling result, {100 * telling:.1f} %."


def require_chance(name: str, value: object, *, above: bool = False) -> Fraction:
    """Check a chance that somebody gave, and take a decimal as it is written: 0.1 is one tenth.

    Parameters
    ----------
    name : str
        What it is called.
    value : Fraction, int, float or str
        Such as ``3/4``, ``0.75`` or ``75%``.
    above : bool
        Whether 0 is refused.

    Raises
    ------
    ValueError
        If it is no number in [0, 1]; the message names the parameter, the range and the value.

    Examples
    --------
    >>> require_chance("truth", 0.1), require_chance("truth", "75%")
    (Fraction(1, 10), Fraction(3, 4))
    """
    rule = "chance_above" if above else "chance"
    text = str(value).strip()
    try:
        chance = Fraction(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except (ValueError, ZeroDivisionError, OverflowError):
        raise Refusal(name, rule, text[:40]) from None
    if len(text) > 40 or not 0 <= chance <= 1 or (above and chance == 0):
        raise Refusal(name, rule, text[:40])
    return chance


def yes_no(name: str, under_no: Fraction, under_yes: Fraction, reports: Sequence[str] = NO_YES) -> Design:
    """Build a design of two answers and two reports from the chance of the second under no and under yes."""
    return Design(name, ((1 - under_no, under_no), (1 - under_yes, under_yes)), reports=tuple(reports))
