"""A test run of a draft: the respondent's own page, from which nothing can be stored."""

from __future__ import annotations

import hashlib

from flask import Blueprint, make_response, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from server import offload
from server.accounts import csrf, only
from server.catalogue import LANGUAGES, say
from server.editor import conflict, find
from server.respond import messages, page_kind
from server.security import use_policy
from server.store import drafts

blueprint = Blueprint("trial", __name__, url_prefix="/admin")
blueprint.before_request(only("admin"))
csrf.exempt(blueprint)  # the respondent's page holds no token, and there is nothing here to protect


@blueprint.get("/surveys/<slug>/try")
def page(slug: str) -> ResponseReturnValue:
    """Show a complete draft as respondents would meet it; of another, what it lacks.

    Notes
    -----
    The fingerprint is of no survey: the browser keeps the run apart from real answers, and what the page
    sends would be stored nowhere even if it were sent to the survey itself.
    """
    found = find(slug)
    if found.draft is None:
        return conflict("frozen")
    publication, _ = offload.run(drafts.would_be, found.draft, slug)
    if publication is None:
        return redirect(url_for("editor.confirm_opening", slug=slug))
    use_policy("respondent")
    return render_template(
        "respond.html",
        publication=publication,
        kinds=sorted({page_kind(question) for question in publication.definition.questions}),
        modules=[],
        messages=messages(publication.definition),
        trial=hashlib.sha256(f"trial {publication.fingerprint}".encode()).hexdigest(),
        address=url_for("trial.send", slug=slug),
        back=url_for("editor.survey", slug=slug),
    )


@blueprint.post("/surveys/<slug>/try")
def send(slug: str) -> ResponseReturnValue:
    """Answer what a test run sends, without looking at it."""
    use_policy("framed")
    texts = [(code, say(code, "editor.trial.sent"), say(code, "editor.trial.text")) for code in LANGUAGES]
    # Of the outcomes that the page knows this one ends the run: its reports are forgotten in the browser too.
    return make_response(render_template("sending.html", outcome="closed", texts=texts, problems=[]), 410)
