"""The rights that accounts have to surveys, as stored; `server.staff.rights` says what they allow."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Concatenate, Literal, ParamSpec

from server.store.engine import Connection
from server.store.staff import accounts
from server.store.staff.accounts import ROLES, Account, AccountError, AccountGone, Role
from server.store.surveys import Survey

Arguments = ParamSpec("Arguments")

Relation = Literal["own", "given", "other", "none"]
"""Relation of a survey to an account: made by it, given to it, or neither; ``none`` if there is no survey."""


@dataclass(frozen=True)
class AccountRights:
    """The role of an account and its relations to surveys.

    Attributes
    ----------
    role : Role
    all_surveys : bool
        Whether every survey is given to it, also those made later.
    surveys : mapping of int to Relation
        The surveys that are its own or were given to it one by one, by their numbers.
    slugs : mapping of str to int
        The numbers of these surveys, by their names.
    """

    role: Role
    all_surveys: bool
    surveys: Mapping[int, Relation]
    slugs: Mapping[str, int]

    def relation(self, survey_id: int) -> Relation:
        """Return the relation of a survey to the account."""
        return self.surveys.get(survey_id, "given" if self.all_surveys else "other")

    def relation_named(self, slug: str) -> Relation:
        """Return the relation of the survey of a name to the account, even if there is no such survey."""
        return self.relation(self.slugs.get(slug, 0))  # no survey has the number 0


def rights_of(db: Connection, account: Account) -> AccountRights:
    """Return the rights of an account."""
    marked = "SELECT 1 FROM account_rights WHERE account_id = ? AND all_surveys = 1"
    everything = account.role == "researcher" and bool(db.execute(marked, [account.id]).fetchall())
    held = db.execute(
        "SELECT survey_id, slug, made FROM grants JOIN surveys ON surveys.id = survey_id "
        "WHERE account_id = ?",
        [account.id],
    ).fetchall()
    return AccountRights(
        role=account.role,
        all_surveys=everything,
        surveys={number: "own" if made else "given" for number, _, made in held},
        slugs={slug: number for number, slug, _ in held},
    )


def owned(
    create: Callable[Concatenate[Connection, Arguments], Survey], account_id: int
) -> Callable[Concatenate[Connection, Arguments], Survey]:
    """Return a function that stores a new survey and makes it an account's own.

    If the account is gone by then, the survey belongs to the admins alone, as every survey belongs to them.
    """

    def both(db: Connection, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Survey:
        made = create(db, *args, **kwargs)
        db.execute(
            "INSERT INTO grants (account_id, survey_id, made) SELECT id, ?, 1 FROM accounts WHERE id = ?",
            [made.id, account_id],
        )
        return made

    return both


def owned_by(db: Connection, account_id: int) -> dict[str, int]:
    """Return the surveys that are an account's own: name -> number, by name."""
    rows = db.execute(
        "SELECT slug, survey_id FROM grants JOIN surveys ON surveys.id = survey_id "
        "WHERE account_id = ? AND made = 1 ORDER BY slug",
        [account_id],
    ).fetchall()
    return dict(rows)


def hand_over(db: Connection, survey_id: int, owner_id: int, heir_id: int) -> None:
    """Make a survey another account's own instead of its owner's."""
    for account_id in (owner_id, heir_id):
        db.execute("DELETE FROM grants WHERE survey_id = ? AND account_id = ?", [survey_id, account_id])
    db.execute("INSERT INTO grants (account_id, survey_id, made) VALUES (?, ?, 1)", [heir_id, survey_id])


def add(
    db: Connection,
    name: str,
    password_hash: str,
    role: Role,
    all_surveys: bool,
    survey_ids: Collection[int],
) -> Account:
    """Store a new account with its surveys; see `accounts.insert` and `set_rights`.

    Raises
    ------
    AccountError
        If the name or the role is not allowed, or the name is taken.
    """
    added = accounts.insert(db, name, password_hash, role)
    set_rights(db, added.id, role, all_surveys, survey_ids)
    return added


def set_rights(
    db: Connection, account_id: int, role: Role, all_surveys: bool, survey_ids: Collection[int]
) -> None:
    """Change the role and the surveys of an account; a change of role ends its tokens and links.

    Parameters
    ----------
    db : Connection
    account_id : int
    role : Role
    all_surveys : bool
        Whether a researcher reads every survey, also those made later.
    survey_ids : collection of int
        The surveys that it has from now on. Those that are its own stay its own; surveys of its own that are
        missing here fall to the admins. Numbers that no survey has are ignored.

    Raises
    ------
    AccountGone
        If there is no such account any more.
    AccountError
        If it is the last admin, and would be none, or the role is unknown.
    """
    account = accounts.by_id(db, account_id)
    if account is None:
        raise AccountGone(f"no account has the number {account_id}")
    if role not in ROLES:
        raise AccountError("role", f"role must be one of {', '.join(ROLES)}, got {role!r}")
    if account.role == "admin" != role:
        accounts.refuse_last_admin(db, account_id)
    if account.role != role:
        stored = accounts.stored_role(role)
        db.execute("UPDATE accounts SET role = ? WHERE id = ?", [stored, account_id])
        db.execute("DELETE FROM tokens WHERE account_id = ?", [account_id])
        db.execute("DELETE FROM staff_links WHERE made_by = ?", [account_id])
    accounts.mark(db, account_id, editor=role == "editor", all_surveys=all_surveys)
    for number in rights_of(db, account).surveys.keys() - survey_ids:
        db.execute("DELETE FROM grants WHERE account_id = ? AND survey_id = ?", [account_id, number])
    for number in survey_ids:
        db.execute(
            "INSERT INTO grants (account_id, survey_id) SELECT ?, id FROM surveys WHERE id = ? "
            "ON CONFLICT DO NOTHING",
            [account_id, number],
        )


def everybody(db: Connection) -> list[tuple[Account, AccountRights]]:
    """Return every account, by name, with its rights."""
    return [(account, rights_of(db, account)) for account in accounts.all_accounts(db)]
