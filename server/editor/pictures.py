"""Pictures of a draft: taken, made anew and stored; and shown to those who write the survey."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound, RequestEntityTooLarge

from server.editor.lookup import conflict, survey_named
from server.editor.picturing import Refused, taken
from server.forms.faults import Fault
from server.language.request_language import translate
from server.pictures.answer import picture_answer
from server.services import services
from server.staff.guard import needs, only
from server.store import pictures
from server.web.request_limits import MOST_BYTES_OF_A_PICTURE

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
        return refused(Fault("pictures.error.frozen", {}), 409) if wants_json() else conflict("frozen")
    try:
        picture = taken(survey, request.files.get("file"))
    except Refused as error:
        return refused(error.fault, 409 if error.reason == "many" else 422)
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
    return refused(Fault("pictures.error.bytes", {"most": MOST_BYTES_OF_A_PICTURE // 2**20}), 413)


def refused(fault: Fault, status: int) -> ResponseReturnValue:
    """Say why a file is not taken: to our script as JSON, and as a page to whoever has none."""
    said = translate(fault.key, **fault.values)
    if wants_json():
        return jsonify(fault=said), status
    page = render_template("web/message.html", title=translate("pictures.not_taken"), text=said)
    return make_response(page, status)


def wants_json() -> bool:
    """Return whether our script asks, and not a form."""
    return request.accept_mimetypes.best == "application/json"
