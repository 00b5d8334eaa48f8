"""The keys that a draft may have, and the kinds of their values, right or wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from survey.definition import TEXTS as TEXTS_OF_SURVEY
from survey.design.wants import WANTS
from survey.draft.units import LISTS, OPTIONS, UID, is_order, units
from survey.mechanisms.independent_boxes import MOST_BOXES
from survey.question.choice import MOST_OPTIONS
from survey.question.question import MARKED
from survey.read_definition import LANGUAGE, MOST_LANGUAGES
from survey.rules import Refusal
from survey.section import MOST_QUESTIONS
from survey.section import TEXTS as TEXTS_OF_SECTION

TEXT, NUMBER, TICK, CODES, TABLE, TEXT_OR_TICK = "text", "number", "tick", "codes", "table", "text_or_tick"
TEXTS = "texts"

OF_SURVEY: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("slug", "outcome", "preview", "kept_until"), TEXT),
        **dict.fromkeys(("asked", "expected", "results.step", "budget.limit", "budget.waves"), NUMBER),
        **dict.fromkeys(("quick_exit", "invitations"), TEXT_OR_TICK),
        **dict.fromkeys(TEXTS_OF_SURVEY, TEXTS),
        "results.reports_while_open": TICK,
        "languages": CODES,
    }
)
OF_NODE: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "sections": {
            **dict.fromkeys(("id", "skip", "by_hand"), TEXT),
            **dict.fromkeys(("always", "linked"), TICK),
            **dict.fromkeys(("epsilon", "asked"), NUMBER),
            **dict.fromkeys(TEXTS_OF_SECTION, TEXTS),
        },
        "questions": {
            **dict.fromkeys(
                ("id", "section", "kind", "mechanism", "scope", "skip", "by_hand", "matrix"), TEXT
            ),
            **dict.fromkeys(("low", "high", "step", "epsilon", "delta", "size"), NUMBER),
            **dict.fromkeys((*MARKED, "unit", "picture.alt"), TEXTS),
            **dict.fromkeys(("picture.sha256", "picture.type"), TEXT),
            **dict.fromkeys(("picture.width", "picture.height"), NUMBER),
            "ordered": TICK,
            **dict.fromkeys((f"wants.{want}" for want in WANTS), NUMBER),
            "utility": TABLE,
        },
        OPTIONS: {"text": TEXTS},
    }
)
MOST = MappingProxyType(dict.fromkeys(LISTS, MOST_QUESTIONS) | {OPTIONS: max(MOST_OPTIONS, MOST_BOXES)})
"""The most nodes in each list."""

LARGEST = 1e15
"""Up to here every whole number is a double of its own."""


UNKEPT = re.compile("[\0\ud800-\udfff]")
"""Characters that no database keeps: NUL, and halves of characters."""


def require_unit(unit: str, value: object, kind: str | None) -> None:
    """Refuse a unit that no draft has, or a value that it cannot hold, right or wrong.

    Parameters
    ----------
    unit : str
    value : object
        None where it is gone.
    kind : str or None
        Of a unit of a node: the list that the node stands in; None where it is not known.

    Raises
    ------
    Refusal
        With the unit as its parameter.
    """
    wanted = kind_of(unit, kind)
    if wanted is None:
        raise Refusal(unit, "unit")
    is_other = wanted == "node" and kind in LISTS and value != kind
    if value is not None and (is_other or not FITS[wanted](value)):
        raise Refusal(unit, f"unit_{wanted}", value)
    for text in texts_in(value):
        if sign := UNKEPT.search(text):
            raise Refusal(unit, "unit_sign", sign=f"U+{ord(sign[0]):04X}", place=sign.start() + 1)


def require_document(document: Mapping[str, Any]) -> None:
    """Refuse what no draft is, right or wrong: unknown keys, values of another kind, a uid used twice.

    Raises
    ------
    Refusal
        With the unit as its parameter.
    """
    kinds: dict[str, str] = {}
    for name in LISTS:
        require_nodes(name, document.get(name, []))
        for node in document.get(name, []):
            if kinds.setdefault(node["uid"], name) != name:
                raise Refusal(node["uid"], "unit_uids", node["uid"])
            require_nodes(f"{node['uid']}.{OPTIONS}", node.get(OPTIONS, []))
    for unit, value in units(document).items():
        require_unit(unit, value, kinds.get(unit.partition(".")[0]))
    require_room(document)


def require_nodes(unit: str, nodes: object) -> None:
    """Refuse what is no list of nodes."""
    whole = isinstance(nodes, list) and all(
        isinstance(node, dict) and isinstance(node.get("uid"), str) and UID.fullmatch(node["uid"])
        for node in nodes
    )
    if not whole:
        raise Refusal(unit, "unit_uids", nodes)


def kind_of(unit: str, kind: str | None) -> str | None:
    """Return the kind of value of a unit; None where there is no such."""
    names = unit.split(".")
    inside = [name for name in names[:2] if UID.fullmatch(name)] if UID.fullmatch(names[0]) else []
    if kind == "sections" and (len(inside) > 1 or names[1:] == [OPTIONS]):
        return None
    if is_order(unit):
        return "uids"
    if len(inside) == len(names):
        return OPTIONS if len(inside) > 1 else "node"
    key = ".".join(names[len(inside) :])
    if not inside:
        shapes = [OF_SURVEY]
    elif len(inside) == 2:
        shapes = [OF_NODE[OPTIONS]]
    else:
        shapes = [OF_NODE[kind]] if kind in LISTS else [OF_NODE[name] for name in LISTS]
    stem, _, code = key.rpartition(".")
    for shape in shapes:
        if shape.get(key, TEXTS) != TEXTS:
            return shape[key]
        if shape.get(stem) == TEXTS and LANGUAGE.fullmatch(code):
            return TEXT
    return None


def is_number(value: object) -> bool:
    """Return whether a value is a number that doubles hold, or a text in its place."""
    if isinstance(value, str):
        return True
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST


def is_table(value: object) -> bool:
    """Return whether a value is a table of numbers, or a text in its place."""
    if isinstance(value, str):
        return True
    rows = value if isinstance(value, list) and len(value) <= MOST_OPTIONS else [None]
    return all(
        isinstance(row, list) and len(row) <= MOST_OPTIONS and all(map(is_number, row)) for row in rows
    )


def is_uids(value: object) -> bool:
    """Return whether a value is a list of different uids."""
    names = value if isinstance(value, list) else [None]
    whole = all(isinstance(name, str) and UID.fullmatch(name) for name in names)
    return whole and len(set(names)) == len(names)


def is_codes(value: object) -> bool:
    """Return whether a value is a list of language codes."""
    codes = value if isinstance(value, list) and len(value) <= MOST_LANGUAGES else [None]
    return all(isinstance(code, str) and LANGUAGE.fullmatch(code) for code in codes)


FITS: Mapping[str, Callable[[object], bool]] = MappingProxyType(
    {
        TEXT: lambda value: isinstance(value, str),
        NUMBER: is_number,
        TICK: lambda value: isinstance(value, bool),
        TEXT_OR_TICK: lambda value: isinstance(value, str | bool),
        CODES: is_codes,
        TABLE: is_table,
        "uids": is_uids,
        "node": lambda value: value in LISTS,
        OPTIONS: lambda value: value == OPTIONS,
    }
)


def texts_in(value: object) -> Iterator[str]:
    """Yield the texts of a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for inner in value:
            yield from texts_in(inner)


def require_room(document: Mapping[str, Any]) -> None:
    """Refuse a document with more nodes in a list than there is room for.

    Raises
    ------
    Refusal
    """
    for unit, order in units(document).items():
        if is_order(unit) and len(order) > (most := MOST[unit.rpartition(".")[2]]):
            raise Refusal(unit, "unit_room", len(order), most=most)
