"""Confirming and declining what staff have proposed, and what becomes of it when somebody leaves.

It takes two admins: what an editor proposes, one admin takes on as their own, and another confirms. Any admin
can make an editor, and would otherwise need nobody else.
"""

from __future__ import annotations

from server.store.engine import Connection
from server.store.lifecycle import life
from server.store.lifecycle.proposals import StaffProposal, find, forget
from server.store.staff import accounts, audit
from server.store.staff.accounts import Account, AccountGone


class OwnProposal(ValueError):
    """Raised when somebody would confirm what they have proposed, or what no admin has taken on."""


def confirm(
    db: Connection,
    survey_id: int | None,
    what: str,
    subject: str,
    account_id: int,
    now: float,
    made: int | None = None,
) -> StaffProposal:
    """Confirm a proposal as another admin, and log it; the caller carries it out, or a date does.

    One that was made again since the moment that is given is another: perhaps for another reason.

    Raises
    ------
    ProposalGone
        If there is none about this any more.
    OwnProposal
        If it is of the same account, or of one that is no admin's.
    AccountGone
        If the account is no admin's any more.
    """
    proposal = find(db, survey_id, what, subject, now, made)
    admin = admin_numbered(db, account_id)
    if proposal.account_id == account_id or not is_of_admin(db, proposal):
        raise OwnProposal
    db.execute(
        "UPDATE proposals SET confirmed_by = ? WHERE coalesce(survey_id, 0) = ? AND what = ?",
        [admin.name, survey_id or 0, what],
    )
    audit.note(db, admin.name, "proposal_confirmed", slug_of(db, survey_id), proposal.who)
    return proposal


def take_on(db: Connection, survey_id: int, what: str, subject: str, account_id: int, now: float) -> bool:
    """Make an admin's own what somebody has proposed who is none, and log it; return whether it was that.

    Raises
    ------
    ProposalGone, AccountGone
        As `confirm` does.
    """
    proposal = find(db, survey_id, what, subject, now)
    if is_of_admin(db, proposal):
        return False
    admin = admin_numbered(db, account_id)
    db.execute(
        "UPDATE proposals SET account_id = ?, made = ? WHERE survey_id = ? AND what = ?",
        [admin.id, int(now), survey_id, what],
    )
    audit.note(db, admin.name, "proposal_taken_on", slug_of(db, survey_id), proposal.who)
    return True


def is_of_admin(db: Connection, proposal: StaffProposal) -> bool:
    """Return whether whoever has proposed something is an admin."""
    return accounts.numbered(db, proposal.account_id).role == "admin"


def admin_numbered(db: Connection, account_id: int) -> Account:
    """Return the account of an admin.

    Raises
    ------
    AccountGone
        If there is none of this number any more.
    """
    admin = accounts.numbered(db, account_id)
    if admin.role != "admin":
        raise AccountGone(f"{admin.name} is no admin any more")
    return admin


def decline(db: Connection, survey_id: int | None, what: str, subject: str, who: str, now: float) -> None:
    """Remove a proposal with the date that it was about, and log it; whoever made it takes it back so.

    Raises
    ------
    ProposalGone
        If there is none about this any more.
    """
    proposal = find(db, survey_id, what, subject, now)
    cancel(db, proposal)
    audit.note(db, who, "proposal_declined", slug_of(db, survey_id), proposal.who)


def cancel(db: Connection, proposal: StaffProposal) -> None:
    """Remove a proposal, with the date on which it would have been carried out."""
    forget(db, proposal.survey_id, proposal.what)
    if proposal.survey_id is None:
        return
    held = life.of(db, proposal.survey_id)
    if proposal.what == "open" and held.opens_as == proposal.subject:
        life.note(db, proposal.survey_id, opens_at=None, opens_as=None)
    if proposal.what == "remove" and str(held.remove_at) == proposal.subject and not held.removed:
        life.note(db, proposal.survey_id, remove_at=None)


def keep_confirmed(db: Connection, leaver_id: int) -> None:
    """Keep what another admin has confirmed when whoever asked for it leaves: a date will carry it out.

    It becomes another admin's, and keeps both names. Nothing that waits for confirmation stays.
    """
    db.execute(
        "UPDATE proposals SET asked_by = coalesce(asked_by, (SELECT name FROM accounts WHERE id = ?)), "
        "account_id = (SELECT min(id) FROM accounts WHERE role = 'admin' AND id <> ?) "
        "WHERE account_id = ? AND confirmed_by IS NOT NULL",
        [leaver_id, leaver_id, leaver_id],
    )


def slug_of(db: Connection, survey_id: int | None) -> str | None:
    """Return the name of a survey."""
    row = db.execute("SELECT slug FROM surveys WHERE id = ?", [survey_id or 0]).fetchone()
    return None if row is None else str(row[0])
