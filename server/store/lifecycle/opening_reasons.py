"""The reason for opening a survey that protects little, as it was typed into the audit log."""

from __future__ import annotations

from collections.abc import Iterator

from server.store.engine import Connection
from server.store.staff import audit
from survey.fields import Problem
from survey.privacy import Guess
from survey.privacy.limits import LITTLE_RIGHT, LITTLE_TELLING, LONGEST_REASON, protects_little
from survey.publication import Publication

DEED = "reason_given"
"""The name in the audit log: a reason was typed to open a survey, or to set a date for that."""


def figures(publication: Publication) -> Guess:
    """Return both figures of a survey; a large one takes a second."""
    return publication.guess


def little(publication: Publication) -> bool:
    """Return whether a survey protects little, so that it is opened only for a reason."""
    return protects_little(figures(publication))


def lacking(publication: Publication, reason: str) -> Iterator[Problem]:
    """Yield a problem if a survey protects little and no reason for opening it was typed."""
    guess = figures(publication)
    if protects_little(guess) and not 0 < len(reason.strip()) <= LONGEST_REASON:
        limits = {
            "most": LONGEST_REASON,
            "right": guess.times_right,
            "telling": guess.times_telling,
            "little_right": LITTLE_RIGHT,
            "little_telling": LITTLE_TELLING,
        }
        yield Problem("reason", "open_reason", limits, reason.strip() or None)


def note(db: Connection, who: str, slug: str, reason: str) -> None:
    """Log a reason in the transaction that opens the survey or sets a date for that."""
    audit.note(db, who, DEED, slug, reason.strip())


def of(db: Connection, slug: str) -> str | None:
    """Return the last reason for opening the survey of this name, unless that was deleted since."""
    lines = audit.lines(db, audit.LineFilter(survey=slug))
    last = next((line for line in lines if line.what in (DEED, "survey_deleted")), None)
    return last.about if last is not None and last.what == DEED else None
