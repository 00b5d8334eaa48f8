"""Why a survey that protects little was opened all the same: the audit log keeps what was typed."""

from __future__ import annotations

from collections.abc import Iterator

from server.store.engine import Connection
from server.store.staff import audit
from survey.fields import Problem
from survey.privacy import Guess
from survey.privacy.limits import LITTLE_RIGHT, LITTLE_TELLING, LONGEST_REASON, protects_little
from survey.publication import Publication

GIVEN = "reason_given"
"""The deed: a reason was typed to open a survey, or to set a date for that."""


def figures(publication: Publication) -> Guess:
    """Return both figures of a survey; a large one takes a second."""
    return publication.guess


def little(publication: Publication) -> bool:
    """Return whether a survey protects little, so that it is opened only for a reason."""
    return protects_little(figures(publication))


def lacking(publication: Publication, reason: str) -> Iterator[Problem]:
    """Note that a survey protects little, and that no reason for opening it is given.

    Parameters
    ----------
    publication : Publication
    reason : str
        As it was typed.
    """
    found = figures(publication)
    if protects_little(found) and not 0 < len(reason.strip()) <= LONGEST_REASON:
        limits = {
            "most": LONGEST_REASON,
            "right": found.times_right,
            "telling": found.times_telling,
            "little_right": LITTLE_RIGHT,
            "little_telling": LITTLE_TELLING,
        }
        yield Problem("reason", "open_reason", limits, reason.strip() or None)


def note(db: Connection, who: str, slug: str, reason: str) -> None:
    """Write a reason into the audit log, in the transaction that opens the survey or sets a date for it."""
    audit.note(db, who, GIVEN, slug, reason.strip())


def of(db: Connection, slug: str) -> str | None:
    """Return the reason that was given last for a survey of this name, unless that was deleted since."""
    found = audit.lines(db, audit.LineFilter(survey=slug))
    since = (line for line in found if line.what in (GIVEN, "survey_deleted"))
    last = next(since, None)
    return last.about if last is not None and last.what == GIVEN else None
