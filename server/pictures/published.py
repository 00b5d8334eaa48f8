"""The pictures of a survey: the same bytes for everybody. Who asks for one is neither counted nor noted."""

from __future__ import annotations

from flask import Blueprint, Response
from werkzeug.exceptions import NotFound

from server.pictures.answer import picture_answer
from server.services import services
from server.store import pictures
from server.web.content_policy import use_policy

blueprint = Blueprint("picture", __name__)


@blueprint.before_request
def choose_policy() -> None:
    """Choose the content policy of what a respondent's page loads."""
    use_policy("respondent")


@blueprint.get("/s/<slug>/pictures/<sha256>")
def show(slug: str, sha256: str) -> Response:
    """Send a picture of a published survey; one of another survey is not found here."""
    found = services().storage.read(pictures.published, slug, sha256)
    if found is None:
        raise NotFound
    return picture_answer(found.data, found.type, sha256, public=True)
