"""How often a survey was opened and sent, in totals of whole days, a step of people in each row."""

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
    """Days, UTC, that are counted together.

    Attributes
    ----------
    first, last : str
        ``YYYY-MM-DD``.
    started : int
        How often the page was opened, by whomever.
    sent : int
        How many people sent their reports.
    """

    first: str
    last: str
    started: int
    sent: int

    @property
    def left(self) -> float | None:
        """The share of the openings after which nothing was sent; None if that cannot be told."""
        return 1 - self.sent / self.started if self.started >= max(self.sent, 1) else None


@dataclass(frozen=True)
class Progress:
    """What is shown of a survey.

    Attributes
    ----------
    days : tuple of Days
    any : bool
        Whether at least one report has arrived.
    """

    days: tuple[Days, ...]
    any: bool


def progress(db: Connection, survey: Survey, today: str) -> Progress:
    """Return what may be shown of a published survey now."""
    publication = cast("Publication", survey.publication)
    closed = survey.state == "closed"
    if visible_results.is_withheld(db, survey):
        return Progress((), db.reports.respondents(survey.id, publication) > 0)
    over = [each for each in submissions.days(db, survey.id) if closed or each.day < today]
    found = joined(over, publication.definition.step, closed=closed)
    return Progress(found, db.reports.respondents(survey.id, publication) > 0)


def joined(days: Iterable[Day], step: int, *, closed: bool) -> tuple[Days, ...]:
    """Join days until at least a step of people has sent in them.

    Parameters
    ----------
    days : iterable of Day
        The earliest first, without the day that is going on.
    step : int
        Of the survey's results.
    closed : bool
        Whether nothing follows, so that what is left over belongs to the last.

    Examples
    --------
    >>> days = [Day("2026-05-04", 9, 6), Day("2026-05-05", 8, 5), Day("2026-05-06", 3, 1)]
    >>> joined(days, 10, closed=False)
    (Days(first='2026-05-04', last='2026-05-05', started=17, sent=11),)
    >>> joined(days, 10, closed=True)
    (Days(first='2026-05-04', last='2026-05-06', started=20, sent=12),)
    """
    found: list[Days] = []
    held: Days | None = None
    for each in days:
        new = Days(each.day, each.day, each.started, each.sent)
        held = new if held is None else both(held, new)
        if held.sent >= step:
            found.append(held)
            held = None
    if held is not None and closed:
        found = [*found[:-1], both(found[-1], held)] if found else [held]
    return tuple(found)


def both(first: Days, second: Days) -> Days:
    """Count two together."""
    return Days(first.first, second.last, first.started + second.started, first.sent + second.sent)
