"""The leaves of a closed survey's list that have some first bits, and what leads from them to the root."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from server.runtime.bounded_cache import BoundedCache
from server.store.counted_lists import CountedList, sheet_at
from server.store.engine import Connection
from survey.counted_list import HASH, SHEET, path_of, root_of


@dataclass(frozen=True)
class Heads:
    """The first leaf and the root of each sheet of a list, and the nodes above them as they are asked for.

    Attributes
    ----------
    firsts, roots : list of bytes
    nodes : dict
        The sheets that a node is above, from one up to another -> the node.
    """

    firsts: list[bytes]
    roots: list[bytes]
    nodes: dict[tuple[int, int], bytes]

    @classmethod
    def of(cls, db: Connection, survey_id: int) -> Heads:
        """Read those of a survey."""
        select = "SELECT first, root FROM leaf_sheets WHERE survey_id = ? ORDER BY place"
        rows = db.execute(select, [survey_id]).fetchall()
        return cls([bytes(first) for first, _ in rows], [bytes(root) for _, root in rows], {})

    def node(self, low: int, high: int) -> bytes:
        """Return the node above some sheets."""
        if (low, high) not in self.nodes:
            self.nodes[low, high] = root_of(self.roots[low:high])
        return self.nodes[low, high]


HEADS: BoundedCache[Heads] = BoundedCache(4, run=lambda function, *arguments: function(*arguments))
"""Those of the latest lists by their roots: of a million leaves, each request would read 1,000 rows."""


def leaves_with(
    db: Connection, made: CountedList, prefix: int, bits: int
) -> tuple[int, list[bytes], list[bytes]]:
    """Return the leaves with some first bits.

    Returns
    -------
    start : int
        The place of the first among all leaves.
    leaves : list of bytes
    path : list of bytes
        The nodes that lead from them to the root.
    """
    heads = HEADS.get(made.root, lambda: Heads.of(db, made.survey_id))
    least, most = ((prefix + more << 8 * HASH - bits) - more for more in (0, 1))
    low, high = least.to_bytes(HASH), most.to_bytes(HASH)
    sheets = {
        place: sheet_at(db, made.survey_id, place)
        for place in range(max(0, bisect_left(heads.firsts, low) - 1), bisect_right(heads.firsts, high))
    }
    listed = [
        (SHEET * place + within, leaf)
        for place, sheet in sheets.items()
        for within, leaf in enumerate(sheet)
        if low <= leaf <= high
    ]
    start = listed[0][0]  # every prefix is that of several

    def node(low: int, high: int) -> bytes:
        place = low // SHEET
        if high - low <= SHEET and place in sheets:
            return root_of(sheets[place][low % SHEET : low % SHEET + high - low])
        return heads.node(place, -(-high // SHEET))

    return start, [leaf for _, leaf in listed], path_of(made.leaves, start, len(listed), node)
