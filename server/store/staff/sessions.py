"""Sessions of staff, which the server can end."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from server.store.engine import Connection
from server.store.staff.accounts import ACCOUNTS, Account, AccountGone, by_id, read_account, token_hash

SECONDS = 10 * 60 * 60
"""The seconds that a session lasts: a working day."""

KEY_DIGITS = 16
"""The number of hexadecimal digits of a token's hash that name its session."""


@dataclass(frozen=True)
class Session:
    """A session as its owner sees it. No address is stored with it.

    Attributes
    ----------
    key : str
        The beginning of the hash of its token: it names the session and opens nothing.
    begun, ends : int
        Seconds since 1970.
    """

    key: str
    begun: int
    ends: int


class SessionGone(LookupError):
    """Raised when a session has ended already."""


def start(db: Connection, account_id: int, now: float, seconds: int = SECONDS) -> str:
    """Start a session and return its token; the server stores only the hash.

    Parameters
    ----------
    db : Connection
    account_id : int
    now : float
        Seconds since 1970. Sessions that have run out by then are removed.
    seconds : int
        The seconds that it lasts.

    Raises
    ------
    AccountGone
        If there is no such account any more.
    """
    if by_id(db, account_id) is None:
        raise AccountGone(f"no account has the number {account_id}")
    db.execute("DELETE FROM sessions WHERE expires <= ?", [int(now)])
    token = secrets.token_urlsafe(32)
    db.execute(
        "INSERT INTO sessions (token_hash, account_id, begun, expires) VALUES (?, ?, ?, ?)",
        [token_hash(token), account_id, int(now), int(now) + seconds],
    )
    return token


def account_of(db: Connection, token: str, now: float) -> Account | None:
    """Return the account of a session's token, or None if the session has ended."""
    return read_account(
        db.execute(
            f"{ACCOUNTS} JOIN sessions ON account_id = id WHERE token_hash = ? AND expires > ?",
            [token_hash(token), int(now)],
        )
    )


def of_account(db: Connection, account_id: int, now: float) -> list[Session]:
    """Return an account's sessions that have not ended, the latest first."""
    rows = db.execute(
        "SELECT token_hash, begun, expires FROM sessions WHERE account_id = ? AND expires > ? "
        "ORDER BY begun DESC, token_hash",
        [account_id, int(now)],
    ).fetchall()
    return [Session(key[:KEY_DIGITS], int(begun), int(ends)) for key, begun, ends in rows]


def begun_at(db: Connection, token: str) -> int:
    """Return the moment at which a session began, in seconds since 1970; 0 if it has ended."""
    row = db.execute("SELECT begun FROM sessions WHERE token_hash = ?", [token_hash(token)]).fetchone()
    return 0 if row is None else int(row[0])


def key_of(token: str) -> str:
    """Return the key of the session of a token."""
    return token_hash(token)[:KEY_DIGITS]


def end_named(db: Connection, account_id: int, key: str) -> None:
    """End one of an account's sessions.

    Raises
    ------
    SessionGone
        If it has none of this key.
    """
    ended = db.execute(
        "DELETE FROM sessions WHERE account_id = ? AND substr(token_hash, 1, ?) = ?",
        [account_id, KEY_DIGITS, key],
    )
    if not ended.rowcount:
        raise SessionGone(f"no session is called {key!r}")


def end_all(db: Connection, account_id: int) -> None:
    """End every session of an account."""
    db.execute("DELETE FROM sessions WHERE account_id = ?", [account_id])


def end_others(db: Connection, account_id: int, token: str) -> None:
    """End every session of an account but that of a token."""
    db.execute(
        "DELETE FROM sessions WHERE account_id = ? AND token_hash <> ?", [account_id, token_hash(token)]
    )


def end(db: Connection, token: str) -> None:
    """End a session, so that copies of its cookie open nothing any more."""
    db.execute("DELETE FROM sessions WHERE token_hash = ?", [token_hash(token)])
