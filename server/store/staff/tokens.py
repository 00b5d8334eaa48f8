"""Tokens with which programs sign in; a person makes each for some surveys, to read or to write."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from server.store.engine import Connection
from server.store.staff import accounts
from server.store.staff.accounts import Account, AccountGone, token_hash

PREFIX = "candor_"
"""The beginning of every token, by which somebody who finds one in a file knows what it is."""

LONGEST_NAME = 64
MOST_TOKENS = 50
"""The largest number of tokens that one account may have at a time."""


@dataclass(frozen=True)
class Token:
    """A stored token, without its secret, which nobody can read again.

    Attributes
    ----------
    id : int
    account_id : int
        Its owner: the token may do nothing that its owner may not.
    name : str
        Its name, chosen by its owner.
    writes : bool
        Whether it may change surveys, or only read.
    surveys : frozenset of int or None
        The numbers of its surveys; None for all, also those made later.
    expires : str or None
        The last UTC day on which it is valid, ``YYYY-MM-DD``; None if it does not end by itself.
    used : str or None
        The latest UTC day on which it was used; nothing finer is stored.
    """

    id: int
    account_id: int
    name: str
    writes: bool
    surveys: frozenset[int] | None
    expires: str | None
    used: str | None

    def covers(self, survey_id: int) -> bool:
        """Return whether the token is for this survey."""
        return self.surveys is None or survey_id in self.surveys


class TooManyTokens(ValueError):
    """Raised when an account has as many tokens as it may have."""


def create(
    db: Connection,
    account_id: int,
    name: str,
    writes: bool,
    surveys: Collection[int] | None,
    expires: str | None,
) -> str:
    """Store a new token and return its secret, of which only the hash is stored.

    Notes
    -----
    The secret has 256 random bits. Nobody can try so many, so SHA-256 protects it as well as a slow hash
    would. Argon2 is for passwords, which people choose among few; it would cost every request 50 ms.

    Raises
    ------
    AccountGone
        If there is no such account any more.
    TooManyTokens
        If it has `MOST_TOKENS`.
    """
    if accounts.by_id(db, account_id) is None:
        raise AccountGone(f"no account has the number {account_id}")
    if len(of_account(db, account_id)) >= MOST_TOKENS:
        raise TooManyTokens(f"an account may have {MOST_TOKENS} tokens")
    secret = PREFIX + secrets.token_urlsafe(32)
    ((token_id,),) = db.execute(
        "INSERT INTO tokens (token_hash, account_id, name, writes, all_surveys, expires) "
        "VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
        [token_hash(secret), account_id, name, int(writes), int(surveys is None), expires],
    ).fetchall()
    for survey_id in sorted(surveys or ()):
        db.execute(  # one that was deleted meanwhile is passed over
            "INSERT INTO token_surveys (token_id, survey_id) SELECT ?, id FROM surveys WHERE id = ?",
            [token_id, survey_id],
        )
    return secret


SELECT = "SELECT id, account_id, name, writes, all_surveys, expires, used FROM tokens"


def of_account(db: Connection, account_id: int) -> list[Token]:
    """Return an account's tokens, the latest first."""
    rows = db.execute(f"{SELECT} WHERE account_id = ? ORDER BY id DESC", [account_id]).fetchall()
    return [read_row(db, row) for row in rows]


def holder(db: Connection, secret: str, today: str) -> tuple[Account, Token] | None:
    """Return a token and its owner; None if it is unknown, was removed or has ended.

    Parameters
    ----------
    db : Connection
    secret : str
        The secret as a request brought it.
    today : str
        The UTC day, ``YYYY-MM-DD``.
    """
    row = db.execute(
        f"{SELECT} WHERE token_hash = ? AND (expires IS NULL OR expires >= ?)", [token_hash(secret), today]
    ).fetchone()
    if row is None:
        return None
    token = read_row(db, row)
    account = accounts.by_id(db, token.account_id)
    return None if account is None else (account, token)


def note_use(db: Connection, token_id: int, today: str) -> None:
    """Store the day on which a token was used."""
    db.execute("UPDATE tokens SET used = ? WHERE id = ?", [today, token_id])


def revoke(db: Connection, account_id: int, token_id: int) -> bool:
    """Remove one of an account's tokens; return whether there was one."""
    if token_id > accounts.LARGEST_NUMBER:
        return False
    removed = db.execute("DELETE FROM tokens WHERE id = ? AND account_id = ?", [token_id, account_id])
    return bool(removed.rowcount)


def read_row(db: Connection, row: tuple[Any, ...]) -> Token:
    """Build a token from a row of `SELECT`."""
    token_id, account_id, name, writes, all_surveys, expires, used = row
    surveys = None
    if not all_surveys:
        found = db.execute("SELECT survey_id FROM token_surveys WHERE token_id = ?", [token_id]).fetchall()
        surveys = frozenset(int(number) for (number,) in found)
    return Token(token_id, account_id, name, bool(writes), surveys, expires, used)
