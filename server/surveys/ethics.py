"""The page for ethics boards of a draft: boards read before a survey is opened."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from server.ethics.board import RECEIPT_BYTES, board
from server.ethics.claims import claims_of
from server.language.request_language import current
from server.runtime import offload
from server.services import services
from server.staff.guard import only
from server.staff.survey_lookup import survey_named
from server.store.lifecycle import life, opening_reasons
from survey.draft import expected_of

blueprint = Blueprint("draft_ethics", __name__, url_prefix="/admin")
blueprint.before_request(only("look"))


@blueprint.get("/surveys/<slug>/ethics")
def show(slug: str) -> ResponseReturnValue:
    """Show the page of a draft that is complete; of another, what it lacks."""
    survey = survey_named(slug)
    if survey.document is None:
        return redirect(url_for("ethics.show", slug=slug))
    publication = offload.compute(lambda: survey.complete)
    if publication is None:
        return redirect(url_for("lifecycle.confirm_opening", slug=slug))  # which says what it lacks
    definition = publication.definition
    code = current() if current() in definition.languages else definition.languages[0]
    return offload.draw(
        render_template,
        "ethics/board.html",
        board=board(publication, expected_of(survey.document)),
        definition=definition,
        code=code,
        state="draft",
        claims_of=claims_of,
        held=services().storage.read(life.of, survey.id),
        receipt=RECEIPT_BYTES,
        reason=services().storage.read(opening_reasons.of, slug),
    )
