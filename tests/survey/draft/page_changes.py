"""The changes that a page of the editor sends: the units in which a draft differs from what it knows."""

from __future__ import annotations

from typing import Any

from survey.draft import Change, unit_hash, units
from survey.draft.units import is_node, is_order


def changes(base: dict[str, Any], now: dict[str, Any]) -> list[Change]:
    """List the changes that make a draft of another."""
    before, after = units(base), units(now)
    listed = []
    for unit in dict.fromkeys([*after, *before]):
        if before.get(unit) == after.get(unit):
            continue
        if is_order(unit):
            common = set(before.get(unit, [])) & set(after.get(unit, []))
            orders = [[uid for uid in side.get(unit, []) if uid in common] for side in (before, after)]
            if orders[0] == orders[1]:
                continue
        behind = None
        if is_node(unit) and unit in after:
            owner, _, uid = unit.rpartition(".")
            order = after[f"{owner}.options" if owner else after[unit]]
            behind = ([None, *order])[order.index(uid)]
        listed.append(Change(unit, unit_hash(before.get(unit)), after.get(unit), behind))
    return listed
