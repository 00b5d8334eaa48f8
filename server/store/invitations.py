"""One-time invitations: links of which each stores one report, and is joined to none.

A link carries a token. The database holds its hash, on a sheet of 62, and a bit that is set in the
transaction that stores the report. Nothing else is kept of the moment: no time, no number that a report has
too. A sheet has one size and is overwritten where it stands, so that a file of SQLite's shows which
invitations were used and which reports came, and not which belong together. PostgreSQL notes with each row
the transaction that wrote it: there it shows until the survey is closed, and its reports are written anew.
"""

from __future__ import annotations

import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Literal

from server.store.engine import Connection, Transactions

SHEET = 62
"""Invitations on a sheet: as many as there are bits below the highest of a whole number of eight bytes."""

EMPTY = 1 << SHEET
"""A sheet of which none was used. The highest bit keeps the number at eight bytes, whatever is set below."""

PLACE = 4
"""Bytes of a token that say where its hash stands: three for the sheet, one for the place on it."""

SECRET = 17
"""Random bytes of a token. Nobody can try 2**136, so SHA-256 keeps them as well as a slow hash would."""

TOKEN = PLACE + SECRET
HASH = 16

MOST_AT_ONCE = 100_000

MOST = 1_000_000
"""The most invitations that a survey may have in all."""

ROWS = 500
"""Sheets that one statement stores."""

AIM = 100
"""Sheets that one transaction removes: about 100 kB, which are overwritten."""

Refusal = Literal["used", "uninvited"]


class TooMany(ValueError):
    """More invitations than a survey may have."""


@dataclass(frozen=True)
class InvitationTotals:
    """The invitations of a survey in numbers.

    Attributes
    ----------
    made : int
        How many there are, with those that were used or withdrawn.
    sheets : int
        The number of sheets that they fill.
    withdrawn : int
        The sheets before this one are withdrawn: none of them can be used any more.
    """

    made: int
    sheets: int
    withdrawn: int


@dataclass(frozen=True)
class NewInvitations:
    """The places of invitations that were just stored.

    Attributes
    ----------
    first : int
        The number of the first, from 1.
    sheet : int
        The sheet that it is on, as the first.
    """

    first: int
    sheet: int

    def tokens(self, drawn: Sequence[bytes]) -> list[str]:
        """Return the tokens of the secrets, as links carry them: 28 characters each, in their order."""
        places = (divmod(number, SHEET) for number in range(len(drawn)))
        return [
            token_text(self.sheet + sheet, place, secret)
            for (sheet, place), secret in zip(places, drawn, strict=True)
        ]


def draw(number: int, random: Callable[[int], bytes] = secrets.token_bytes) -> list[bytes]:
    """Draw the secrets of so many tokens."""
    drawn = random(number * SECRET)
    return [drawn[start : start + SECRET] for start in range(0, len(drawn), SECRET)]


def hash_of(secret: bytes) -> bytes:
    """Return what is stored of a secret."""
    return sha256(b"candor invitation " + secret).digest()[:HASH]


def make(db: Connection, survey_id: int, hashes: Sequence[bytes], room: int = 0) -> NewInvitations:
    """Store the hashes of new secrets in the caller's transaction.

    Parameters
    ----------
    db : Connection
    survey_id : int
    hashes : sequence of bytes
    room : int
        How many the survey must have room for, if more follow.

    Raises
    ------
    TooMany
        If the survey would have more than `MOST`.
    """
    before = invitation_totals(db, survey_id)
    if before.made + max(room, len(hashes)) > MOST:
        raise TooMany(f"a survey has at most {MOST:,} invitations, and {before.made:,} are made")
    sheets = [b"".join(hashes[start : start + SHEET]) for start in range(0, len(hashes), SHEET)]
    db.execute(
        "UPDATE invited SET made = made + ?, sheets = sheets + ? WHERE survey_id = ?"
        if before.made
        else "INSERT INTO invited (made, sheets, survey_id) VALUES (?, ?, ?)",
        [len(hashes), len(sheets), survey_id],
    )
    insert(db, [(survey_id, before.sheets + number, EMPTY, sheet) for number, sheet in enumerate(sheets)])
    return NewInvitations(before.made + 1, before.sheets)


def insert(db: Connection, rows: Sequence[tuple[int, int, int, bytes]]) -> None:
    """Store sheets: survey, number, bits, hashes."""
    for start in range(0, len(rows), ROWS):
        some = rows[start : start + ROWS]
        marks = ", ".join(["(?, ?, ?, ?)"] * len(some))
        db.execute(
            f"INSERT INTO invitations (survey_id, sheet, used, hashes) VALUES {marks}",
            [value for row in some for value in row],
        )


def token_text(sheet: int, place: int, secret: bytes) -> str:
    """Write a token as a link carries it.

    Examples
    --------
    >>> token_text(1, 2, bytes(17))
    'AAABAgAAAAAAAAAAAAAAAAAAAAAA'
    """
    return urlsafe_b64encode(sheet.to_bytes(PLACE - 1) + bytes([place]) + secret).decode()


