"""A test run of a draft: the respondent's own page, from which nothing can be stored."""

from __future__ import annotations

import hashlib

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user

from server.editor.draft_page import expected
from server.editor.keeping import has_faults
from server.editor.lookup import conflict, survey_named
from server.language.catalogue import LANGUAGES, say
from server.respond.rendering import render
from server.staff.guard import csrf, only
from server.store import drafts
from server.web import offload
from server.web.security import use_policy

blueprint = Blueprint("trial", __name__, url_prefix="/admin")
csrf.exempt(blueprint)  # the respondent's page holds no token, and there is nothing here to protect


@blueprint.before_request
def guard() -> ResponseReturnValue | None:
    """Admit admins. Somebody signed out during a test run sees that in the frame that awaits an answer."""
    refused = only("look")()
    if refused is not None and request.endpoint == "trial.send" and not current_user.is_authenticated:
        return framed("busy", "editor.trial.signed_out", 403)
    return refused


@blueprint.get("/surveys/<slug>/try")
def page(slug: str) -> ResponseReturnValue:
    """Show a complete draft as respondents would meet it; of another, what it lacks.

    Notes
    -----
    The fingerprint is of no survey: the browser keeps the run apart from real answers, and what the page
    sends would be stored nowhere even if it were sent to the survey itself.
    """
    found = survey_named(slug)
    if found.draft is None:
        return conflict("frozen")
    publication, _ = offload.compute(drafts.would_be, found.draft, slug)
    if publication is None or has_faults(found):
        return redirect(url_for("editor.confirm_opening", slug=slug, respondents=expected()))
    use_policy("pictured" if publication.definition.pictures else "respondent")
    return render(
        publication,
        trial=hashlib.sha256(f"trial {publication.fingerprint}".encode()).hexdigest(),
        address=url_for("trial.send", slug=slug),
        pictures=url_for("pictures.show", slug=slug, sha256="0").removesuffix("0"),
        back=url_for("editor.survey", slug=slug, respondents=expected()),
    )


@blueprint.post("/surveys/<slug>/try")
def send(slug: str) -> ResponseReturnValue:
    """Answer what a test run sends, without looking at it: the page ends as it would for respondents."""
    return framed("stored", "editor.trial", 200)


def framed(outcome: str, key: str, status: int) -> Response:
    """Answer the frame of the respondent's page with one of the outcomes that it knows."""
    use_policy("framed")
    texts = [(code, say(code, f"{key}.title"), say(code, f"{key}.text")) for code in LANGUAGES]
    page = render_template("respond/answer.html", outcome=outcome, texts=texts, problems=[])
    return make_response(page, status)
