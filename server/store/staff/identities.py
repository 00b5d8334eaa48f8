"""Accounts of people who sign in with an institution's account: who they are there, and what follows here.

Somebody is the issuer and the subject that a provider's token names, never an email address: those pass from
one person to another. An account that has an identity has no password that anybody knows.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, timedelta

from server.providers import ROLES, Provider, SignInRules
from server.store.engine import Connection
from server.store.staff import accounts, audit, rights, second_admin, second_factor, sessions
from server.store.staff.accounts import ACCOUNTS, LONGEST_NAME, Account, Role, read_account

TOKEN_DAYS = 30
"""The days for which tokens of programs work after their owner has signed in with the provider."""


@dataclass(frozen=True)
class Person:
    """Somebody of whom a provider says who they are.

    Attributes
    ----------
    issuer, subject : str
        The two together name one person for good.
    name : str
        What the provider calls them.
    groups : frozenset of str
    """

    issuer: str
    subject: str
    name: str
    groups: frozenset[str]


class InNoGroup(Exception):
    """Raised when somebody is in no group that has a role here."""


def role_of(provider: Provider, groups: Collection[str]) -> Role | None:
    """Return the role of whoever is in these groups: of several, the one that may do most."""
    held = {role for group, role in provider.roles.items() if group in groups}
    return next((role for role in ROLES if role in held), None)


def role_given(db: Connection, provider: Provider, person: Person, account: Account | None) -> Role:
    """Return the role that somebody gets by their groups.

    While opening and deleting need a second admin, it makes nobody an admin who is none: somebody with an
    account of either kind could otherwise confirm what they proposed.

    Raises
    ------
    InNoGroup
        If they are in no group with a role.
    """
    role = role_of(provider, person.groups)
    if role is None:
        raise InNoGroup
    is_admin = account is not None and account.role == "admin"
    return "editor" if role == "admin" and not is_admin and second_admin.is_required(db) else role


def find(db: Connection, person: Person) -> Account | None:
    """Return somebody's account, or None."""
    asked = f"{ACCOUNTS} JOIN identities ON account_id = id WHERE issuer = ? AND subject = ?"
    return read_account(db.execute(asked, [person.issuer, person.subject]))


def issuer_of(db: Connection, account_id: int) -> str | None:
    """Return the issuer of the provider with which an account signs in; None if it has a password."""
    row = db.execute("SELECT issuer FROM identities WHERE account_id = ?", [account_id]).fetchone()
    return None if row is None else str(row[0])


def issuers(db: Connection) -> dict[int, str]:
    """Return the accounts that sign in with a provider: number -> issuer."""
    rows = db.execute("SELECT account_id, issuer FROM identities").fetchall()
    return {int(number): issuer for number, issuer in rows}


def may_enter(db: Connection, account: Account, rules: SignInRules, today: str) -> bool:
    """Return whether an account may still do anything: by the rules, and by its provider's last word."""
    asked = "SELECT issuer, confirmed FROM identities WHERE account_id = ?"
    row = db.execute(asked, [account.id]).fetchone()
    if row is None:
        return rules.local_accounts or rules.is_break_glass(account.name)
    oldest = date.fromisoformat(today) - timedelta(days=TOKEN_DAYS)
    return rules.of_issuer(row[0]) is not None and row[1] >= oldest.isoformat()


def has_password(db: Connection, account: Account, rules: SignInRules) -> bool:
    """Return whether an account may sign in with a password: of those of a provider, nobody knows any."""
    allowed = rules.local_accounts or rules.is_break_glass(account.name)
    return allowed and issuer_of(db, account.id) is None


def lacks_factor(db: Connection, account: Account, rules: SignInRules) -> bool:
    """Return whether an account must get a second factor before anything else.

    Whoever signs in with an institution's account shows there what the institution asks for.
    """
    needed = second_factor.is_required(db) or rules.is_break_glass(account.name)
    return needed and not second_factor.is_on(db, account.id) and issuer_of(db, account.id) is None


