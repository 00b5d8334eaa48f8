"""Proposals of staff, which another admin confirms, where opening and deleting need two.

A proposal names exactly what it is about: the fingerprint of what would open or go, or the moment on which
reports would go. What has another by then is not covered. It can be confirmed for a week; once confirmed, it
holds until it is carried out. The store carries out nothing that needs one without it, whoever asks.

It takes two admins: what an editor proposes, one admin takes on as their own, and another confirms. Any admin
can make an editor, and would otherwise need nobody else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from server.language.moments import moment
from server.store.engine import Connection
from server.store.lifecycle import life
from server.store.lifecycle.life import Schedule
from server.store.staff import accounts, audit, second_admin
from server.store.staff.accounts import Account, AccountGone

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


class OwnProposal(ValueError):
    """Raised when somebody would confirm what they have proposed, or what no admin has taken on."""


class OneAdmin(ValueError):
    """Raised when a second admin would be required where there is one."""


SELECT = """
    SELECT survey_id, what, subject, account_id, name, made, confirmed_by
    FROM proposals JOIN accounts ON accounts.id = account_id
"""


def read_row(
    survey_id: int | None,
    what: What,
    subject: str,
    account_id: int,
    name: str,
    made: int,
    confirmed_by: str | None,
) -> StaffProposal:
    """Build a proposal from a row of `SELECT`: once they left, its proposer stands behind the confirmer."""
    confirmer, _, leaver = (confirmed_by or "").partition(" ")  # no name has a space
    return StaffProposal(survey_id, what, subject, account_id, leaver or name, made, confirmer or None)


def waiting(db: Connection, now: float) -> list[StaffProposal]:
    """Return the proposals that can still be confirmed, the oldest first."""
    rows = db.execute(
        f"{SELECT} WHERE confirmed_by IS NULL AND made > ? ORDER BY made, coalesce(survey_id, 0), what",
        [int(now) - SECONDS],
    ).fetchall()
    return [read_row(*row) for row in rows]


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
        found.setdefault(row[0], []).append(read_row(*row))
    return found


def to_stop(db: Connection, now: float) -> StaffProposal | None:
    """Return the proposal to need no second admin any more, if it can be confirmed."""
    return next((each for each in waiting(db, now) if each.what == "stop"), None)


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


def need_now(db: Connection, survey_id: int, fingerprint: str) -> None:
    """Refuse to open by hand what was confirmed for a date.

    Raises
    ------
    SecondAdminNeeded
    """
    if second_admin.is_required(db) and life.of(db, survey_id).opens_as == fingerprint:
        raise SecondAdminNeeded("open", fingerprint)


def propose(db: Connection, survey_id: int, what: What, subject: str, account_id: int, now: float) -> None:
    """Store a proposal in place of another of the kind, and log it.

    Raises
    ------
    ProposalGone, AccountGone
        If the survey or whoever proposes is gone.
    """
    db.hold([survey_id], alone=True)
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
    if survey_id is not None:
        db.hold([survey_id], alone=True)
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
    db.hold([survey_id], alone=True)
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
    if survey_id is not None:
        db.hold([survey_id], alone=True)
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
    rows = db.execute(f"{SELECT} WHERE account_id = ? AND confirmed_by IS NOT NULL", [leaver_id]).fetchall()
    for each in [read_row(*row) for row in rows]:
        db.execute(
            "UPDATE proposals SET confirmed_by = ?, "
            "account_id = (SELECT min(id) FROM accounts WHERE role = 'admin' AND id <> ?) "
            "WHERE survey_id = ? AND what = ?",
            [f"{each.confirmed_by} {each.who}", leaver_id, each.survey_id, each.what],
        )


def slug_of(db: Connection, survey_id: int | None) -> str | None:
    """Return the name of a survey."""
    row = db.execute("SELECT slug FROM surveys WHERE id = ?", [survey_id or 0]).fetchone()
    return None if row is None else str(row[0])


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
        cancel(db, read_row(*row))
    db.execute("DELETE FROM proposals")
    second_admin.store(db, required=False)
    audit.note(db, accounts.numbered(db, account_id).name, "second_admin_not_required")
