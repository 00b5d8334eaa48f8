"""Deleting a survey, or proposing that where it needs a second admin."""

from __future__ import annotations

from server.store import surveys
from server.store.engine import Connection, Storage
from server.store.lifecycle import confirmations, proposals
from server.store.lifecycle.proposals import SecondAdminNeeded
from server.store.staff import audit
from server.store.staff.accounts import Account


def delete_or_propose(storage: Storage, survey_id: int, account: Account, now: float) -> bool:
    """Delete a survey and log it, or propose that; return whether it is deleted.

    Parameters
    ----------
    storage : Storage
    survey_id : int
    account : Account
        Whoever wants that.
    now : float
        In seconds since 1970.

    Raises
    ------
    SurveyGone, OnHold
        If it is gone, or a legal hold keeps it.
    """
    try:
        storage.write(delete, survey_id, account.name)
    except SecondAdminNeeded as needed:
        storage.write(propose, survey_id, needed.subject, account, now)
        return False
    return True


def propose(db: Connection, survey_id: int, subject: str, account: Account, now: float) -> None:
    """Propose to delete a survey.

    Raises
    ------
    SurveyGone
        If two others have deleted it meanwhile.
    """
    surveys.get(db, survey_id)
    proposals.propose(db, survey_id, "delete", subject, account.id, now)


def delete(db: Connection, survey_id: int, who: str) -> None:
    """Delete a survey, and log it."""
    slug = surveys.get(db, survey_id).slug
    surveys.delete_survey(db, survey_id)
    audit.note(db, who, "survey_deleted", slug)


def confirm(db: Connection, survey_id: int, subject: str, account: Account, now: float) -> None:
    """Delete a survey as another has proposed.

    Raises
    ------
    ProposalGone, OwnProposal, AccountGone
        As `confirmations.confirm` does.
    SecondAdminNeeded
        If it is not any more what was proposed.
    SurveyGone, OnHold
        If it is gone, or a legal hold keeps it.
    """
    confirmations.confirm(db, survey_id, "delete", subject, account.id, now)
    delete(db, survey_id, account.name)
