"""Open and close surveys and remove reports when their moment has come.

A survey past its end takes nothing more, even before it is closed: see `surveys.intake`. Each server waits
for the next moment that it knows of, and looks again after ten minutes at the latest; a request for a page
makes it look at once. Of several servers, the first does what is due, and the others notice that it is done.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from server.store import counted_lists, surveys
from server.store.engine import Connection, Storage, Unavailable
from server.store.lifecycle import legal_hold, life, proposals
from server.store.lifecycle.finisher import RETRY_SECONDS, Finisher
from server.store.lifecycle.life import ClosedBy, Life
from server.store.staff import audit
from server.store.staff.audit import BY_DATE
from server.store.surveys import Survey, SurveyGone, WrongState

LONGEST_SECONDS = 600.0
"""The longest time that a server waits: another server may have set a date meanwhile."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class DueChange:
    """A change that is to be made to a survey now."""

    survey_id: int
    what: Literal["open", "close", "remove"]


class Scheduler:
    """Makes the changes that are due, one at a time.

    Parameters
    ----------
    storage : Storage
    clock : callable
        Returns the present moment in seconds since 1970.
    finisher : Finisher
        Started after a survey was closed or reports were removed.
    """

    def __init__(self, storage: Storage, clock: Callable[[], float], finisher: Finisher) -> None:
        self.storage = storage
        self.clock = clock
        self.finisher = finisher
        self.lock = threading.Lock()
        self.changed = threading.Event()
        self.finishes = False
        self.stopped = False

    def start(self) -> None:
        """Run in the background for as long as the process does."""
        threading.Thread(target=self.run, name="scheduler", daemon=True).start()

    def wake(self) -> None:
        """Look again, because something has changed; return at once."""
        self.changed.set()

    def stop(self) -> None:
        """Stop after what is being done now."""
        self.stopped = True
        self.wake()

    def run(self) -> None:
        """Make the changes that are due, then wait for the next moment, until `stop`."""
        while not self.stopped:
            self.changed.clear()
            try:
                moment = self.turn()
                self.finish()
                wait = LONGEST_SECONDS if moment is None else moment - self.clock()
            except Unavailable as error:
                log.warning("the dates of surveys cannot be looked at: %s", error)
                wait = RETRY_SECONDS
            except Exception:
                log.exception("the dates of surveys could not be looked at")
                wait = LONGEST_SECONDS
            if not self.stopped:
                self.changed.wait(min(wait, LONGEST_SECONDS))

    def finish(self) -> None:
        """Start the finisher if anything was closed or removed since the last time."""
        finishes, self.finishes = self.finishes, False
        if finishes:
            self.finisher.start()

    def turn(self) -> float | None:
        """Make all changes that are due; return the next moment at which one will be, or None."""
        with self.lock:
            for change in self.storage.read(all_due, self.clock()):
                try:
                    self.make(change)
                except Unavailable:
                    raise
                except Exception:
                    log.exception("what was due for a survey could not be done")
                else:  # after a failure the finisher would wake us to fail again
                    self.finishes |= change.what != "open"
            self.note_lists()
            return self.storage.read(next_moment, self.clock())

    def note_lists(self) -> None:
        """Note in the audit log the roots of lists that were made since."""
        today = datetime.fromtimestamp(self.clock(), UTC).date().isoformat()
        for survey_id in self.storage.read(counted_lists.to_note, today):
            self.storage.write(counted_lists.note, survey_id)

    def look(self) -> None:
        """Make all changes that are due before this returns; the rest goes on in the background."""
        self.turn()
        self.wake()

    def make(self, due: DueChange) -> None:
        """Make one change, unless another server has made it."""
        try:
            if due.what == "open":
                self.open(due.survey_id)
            else:
                function = close_if_due if due.what == "close" else remove_if_due
                self.storage.write(function, due.survey_id, self.clock())
        except (SurveyGone, WrongState):
            pass

    def open(self, survey_id: int) -> None:
        """Open a draft as it was confirmed; if it has changed or its end has come, note that it stays one."""
        # Not above: few servers ever open a survey by its date, which needs what drafts import.
        from server.store.drafts import DraftChangedError
        from server.store.lifecycle import opening
        from server.store.lifecycle.opening import PastItsEnd

        confirmed = self.storage.read(life.of, survey_id).opens_as
        try:
            opening.open_as_confirmed(self.storage, survey_id, confirmed or "", BY_DATE, self.clock())
        except (DraftChangedError, PastItsEnd):
            self.storage.write(life.note, survey_id, stays_draft=1)


