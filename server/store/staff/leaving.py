"""Accounts that go: each survey that one owns gets another owner first, in the same transaction."""

from __future__ import annotations

from collections.abc import Mapping

from server.store.engine import Connection
from server.store.lifecycle import confirmations
from server.store.staff import accounts, audit, rights
from server.store.staff.accounts import Account, AccountError, AccountGone


def heirs(db: Connection, account_id: int) -> list[Account]:
    """Return the accounts that can take over surveys from another: admins and editors, by name."""
    return [
        other
        for other in accounts.all_accounts(db)
        if other.id != account_id and other.role in ("admin", "editor")
    ]


def given_to_nobody_else(db: Connection, account_id: int) -> list[str]:
    """Return the surveys that were given to an account, and that no other account has, by name."""
    rows = db.execute(
        "SELECT slug FROM grants AS theirs JOIN surveys ON surveys.id = survey_id "
        "WHERE account_id = ? AND made = 0 AND NOT EXISTS ("
        "SELECT 1 FROM grants WHERE grants.survey_id = theirs.survey_id AND grants.account_id <> ?"
        ") ORDER BY slug",
        [account_id, account_id],
    ).fetchall()
    return [slug for (slug,) in rows]


def remove(db: Connection, account_id: int, chosen: Mapping[int, int], who: str) -> Account:
    """Hand over what an account owns and remove it, with its sessions, tokens and links; log both.

    What another admin has confirmed for them is still carried out on its date.

    Parameters
    ----------
    db : Connection
    account_id : int
    chosen : mapping of int to int
        Survey -> the account that takes it over, by their numbers.
    who : str
        As the audit log names them.

    Raises
    ------
    AccountGone
        If there is no such account any more.
    AccountError
        If it is the last admin, owns a survey for which nobody was chosen, or somebody chosen cannot own any.
    """
    leaver = accounts.by_id(db, account_id)
    if leaver is None:
        raise AccountGone(f"no account has the number {account_id}")
    accounts.refuse_last_admin(db, account_id)
    able = {heir.id: heir for heir in heirs(db, account_id)}
    for slug, survey_id in rights.owned_by(db, account_id).items():
        heir = able.get(chosen.get(survey_id, 0))
        if heir is None:
            raise AccountError("owner", f"{slug} needs an admin or an editor who takes it over")
        rights.hand_over(db, survey_id, account_id, heir.id)
        audit.note(db, who, "survey_handed_over", slug, heir.name)
    confirmations.keep_confirmed(db, account_id)
    accounts.delete(db, account_id)
    audit.note(db, who, "account_removed", about=leaver.name)
    return leaver
