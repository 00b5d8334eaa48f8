"""Two versions of a draft put together: what is stored, and what somebody has changed since they saw it.

A change names what its unit was by a hash. Where the stored draft still has that, the change holds; where it
has something else, both have changed it, and somebody must choose.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from survey.draft.groups import is_of_scale, led, regrouped
from survey.draft.units import (
    LISTS,
    Document,
    Units,
    from_units,
    is_empty,
    is_node,
    is_order,
    node_of,
    unit_hash,
    units,
)


@dataclass(frozen=True)
class Change:
    """One unit that somebody has changed.

    Attributes
    ----------
    unit : str
    was : str
        The `unit_hash` of what they saw; empty where there was nothing. That of an order is not looked at.
    now : object
        None where it is gone.
    after : str or None
        Of a new node, the one that stands before it; None where it is the first.
    """

    unit: str
    was: str
    now: Any
    after: str | None = None


@dataclass(frozen=True)
class Conflict:
    """A unit, or a whole node, that both have changed.

    Attributes
    ----------
    unit : str
    mine, theirs : object
        What it is in either version, None where it is gone; of a node all that it holds.
    """

    unit: str
    mine: Any
    theirs: Any


@dataclass
class Merged:
    """A draft with the changes in it.

    Attributes
    ----------
    document : dict
        With every change that holds; as it was stored where there are conflicts.
    conflicts : list of Conflict
    """

    document: Document
    conflicts: list[Conflict] = field(default_factory=list)


def merged(document: Mapping[str, Any], changes: Sequence[Change], *, is_known: bool = False) -> Merged:
    """Put changes into a draft.

    Parameters
    ----------
    document : Mapping[str, Any]
        As it is stored.
    changes : sequence of Change
        What is stored already is no conflict, so that the same may be sent twice.
    is_known : bool
        Whether they were made in the draft as it is stored, so that no two have proposed one name.

    Notes
    -----
    No order is a conflict: mine stands, and what only the stored draft has stays behind what it followed.
    """
    stored = units(document)
    theirs = changes if is_known else names_kept_apart(stored, changes)
    now = dict(stored)
    conflicts: dict[str, Conflict] = {}
    nodes = {change.unit: not is_empty(change.now) for change in changes if is_node(change.unit)}
    for change in theirs:
        if is_order(change.unit) or same(stored.get(change.unit), change.now):
            continue
        gone = node_gone(change.unit, stored, nodes)
        if unit_hash(stored.get(change.unit)) != change.was or (gone and gone not in stored):
            conflict = conflict_of(change, gone, stored, changes)
            conflicts[conflict.unit] = conflict
        elif is_empty(change.now):
            now.pop(change.unit, None)
        else:
            now[change.unit] = change.now
    known = {change.unit for change in changes}
    for uid in (unit for unit, stays in nodes.items() if unit in stored and not stays):
        if any(unit not in known and not is_order(unit) for unit in below(stored, uid)):
            conflicts[uid] = Conflict(uid, None, below(stored, uid))
    put_in_order(now, stored, theirs)
    for unit, part in [*now.items()]:
        if unit.endswith(".section") and part not in now:
            at = unit if any(change.unit == unit for change in changes) else str(part)
            mine = next((change.now for change in changes if change.unit == at), None)
            conflicts.setdefault(at, Conflict(at, mine, stored.get(at) if at == unit else below(stored, at)))
    if conflicts:
        return Merged(dict(document), [*conflicts.values()])
    changed = {change.unit.partition(".")[0] for change in changes if is_of_scale(change.unit)}
    return Merged(regrouped(led(from_units(of_nodes_there(now)), stored.keys(), changed)))


def of_nodes_there(whole: Units) -> Units:
    """Leave out the units of nodes that are not there."""
    nodes = {unit for unit in whole if is_node(unit)}
    nodes = {unit for unit in nodes if unit.rpartition(".")[0] in nodes or "." not in unit}
    return {
        unit: value for unit, value in whole.items() if (node_of(unit) or unit) in nodes or not node_of(unit)
    }


def same(mine: object, theirs: object) -> bool:
    """Return whether two values of a unit say the same. In Python, 1 == True."""
    equal = mine == theirs and isinstance(mine, bool) == isinstance(theirs, bool)
    return equal or (is_empty(mine) and is_empty(theirs))


def node_gone(unit: str, stored: Units, nodes: Mapping[str, bool]) -> str | None:
    """Return the outermost node that a unit is in and that one of the two has removed; None if both have all.

    Parameters
    ----------
    unit : str
    stored : Mapping[str, object]
    nodes : Mapping[str, bool]
        The nodes that changes add or remove, and whether they are there afterwards.
    """
    node = node_of(unit)
    around = [node.partition(".")[0], node] if node else []
    return next((outer for outer in around if not nodes.get(outer, outer in stored)), None)


def conflict_of(change: Change, gone: str | None, stored: Units, changes: Sequence[Change]) -> Conflict:
    """Return a unit that both have changed; the whole node where one of the two has removed that."""
    if gone is None:
        return Conflict(change.unit, change.now, stored.get(change.unit))
    if gone in stored:
        return Conflict(gone, None, below(stored, gone))
    mine = {other.unit: other.now for other in changes if other.unit.startswith(f"{gone}.")}
    return Conflict(gone, mine, None)


def below(whole: Units, uid: str) -> Units:
    """Return all units of a node."""
    return {unit: value for unit, value in whole.items() if unit.startswith(f"{uid}.")}


def put_in_order(now: Units, stored: Units, changes: Sequence[Change]) -> None:
    """Put every list of nodes in the order of both versions."""
    wanted = {change.unit: change.now or [] for change in changes if is_order(change.unit)}
    after = {change.unit: change.after for change in changes if is_node(change.unit)}
    owners = {
        unit: f"{unit.rpartition('.')[0]}.options".lstrip(".")
        for unit in now
        if is_node(unit) and "." in unit
    }
    lists = dict.fromkeys([*LISTS, *owners.values(), *(unit for unit in stored if is_order(unit))])
    for name in lists:
        prefix = name.removesuffix("options") if name not in LISTS else ""
        kind = name if name in LISTS else "options"
        there = [
            unit.removeprefix(prefix)
            for unit, value in now.items()
            if is_node(unit) and value == kind and unit.rpartition(".")[0] == prefix.rstrip(".")
        ]
        order = list(stored.get(name, []))
        for uid in there:
            if uid not in order:
                before = after.get(prefix + uid)
                order.insert(
                    order.index(before) + 1 if before in order else 0 if before is None else len(order), uid
                )
        order = [uid for uid in woven(wanted.get(name, order), order) if uid in set(there)]
        now.pop(name, None)
        if order:
            now[name] = order


def woven(first: Sequence[str], second: Sequence[str]) -> list[str]:
    """Put what only the second list has behind what stands before it there.

    Examples
    --------
    >>> woven(["b", "a"], ["x", "a", "y", "b"])
    ['x', 'b', 'a', 'y']
    """
    order = list(first)
    for place, uid in enumerate(second):
        if uid not in order:
            before = next((name for name in reversed(second[:place]) if name in order), None)
            order.insert(0 if before is None else order.index(before) + 1, uid)
    return order


def names_kept_apart(stored: Units, changes: Sequence[Change]) -> list[Change]:
    """Rename what both have added under the same proposed name: a question, a section or a group.

    Both editors proposed the first name that was free. A name without a number was typed, and stays.
    """
    new = {
        change.unit
        for change in changes
        if is_node(change.unit) and change.was == "" and not is_empty(change.now)
    }
    new -= stored.keys()
    renamed: dict[tuple[str, str, str], str] = {}
    return [
        renamed_change(change, stored, changes, renamed) if node_of(change.unit) in new else change
        for change in changes
    ]


def renamed_change(
    change: Change, stored: Units, changes: Sequence[Change], renamed: dict[tuple[str, str, str], str]
) -> Change:
    """Rename a new node where the stored draft has one that it got meanwhile."""
    node, _, key = change.unit.partition(".")
    if key not in ("id", "matrix") or not isinstance(change.now, str):
        return change
    numbered = re.fullmatch(r"(.*?)([0-9]{1,4})", change.now)
    kind = next((str(each.now) for each in changes if each.unit == node), "questions")
    others = {
        value
        for unit, value in stored.items()
        if unit.endswith(f".{key}") and stored.get(unit.partition(".")[0]) == kind
    }
    mine = {each.now for each in changes if each.unit.endswith(f".{key}")}
    if numbered is None or change.now not in others or joins(change, stored, changes):
        return change
    name = renamed.get((kind, key, change.now)) if key == "matrix" else None
    if name is None:
        taken = others | mine | set(renamed.values())
        names = (f"{numbered[1]}{n}" for n in count(int(numbered[2]) + 1))
        name = next(free for free in names if free not in taken)
        renamed[kind, key, change.now if key == "matrix" else node] = name
    return Change(change.unit, change.was, name, change.after)


def joins(change: Change, stored: Units, changes: Sequence[Change]) -> bool:
    """Return whether a new question is a line of a group that its author saw: it stands behind one of it."""
    node, _, key = change.unit.partition(".")
    if key != "matrix":
        return False
    before = {each.unit: each.after for each in changes if is_node(each.unit)}
    matrix = {each.unit.partition(".")[0]: each.now for each in changes if each.unit.endswith(".matrix")}
    while node in before and node not in stored:
        node = before[node] or ""
        if node in stored:
            return bool(stored.get(f"{node}.matrix") == change.now)
        if matrix.get(node) != change.now:
            return False
    return False
