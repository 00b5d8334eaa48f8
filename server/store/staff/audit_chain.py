"""The audit log as a chain: each line holds the hash of the one before, so the last hash vouches for all.

That hash is the head. Whoever has kept one finds out whether a line up to it was removed, changed or moved.
Who holds the database and every head that was kept can write the log anew from some line on: no hash shows
that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from server.store.engine import Connection
from server.store.staff.audit import BEGINNING, SELECT, Line

HEAD = re.compile(r"\b[0-9a-f]{64}\b")


def head(db: Connection) -> str:
    """Return the head of the log."""
    row = db.execute(f"{SELECT} ORDER BY id DESC LIMIT 1").fetchone()
    return Line(*row).hash if row else BEGINNING


def head_at_list(db: Connection, root: str) -> str | None:
    """Return the head that the log had when it named the root of a counted list; None before it does."""
    row = db.execute(
        f"{SELECT} WHERE what = 'list_made' AND about = ? ORDER BY id DESC LIMIT 1", [root]
    ).fetchone()
    return None if row is None else Line(*row).hash


def chain(db: Connection) -> list[Line]:
    """Return all lines, the first one first."""
    return [Line(*row) for row in db.execute(f"{SELECT} ORDER BY id").fetchall()]


def faults(lines: list[Line], heads: Iterable[str]) -> Iterator[str]:
    """Yield what is wrong with the log, and each head that was kept and that no line has any more."""
    if (broken := first_fault(lines)) is not None:
        yield broken
    hashes = {BEGINNING, *(line.hash for line in lines)}
    for text in heads:
        if text not in hashes:
            yield f"no line has the kept head {text}: a line up to it was cut off, changed or moved"


def first_fault(lines: list[Line]) -> str | None:
    """Name the first line that was removed, changed or moved.

    No line vouches for the last one, and a line that was cut off at the end leaves no gap: only a head that
    was kept shows that.

    Examples
    --------
    >>> one = Line(1, "2026-05-04T09:00:00Z", "ada", "signed_in", None, None, 32 * "0", BEGINNING)
    >>> two = Line(2, "2026-05-04T09:00:07Z", "ada", "signed_out", None, None, 32 * "1", one.hash)
    >>> first_fault([one, two])
    >>> first_fault([two])
    'line 1 was removed'
    """
    previous = BEGINNING
    for number, line in enumerate(lines, 1):
        if line.id != number:
            return f"line {number} was removed"
        if line.previous != previous:
            if number == 1:
                return "line 1 was changed or moved"
            if number == len(lines):
                return f"line {number - 1} or the last one was changed or moved"
            vouched = lines[number].previous == line.hash
            return f"line {number - vouched} was changed or moved"
        if not line.is_text:
            return f"line {number} was changed or moved"
        previous = line.hash
    return None


def claim(db: Connection, hour: str) -> str | None:
    """Return the head for whoever asks first in an hour, ``YYYY-MM-DDTHH:00Z``, and None for all others."""
    db.execute("INSERT INTO settings (name, value) VALUES ('head_sent', '') ON CONFLICT DO NOTHING")
    claimed = db.execute("UPDATE settings SET value = ? WHERE name = 'head_sent' AND value < ?", [hour, hour])
    return head(db) if claimed.rowcount else None


def claim_no_more(db: Connection, hour: str) -> None:
    """Let somebody else send the head of an hour."""
    db.execute("UPDATE settings SET value = '' WHERE name = 'head_sent' AND value = ?", [hour])


def heads_in(text: str) -> list[str]:
    """Return every head in a text, such as the file to which a server sends its heads."""
    return HEAD.findall(text)
