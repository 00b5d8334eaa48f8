"""The page for ethics boards of a survey that was opened."""

from __future__ import annotations

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from server.ethics.board import RECEIPT_BYTES, board
from server.ethics.claims import claims_of
from server.language.request_language import nearest
from server.runtime import offload
from server.services import services
from server.staff.guard import only
from server.store.lifecycle import dated_proposals, legal_hold, life, opening_reasons
from server.store.results import survey_results

blueprint = Blueprint("ethics", __name__, url_prefix="/results/<slug>")
blueprint.before_request(only("read"))


@blueprint.get("/ethics")
def show(slug: str) -> ResponseReturnValue:
    """Show what the survey collects, what can be learned from it, and what is not protected."""
    found = services().storage.read(survey_results.survey_with_results, slug)
    if found is None:
        raise NotFound
    survey, results = found
    assert survey.publication is not None  # noqa: S101  # a draft is not found
    definition = survey.publication.definition
    return offload.draw(
        render_template,
        "ethics/board.html",
        board=board(survey.publication, results.respondents),
        definition=definition,
        code=nearest(definition.languages),
        state=survey.state,
        claims_of=claims_of,
        held=services().storage.read(life.of, survey.id),
        hold=services().storage.read(legal_hold.of, survey.id),
        unconfirmed=services().storage.read(dated_proposals.unconfirmed, survey.id),
        receipt=RECEIPT_BYTES,
        reason=services().storage.read(opening_reasons.of, slug),
    )
