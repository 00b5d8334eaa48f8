"""The pictures of a survey: the same bytes for everybody. Who asks for one is neither counted nor noted."""

from __future__ import annotations

from flask import Blueprint, Response, request
from werkzeug.exceptions import NotFound

from server.pictures.answer import picture_answer
from server.respond.page_cache import VISITED
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
    picture = services().storage.read(pictures.published, slug, sha256)
    if picture is None:
        raise NotFound
    request.environ.get(VISITED, []).append(None)
    return picture_answer(picture.data, picture.type, sha256, public=True)
