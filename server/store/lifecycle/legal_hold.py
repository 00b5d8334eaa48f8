"""Legal holds: while one is set, nothing of a survey is deleted, whoever asks and whatever its dates say.

The database refuses it too: a row of the table `legal_holds` keeps its survey from going, and a trigger keeps
its reports.
"""

from __future__ import annotations

from dataclasses import dataclass

from server.language.moments import moment
from server.store.engine import Connection
from server.store.lifecycle import life


@dataclass(frozen=True)
class LegalHold:
    """A hold as an admin has set it.

    Attributes
    ----------
    who : str
        The name that the admin had.
    since : int
        Seconds since 1970.
    reason : str
        As it was typed.
    """

    who: str
    since: int
    reason: str


class OnHold(ValueError):
    """Raised when something would be deleted that a legal hold keeps.

    Attributes
    ----------
    slug : str
    hold : LegalHold
    """

    def __init__(self, slug: str, hold: LegalHold) -> None:
        self.slug = slug
        self.hold = hold
        since = moment(hold.since, "UTC")
        super().__init__(f"{slug} is kept by a legal hold that {hold.who} set on {since}: {hold.reason}")


class NothingToHold(ValueError):
    """Raised when a hold would be set on a draft or on nothing, or lifted where there is none."""


class OnHoldAlready(ValueError):
    """Raised when a second hold would be set: the first is lifted before."""


def of(db: Connection, survey_id: int) -> LegalHold | None:
    """Return the hold of a survey, if there is one."""
    return of_all(db).get(survey_id)


def of_all(db: Connection) -> dict[int, LegalHold]:
    """Return every hold: number of the survey -> hold."""
    rows = db.execute("SELECT survey_id, who, since, reason FROM legal_holds").fetchall()
    return {survey_id: LegalHold(who, since, reason) for survey_id, who, since, reason in rows}


def refuse(db: Connection, survey_id: int, slug: str) -> None:
    """Refuse to delete what a hold keeps.

    Raises
    ------
    OnHold
    """
    hold = of(db, survey_id)
    if hold is not None:
        raise OnHold(slug, hold)


def put(db: Connection, survey_id: int, hold: LegalHold) -> None:
    """Set a hold on a published survey.

    Raises
    ------
    NothingToHold, OnHoldAlready
        If the survey is a draft or gone, or has one.
    """
    if life.state_of(db, survey_id) not in ("open", "closed"):
        raise NothingToHold
    if of(db, survey_id) is not None:
        raise OnHoldAlready
    db.execute(
        "INSERT INTO legal_holds (survey_id, who, since, reason) VALUES (?, ?, ?, ?)",
        [survey_id, hold.who, hold.since, hold.reason],
    )


def lift(db: Connection, survey_id: int) -> None:
    """Lift the hold of a survey: what waited for that can be deleted from then on.

    Raises
    ------
    NothingToHold
        If there is none any more.
    """
    if not db.execute("DELETE FROM legal_holds WHERE survey_id = ?", [survey_id]).rowcount:
        raise NothingToHold
