"""A survey in short, and the tag of its definition."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from flask import Response

from server.api.responses import answer
from server.services import services
from server.store.lifecycle import legal_hold, life, proposals
from server.store.lifecycle.legal_hold import LegalHold
from server.store.lifecycle.life import Life
from server.store.lifecycle.proposals import StaffProposal
from server.store.results import visible_results
from server.store.surveys import Survey
from survey.results import Results


def summary_response(survey: Survey, status: int = 200) -> Response:
    """Return the response that shows a survey in short."""
    results = services().storage.read(visible_results.results, survey) if survey.publication else None
    storage = services().storage
    hold = storage.read(legal_hold.of, survey.id)
    proposed = storage.read(proposals.of_survey, survey.id, services().clock().timestamp())
    return answer(summary(survey, results, storage.read(life.of, survey.id), hold, proposed), status)


def summary(
    survey: Survey, results: Results | None, life: Life, hold: LegalHold | None, proposed: list[StaffProposal]
) -> dict[str, Any]:
    """Return a survey in short."""
    publication = survey.publication
    return {
        "slug": survey.slug,
        "state": survey.state,
        "title": dict(survey.title),
        "fingerprint": publication.fingerprint if publication else None,
        "respondents": results.respondents if results else None,
        "life": life_of(survey, life, hold),
        "proposals": [proposal_of(each) for each in proposed],
    }


def proposal_of(proposal: StaffProposal) -> dict[str, Any]:
    """Return what waits for a second admin, or for its date."""
    return {
        "what": proposal.what,
        "subject": proposal.subject,
        "asked_by": proposal.who,
        "asked": instant(proposal.made),
        "confirmable_until": instant(proposal.expires),
        "confirmed_by": proposal.confirmed_by,
    }


def life_of(survey: Survey, held: Life, hold: LegalHold | None) -> dict[str, Any]:
    """Return the opening, closing and removal of a survey, and what keeps it."""
    kept_until = survey.publication.definition.kept_until if survey.publication else None
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
        "kept_until": kept_until.isoformat() if kept_until else None,
        "hold": {"set_by": hold.who, "since": instant(hold.since), "why": hold.reason} if hold else None,
    }


def instant(seconds: int | None) -> str | None:
    """Write a moment in UTC by ISO 8601.

    Examples
    --------
    >>> instant(1796115600)
    '2026-12-01T09:00:00Z'
    """
    return None if seconds is None else f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"
