"""Proposals of staff, which another admin confirms, where opening and deleting need two.

A proposal names exactly what it is about: the fingerprint of what would open or go, or the moment on which
reports would go. What has another by then is not covered. It can be confirmed for a week; once confirmed, it
holds until it is carried out. The store carries out nothing that needs one without it, whoever asks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from server.language.moments import moment
from server.store.engine import Connection
from server.store.lifecycle import life
from server.store.staff import accounts, audit, second_admin

What = Literal["open", "delete", "remove", "stop"]
"""To open a draft, delete a survey, remove its reports on a day, or need no second admin any more."""

SECONDS = 7 * 24 * 3600
"""The seconds for which a proposal can be confirmed."""

DEEDS = {"open": "opening_proposed", "delete": "deletion_proposed", "remove": "removal_proposed"}
"""Proposal about a survey -> how the audit log calls that."""


@dataclass(frozen=True)
class StaffProposal:
    """A proposal that can be confirmed, or was.

    Attributes
    ----------
    survey_id : int or None
        None where it is about the setting.
    what : What
    subject : str
        A fingerprint, empty for a draft that is to be deleted; or a moment, in seconds since 1970.
    account_id : int
        Of whoever proposed it, or took it on; of another admin if they have left.
    who : str
        The name of whoever proposed it, or took it on.
    made : int
        Seconds since 1970.
    confirmed_by : str or None
        The admin who has confirmed what a date will carry out.
    """

    survey_id: int | None
    what: What
    subject: str
    account_id: int
    who: str
    made: int
    confirmed_by: str | None

    @property
    def expires(self) -> int:
        """The moment from which it cannot be confirmed any more."""
        return self.made + SECONDS


class SecondAdminNeeded(ValueError):
    """Raised when something needs a second admin and was not confirmed as it is.

    Attributes
    ----------
    what : What
    subject : str
    reason : str
        Given for a draft that protects little; empty for anything else.
    """

    def __init__(self, what: What, subject: str) -> None:
        self.what: What = what
        self.subject = subject
        self.reason = ""
        super().__init__(f"to {what} it needs a second admin")


class ProposalGone(LookupError):
    """Raised when a proposal was confirmed, declined or replaced meanwhile, or has expired."""


SELECT = """
    SELECT survey_id, what, subject, account_id, coalesce(asked_by, name), made, confirmed_by
    FROM proposals JOIN accounts ON accounts.id = account_id
"""


def waiting(db: Connection, now: float) -> list[StaffProposal]:
    """Return the proposals that can still be confirmed, the oldest first."""
    rows = db.execute(
        f"{SELECT} WHERE confirmed_by IS NULL AND made > ? ORDER BY made, coalesce(survey_id, 0), what",
        [int(now) - SECONDS],
    ).fetchall()
    return [StaffProposal(*row) for row in rows]


def of_survey(db: Connection, survey_id: int, now: float) -> list[StaffProposal]:
    """Return the proposals about a survey that can still be confirmed, or were and are not carried out."""
    return by_survey(db, now).get(survey_id, [])


def by_survey(db: Connection, now: float) -> dict[int, list[StaffProposal]]:
    """Return such proposals about all surveys, by their numbers."""
    rows = db.execute(
        f"{SELECT} WHERE survey_id IS NOT NULL AND (confirmed_by IS NOT NULL OR made > ?) ORDER BY what",
        [int(now) - SECONDS],
    ).fetchall()
    found: dict[int, list[StaffProposal]] = {}
    for row in rows:
        found.setdefault(row[0], []).append(StaffProposal(*row))
    return found


def allowed(db: Connection, survey_id: int, what: What, subject: str) -> bool:
    """Return whether something may be done: it needs no second admin, or one has confirmed exactly this."""
    if not second_admin.is_required(db):
        return True
    asked = "SELECT confirmed_by FROM proposals WHERE survey_id = ? AND what = ? AND subject = ?"
    row = db.execute(asked, [survey_id, what, subject]).fetchone()
    return row is not None and row[0] is not None


def need(db: Connection, survey_id: int, what: What, subject: str) -> None:
    """Refuse what needs a second admin and was not confirmed.

    Raises
    ------
    SecondAdminNeeded
    """
    if not allowed(db, survey_id, what, subject):
        raise SecondAdminNeeded(what, subject)


def propose(db: Connection, survey_id: int, what: What, subject: str, account_id: int, now: float) -> None:
    """Store a proposal in place of another of the kind, and log it.

    Raises
    ------
    ProposalGone, AccountGone
        If the survey or whoever proposes is gone.
    """
    row = db.execute("SELECT slug FROM surveys WHERE id = ?", [survey_id]).fetchone()
    if row is None:
        raise ProposalGone(f"no survey has the number {survey_id}")
    insert(db, survey_id, what, subject, account_id, now)
    shown = moment(int(subject), life.of(db, survey_id).zone) if what == "remove" else subject
    audit.note(db, accounts.numbered(db, account_id).name, DEEDS[what], row[0], shown or None)


def insert(
    db: Connection,
    survey_id: int | None,
    what: What,
    subject: str,
    account_id: int,
    now: float,
    confirmed_by: str | None = None,
) -> None:
    """Store a proposal in place of another of the kind."""
    forget(db, survey_id, what)
    db.execute(
        "INSERT INTO proposals (survey_id, what, subject, account_id, made, confirmed_by) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        [survey_id, what, subject, account_id, int(now), confirmed_by],
    )


def forget(db: Connection, survey_id: int | None, what: What) -> None:
    """Remove a proposal, if there is one."""
    db.execute("DELETE FROM proposals WHERE coalesce(survey_id, 0) = ? AND what = ?", [survey_id or 0, what])


def find(
    db: Connection, survey_id: int | None, what: str, subject: str, now: float, made: int | None = None
) -> StaffProposal:
    """Return a proposal that can be confirmed or declined, if it is the one that was made at a moment.

    Raises
    ------
    ProposalGone
        If there is none about this any more.
    """
    for each in waiting(db, now):
        same = (each.survey_id, each.what, each.subject) == (survey_id, what, subject)
        if same and made in (None, each.made):
            return each
    raise ProposalGone(f"nothing that is to be confirmed says {what} {subject}")
