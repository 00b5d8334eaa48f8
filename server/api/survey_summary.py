"""A survey in short, and the tag of its definition."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from flask import Response

from server.api.responses import answer
from server.services import services
from server.store.lifecycle import life
from server.store.lifecycle.life import Life
from server.store.results import visible_results
from server.store.surveys import Survey
from survey.results import Results


def summary_response(survey: Survey) -> Response:
    """Return the response that shows a survey in short."""
    results = services().storage.read(visible_results.results, survey) if survey.publication else None
    return answer(summary(survey, results, services().storage.read(life.of, survey.id)))


def summary(survey: Survey, results: Results | None, life: Life) -> dict[str, Any]:
    """Return a survey in short."""
    publication = survey.publication
    return {
        "slug": survey.slug,
        "state": survey.state,
        "title": dict(survey.title),
        "fingerprint": publication.fingerprint if publication else None,
        "respondents": results.respondents if results else None,
        "life": life_of(survey, life),
    }


def life_of(survey: Survey, held: Life) -> dict[str, Any]:
    """Return the opening, closing and removal of a survey."""
    return {
        "zone": held.zone,
        "opens_at": instant(held.opens_at),
        "closes_at": instant(held.closes_at),
        "quota": held.quota,
        "fixed": held.fixed,
        "end_changed": instant(held.end_changed),
        "closed_by": "hand" if survey.state == "closed" and held.closed_by is None else held.closed_by,
        "paused": held.paused,
        "archived": held.archived,
        "remove_at": instant(held.remove_at),
        "removed": held.removed,
    }


def instant(seconds: int | None) -> str | None:
    """Write a moment in UTC by ISO 8601.

    Examples
    --------
    >>> instant(1796115600)
    '2026-12-01T09:00:00Z'
    """
    return None if seconds is None else f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"
