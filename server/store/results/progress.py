"""The progress of a survey: openings and submissions in totals of days, each of at least a step of people."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

from server.store import submissions
from server.store.engine import Connection
from server.store.results import visible_results
from server.store.submissions import Day
from server.store.surveys import Survey
from survey.publication import Publication


@dataclass(frozen=True)
class Days:
    """Days (UTC) that are counted together.

    Attributes
    ----------
    first, last : str
        ``YYYY-MM-DD``.
    started : int
        The number of times that the page was opened, by anybody.
    sent : int
        The number of people who sent their reports.
    """

    first: str
    last: str
    started: int
    sent: int

    @property
    def left(self) -> float | None:
        """The share of the openings after which nothing was sent; None if that cannot be known."""
        return 1 - self.sent / self.started if self.started >= max(self.sent, 1) else None


def progress(db: Connection, survey: Survey, today: str) -> tuple[Days, ...]:
    """Return the progress of a published survey, as far as it may be shown now: not that somebody came."""
    if visible_results.is_withheld(db, survey):
        return ()
    publication, closed = cast("Publication", survey.publication), survey.state == "closed"
    past = [day for day in submissions.days(db, survey.id) if closed or day.day < today]
    return joined(past, publication.definition.step, closed=closed)


def joined(days: Iterable[Day], step: int, *, closed: bool) -> tuple[Days, ...]:
    """Join days until at least a step of people has sent in them.

    Parameters
    ----------
    days : iterable of Day
        The earliest first, without the day that is going on.
    step : int
        Of the survey's results.
    closed : bool
        Whether nothing follows, so that the remaining days join the last row.

    Examples
    --------
    >>> days = [Day("2026-05-04", 9, 6), Day("2026-05-05", 8, 4), Day("2026-05-06", 3, 1)]
    >>> joined(days, 10, closed=False)
    (Days(first='2026-05-04', last='2026-05-05', started=17, sent=10),)
    >>> joined(days, 10, closed=True)
    (Days(first='2026-05-04', last='2026-05-06', started=20, sent=11),)
    """
    rows: list[Days] = []
    rest: Days | None = None
    for day in days:
        new = Days(day.day, day.day, day.started, day.sent)
        rest = new if rest is None else added(rest, new)
        if rest.sent >= step:
            rows.append(rest)
            rest = None
    if rest is not None and closed:
        rows = [*rows[:-1], added(rows[-1], rest)] if rows else [rest]
    return tuple(rows)


def added(first: Days, second: Days) -> Days:
    """Add up two rows that follow each other."""
    return Days(first.first, second.last, first.started + second.started, first.sent + second.sent)
