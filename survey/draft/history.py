"""The units of a draft as they were before its latest saves, so that a whole older draft can be merged.

A page of the editor knows what it has changed. A program sends a whole draft and the tag of the draft that it
read: the difference between the two is what it has changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from survey.draft.merge import Change
from survey.draft.units import LISTS, is_node, is_order, unit_hash, units

Step = tuple[str, Mapping[str, str]]
"""The tag of a draft, and the hash that each unit had in it which the save after it changed."""


def changed_units(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, str]:
    """Return the hashes that units had before a save that changed them."""
    was, now = units(before), units(after)
    hashes = {unit: unit_hash(was.get(unit)) for unit in {*was, *now} if was.get(unit) != now.get(unit)}
    return {unit: old for unit, old in hashes.items() if old != unit_hash(now.get(unit))}


def changes_since(
    steps: Sequence[Step], seen: str, stored: Mapping[str, Any], document: Mapping[str, Any]
) -> list[Change] | None:
    """Find what has changed between an older draft and a document that shall take its place.

    Parameters
    ----------
    steps : sequence of Step
        The latest saves, the last one last.
    seen : str
        The tag of the older draft.
    stored, document : Mapping[str, Any]
        The draft as it is stored, and the document; nodes that are the same have the same uids.

    Returns
    -------
    list of Change or None
        For `survey.draft.merged`. None where the older draft is forgotten, or has a node that is stored no
        more, or its options in another order: the document has names of questions and places of options only,
        and would bring back unseen what it was.
    """
    place = next((n for n, (tag, _) in enumerate(steps) if tag == seen), None)
    if place is None:
        return None
    there, wanted = units(stored), units(document)
    older = {unit: unit_hash(value) for unit, value in there.items()}
    for _, hashes in reversed(steps[place:]):
        older.update(hashes)
    for unit, old in older.items():
        if is_node(unit) and old and unit not in there:
            return None
        if is_order(unit) and unit not in LISTS and unit in there:
            owner = unit.rpartition(".")[0]
            if old != unit_hash([uid for uid in there[unit] if older.get(f"{owner}.{uid}")]):
                return None
    return [
        Change(unit, older.get(unit, ""), wanted.get(unit), before_node(unit, wanted))
        for unit in {**older, **wanted}
        if unit_hash(wanted.get(unit)) != older.get(unit, "")
    ]


def before_node(unit: str, whole: Mapping[str, Any]) -> str | None:
    """Return the node that stands before another in its list; None before the first."""
    if not is_node(unit) or unit not in whole:
        return None
    owner, _, uid = unit.rpartition(".")
    order = whole[f"{owner}.{whole[unit]}" if owner else whole[unit]]
    place = order.index(uid)
    return order[place - 1] if place else None
