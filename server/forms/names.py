"""Short names that the editor proposes, so that nobody has to think of thirty."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any

QUESTION, PART = "q", "part_"
"""What a proposed name begins with; a number follows."""

Row = Mapping[str, Any]


def proposed(rows: Sequence[Row], stem: str = QUESTION) -> str:
    """Return a name for one more row: its number, or the next that is free.

    Examples
    --------
    >>> proposed([{"id": "tired"}, {"id": "q1"}])
    'q3'
    >>> proposed([{"id": "part_2"}], "part_")
    'part_3'
    """
    return free(rows, stem, len(rows) + 1)


def free(rows: Iterable[Row], stem: str, least: int) -> str:
    """Return the first name of a stem, from a number on, that no row has."""
    taken = {row.get("id") for row in rows}
    return next(name for n in count(least) if (name := f"{stem}{n}") not in taken)


def keep_apart(rows: Sequence[dict[str, Any]], mine: Iterable[str], theirs: Iterable[str]) -> None:
    """Rename a row that one has added where the other has added another of the same name.

    Both were proposed the same. A name without a number was typed, and whoever typed it chooses another.

    Parameters
    ----------
    rows : sequence of dict
        Those of both; changed in place.
    mine, theirs : iterable of str
        The uids that either had.
    """
    added = set(theirs) - set(mine)
    others = {row.get("id") for row in rows if row["uid"] in added}
    for row in rows:
        name = re.fullmatch(r"(.*?)([0-9]{1,4})", row.get("id", ""))
        if name and row["id"] in others and row["uid"] in set(mine) - set(theirs):
            row["id"] = free(rows, name[1], int(name[2]) + 1)
