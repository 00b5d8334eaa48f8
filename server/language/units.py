"""Units after numbers: a space comes between, but not before a Korean counter."""

from __future__ import annotations

import re

ATTACHED = re.compile("[가-힣%]")
"""What a unit begins with that follows its number without a space."""


def spaced(unit: str) -> str:
    """Return a unit as it follows a number, with the space that it needs before it.

    Examples
    --------
    >>> ["10" + spaced(unit) for unit in ("books", "권", "kg", "%포인트", "")]
    ['10 books', '10권', '10 kg', '10%포인트', '10']
    """
    return unit if not unit or ATTACHED.match(unit) else f" {unit}"
