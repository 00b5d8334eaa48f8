"""Two versions of a draft, and the one that both started from: what differs, and who has changed it.

A form names the draft that it was filled from by its `marks`: a short hash of every part. So the server can
tell a question that one person changed from one that both did, and needs no older versions for that.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from server.forms.names import keep_apart
from server.forms.section import ALONE
from server.forms.state import ROWS, State
from server.store.edits import HEAD
from survey.section import MOST_QUESTIONS

Side = Literal["mine", "theirs"]

NAME, LENGTH = 8, 24
"""Hexadecimal digits of a mark in a basis: those that stand for the unit's name, and all of them."""
NOTHING = ""
"""The mark of what is not there."""
EMPTY: tuple[Any, ...] = ("", False, None, {}, [])


@dataclass(frozen=True)
class Difference:
    """Something that is not the same in two versions.

    Attributes
    ----------
    name : str
        A field of the draft, such as ``title``; the uid of a question or a part; or ``questions`` or
        ``sections``, where their order differs.
    changed : str
        Who has changed it since both saw the same: ``mine``, ``theirs`` or ``both``.
    """

    name: str
    changed: Literal["mine", "theirs", "both"]

    @property
    def usual(self) -> Side:
        """Which version stands where nobody chooses: what only the other has changed is theirs."""
        return "theirs" if self.changed == "theirs" else "mine"


def units(state: Mapping[str, Any]) -> dict[str, Any]:
    """Take a state apart into what can be kept by itself: fields, rows, and the order of the rows."""
    found = {name: value for name, value in state.items() if name not in ROWS}
    parts = {str(place): row["uid"] for place, row in enumerate(state["sections"])}
    found |= {row["uid"]: row for row in state["sections"]}
    for row in state["questions"]:
        part = row.get("section", ALONE)
        found[row["uid"]] = {**row, "section": parts.get(part, part)}
    return found


def mark(value: Any) -> str:
    """Return a short hash of a unit; what is empty counts as not there."""
    kept = solid(value)
    if kept in EMPTY:
        return NOTHING
    return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()[:16]


def solid(value: Any) -> Any:
    """Leave out what is empty: a language or a field that another version of the page does not have."""
    if isinstance(value, dict):
        kept = {name: solid(each) for name, each in value.items()}
        return {name: each for name, each in kept.items() if each not in EMPTY}
    return [solid(each) for each in value] if isinstance(value, list) else value


def marks(state: Mapping[str, Any]) -> str:
    """Return the marks of all units in their order, for the basis of a form."""
    found = ((short(name), mark(value)) for name, value in units(state).items())
    return "_" + "".join(name + each for name, each in found if each != NOTHING)


def short(name: str) -> str:
    """Return what stands for the name of a unit."""
    return hashlib.sha256(name.encode()).hexdigest()[:NAME]


def marks_in(seen: str, names: Iterable[str]) -> dict[str, str] | None:
    """Read the marks of a basis in their order; None where it has none.

    Parameters
    ----------
    seen : str
    names : iterable of str
        The units that are looked for. A mark of another is left out.
    """
    written = seen[HEAD + 1 :]
    known = {short(name): name for name in names}
    found = (written[place : place + LENGTH] for place in range(0, len(written), LENGTH))
    return {known[each[:NAME]]: each[NAME:] for each in found if each[:NAME] in known} if written else None


def differences(seen: str, mine: State, theirs: State) -> list[Difference]:
    """Compare two versions by what both started from.

    Parameters
    ----------
    seen : str
        The basis that mine was filled from; without marks, everything that differs counts as changed by both.
    mine, theirs : dict
        As `state_of` gives them.
    """
    own, other = units(mine), units(theirs)
    names = list(dict.fromkeys([*other, *own]))
    before = marks_in(seen, names)
    found = []
    for name in names:
        left, right = mark(own.get(name)), mark(other.get(name))
        if left != right:
            start = None if before is None else before.get(name, NOTHING)
            found.append(Difference(name, changed(start, left, right)))
    for kind in ROWS:
        orders = order(mine, kind), order(theirs, kind)
        both = set(orders[0]) & set(orders[1])
        left_order, right_order = (among(both, each) for each in orders)
        if left_order != right_order:
            known = both & (before or {}).keys()
            first = None if before is None else among(known, before)
            found.append(Difference(kind, changed(first, *(among(known, each) for each in orders))))
    return found


