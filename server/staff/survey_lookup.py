"""Find the survey that an address names, or say why it cannot be had as it is asked for."""

from __future__ import annotations

from typing import Any

from flask import make_response, render_template
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from server.forms.faults import Fault
from server.language.request_language import translate
from server.services import services
from server.store import surveys
from server.store.surveys import Survey


def survey_named(slug: str) -> Survey:
    """Find a survey or say that there is none."""
    survey = services().storage.read(surveys.by_slug, slug)
    if survey is None:
        raise NotFound
    return survey


def contents(survey: Survey) -> dict[str, Any]:
    """Return the tables of the survey file, of a draft or of what was published."""
    return survey.publication.definition.as_dict() if survey.publication else survey.draft or {}


def past_its_end() -> ResponseReturnValue:
    """Answer that a draft would close as soon as it opened."""
    title, text = translate("life.past"), translate("life.past_text")
    return make_response(render_template("staff/message.html", title=title, text=text), 409)


def conflict(what: str) -> ResponseReturnValue:
    """Answer that the survey's state does not allow the request."""
    title, text = translate(f"editor.conflict.{what}.title"), translate(f"editor.conflict.{what}.text")
    return make_response(render_template("staff/message.html", title=title, text=text), 409)


def taken(slug: str) -> Fault:
    """Answer that another survey has the name."""
    return Fault("editor.error.slug_taken", {"value": slug})
