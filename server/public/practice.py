"""The practice survey at /try: the respondents' page for everybody; nothing that it sends is stored."""

from __future__ import annotations

from functools import cache
from importlib import resources

from flask import Blueprint, Response, request, url_for

from server.respond.answer_frame import framed_answer
from server.respond.origin import comes_from_own_page
from server.respond.process_memory import memory
from server.respond.try_out import trial_page
from server.runtime import offload
from server.staff.guard import csrf
from server.web.constant_answer import constant_answer
from survey.definition import Definition
from survey.publication import Publication, publish
from survey.read_definition import parse

blueprint = Blueprint("practice", __name__)
csrf.exempt(blueprint)  # the respondent's page holds no token, and there is nothing here to protect


@cache
def practice() -> Definition:
    """Read the practice survey."""
    text = (resources.files(__package__) / "practice.toml").read_text(encoding="utf-8")
    return parse(text, "practice.toml")


@cache
def published() -> Publication:
    """Publish the practice survey without a database."""
    return offload.compute(publish, practice())


@blueprint.get("/try")
def page() -> Response:
    """Show the practice survey; count no visit and do not ask the database."""
    page = trial_page("public/practice.html", published(), address=url_for("practice.send"))
    response = constant_answer(page.encode())
    response.cache_control.no_cache = True
    return response


@blueprint.post("/try")
def send() -> Response:
    """Answer a submission as for a respondent, without reading it."""
    if not comes_from_own_page(request.environ):
        return framed_answer("refused", "outcome.refused", 403)
    address = request.remote_addr or ""
    if not (memory().rate_limit.allows(address) and memory().rate_limit.allows_new(address)):
        return framed_answer("busy", "outcome.busy", 429)
    return framed_answer("stored", "trial", 200)
