"""Pictures of a draft: taken, made anew and stored; and shown to those who write the survey."""

from __future__ import annotations

from contextlib import closing

from flask import Blueprint, Response, jsonify, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import FileStorage
from werkzeug.exceptions import NotFound, RequestEntityTooLarge

from server.language.request_language import translate
from server.pictures.answer import picture_answer
from server.pictures.reencoding import NotAPicture, reencode
from server.services import services
from server.staff.guard import needs, only
from server.staff.survey_lookup import survey_named
from server.store import pictures
from server.store.pictures import StoredPicture, TooManyPictures
from server.store.surveys import Survey
from server.web.limits.costs import MOST_BYTES_OF_A_PICTURE

blueprint = Blueprint("pictures", __name__, url_prefix="/admin")
blueprint.before_request(only("edit"))


class RefusedPicture(ValueError):
    """A file that is not taken; its message is ``pictures.error.<reason>``."""

    def __init__(self, reason: str, **values: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.values = {name: f"{value:,}" for name, value in values.items()}


@blueprint.get("/surveys/<slug>/pictures/<sha256>")
@needs("look")
def show(slug: str, sha256: str) -> Response:
    """Send a picture of a survey, be it a draft; nobody else may keep it."""
    picture = services().storage.read(pictures.used_by, survey_named(slug).id, sha256)
    if picture is None:
        raise NotFound
    return picture_answer(picture.data, picture.type, sha256, public=False)


@blueprint.post("/surveys/<slug>/pictures")
def take(slug: str) -> ResponseReturnValue:
    """Store a picture for a draft: it is made anew from its pixels, and nothing else of the file is kept."""
    survey = survey_named(slug)
    if survey.document is None:
        return refused("frozen", 409)
    try:
        picture = stored(survey, request.files.get("file"))
    except RefusedPicture as error:
        return refused(error.reason, 409 if error.reason == "many" else 422, **error.values)
    return jsonify(
        sha256=picture.sha256,
        type=picture.type,
        width=picture.width,
        height=picture.height,
        bytes=len(picture.data),
        address=url_for("pictures.show", slug=slug, sha256=picture.sha256),
    )


def stored(survey: Survey, file: FileStorage | None) -> StoredPicture:
    """Store a picture for a draft.

    Raises
    ------
    RefusedPicture
        If there is no file, it is no picture, or the draft has as many as it may keep.
    """
    if file is None or not file.filename:
        raise RefusedPicture("none")
    try:
        with closing(file):
            picture = StoredPicture(*reencode(file.read()))
        services().storage.write(pictures.add, survey.id, picture)
    except NotAPicture as error:
        raise RefusedPicture(error.reason, **error.values) from None
    except TooManyPictures:
        raise RefusedPicture("many", most=pictures.MOST_PICTURES) from None
    return picture


@blueprint.errorhandler(RequestEntityTooLarge)
def too_large(_error: RequestEntityTooLarge) -> ResponseReturnValue:
    """Refuse a file before it is read."""
    return refused("bytes", 413, most=MOST_BYTES_OF_A_PICTURE // 2**20)


def refused(reason: str, status: int, **values: object) -> ResponseReturnValue:
    """Say why a file is not taken."""
    return jsonify(fault=translate(f"pictures.error.{reason}", **values)), status
