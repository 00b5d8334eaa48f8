"""Two versions of a draft side by side: what differs, in words, and which of the two is to be kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from server.editor.conflict import Difference, Side, order, units
from server.editor.standing import named_field
from server.forms.panels import FIELDS
from server.forms.section import ALONE
from server.forms.state import ROWS, State
from server.language.request_language import current, spoken, translate

BLANK = {"sections": "sections-0-", "questions": "questions-0-"}
"""How the ids of the fields begin in which a part or a question stands."""


@dataclass(frozen=True)
class Field:
    """One field that is not the same: what it is called, and what stands in it in both versions."""

    label: str
    mine: str
    theirs: str


@dataclass(frozen=True)
class Choice:
    """One difference as it is shown.

    Attributes
    ----------
    name : str
        See `server.editor.conflict.Difference`.
    title : str
        What it is about.
    changed : str
        ``mine``, ``theirs`` or ``both``.
    kept : str
        The version that is chosen so far.
    absent : str or None
        The version that does not have the question or the part.
    fields : tuple of Field
    """

    name: str
    title: str
    changed: str
    kept: Side
    absent: Side | None
    fields: tuple[Field, ...]


def choices(found: list[Difference], mine: State, theirs: State, keep: Mapping[str, Side]) -> list[Choice]:
    """Put differences into words.

    Parameters
    ----------
    found : list of Difference
    mine, theirs : dict
        As `state_of` gives them.
    keep : Mapping[str, str]
        What was chosen before.
    """
    own, other = units(mine), units(theirs)
    found = sorted(found, key=lambda each: rank(each.name))
    return [
        Choice(
            each.name,
            title(each.name, mine, theirs),
            each.changed,
            keep.get(each.name, each.usual),
            absent(each.name, own, other) if each.name not in ROWS else None,
            tuple(fields(each.name, mine, theirs)),
        )
        for each in found
    ]


def rank(name: str) -> int:
    """Return where a difference stands on the page: what comes first in a survey, its questions, the rest."""
    names = [*FIELDS["start"], *FIELDS["plan"]]
    if name in names:
        return names.index(name)
    return len(names) + int(name in FIELDS["end"] + FIELDS["results"])


def absent(name: str, own: Mapping[str, Any], other: Mapping[str, Any]) -> Side | None:
    """Return the version that lacks a row."""
    if name not in own:
        return "mine"
    return "theirs" if name not in other else None


def title(name: str, mine: State, theirs: State) -> str:
    """Say what a difference is about: a question by its number and wording, as the person sees it."""
    if name in ROWS:
        return translate(f"saving.order.{name}")
    for kind, where in (("questions", "question"), ("sections", "part")):
        for state in (mine, theirs):
            if name in (uids := order(state, kind)):
                place = uids.index(name)
                words = words_of(state[kind][place], "wording" if kind == "questions" else "title")
                return translate(f"saving.title.{where}", number=place + 1, words=words)
    return named_field(name)


def words_of(row: Mapping[str, Any], key: str) -> str:
    """Return how a row is known: its text, or else its short name."""
    texts = row.get(key, {})
    return texts.get(current()) or next(filter(None, texts.values()), "") or row.get("id", "")


def fields(name: str, mine: State, theirs: State) -> Iterator[Field]:
    """Return the fields in which a unit differs."""
    if name in ROWS:
        yield Field("", in_order(mine, name), in_order(theirs, name))
        return
    prefix = next((BLANK[kind] for kind in ROWS for each in (mine, theirs) if name in order(each, kind)), "")
    sides = []
    for state in (mine, theirs):
        unit = units(state).get(name, {})
        names = {row["uid"]: words_of(row, "title") for row in state["sections"]}
        inside = unit | {"section": names.get(unit.get("section"), "")} if prefix and unit else unit
        sides.append(dict(flat(inside, prefix.rstrip("-") if prefix else name)))
    for field in dict.fromkeys([*sides[0], *sides[1]]):
        left, right = (side.get(field, "") for side in sides)
        if left != right:
            yield Field(named_field(field), left, right)


def in_order(state: State, kind: str) -> str:
    """List rows in their order."""
    key = "wording" if kind == "questions" else "title"
    return "\n".join(f"{n}. {words_of(row, key)}" for n, row in enumerate(state[kind], 1))


def flat(value: Any, field: str) -> Iterator[tuple[str, str]]:
    """Return the fields of a unit by their ids, each with what stands in it in words."""
    if isinstance(value, dict):
        for name, each in value.items():
            if name != "uid":
                yield from flat(each, f"{field}-{name}")
    elif isinstance(value, bool):
        yield field, translate(f"saving.tick.{'yes' if value else 'no'}")
    elif field == "languages_":
        yield field, ", ".join(map(spoken, value))
    elif isinstance(value, list):
        for place, each in enumerate(value):
            yield from flat(each, f"{field}-{place}")
    else:
        yield field, shown(field, value)


def shown(field: str, value: str) -> str:
    """Name a code as the editor does; anything else stands as it was typed."""
    kind = {"questions-0-kind": "kind", "questions-0-mechanism": "mechanism"}.get(field)
    if kind is None or value == ALONE:
        return value
    try:
        return translate(f"editor.{kind}.{value}.name")
    except KeyError:
        return value
