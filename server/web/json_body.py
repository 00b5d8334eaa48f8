"""Read a JSON body that somebody could have written by hand: every name once, every number finite."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn

from survey.rules import Refusal

MOST_VALUES, DEEPEST = 200_000, 12
"""A draft of a hundred questions with fifty options in twenty languages has about 120,000 values."""


LONGEST_PATH = 200
LONE = re.compile("[\ud800-\udfff]")


class Twice(str):
    """The value of a name that stands twice in its object."""

    __slots__ = ()


class NoNumber(str):
    """A word that JSON does not have for a number, such as NaN."""

    __slots__ = ()


def read_object(body: bytes) -> dict[str, Any]:
    """Read an object.

    Parameters
    ----------
    body : bytes

    Raises
    ------
    Refusal
        With the path as its parameter, such as ``changes.3.now``.
    """
    try:
        value = json.loads(body, object_pairs_hook=named, parse_constant=NoNumber)
    except (ValueError, RecursionError) as error:
        raise Refusal("body", "json", reason=str(error)[:200]) from None
    if not isinstance(value, dict):
        raise Refusal("body", "json_object", type(value).__name__)
    for count, (path, inner) in enumerate(walk(value), 1):
        if count > MOST_VALUES:
            raise Refusal("body", "json_room", most=MOST_VALUES)
        if isinstance(inner, Twice):
            refuse(path, "json_once")
        for text in (path[-1], inner if isinstance(inner, str) else ""):
            if half := LONE.search(text):
                refuse(path, "unit_sign", sign=f"U+{ord(half[0]):04X}", place=half.start() + 1)
        if isinstance(inner, NoNumber) or inner in (float("inf"), float("-inf")):
            refuse(path, "json_number", str(inner))
    return value


def named(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object, in which a name that stands twice is marked."""
    table: dict[str, Any] = {}
    for name, value in pairs:
        table[name] = Twice() if name in table else value
    return table


def walk(value: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield every value within an object or a list, each with the names that lead to it."""
    waiting: list[tuple[tuple[str, ...], Any]] = [((), value)]
    while waiting:
        path, outer = waiting.pop()
        if len(path) > DEEPEST:
            refuse(path, "json_deep", most=DEEPEST)
        inside = outer.items() if isinstance(outer, dict) else enumerate(outer)
        for name, inner in inside:
            here = (*path, str(name))
            yield here, inner
            if isinstance(inner, dict | list):
                waiting.append((here, inner))


def refuse(path: tuple[str, ...], rule: str, value: object = ..., **limits: object) -> NoReturn:
    """Refuse the value at a path."""
    place = ".".join(path)[:LONGEST_PATH].encode("utf-8", "backslashreplace").decode()
    raise Refusal(place, rule, value, **limits)
