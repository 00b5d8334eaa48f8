"""Amounts as pages write them: shares in percent or numbers of people, in the digits of their intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median_high

from server.results.number_text import decimal, percent

AMOUNTS = ("shares", "people")
"""The choices of the page: shares of the people, or numbers of them."""

MOST_DIGITS = 4


@dataclass(frozen=True)
class Amounts:
    """The way in which the amounts of a question are written.

    Attributes
    ----------
    people : bool
        Whether numbers of people are shown in place of shares.
    digits : int
        How many decimals an estimate has.
    """

    people: bool
    digits: int = 0

    @property
    def finest(self) -> float:
        """The distance below which no two ticks of an axis come: a percent, or a person."""
        return 1 if self.people else 0.01

    def of(self, share: float, people: int) -> float:
        """Return what is shown of a share of so many people."""
        return share * people if self.people else share

    def text(self, amount: float) -> str:
        """Write an estimate or an end of its interval."""
        return decimal(amount, 0) if self.people else percent(amount, self.digits)

    def tick(self, amount: float) -> str:
        """Write a tick of an axis, which is a whole percent or a whole number of people."""
        return decimal(amount, 0) if self.people else percent(amount, 0)


def digits_for(half_widths: Iterable[float]) -> int:
    """Return the number of decimals for estimates: rounding moves one by an eighth of its interval at most.

    Parameters
    ----------
    half_widths : iterable of float
        Half the length of each interval. The middle one counts: that of an answer which nobody gave can be
        far narrower than the others, and they need no more digits for it.

    Examples
    --------
    >>> digits_for([9.0]), digits_for([1.9]), digits_for([0.03]), digits_for([9.0, 0.03]), digits_for([])
    (0, 1, 2, 0, 0)
    """
    widths = list(half_widths)
    return decimals(median_high(widths)) if widths else 0


def decimals(half_width: float) -> int:
    """Return the number of decimals for an interval: the last is worth a quarter of its length at most."""
    if half_width <= 0:
        return MOST_DIGITS
    return min(MOST_DIGITS, max(0, math.ceil(-math.log10(half_width / 2) - 1e-9)))