def sign_in(
    db: Connection,
    rules: SignInRules,
    provider: Provider,
    person: Person,
    password_hash: str,
    now: float,
    today: str,
) -> tuple[Account, str]:
    """Start a session of whoever a provider vouches for; make the account if there is none.

    Parameters
    ----------
    db : Connection
    rules : SignInRules
        They name the account for emergencies, whose name nobody gets.
    provider : Provider
    person : Person
    password_hash : str
        Of a password that nobody knows.
    now : float
        Seconds since 1970.
    today : str
        The UTC day, ``YYYY-MM-DD``.

    Returns
    -------
    Account
    str
        The token of the session.

    Raises
    ------
    InNoGroup
        If they are in no group with a role.
    AccountError
        If too few admins would be left, since their groups make them none any more.

    Notes
    -----
    After either, what was left of their access has to be ended, in a transaction of its own: see `turn_away`.
    """
    account = find(db, person)
    role = role_given(db, provider, person, account)
    if account is None:
        account = accounts.insert(db, free_name(db, rules, person.name), password_hash, role)
        attach(db, account.id, person, today)
        audit.note(db, audit.BY_PROVIDER, "account_added", about=account.name)
    else:
        account = follow(db, account, role)
    db.execute("UPDATE identities SET confirmed = ? WHERE account_id = ?", [today, account.id])
    token = sessions.start(db, account.id, now, provider.session_hours * 3600)
    audit.note(db, account.name, "signed_in", about=provider.title)
    return account, token


def follow(db: Connection, account: Account, role: Role) -> Account:
    """Set an account's role to that of its groups, and leave it its surveys; return it as it is then.

    No group lets anybody read every survey: only an admin does, and only while the account is a researcher's.

    Raises
    ------
    AccountError
        If too few admins would be left.
    """
    if account.role == role:
        return account
    held = rights.rights_of(db, account)
    rights.set_rights(db, account.id, role, False, held.surveys.keys())
    audit.note(db, audit.BY_PROVIDER, "rights_changed", about=account.name)
    return Account(account.id, account.name, role, account.password_hash)


def turn_away(db: Connection, provider: Provider, person: Person, today: str) -> None:
    """End what somebody could still do whom a provider no longer gives what they had; log it once a day.

    Whoever has no account is not named: it may be a respondent who took the wrong door.
    """
    account = find(db, person)
    if account is not None:
        end_access(db, account.id)
    about = provider.title if account is None else f"{provider.title}: {account.name}"
    audit.note_once_a_day(db, audit.BY_PROVIDER, "provider_refused", None, today, about)


def link(
    db: Connection, account: Account, provider: Provider, person: Person, password_hash: str, today: str
) -> None:
    """Let an account that had a password sign in with a provider from now on, and in no other way.

    Raises
    ------
    InNoGroup
        If they are in no group with a role.
    AccountError
        If somebody's account has this identity already, or too few admins would be left.
    """
    role = role_given(db, provider, person, account)
    if find(db, person) is not None or issuer_of(db, account.id) is not None:
        raise accounts.AccountError("linked", "an account has this identity already")
    follow(db, account, role)
    accounts.issue_password_hash(db, account.id, password_hash)
    second_factor.remove(db, account.id)
    attach(db, account.id, person, today)
    audit.note(db, account.name, "provider_linked", about=provider.title)


def attach(db: Connection, account_id: int, person: Person, today: str) -> None:
    """Store whose account it is."""
    db.execute(
        "INSERT INTO identities (account_id, issuer, subject, confirmed) VALUES (?, ?, ?, ?)",
        [account_id, person.issuer, person.subject, today],
    )


def issue_password_hash(db: Connection, account_id: int, password_hash: str) -> None:
    """Set the password of an account as `accounts.issue_password_hash` does; no provider signs it in then."""
    accounts.issue_password_hash(db, account_id, password_hash)
    db.execute("DELETE FROM identities WHERE account_id = ?", [account_id])


def end_access(db: Connection, account_id: int) -> None:
    """End the sessions of an account, its tokens, and the links that it made."""
    sessions.end_all(db, account_id)
    db.execute("DELETE FROM tokens WHERE account_id = ?", [account_id])
    db.execute("DELETE FROM staff_links WHERE made_by = ?", [account_id])


def free_name(db: Connection, rules: SignInRules, wanted: str) -> str:
    """Return a name for a new account: the provider's, with a number if that is taken or kept."""
    plain = re.sub(r"[^\w.@-]+", ".", wanted).strip(".")[: LONGEST_NAME - 8] or "person"
    number, name = 1, plain
    while rules.is_break_glass(name) or accounts.by_name(db, name) is not None:
        number += 1
        name = f"{plain}-{number}"
    return name
