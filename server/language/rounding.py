"""Numbers as text; a bound is never rounded to the side on which it would promise more than holds."""

from __future__ import annotations

import math
import re
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal

NOISE = Context(prec=12)
"""Twelve digits: further digits of a double are rounding noise."""


def at_most(number: float, digits: int = 3) -> str:
    """Write an upper bound with this many significant digits, rounded up.

    Examples
    --------
    >>> at_most(0.00123401), at_most(0.02), at_most(1234.5), at_most(0.0)
    ('0.00124', '0.02', '1,240', '0')
    """
    return formatted(number, Context(prec=digits, rounding=ROUND_CEILING))


def at_least(number: float, digits: int = 3) -> str:
    """Write a lower bound with this many significant digits, rounded down.

    Examples
    --------
    >>> at_least(0.00123499), at_least(0.75)
    ('0.00123', '0.75')
    """
    return formatted(number, Context(prec=digits, rounding=ROUND_FLOOR))


def rounded_people(people: float) -> int:
    """Round a number of people up to two digits.

    Examples
    --------
    >>> rounded_people(7318.2), rounded_people(96.0)
    (7400, 96)
    """
    unit: int = 10 ** max(0, math.floor(math.log10(people)) - 1)
    return math.ceil(people / unit - 1e-9) * unit


def formatted(number: float, context: Context) -> str:
    """Write a number in the digits of a context, without an exponent."""
    text = f"{context.plus(NOISE.create_decimal(Decimal(number))):,f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def with_minus(text: str) -> str:
    """Replace the hyphen before numbers, and no other, by a minus sign.

    Examples
    --------
    >>> with_minus("The estimate -0.5% of a chi-square test, p = 1e-6, from -3 to -1.")
    'The estimate −0.5% of a chi-square test, p = 1e-6, from −3 to −1.'
    """
    return re.sub(r"(?<![\w-])-(?=\d)", "\N{MINUS SIGN}", text)
