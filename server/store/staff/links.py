"""Links by which an admin invites a colleague, or lets somebody choose a new password. Each works once.

The token stands in the fragment of the address, which no browser sends and no log sees; its hash is stored.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import dataclass

from server.store.engine import Connection
from server.store.staff import accounts, rights
from server.store.staff.accounts import Account, AccountGone, Role, token_hash

LINK_SECONDS = 7 * 24 * 60 * 60
"""The seconds for which a link can be used."""


class LinkGone(LookupError):
    """Raised when a link is unknown, was used or revoked, or has ended."""


@dataclass(frozen=True)
class Link:
    """A stored link, without its token, which nobody can read again.

    Attributes
    ----------
    id : int
    made_by : str
        The name of the admin who made it. The link ends when that account, or its role, does.
    account_id : int or None
        The account whose password it sets; None if it makes a new account.
    role : Role or None
        The role of the new account; None if it makes none.
    all_surveys : bool
        Whether the new account reads every survey.
    slugs : tuple of str
        The surveys that the new account gets, by name.
    expires : int
        Seconds since 1970.
    """

    id: int
    made_by: str
    account_id: int | None
    role: Role | None
    all_surveys: bool
    slugs: tuple[str, ...]
    expires: int


def invite(
    db: Connection, made_by: int, role: Role, all_surveys: bool, survey_ids: Collection[int], now: float
) -> str:
    """Store an invitation and return its token, which is stored nowhere.

    Parameters
    ----------
    db : Connection
    made_by : int
        The number of the admin's account.
    role, all_surveys, survey_ids
        As for `rights.set_rights`.
    now : float
        Seconds since 1970. Links that have ended by then are removed.

    Raises
    ------
    AccountGone
        If the one who makes it is no admin any more.
    """
    require_admin(db, made_by)
    db.execute("DELETE FROM staff_links WHERE expires <= ?", [int(now)])
    token = secrets.token_urlsafe(32)
    ((link_id,),) = db.execute(
        "INSERT INTO staff_links (token_hash, made_by, role, all_surveys, expires) VALUES (?, ?, ?, ?, ?) "
        "RETURNING id",
        [token_hash(token), made_by, role, int(all_surveys), int(now) + LINK_SECONDS],
    ).fetchall()
    for survey_id in survey_ids:
        db.execute(  # one that was deleted meanwhile is passed over
            "INSERT INTO staff_link_surveys (link_id, survey_id) SELECT ?, id FROM surveys WHERE id = ?",
            [link_id, survey_id],
        )
    return token


def allow_reset(db: Connection, made_by: int, account_id: int, now: float) -> str:
    """Store a link to a new password in place of earlier ones; return its token.

    Until it is used, the old password stays.

    Raises
    ------
    AccountGone
        If there is no such account any more, or the one who makes the link is no admin any more.
    """
    require_admin(db, made_by)
    if accounts.by_id(db, account_id) is None:
        raise AccountGone(f"no account has the number {account_id}")
    db.execute("DELETE FROM staff_links WHERE account_id = ? OR expires <= ?", [account_id, int(now)])
    token = secrets.token_urlsafe(32)
    db.execute(
        "INSERT INTO staff_links (token_hash, made_by, account_id, expires) VALUES (?, ?, ?, ?)",
        [token_hash(token), made_by, account_id, int(now) + LINK_SECONDS],
    )
    return token


def require_admin(db: Connection, account_id: int) -> None:
    """Refuse an account that is no admin any more: its links have ended, and it makes no others."""
    account = accounts.by_id(db, account_id)
    if account is None or account.role != "admin":
        raise AccountGone(f"no admin has the number {account_id}")


def invitations(db: Connection, now: float) -> list[Link]:
    """Return the invitations that can still be used, the latest first."""
    rows = db.execute(
        f"{SELECT} WHERE staff_links.account_id IS NULL AND expires > ? ORDER BY staff_links.id DESC",
        [int(now)],
    ).fetchall()
    return [read_row(db, row) for row in rows]


def link_of(db: Connection, token: str, now: float) -> Link:
    """Return the link of a token.

    Raises
    ------
    LinkGone
        If there is none, or none any more.
    """
    asked = f"{SELECT} WHERE token_hash = ? AND expires > ?"
    row = db.execute(asked, [token_hash(token), int(now)]).fetchone()
    if row is None:
        raise LinkGone("there is no such link, or none any more")
    return read_row(db, row)


def revoke(db: Connection, link_id: int) -> None:
    """Revoke an invitation.

    Raises
    ------
    LinkGone
        If there is none of this number.
    """
    sql = "DELETE FROM staff_links WHERE id = ? AND account_id IS NULL"
    if link_id > accounts.LARGEST_NUMBER or not db.execute(sql, [link_id]).rowcount:
        raise LinkGone(f"no invitation has the number {link_id}")


def join(db: Connection, token: str, name: str, password_hash: str, now: float) -> Account:
    """Store the account to which somebody is invited, and end the link in the same transaction.

    Raises
    ------
    LinkGone
        If the invitation cannot be used any more.
    AccountError
        If the name is not allowed or taken; the link can be used again.
    """
    link = link_of(db, token, now)
    if link.role is None or not use(db, link):
        raise LinkGone("the link is no invitation, or was used")
    numbers = [number for slug in link.slugs for (number,) in db.execute(NUMBER, [slug]).fetchall()]
    return rights.add(db, name, password_hash, link.role, link.all_surveys, numbers)


def reset(db: Connection, token: str, password_hash: str, now: float) -> Account:
    """Set the password that somebody has chosen, and end their sessions, their tokens and the link.

    Raises
    ------
    LinkGone
        If the link cannot be used any more.
    """
    link = link_of(db, token, now)
    account = None if link.account_id is None else accounts.by_id(db, link.account_id)
    if account is None or not use(db, link):
        raise LinkGone("the link is for no password, or was used")
    accounts.issue_password_hash(db, account.id, password_hash)
    return account


def use(db: Connection, link: Link) -> bool:
    """End a link; return whether it was there: of two people who use it at once, one succeeds."""
    return bool(db.execute("DELETE FROM staff_links WHERE id = ?", [link.id]).rowcount)


NUMBER = "SELECT id FROM surveys WHERE slug = ?"

SELECT = """
    SELECT staff_links.id, accounts.name, staff_links.account_id, staff_links.role, all_surveys, expires
    FROM staff_links JOIN accounts ON accounts.id = made_by
"""


def read_row(db: Connection, row: tuple[int, str, int | None, Role | None, int, int]) -> Link:
    """Build a link from a row of `SELECT`."""
    link_id, made_by, account_id, role, all_surveys, expires = row
    slugs = db.execute(
        "SELECT slug FROM staff_link_surveys JOIN surveys ON surveys.id = survey_id WHERE link_id = ? "
        "ORDER BY slug",
        [link_id],
    ).fetchall()
    names = tuple(slug for (slug,) in slugs)
    return Link(link_id, made_by, account_id, role, bool(all_surveys), names, expires)
