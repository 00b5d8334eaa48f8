"""Numbers as they are typed."""

from __future__ import annotations

import math
import re

WHOLE = re.compile(r"[+-]?[0-9]+")
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
LARGEST = 1e15
LONGEST = 100
"""Characters: beyond all that is ever typed, and short enough that reading it costs nothing."""


def number(text: str) -> float:
    """Read a number, whole ones as whole.

    Raises
    ------
    ValueError
        If the text is no number, or one that doubles cannot count up to.
    """
    if len(text) > LONGEST:
        raise ValueError(f"must be a number of at most {LONGEST} characters, got {len(text)}")
    text = text.replace("\N{MINUS SIGN}", "-")
    value = float(text) if NUMBER.fullmatch(text) else math.nan
    if not abs(value) <= LARGEST:
        raise ValueError(f"must be a number of at most {LARGEST:g}, got {text!r}")
    return int(text) if WHOLE.fullmatch(text) else value


def readable(text: str) -> float | None:
    """Read a number, or give None."""
    try:
        return number(text)
    except ValueError:
        return None


def is_whole(text: str, low: int, high: int) -> bool:
    """Return whether a text is a whole number between two bounds.

    Examples
    --------
    >>> is_whole("12", 1, 20), is_whole("1.5", 1, 20), is_whole("21", 1, 20)
    (True, False, False)
    """
    return text.isascii() and text.isdecimal() and len(text) <= 15 and low <= int(text) <= high