def place_of(token: bytes) -> tuple[int, int]:
    """Return where the hash of a token stands: the sheet, and the place on it."""
    return int.from_bytes(token[: PLACE - 1]), token[PLACE - 1]


def invitation_totals(db: Connection, survey_id: int) -> InvitationTotals:
    """Return how many invitations a survey has."""
    row = db.execute(
        "SELECT made, sheets, withdrawn FROM invited WHERE survey_id = ?", [survey_id]
    ).fetchone()
    return InvitationTotals(*row) if row else InvitationTotals(0, 0, 0)


def withdraw(db: Connection, survey_id: int) -> None:
    """Let none of the invitations that a survey has now be used any more."""
    db.execute("UPDATE invited SET withdrawn = sheets WHERE survey_id = ?", [survey_id])


@dataclass
class Sheets:
    """The sheets that the tokens of one batch are on, which nobody else changes meanwhile.

    Attributes
    ----------
    held : dict[int, tuple[int, bytes]]
        Sheet -> its bits, and its hashes.
    taken : dict[bytes, bytes]
        Token -> the receipt that it was admitted with in this batch.
    """

    db: Connection
    survey_id: int
    withdrawn: int
    held: dict[int, tuple[int, bytes]]
    taken: dict[bytes, bytes] = field(default_factory=dict)

    def refuse(self, token: bytes, receipt: bytes) -> Refusal | None:
        """Admit a new receipt with a token, or say why not."""
        if len(token) != TOKEN:
            return "uninvited"
        sheet, place = place_of(token)
        used, hashes = self.held.get(sheet, (EMPTY, b""))
        if hashes[place * HASH :][:HASH] != hash_of(token[PLACE:]):
            return "uninvited"
        if used >> place & 1:
            return "used"
        if sheet < self.withdrawn:
            return "uninvited"
        return None if self.taken.setdefault(token, receipt) == receipt else "used"

    def spend(self, tokens: Collection[bytes]) -> None:
        """Note that tokens were used."""
        changed: dict[int, int] = {}
        for sheet, place in map(place_of, tokens):
            changed[sheet] = changed.get(sheet, self.held[sheet][0]) | 1 << place
        if changed:
            self.db.execute(
                "UPDATE invitations SET used = spent.column2 "
                f"FROM (VALUES {', '.join(['(?, ?)'] * len(changed))}) AS spent "
                "WHERE survey_id = ? AND sheet = spent.column1",
                [value for row in changed.items() for value in row] + [self.survey_id],
            )


def hold_sheets(db: Connection, survey_id: int, tokens: Iterable[bytes]) -> Sheets:
    """Read the sheets that tokens are on, and keep them from being changed by others.

    Notes
    -----
    Whoever waited for them sees, in the next statement, what the one before has stored. So receipts are
    looked up after this: a retry that comes through another server finds its first.
    """
    sheets = {place_of(token)[0] for token in tokens if len(token) == TOKEN}
    if not sheets:
        return Sheets(db, survey_id, 0, {})
    rows = db.execute(
        "SELECT sheet, used, hashes FROM invitations "
        f"WHERE survey_id = ? AND sheet IN ({', '.join('?' * len(sheets))}) ORDER BY sheet {db.alone}",
        [survey_id, *sheets],
    ).fetchall()
    held = {sheet: (used, bytes(hashes)) for sheet, used, hashes in rows}
    return Sheets(db, survey_id, invitation_totals(db, survey_id).withdrawn, held)


IDLE = "survey_id NOT IN (SELECT id FROM surveys WHERE state = 'open')"


def forget_unusable(storage: Transactions) -> None:
    """Remove the hashes of surveys that are closed or gone: nobody uses an invitation to them any more."""
    while storage.write(remove_some):
        pass


def remove_some(db: Connection) -> bool:
    """Remove a few sheets; return whether there are more."""
    first = f"SELECT survey_id, sheet FROM invitations WHERE {IDLE} ORDER BY survey_id, sheet LIMIT {AIM}"
    rows = db.execute(first).fetchall()
    for survey_id, last in dict(rows).items():
        db.execute("DELETE FROM invitations WHERE survey_id = ? AND sheet <= ?", [survey_id, last])
    return len(rows) == AIM


def carry(target: Connection, source: Connection, survey_id: int) -> None:
    """Carry the invitations of a survey into a database in which it is open."""
    rows = source.execute(
        "SELECT survey_id, made, sheets, withdrawn, listed FROM invited WHERE survey_id = ?", [survey_id]
    ).fetchall()
    for row in rows:
        target.execute(
            "INSERT INTO invited (survey_id, made, sheets, withdrawn, listed) VALUES (?, ?, ?, ?, ?)", row
        )
    insert(target, source.execute(f"{SHEETS} AND survey_id = ? ORDER BY sheet", [survey_id]).fetchall())


SHEETS = (
    "SELECT survey_id, sheet, used, hashes FROM invitations "
    "WHERE survey_id IN (SELECT id FROM surveys WHERE state = 'open')"
)
"""The sheets of open surveys, whose invitations can still be used."""