def changed(before: Any, mine: Any, theirs: Any) -> Literal["mine", "theirs", "both"]:
    """Say who has changed something; `before` is None where nothing is known of it."""
    if before == mine and before != theirs:
        return "theirs"
    if before == theirs and before != mine:
        return "mine"
    return "both"


def order(state: Mapping[str, Any], kind: str) -> list[str]:
    """Return the uids of rows in their order."""
    return [row["uid"] for row in state[kind]]


def among(some: set[str], uids: Iterable[str]) -> list[str]:
    """Return those uids that are among some, in their order."""
    return [uid for uid in uids if uid in some]


def merged(mine: State, theirs: State, found: Iterable[Difference], keep: Mapping[str, Side]) -> State:
    """Put two versions together.

    Parameters
    ----------
    mine, theirs : dict
    found : iterable of Difference
    keep : Mapping[str, str]
        Name of a difference -> the version to keep; `Difference.usual` where it says nothing.
    """
    side = {each.name: keep.get(each.name, each.usual) for each in found}
    own, other = units(mine), units(theirs)
    kept = {
        name: chosen[name]
        for name in dict.fromkeys([*own, *other])
        if name in (chosen := other if side.get(name, "mine") == "theirs" else own)
    }
    rows = {}
    for kind in ROWS:
        first, second = order(mine, kind), order(theirs, kind)
        if side.get(kind) == "theirs":
            first, second = second, first
        rows[kind] = [dict(kept[uid]) for uid in woven(first, second) if uid in kept]
    places = {row["uid"]: str(place) for place, row in enumerate(rows["sections"])}
    for row in rows["questions"]:
        row["section"] = places.get(row["section"], ALONE)
    keep_groups_apart(rows["questions"], own, other)
    for kind in ROWS:
        keep_apart(rows[kind], order(mine, kind), order(theirs, kind))
    fields = {name: value for name, value in kept.items() if name in mine or name in theirs}
    return fields | rows


def keep_groups_apart(
    questions: list[dict[str, Any]], own: Mapping[str, Any], other: Mapping[str, Any]
) -> None:
    """Rename a group that one has added where the other has added another of the same name.

    Both got the first name that was free. As one group, all lines would take the scale of the first.
    """
    added = {
        row["uid"]: row["matrix"]
        for row in questions
        if row.get("matrix") and (row["uid"] in own) != (row["uid"] in other)
    }
    known = {row["matrix"] for row in questions if row.get("matrix") and row["uid"] not in added}
    mine, theirs = ({name for uid, name in added.items() if uid in side} for side in (own, other))
    taken = known | mine | theirs
    for name in sorted((mine & theirs) - known):
        new = next(free for n in range(1, len(questions) + 2) if (free := f"scale_{n}") not in taken)
        taken.add(new)
        for row in questions:
            if row["uid"] in added and row["uid"] in own and row["matrix"] == name:
                row["matrix"] = new


def by_itself(mine: State, theirs: State, found: Iterable[Difference], own: bool = False) -> State | None:
    """Put two versions together where nobody changed what the other changed; None where somebody must choose.

    Nobody chooses between two windows of their own: there what came last stands, which is mine.

    Somebody must choose as well where a question would lose its part: one put it there, the other took the
    part away. And where each had room for what they added, and both together are too many.
    """
    found = list(found)
    if not own and any(each.changed == "both" for each in found):
        return None
    both = merged(mine, theirs, found, {})
    if any(len(both[kind]) > MOST_QUESTIONS for kind in ROWS):
        return None
    sides = {each.name: each.usual for each in found}
    left, right = units(mine), units(theirs)
    for name, value in units(both).items():
        chosen = right if sides.get(name) == "theirs" else left
        if isinstance(value, dict) and value.get("section") != chosen[name].get("section"):
            return None
    return both


def woven(first: list[str], second: list[str]) -> list[str]:
    """Put what only the second list has behind what stands before it there.

    Examples
    --------
    >>> woven(["b", "a"], ["x", "a", "y", "b"])
    ['x', 'b', 'a', 'y']
    """
    found = list(first)
    for place, uid in enumerate(second):
        if uid not in found:
            before = next((each for each in reversed(second[:place]) if each in found), None)
            found.insert(0 if before is None else found.index(before) + 1, uid)
    return found
