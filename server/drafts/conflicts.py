"""Changes of two people to the same unit, in words: the page asks which of both to keep."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from server.drafts.unit_names import unit_name
from server.language.request_language import spoken, translate
from survey.draft import Conflict, from_units, nodes_of
from survey.draft.units import is_node, is_order, node_of, units

FILE = ".picture.sha256"
"""The end of the unit by which a picture is told; the units of its format and size go with it."""


@dataclass(frozen=True)
class ConflictChoice:
    """A unit, or a whole question or part, that is not the same in both versions.

    Attributes
    ----------
    unit : str
    title : str
        What it is about.
    mine, theirs : str or None
        What it is in either version; None where it is gone.
    """

    unit: str
    title: str
    mine: str | None
    theirs: str | None


def choices(document: Mapping[str, Any], conflicts: Iterable[Conflict]) -> list[ConflictChoice]:
    """Put conflicts into words.

    Parameters
    ----------
    document : Mapping[str, Any]
        The draft as it is stored.
    conflicts : iterable of Conflict
    """
    asked = list(conflicts)
    mine = units(document) | values((conflict.unit, conflict.mine) for conflict in asked)
    theirs = units(document) | values((conflict.unit, conflict.theirs) for conflict in asked)
    return [
        ConflictChoice(
            conflict.unit,
            unit_name(with_node(document, conflict), conflict.unit),
            in_words(document, conflict.unit, conflict.mine, mine),
            in_words(document, conflict.unit, conflict.theirs, theirs),
        )
        for conflict in asked
    ]


def values(sides: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Return the units of one side of conflicts, those within a whole question or part too."""
    return {
        inner: value
        for unit, side in sides
        for inner, value in (side.items() if isinstance(side, Mapping) else [(unit, side)])
    }


def with_node(document: Mapping[str, Any], conflict: Conflict) -> Mapping[str, Any]:
    """Return a draft with the node that a conflict is about, as far as either version says what it holds."""
    uid = (node_of(conflict.unit) or "").partition(".")[0]
    held = conflict.mine if isinstance(conflict.mine, Mapping) else conflict.theirs
    if not uid or not isinstance(held, Mapping) or uid in nodes_of(document):
        return document
    name = "sections" if any(unit.startswith(f"{uid}.title") for unit in held) else "questions"
    node = from_units({uid: name, name: [uid], **held})[name][0]
    return {**document, name: [*document.get(name, []), node]}


def in_words(document: Mapping[str, Any], unit: str, value: Any, version: Mapping[str, Any]) -> str | None:
    """Write what a unit is in one version, whose units are given too; None where it is gone."""
    if value is None:
        return None
    if isinstance(value, Mapping):
        return "\n".join(
            f"{key_name(document, inner)}: {in_words(document, inner, said, version)}"
            for inner, said in value.items()
            if not (is_node(inner) or is_order(inner) or is_of_file(inner))
        )
    if unit.endswith(FILE):
        width, height = (version.get(f"{unit.removesuffix('sha256')}{key}") for key in ("width", "height"))
        return translate("pictures.size", width=width, height=height)
    if unit.endswith(".section"):
        return unit_name(document, str(value))
    return value_in_words(value)


def is_of_file(unit: str) -> bool:
    """Return whether a unit says more of a picture's file."""
    return unit.endswith((".picture.type", ".picture.width", ".picture.height"))


def key_name(document: Mapping[str, Any], unit: str) -> str:
    """Return what a unit of a node is called, without the node's own name."""
    return unit_name(document, unit).rpartition(", ")[2]


def value_in_words(value: Any) -> str:
    """Write the value of a unit."""
    if isinstance(value, bool):
        return translate(f"saving.tick.{'yes' if value else 'no'}")
    if isinstance(value, list):
        rows = [" ".join(map(value_in_words, row)) for row in value if isinstance(row, list)]
        return "\n".join(rows) or ", ".join(map(spoken, value))
    return f"{value:.15g}" if isinstance(value, float) else str(value)
