"""What an answer says of a survey: its state in short, and the tag of its definition."""

from __future__ import annotations

from typing import Any

from flask import Response

from server.api.answers import answer
from server.services import services
from server.store import edits, submissions
from server.store.surveys import Survey
from survey.results import Results


def shown(survey: Survey) -> Response:
    """Answer with a survey in short."""
    results = services().storage.read(submissions.results, survey) if survey.publication else None
    return answer(summary(survey, results))


def summary(survey: Survey, results: Results | None) -> dict[str, Any]:
    """Return a survey in short."""
    publication = survey.publication
    title = publication.definition.title if publication else (survey.draft or {}).get("title", {})
    return {
        "slug": survey.slug,
        "state": survey.state,
        "title": dict(title),
        "fingerprint": publication.fingerprint if publication else None,
        "respondents": results.respondents if results else None,
    }


def state_of(survey: Survey) -> str:
    """Return what names the state of a survey's definition: that of a draft changes with each change."""
    if survey.publication is not None:
        return survey.publication.fingerprint
    return edits.basis(survey.draft or {}, services().storage.read(edits.find, survey.id))