def due(db: Connection, survey: Survey, held: Life, now: float) -> bool:
    """Return whether a survey is to open or to close now."""
    if survey.state == "draft":
        return held.to_open(now) and proposals.allowed(db, survey.id, "open", held.opens_as or "")
    return survey.state == "open" and ended_by(db, survey, held, now) is not None


def ended_by(db: Connection, survey: Survey, held: Life, now: float) -> ClosedBy | None:
    """Return the quota or the date that ends an open survey, the quota first; None if it goes on."""
    assert survey.publication is not None  # noqa: S101  # it is open
    if held.quota is not None and db.reports.respondents(survey.id, survey.publication) >= held.quota:
        return "quota"
    return "date" if held.over(now) else None


def all_due(db: Connection, now: float) -> list[DueChange]:
    """List the changes that are due, by the numbers of their surveys."""
    rows = db.execute(
        "SELECT surveys.id, state FROM surveys JOIN life ON survey_id = surveys.id WHERE "
        "(state = 'draft' AND opens_at <= ? AND stays_draft = 0) "
        "OR (state = 'open' AND (closes_at <= ? OR quota IS NOT NULL)) "
        "OR (state = 'closed' AND remove_at <= ? AND removed = 0 "
        "AND surveys.id NOT IN (SELECT survey_id FROM legal_holds)) ORDER BY surveys.id",
        [int(now)] * 3,
    ).fetchall()
    changes = []
    for survey_id, state in rows:
        held = life.of(db, survey_id)
        if state == "closed":
            listed = counted_lists.of(db, survey_id) is not None
            if listed and proposals.allowed(db, survey_id, "remove", str(held.remove_at)):
                changes.append(DueChange(survey_id, "remove"))
        elif due(db, surveys.get(db, survey_id), held, now):
            changes.append(DueChange(survey_id, "open" if state == "draft" else "close"))
    return changes


def next_moment(db: Connection, now: float) -> float | None:
    """Return the first moment after now at which a change will be due."""
    ((first,),) = db.execute(
        """
        SELECT min(moment) FROM (
            SELECT CASE state
                WHEN 'draft' THEN opens_at WHEN 'open' THEN closes_at ELSE remove_at
            END AS moment
            FROM life JOIN surveys ON id = survey_id
        ) AS moments WHERE moment > ?
        """,
        [int(now)],
    ).fetchall()
    return None if first is None else float(first)


def close_if_due(db: Connection, survey_id: int, now: float) -> None:
    """Close a survey that has come to its end."""
    db.hold([survey_id], alone=True)
    survey, held = surveys.get(db, survey_id), life.of(db, survey_id)
    by = ended_by(db, survey, held, now) if survey.state == "open" else None
    if by is not None:
        surveys.close_survey(db, survey_id, by)


def remove_if_due(db: Connection, survey_id: int, now: float) -> None:
    """Remove the reports of a closed survey whose day has come, unless something keeps them."""
    db.hold([survey_id], alone=True)
    held = life.of(db, survey_id)
    if legal_hold.of(db, survey_id) is not None:
        return
    if not proposals.allowed(db, survey_id, "remove", str(held.remove_at)):
        return
    if held.remove_at is not None and held.remove_at <= now and not held.removed:
        db.reports.remove(survey_id)
        audit.note(db, BY_DATE, "reports_removed", surveys.get(db, survey_id).slug)


def with_life(db: Connection, slug: str, now: float) -> tuple[Survey, Life, bool] | None:
    """Return a survey with its life, and whether it is to open or to close now."""
    survey = surveys.by_slug(db, slug)
    if survey is None:
        return None
    held = life.of(db, survey.id)
    return survey, held, due(db, survey, held, now)
