"""The life of a survey besides its state: dates, quota, pause, archive, and the end of its reports.

All of it is stored in the table `life`; a survey without a row has none of it. The triggers of both engines
also refuse a change that comes too late.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from typing import Literal

from server.language.moments import local
from server.store.engine import Connection

ClosedBy = Literal["hand", "date", "quota"]


class QuotaLowered(ValueError):
    """Raised when the quota of an open survey would be lowered: it can only be raised or removed."""


class EndedAlready(ValueError):
    """Raised when a date would be changed that has come: the end of a closed survey, or of its reports."""


@dataclass(frozen=True)
class Schedule:
    """The dates and the quota that an admin sets; moments are seconds since 1970, UTC.

    Attributes
    ----------
    zone : str
        The time zone in which the moments were chosen, as the IANA names it.
    opens_at : int or None
        The moment at which a draft opens by itself.
    opens_as : str or None
        The fingerprint of what is to be opened then.
    closes_at : int or None
        The moment at which the survey closes by itself.
    quota : int or None
        The number of reports with which it closes by itself.
    remove_at : int or None
        The moment at which the reports of the closed survey are removed; the counts stay.
    """

    zone: str = "UTC"
    opens_at: int | None = None
    opens_as: str | None = None
    closes_at: int | None = None
    quota: int | None = None
    remove_at: int | None = None


@dataclass(frozen=True)
class Life(Schedule):
    """The schedule of a survey, with what has happened to it.

    Attributes
    ----------
    stays_draft : bool
        Whether the moment to open came and the draft was not the one that had been confirmed.
    end_changed : int or None
        The moment at which `closes_at` or `quota` were last changed while the survey was open.
    closed_by : str or None
        ``hand``, ``date`` or ``quota``; None while it is not closed.
    paused, archived : bool
    removed : bool
        Whether the reports were removed, or are being removed.
    """

    stays_draft: bool = False
    end_changed: int | None = None
    closed_by: ClosedBy | None = None
    paused: bool = False
    archived: bool = False
    removed: bool = False

    @property
    def fixed(self) -> bool:
        """True if the end was fixed before the first report came, and was not changed since."""
        planned = self.closes_at is not None or self.quota is not None
        return planned and self.end_changed is None and self.closed_by != "hand"

    def over(self, now: float) -> bool:
        """Return whether the date of closing has come."""
        return self.closes_at is not None and self.closes_at <= now

    def earliest_kept_until(self, now: float) -> date:
        """Return the first day that `kept_until` may name: today (UTC), or the day of closing if later."""
        today = datetime.fromtimestamp(now, UTC).date()
        if self.closes_at is None:
            return today
        return max(today, date.fromisoformat(local(self.closes_at - 1, self.zone)[:10]))

    def to_open(self, now: float) -> bool:
        """Return whether the date of opening has come, and the draft can still open."""
        return self.opens_at is not None and self.opens_at <= now and not self.stays_draft


FLAGS = ("stays_draft", "paused", "archived", "removed")
COLUMNS = tuple(Life.__dataclass_fields__)
SELECT = f"SELECT {', '.join(COLUMNS)} FROM life WHERE survey_id = ?"


def of(db: Connection, survey_id: int) -> Life:
    """Return the life of a survey."""
    row = db.execute(SELECT, [survey_id]).fetchone()
    return Life() if row is None else life_of(row)


def life_of(row: Sequence[object]) -> Life:
    """Build a life from a row of the table."""
    held = dict(zip(COLUMNS, row, strict=True))
    return Life(**held | {name: bool(held[name]) for name in FLAGS})  # type: ignore[arg-type]


def note(db: Connection, survey_id: int, /, **columns: int | str | None) -> None:
    """Change columns of a survey's row; the triggers refuse what its state does not allow."""
    begin(db, survey_id)
    names = ", ".join(f"{name} = ?" for name in columns)
    db.execute(f"UPDATE life SET {names} WHERE survey_id = ?", [*columns.values(), survey_id])


def begin(db: Connection, survey_id: int) -> None:
    """Insert the row of a survey, if it has none."""
    if db.execute("SELECT 1 FROM life WHERE survey_id = ?", [survey_id]).fetchone() is None:
        db.execute("INSERT INTO life (survey_id) VALUES (?)", [survey_id])


def schedule(db: Connection, survey_id: int, wanted: Schedule, now: float) -> None:
    """Set the schedule of a survey; if it changes the end of an open one, store the moment of that.

    Raises
    ------
    QuotaLowered, EndedAlready
        If it changes what cannot be changed any more.
    """
    db.hold([survey_id], alone=True)
    state, held = state_of(db, survey_id), of(db, survey_id)
    changed = (held.closes_at, held.quota) != (wanted.closes_at, wanted.quota)
    if (changed and state == "closed") or (held.removed and held.remove_at != wanted.remove_at):
        raise EndedAlready
    if state == "open" and wanted.quota is not None and (held.quota is None or wanted.quota < held.quota):
        raise QuotaLowered
    columns = asdict(wanted)
    if state != "draft":
        columns |= {"opens_at": held.opens_at, "opens_as": held.opens_as}
    if state == "open" and changed:
        columns["end_changed"] = max(int(now), held.end_changed or 0)
    note(db, survey_id, stays_draft=0, **columns)


def state_of(db: Connection, survey_id: int) -> str | None:
    """Return the state of a survey, or None if it is gone."""
    row = db.execute("SELECT state FROM surveys WHERE id = ?", [survey_id]).fetchone()
    return None if row is None else str(row[0])


def pause(db: Connection, survey_id: int) -> None:
    """Pause an open survey: from the next transaction on it takes and publishes nothing."""
    db.hold([survey_id], alone=True)
    note(db, survey_id, paused=1)


def resume(db: Connection, survey_id: int) -> None:
    """End the pause of a survey."""
    note(db, survey_id, paused=0)


def archive(db: Connection, survey_id: int, /, *, archived: bool) -> None:
    """Move a survey from the lists to the archive, or back."""
    note(db, survey_id, archived=int(archived))


def archived(db: Connection) -> frozenset[int]:
    """Return the numbers of the surveys in the archive."""
    rows = db.execute("SELECT survey_id FROM life WHERE archived = 1").fetchall()
    return frozenset(survey_id for (survey_id,) in rows)


def of_named(db: Connection, slug: str) -> Life:
    """Return the life of the survey of a name."""
    row = db.execute("SELECT id FROM surveys WHERE slug = ?", [slug]).fetchone()
    return Life() if row is None else of(db, row[0])


def of_all(db: Connection) -> dict[int, Life]:
    """Return the lives of all surveys that have a row: number -> life."""
    rows = db.execute(f"SELECT survey_id, {', '.join(COLUMNS)} FROM life").fetchall()
    return {survey_id: life_of(rest) for survey_id, *rest in rows}
