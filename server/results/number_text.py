"""Amounts, numbers and notices as the pages of results write them; most are filters for templates."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median_high

from flask import Flask

from server.language import rounding
from server.language.request_language import translate
from survey.notice import Notice

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


def percent(share: float, digits: int = 1) -> str:
    """Write a share in percent, with a real minus sign and no negative zero."""
    return signed(f"{100 * share:.{digits}f}") + "%"


def level(share: float) -> str:
    """Write a confidence level in percent, with as many decimals as it has, up to three."""
    return f"{100 * share:.3f}".rstrip("0").rstrip(".") + "%"


def decimal(number: float | None, digits: int = 4) -> str:
    """Write a number with a fixed count of decimals; a dash where there is none."""
    return "–" if number is None else signed(f"{number:,.{digits}f}")


def upper_bound(bound: float | None) -> str:
    """Write an upper bound, never rounded down; a dash where there is none."""
    return "–" if bound is None else rounding.at_most(bound)


def suspicion(share: float, highest: bool) -> str:
    """Write the end of a range of suspicions in percent: never too narrow, and 100 only for who is certain.

    Examples
    --------
    >>> suspicion(0.7310586, True), suspicion(0.2689414, False), suspicion(0.9999546, True)
    ('73.2%', '26.8%', '99.996%')
    """
    write = rounding.at_most if highest else rounding.at_least
    texts = (write(100 * share, digits) for digits in (3, 4, 5, 6, 7))
    return next((text for text in texts if text != "100" or share == 1), "100") + "%"


def small(number: float) -> str:
    """Write a tiny probability: 1e-6."""
    return f"{number:.3g}".replace("e-0", "e-")


def notice_text(notice: Notice) -> str:
    """Write a notice in the language of the page."""
    values = dict(notice.values)
    if "method" in values:
        values["method"] = translate(f"results.methods.{values['method']}")
    return rounding.with_minus(translate(f"notice.{notice.code}", **values))


def signed(text: str) -> str:
    """Put a minus sign for the hyphen, and none before zero."""
    if not text.strip("-0.,"):
        return text.removeprefix("-")
    return text.replace("-", "\N{MINUS SIGN}")


def init_app(app: Flask) -> None:
    """Bind the filters in templates."""
    for function in (percent, level, decimal, upper_bound, small, suspicion, notice_text):
        app.add_template_filter(function)
