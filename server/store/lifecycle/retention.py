"""Until when data are kept, as a survey says to its respondents, and what is due after that day.

Nothing is deleted for it: an admin sets the day on which single reports go, or deletes the survey. What is
due and was not done, staff are told on their list, and the operator by `candor doctor` and the metrics.
"""

from __future__ import annotations

from datetime import date

from server.store import surveys
from server.store.engine import Connection
from server.store.lifecycle import legal_hold, life
from server.store.lifecycle.life import Life
from server.store.surveys import Survey


def is_over(survey: Survey, held: Life, today: date) -> bool:
    """Return whether a survey has single reports after the last day until which it says they are kept."""
    kept_until = survey.publication.definition.kept_until if survey.publication else None
    return kept_until is not None and kept_until < today and not held.removed


def due(db: Connection, today: date) -> list[Survey]:
    """Return the surveys whose data should be gone and that no legal hold keeps, by their numbers."""
    lives, holds = life.of_all(db), legal_hold.of_all(db)
    return [
        survey
        for survey in surveys.all_surveys(db)
        if survey.id not in holds and is_over(survey, lives.get(survey.id, Life()), today)
    ]
