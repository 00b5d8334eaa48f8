"""Options that are ranges of numbers, such as ``1 to 3`` and ``3 or more``: whether two of them overlap."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import inf

NUMBER = r"(\d+(?:\.\d+)?)"
UNIT = r"(?: ?(?:[a-z]+|[가-힣]+|%))?"

BETWEEN = re.compile(rf"{NUMBER}{UNIT} ?(?:-|–|—|~|to|에서|부터) ?{NUMBER}{UNIT}(?: ?까지)?", re.IGNORECASE)
FROM = re.compile(
    rf"(?:at least {NUMBER}{UNIT}|{NUMBER}{UNIT} or more|{NUMBER}\+|{NUMBER}{UNIT} ?이상)", re.IGNORECASE
)
ABOVE = re.compile(rf"(?:(?:more than|over) {NUMBER}{UNIT}|{NUMBER}{UNIT} ?초과)", re.IGNORECASE)
UP_TO = re.compile(
    rf"(?:(?:up to|at most) {NUMBER}{UNIT}|{NUMBER}{UNIT} or (?:less|fewer)|{NUMBER}{UNIT} ?이하)",
    re.IGNORECASE,
)
BELOW = re.compile(
    rf"(?:(?:less|fewer) than {NUMBER}{UNIT}|under {NUMBER}{UNIT}|{NUMBER}{UNIT} ?미만)", re.IGNORECASE
)

YEARS = range(1900, 2101)
"""Numbers that are likely years: those of school overlap by their nature, such as 2024-2025 and 2025-2026."""


@dataclass(frozen=True)
class Range:
    """A range of numbers, with whether each end belongs to it."""

    low: float
    high: float
    with_low: bool = True
    with_high: bool = True

    def meets(self, other: Range) -> bool:
        """Return whether some number is in both."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        if low != high:
            return low < high
        return self.holds(low) and other.holds(low)

    def holds(self, number: float) -> bool:
        """Return whether a number is in it."""
        above = number > self.low or (number == self.low and self.with_low)
        return above and (number < self.high or (number == self.high and self.with_high))


OPEN: tuple[tuple[re.Pattern[str], Callable[[float], Range]], ...] = (
    (FROM, lambda least: Range(least, inf)),
    (ABOVE, lambda under: Range(under, inf, with_low=False)),
    (UP_TO, lambda most: Range(-inf, most)),
    (BELOW, lambda over: Range(-inf, over, with_high=False)),
)
"""Pattern of a range with one end only -> the range from its number."""


def read(option: str) -> Range | None:
    """Read an option that is a range and nothing else.

    Examples
    --------
    >>> read("1 to 3 days"), read("3 times in 5 weeks")
    (Range(low=1.0, high=3.0, with_low=True, with_high=True), None)
    """
    text = " ".join(option.split()).rstrip(".")
    if found := BETWEEN.fullmatch(text):
        low, high = float(found[1]), float(found[2])
        return Range(low, high) if low < high and not (low in YEARS and high in YEARS) else None
    for pattern, make in OPEN:
        if found := pattern.fullmatch(text):
            return make(next(float(each) for each in found.groups() if each))
    return None


def overlap(options: Sequence[str]) -> bool:
    """Return whether two options overlap.

    Examples
    --------
    >>> overlap(["0-5", "5-10"]), overlap(["0-4", "5-10"]), overlap(["up to 5", "5 or more"])
    (True, False, True)
    """
    ranges = [each for each in map(read, options) if each is not None]
    return any(one.meets(other) for one, other in combinations(ranges, 2))
