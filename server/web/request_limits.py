"""Limits of what a request may hold: the bytes and fields of its body, and the length of its conditions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from flask import Flask, abort, request, session
from flask_login import current_user
from werkzeug.exceptions import RequestEntityTooLarge

MOST_BYTES = 64 * 1024
"""The largest body of a request: a submission of a hundred questions has about 6 kB."""

MOST_BYTES_OF_A_SURVEY = 2 * 1024 * 1024
"""The largest body that the editor takes: a hundred questions in twenty languages."""

MOST_BYTES_OF_A_PICTURE = 16 * 1024 * 1024
"""The largest body that brings a picture: a photograph of 20 megapixels has about 8 MB."""

MOST_FIELDS = 1100
"""The most fields of a form: a draft's test run sends a thousand columns."""

MOST_FIELDS_OF_A_SURVEY = 50_000
"""The most fields of the editor's form: twice a hundred questions of ten options in twenty languages."""

WRITING = ("editor", "exchange", "saving", "choosing")
"""Where a survey's texts may be sent."""

MALFORMED = "candor.malformed"
"""Where the server leaves the status of a request that it could not parse."""

LONGEST_CONDITION = 1000
"""Characters of a header that asks for an answer under a condition; a browser sends one tag, or one time."""

CONDITIONS = ("HTTP_IF_NONE_MATCH", "HTTP_IF_MATCH", "HTTP_IF_MODIFIED_SINCE", "HTTP_IF_RANGE", "HTTP_RANGE")


def limit_body(signed_in: Callable[[], bool]) -> None:
    """Refuse bodies that are too large, unread; let only the editor accept more than a submission needs.

    Nobody who is not signed in has more than `MOST_BYTES` read, at any address. A body that does not say how
    long it is counts as too large once so much has come. Fields are counted before they are parsed. The view
    of submissions counts by those of its survey.
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
    with_file = request.endpoint == "editor.save" and request.mimetype == "multipart/form-data"
    if (with_file or request.blueprint == "pictures") and signed_in():
        request.max_content_length = MOST_BYTES_OF_A_PICTURE
    is_form = request.method == "POST" and request.mimetype == "application/x-www-form-urlencoded"
    if is_form and request.blueprint != "submission" and request.get_data().count(b"&") >= most:
        raise RequestEntityTooLarge


def refuse_malformed() -> None:
    """Refuse a request that the server could not parse; only its path is known."""
    if MALFORMED in request.environ:
        abort(request.environ[MALFORMED])


def is_staff() -> bool:
    """Return whether the session of a request is somebody's who is signed in."""
    return bool(session) and current_user.is_authenticated


def forget_long_conditions() -> None:
    """Leave out conditions that no browser sends: reading thousands of tags takes longer than any page."""
    for name in CONDITIONS:
        if len(request.environ.get(name, "")) > LONGEST_CONDITION:
            del request.environ[name]


def init_app(app: Flask, signed_in: Callable[[], bool] = is_staff) -> None:
    """Refuse what is too large before a view of the application sees it.

    Parameters
    ----------
    app : Flask
    signed_in : callable
        Returns whether a request is of somebody who is signed in.
    """
    app.config["MAX_CONTENT_LENGTH"] = MOST_BYTES
    app.before_request(refuse_malformed)
    app.before_request(forget_long_conditions)
    app.before_request(partial(limit_body, signed_in))
