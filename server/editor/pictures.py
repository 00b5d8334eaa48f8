"""Pictures of a draft: taken, made anew and stored; and shown to those who write the survey."""

from __future__ import annotations

from contextlib import closing

from flask import Blueprint, Response, jsonify, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound, RequestEntityTooLarge

from server.editor.lookup import conflict, survey_named
from server.exchange.picture import NotAPicture, encoded
from server.language.chosen import translate
from server.services import services
from server.staff.guard import needs, only
from server.store import pictures
from server.store.pictures import StoredPicture, TooManyPictures
from server.web.picture import picture_answer
from server.web.security import MOST_BYTES_OF_A_PICTURE

blueprint = Blueprint("pictures", __name__, url_prefix="/admin")
blueprint.before_request(only("edit"))


@blueprint.get("/surveys/<slug>/pictures/<sha256>")
@needs("look")
def show(slug: str, sha256: str) -> Response:
    """Send a picture of a survey, be it a draft; nobody else may keep it."""
    found = services().storage.read(pictures.used_by, survey_named(slug).id, sha256)
    if found is None:
        raise NotFound
    return picture_answer(found.data, found.type, sha256, public=False)


@blueprint.post("/surveys/<slug>/pictures")
def take(slug: str) -> ResponseReturnValue:
    """Store a picture for a draft: it is made anew from its pixels, and nothing else of the file is kept."""
    survey = survey_named(slug)
    if survey.draft is None:
        return refused("frozen", 409) if wants_json() else conflict("frozen")
    file = request.files.get("file")
    if file is None or not file.filename:
        return refused("none", 422)
    try:
        with closing(file):
            picture = StoredPicture(*encoded(file.read()))
        services().storage.write(pictures.add, survey.id, picture)
    except NotAPicture as error:
        return refused(error.reason, 422, **error.values)
    except TooManyPictures:
        return refused("many", 409, most=pictures.MOST_PICTURES)
    if not wants_json():
        return redirect(url_for("editor.survey", slug=slug))
    return jsonify(
        sha256=picture.sha256,
        type=picture.type,
        width=picture.width,
        height=picture.height,
        bytes=len(picture.data),
        address=url_for("pictures.show", slug=slug, sha256=picture.sha256),
    )


@blueprint.errorhandler(RequestEntityTooLarge)
def too_large(_error: RequestEntityTooLarge) -> ResponseReturnValue:
    """Refuse a file before it is read."""
    return refused("bytes", 413, most=MOST_BYTES_OF_A_PICTURE // 2**20)


def refused(reason: str, status: int, **values: int) -> ResponseReturnValue:
    """Say why a file is not taken: to our script as JSON, and as a page to whoever has none."""
    said = translate(f"pictures.error.{reason}", **{name: f"{value:,}" for name, value in values.items()})
    if wants_json():
        return jsonify(fault=said), status
    page = render_template("web/message.html", title=translate("pictures.not_taken"), text=said)
    return make_response(page, status)


def wants_json() -> bool:
    """Return whether our script asks, and not a form."""
    return request.accept_mimetypes.best == "application/json"
