"""The page that a respondent opens: the same for everybody."""

from __future__ import annotations

from flask import Blueprint, Response, make_response, render_template, request

from server.language.catalogue import LANGUAGES, say
from server.respond.again import SURVEYS
from server.respond.rendering import page_bytes
from server.services import services
from server.store import surveys
from server.store.engine import Unavailable
from server.web.constant import constant
from server.web.security import use_policy

blueprint = Blueprint("respond", __name__)


@blueprint.before_request
def choose_policy() -> None:
    """Choose the content policy; `server.language.chosen` ignores everything else about the request."""
    use_policy("respondent")


@blueprint.get("/s/<slug>")
def page(slug: str) -> Response:
    """Show a survey: one constant string of bytes."""
    survey = services().storage.read(surveys.by_slug, slug)
    if survey is None or survey.publication is None:
        return unavailable_page("no_survey", 404)
    if survey.state == "closed":
        return make_response(render_template("respond/closed.html", publication=survey.publication), 410)
    if request.method == "GET":
        services().committer.start(survey.id, services().today)
    response = constant(page_bytes(survey.publication))
    response.cache_control.no_cache = True
    request.environ.get(SURVEYS, []).append(survey.id)
    return response


def unavailable_page(reason: str, status: int) -> Response:
    """Show in every language why there is no survey here."""
    texts = [
        (code, say(code, f"unavailable.{reason}.title"), say(code, f"unavailable.{reason}.text"))
        for code in LANGUAGES
    ]
    return make_response(render_template("web/unavailable.html", texts=texts), status)


@blueprint.errorhandler(Unavailable)
def busy(error: Unavailable) -> Response:
    """Answer that the database cannot be used now."""
    response = unavailable_page("busy", 503)
    response.headers["Retry-After"] = "5"
    return response
