"""The page that a respondent opens: the same for everybody."""

from __future__ import annotations

from flask import Blueprint, Response, make_response, render_template, request

from server.language.moments import moment
from server.respond.page_cache import VISITED
from server.respond.rendering import page_bytes
from server.respond.unavailable import busy_page, unavailable_page
from server.services import services
from server.store.engine import Unavailable
from server.store.lifecycle import scheduler
from server.store.lifecycle.life import Life
from server.store.surveys import Survey
from server.web.constant_answer import constant_answer
from server.web.content_policy import use_policy
from survey.publication import Publication

PAUSE_SECONDS = "600"
"""Seconds after which to ask again for a survey that is paused."""

LONGEST_WAIT = 24 * 3600.0
"""Seconds after which to ask again at the latest for a survey that is not open yet: its date may change."""

blueprint = Blueprint("respond", __name__)
blueprint.register_error_handler(Unavailable, busy_page)


@blueprint.before_request
def choose_policy() -> None:
    """Choose the content policy; nothing else about a request changes what respondents get."""
    use_policy("respondent")


@blueprint.get("/s/<slug>")
def page(slug: str) -> Response:
    """Show a survey: the same bytes to everybody."""
    state = find_survey(slug)
    if state is None:
        return unavailable_page("unavailable.no_survey", 404)
    survey, life, over = state
    if survey.publication is None:
        return early_page(life)
    if survey.state == "closed" or over:
        return closed_page(survey.publication, "common.closed", 410)
    if life.paused:
        response = closed_page(survey.publication, "waiting.paused", 503)
        response.headers["Retry-After"] = PAUSE_SECONDS
        return response
    if request.method == "GET":
        services().committer.start(survey.id, services().today)
    if survey.publication.definition.pictures:
        use_policy("pictured")
    response = constant_answer(page_bytes(survey.publication))
    response.cache_control.no_cache = True
    request.environ.get(VISITED, []).append(survey.id)
    return response


def find_survey(slug: str) -> tuple[Survey, Life, bool] | None:
    """Find a survey, what is noted of its life, and whether its end has come; do first what is due."""
    for second in (False, True):
        now = services().clock().timestamp()
        state = services().storage.read(scheduler.with_life, slug, now)
        if state is None or not state[2] or second:
            return state
        services().scheduler.look()
    return None


def early_page(life: Life) -> Response:
    """Say when a survey opens that has a date, or that there is none here."""
    now = services().clock().timestamp()
    if life.opens_at is None or life.opens_at <= now:
        return unavailable_page("unavailable.no_survey", 404)
    response = unavailable_page("waiting.early", 503, moment=moment(life.opens_at, life.zone))
    response.headers["Retry-After"] = f"{min(life.opens_at - now, LONGEST_WAIT):.0f}"
    return response


def closed_page(publication: Publication, message: str, status: int) -> Response:
    """Show in the languages of a survey why nobody can answer it now.

    Notes
    -----
    A pause is 503: caches do not keep it, and whoever checks links comes back. An end is 410, for good.
    """
    return make_response(
        render_template("respond/closed.html", publication=publication, message=message), status
    )
