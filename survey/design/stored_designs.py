"""Designs that the examples use, worked out beforehand: made by `make_stored_designs`."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

TABLE = Path(__file__).with_name("stored_designs.json")

Arguments = tuple[int, float, tuple[tuple[str, float], ...]]
"""The number of answers, epsilon, and the wants with their weights."""

Stored = tuple[tuple[int, ...], tuple[float, ...], float]
"""The masks of the sets, their rates, and the gap."""


@cache
def stored_designs() -> dict[Arguments, Stored]:
    """Read the table."""
    entries = json.loads(TABLE.read_text(encoding="utf-8"))
    return {
        (entry["answers"], entry["epsilon"], tuple(entry["wants"].items())): (
            tuple(int(mask, 16) for mask in entry["masks"].split()),
            tuple(entry["rates"]),
            entry["gap"],
        )
        for entry in entries
    }
