"""Proposals of what a survey's dates carry out: to open a draft, or to remove reports.

A proposal to open names a fingerprint and no date; so it ends, confirmed or not, when the date changes.
"""

from __future__ import annotations

from server.store.engine import Connection
from server.store.lifecycle import life
from server.store.lifecycle.life import Schedule
from server.store.lifecycle.proposals import SecondAdminNeeded, What, allowed, forget, of_survey, propose
from server.store.staff import second_admin


def need_now(db: Connection, survey_id: int, fingerprint: str) -> None:
    """Refuse to open by hand what was confirmed for a date.

    Raises
    ------
    SecondAdminNeeded
    """
    if second_admin.is_required(db) and life.of(db, survey_id).opens_as == fingerprint:
        raise SecondAdminNeeded("open", fingerprint)


def schedule(db: Connection, survey_id: int, wanted: Schedule, account_id: int, now: float) -> None:
    """Set the schedule of a survey, and propose what its dates would carry out.

    What was proposed or confirmed for a date ends with that date: another needs a second admin anew.

    Raises
    ------
    QuotaLowered, EndedAlready
        As `life.schedule` does.
    """
    before = life.of(db, survey_id)
    life.schedule(db, survey_id, wanted, now)
    after = life.of(db, survey_id)
    if (before.opens_at, before.opens_as) != (after.opens_at, after.opens_as):
        forget(db, survey_id, "open")
    if before.remove_at != after.remove_at:
        forget(db, survey_id, "remove")
    propose_dates(db, survey_id, account_id, now)


def propose_dates(db: Connection, survey_id: int, account_id: int, now: float) -> None:
    """Propose what a survey's dates would carry out, as far as nobody has confirmed it."""
    for what, subject in dated(db, survey_id):
        waiting_now = [(each.what, each.subject) for each in of_survey(db, survey_id, now)]
        if not allowed(db, survey_id, what, subject) and (what, subject) not in waiting_now:
            propose(db, survey_id, what, subject, account_id, now)


def unconfirmed(db: Connection, survey_id: int) -> frozenset[What]:
    """Return what the dates of a survey would carry out, and nobody has confirmed."""
    return frozenset(
        what for what, subject in dated(db, survey_id) if not allowed(db, survey_id, what, subject)
    )


def dated(db: Connection, survey_id: int) -> list[tuple[What, str]]:
    """Return what the dates of a survey will carry out, each with what it is about."""
    held, found = life.of(db, survey_id), list[tuple[What, str]]()
    if held.opens_as is not None and life.state_of(db, survey_id) == "draft":
        found.append(("open", held.opens_as))
    if held.remove_at is not None and not held.removed:
        found.append(("remove", str(held.remove_at)))
    return found
