"""Units after numbers: with a space between them, except before a Korean counter."""

from __future__ import annotations

import re

ATTACHED = re.compile("[가-힣%]")
"""Beginnings of units that follow their number without a space."""


def spaced(unit: str) -> str:
    """Return a unit with the space that it needs after a number.

    Examples
    --------
    >>> ["10" + spaced(unit) for unit in ("books", "권", "kg", "%포인트", "")]
    ['10 books', '10권', '10 kg', '10%포인트', '10']
    """
    return unit if not unit or ATTACHED.match(unit) else f" {unit}"
