"""The values of cells: a number, yes or no, a table. Any other text stays a text, to be refused later."""

from __future__ import annotations

import json
import re

WHOLE = re.compile(r"[+-]?[0-9]{1,40}")
NUMBER = re.compile(r"[+-]?([0-9]{1,40}(\.[0-9]{0,40})?|\.[0-9]{1,40})([eE][+-]?[0-9]{1,3})?")
YES = frozenset({"yes", "true", "true()", "1"})
NO = frozenset({"no", "false", "false()", "0"})

LONGEST_PARAMETERS = 200
"""Characters; the time of a pattern that looks for one of many grows with their square."""

PARAMETER = re.compile(r"([a-z_-]+)\s*=\s*([^\s,;=]+)")
"""One of the ``start=0 end=10 step=1`` of an XLSForm's range."""


def number(text: str) -> int | float | str:
    """Read a number; with a point or an exponent it is a float, as in the survey file.

    Examples
    --------
    >>> number("7"), number("7.0"), number("1e-06"), number("nan"), number("1,5")
    (7, 7.0, 1e-06, 'nan', '1,5')
    """
    if WHOLE.fullmatch(text):
        return int(text)
    return float(text) if NUMBER.fullmatch(text) else text


def truth(text: str) -> bool | str:
    """Read yes or no, as spreadsheets and forms write them.

    Examples
    --------
    >>> truth("TRUE"), truth("no"), truth("perhaps")
    (True, False, 'perhaps')
    """
    plain = text.lower()
    return True if plain in YES else False if plain in NO else text


def table(text: str) -> object:
    """Read a table, written as JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def address(text: str) -> bool | str:
    """Read the target of a quick exit: an address, or yes for an empty page."""
    return text if ":" in text else truth(text)


def parameters(text: str) -> dict[str, str] | None:
    """Read parameters; return None if the text holds anything else.

    Examples
    --------
    >>> parameters("start=0 end=10, step=0.5"), parameters("from 0 to 10")
    ({'start': '0', 'end': '10', 'step': '0.5'}, None)
    """
    if len(text) > LONGEST_PARAMETERS:
        return None
    found = dict(PARAMETER.findall(text))
    return found if found and not PARAMETER.sub("", text).strip(" ,;") else None
