"""The rule that opening and deleting need a second admin: one turns it on, and two turn it off."""

from __future__ import annotations

from server.store.engine import Connection
from server.store.lifecycle import life
from server.store.lifecycle.confirmations import cancel, confirm
from server.store.lifecycle.dated_proposals import dated
from server.store.lifecycle.proposals import SELECT, StaffProposal, insert, waiting
from server.store.staff import accounts, audit, second_admin


class OneAdmin(ValueError):
    """Raised when a second admin would be required where there is one."""


def to_stop(db: Connection, now: float) -> StaffProposal | None:
    """Return the proposal to need no second admin any more, if it can be confirmed."""
    return next((each for each in waiting(db, now) if each.what == "stop"), None)


def require(db: Connection, account_id: int, now: float) -> None:
    """Let opening and deleting need a second admin from now on; dates that are set already stay as they are.

    Links that would make an admin, or let somebody in as one, end.

    Raises
    ------
    OneAdmin
        If there is no second one.
    """
    if second_admin.is_required(db):
        return
    if accounts.admins(db) < accounts.LEAST_ADMINS_OF_TWO:
        raise OneAdmin
    me = accounts.numbered(db, account_id)
    for survey_id in life.of_all(db):
        for what, subject in dated(db, survey_id):
            insert(db, survey_id, what, subject, account_id, now, confirmed_by=me.name)
    db.execute(
        "DELETE FROM staff_links WHERE role = 'admin' "
        "OR account_id IN (SELECT id FROM accounts WHERE role = 'admin')"
    )
    second_admin.store(db, required=True)
    audit.note(db, me.name, "second_admin_required")


def propose_stop(db: Connection, account_id: int, now: float) -> None:
    """Propose that opening and deleting need no second admin any more."""
    if second_admin.is_required(db) and to_stop(db, now) is None:
        insert(db, None, "stop", "", account_id, now)
        audit.note(db, accounts.numbered(db, account_id).name, "stop_proposed")


def stop(db: Connection, account_id: int, now: float) -> None:
    """Confirm that no second admin is needed any more; what nobody has confirmed till then is cancelled.

    Raises
    ------
    ProposalGone, OwnProposal, AccountGone
        As `confirm` does.
    """
    confirm(db, None, "stop", "", account_id, now)
    rows = db.execute(f"{SELECT} WHERE confirmed_by IS NULL").fetchall()
    for row in rows:
        cancel(db, StaffProposal(*row))
    db.execute("DELETE FROM proposals")
    second_admin.store(db, required=False)
    audit.note(db, accounts.numbered(db, account_id).name, "second_admin_not_required")
