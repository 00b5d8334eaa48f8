"""Limits of a request: the bytes and fields of its body, and the length of its conditional headers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from flask import Flask, abort, request, session
from flask_login import current_user
from werkzeug.exceptions import RequestEntityTooLarge

from server.runtime.slow_bodies import MALFORMED

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

MOST_BYTES = 64 * 1024
"""Bytes of the largest body; a submission of a hundred questions has about 6 kB."""

MOST_BYTES_OF_A_SURVEY = 2 * 1024 * 1024
"""Bytes of the largest body for the editor: a hundred questions in twenty languages."""

MOST_BYTES_OF_A_PICTURE = 16 * 1024 * 1024
"""Bytes of the largest body with a picture; a photograph of 20 megapixels has about 8 MB."""

MOST_FIELDS = 1100
"""The most fields of a form; a draft's test run sends a thousand columns."""

MOST_FIELDS_OF_A_SURVEY = 50_000
"""The most fields of the editor's form: twice those of a hundred questions in twenty languages."""

WRITING = ("editing", "survey_files", "begin")
"""Blueprints whose requests may bring a survey's texts."""

LONGEST_CONDITION = 1000
"""Characters of the longest conditional header that is read; a browser sends one tag or one time."""

CONDITIONS = ("HTTP_IF_NONE_MATCH", "HTTP_IF_MATCH", "HTTP_IF_MODIFIED_SINCE", "HTTP_IF_RANGE", "HTTP_RANGE")


def limit_body(signed_in: Callable[[], bool]) -> None:
    """Refuse a body that is too large before it is read; only the editor takes more than a submission.

    For somebody who is not signed in, no more than `MOST_BYTES` are read at any address. A body without a
    length is refused once so many bytes have come. Fields are counted before they are parsed; the view of
    submissions compares them with the columns of its survey.
    """
    unsaid = "Transfer-Encoding" in request.headers
    long = unsaid or (request.content_length or 0) > MOST_BYTES
    # Werkzeug stops to read where the body becomes too long.
    if long and not signed_in() and (not unsaid or len(request.get_data()) >= MOST_BYTES):
        raise RequestEntityTooLarge
    most = MOST_FIELDS
    if request.blueprint in WRITING and signed_in():
        request.max_content_length = MOST_BYTES_OF_A_SURVEY
        request.max_form_memory_size = MOST_BYTES_OF_A_SURVEY
        most = MOST_FIELDS_OF_A_SURVEY
    if request.blueprint == "pictures" and signed_in():
        request.max_content_length = MOST_BYTES_OF_A_PICTURE
    is_form = request.method == "POST" and request.mimetype == "application/x-www-form-urlencoded"
    if is_form and request.blueprint != "submission" and request.get_data().count(b"&") >= most:
        raise RequestEntityTooLarge


def refuse_malformed() -> None:
    """Refuse a request that could not be parsed; only its path is known."""
    if MALFORMED in request.environ:
        abort(request.environ[MALFORMED])


def is_staff() -> bool:
    """Return whether somebody who is signed in sends the request."""
    return bool(session) and current_user.is_authenticated


def forget_long_conditions(environ: WSGIEnvironment) -> None:
    """Drop long conditional headers: to read thousands of tags takes longer than to make any page."""
    for name in CONDITIONS:
        if len(environ.get(name, "")) > LONGEST_CONDITION:
            del environ[name]


def init_app(app: Flask, signed_in: Callable[[], bool] = is_staff) -> None:
    """Refuse requests that are too large before a view sees them.

    Parameters
    ----------
    app : Flask
    signed_in : callable
        Returns whether somebody who is signed in sends the request.
    """
    app.config["MAX_CONTENT_LENGTH"] = MOST_BYTES
    app.before_request(refuse_malformed)
    app.before_request(lambda: forget_long_conditions(request.environ))
    app.before_request(partial(limit_body, signed_in))
