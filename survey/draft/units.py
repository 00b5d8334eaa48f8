"""A draft taken apart into units: each setting, each text in a language, each node and each order.

`static/js/drafts/units.js` does the same; ``tests/vectors/draft.json`` holds both to it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

UID = re.compile(r"n[0-9a-f]{12}")
"""The fixed name of a section, a question or an option: no key of a document looks like one."""

LISTS = ("sections", "questions")
OPTIONS = "options"

Document = dict[str, Any]
Units = dict[str, Any]
"""Unit, such as ``title.en`` or ``n0123456789ab.epsilon`` -> its value."""


def units(document: Mapping[str, Any]) -> Units:
    """Take a document apart. What is empty is no unit.

    Examples
    --------
    >>> units({"title": {"en": "Rest"}, "questions": [{"uid": "n0123456789ab", "epsilon": 1.5}]})
    ... # doctest: +NORMALIZE_WHITESPACE
    {'title.en': 'Rest', 'questions': ['n0123456789ab'], 'n0123456789ab': 'questions',
     'n0123456789ab.epsilon': 1.5}
    """
    return dict(walk(document, ""))


def walk(table: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    """Yield the units of one table of a document."""
    for key, value in table.items():
        unit = prefix + key
        if key == "uid" or is_empty(value):
            continue
        if isinstance(value, Mapping):
            yield from walk(value, f"{unit}.")
        elif key in LISTS or key == OPTIONS:
            yield unit, [node["uid"] for node in value]
            for node in value:
                uid = node["uid"] if key in LISTS else prefix + node["uid"]
                yield uid, key
                yield from walk(node, f"{uid}.")
        else:
            yield unit, value


def is_empty(value: object) -> bool:
    """Return whether a document says nothing by a value: it is left out then."""
    return value is None or value is False or value in ("", {}, [])


def from_units(whole: Mapping[str, Any]) -> Document:
    """Put units together to a document: the inverse of `units`."""
    document: Document = {}
    for unit, value in whole.items():
        if is_order(unit) or is_node(unit):
            continue
        *path, last = unit.split(".")
        table = document
        for key in path:
            table = table.setdefault(key, {})
        table[last] = value
    nodes = {unit: document.pop(unit, {}) for unit in whole if is_node(unit) and "." not in unit}
    for uid, node in nodes.items():
        if f"{uid}.{OPTIONS}" in whole:
            node[OPTIONS] = [{"uid": own} | node.pop(own, {}) for own in whole[f"{uid}.{OPTIONS}"]]
    return document | {
        name: [{"uid": uid} | nodes[uid] for uid in whole[name]] for name in LISTS if name in whole
    }


def is_node(unit: str) -> bool:
    """Return whether a unit says that a section, a question or an option is there."""
    return UID.fullmatch(unit.rpartition(".")[2]) is not None


def is_order(unit: str) -> bool:
    """Return whether a unit is the order of a list of nodes."""
    owner, _, key = unit.rpartition(".")
    return unit in LISTS or (key == OPTIONS and UID.fullmatch(owner) is not None)


def node_of(unit: str) -> str | None:
    """Return the node that a unit belongs to: an option, else a question or a section, or None.

    Examples
    --------
    >>> node_of("n0123456789ab.nba9876543210.text.en"), node_of("n0123456789ab.epsilon"), node_of("slug")
    ('n0123456789ab.nba9876543210', 'n0123456789ab', None)
    """
    names = unit.split(".")
    deep = sum(1 for name in names[:2] if UID.fullmatch(name)) if UID.fullmatch(names[0]) else 0
    return ".".join(names[:deep]) or None


def unit_hash(value: object) -> str:
    """Return what stands for the value of a unit, as the browser works it out too; nothing for nothing.

    Returns
    -------
    str
        16 hexadecimal digits: FNV-1a of 64 bits (Fowler, Noll and Vo; RFC 9923) over the bytes of `plain`.

    Examples
    --------
    >>> unit_hash("Rest"), unit_hash(1) == unit_hash(1.0), unit_hash(False)
    ('3e95a65d08e4a777', True, '')
    """
    if is_empty(value):
        return ""
    state = 0xCBF29CE484222325
    for byte in plain(value).encode("utf-8", "surrogatepass"):
        state = (state ^ byte) * 0x100000001B3 % 2**64
    return f"{state:016x}"


def plain(value: object) -> str:
    """Write a value as a text that no value of another kind has, the same in every language.

    Examples
    --------
    >>> plain([1.0, 1e-6, -25]), plain("1"), plain(True)
    ('[#1e+0,#1e-6,#-2.5e+1]', '"1', 't')
    """
    if isinstance(value, list):
        return f"[{','.join(map(plain, value))}]"
    if isinstance(value, bool) or value is None:
        return "t" if value else "-"
    if isinstance(value, int | float):
        return f"#{exponential(value)}"
    return f'"{value}'


def exponential(number: float) -> str:
    """Write a number as JavaScript's ``toExponential`` does: its shortest digits and a power of ten."""
    sign, digits, power = Decimal(repr(float(number))).normalize().as_tuple()
    first, *rest = map(str, digits)
    shown = f"{first}.{''.join(rest)}" if rest else first
    return f"{'-' * sign}{shown}e{int(power) + len(rest):+d}"


def document_hash(document: Mapping[str, Any]) -> str:
    """Return what stands for a whole document: 16 hexadecimal digits of a SHA-256."""
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()[:16]
