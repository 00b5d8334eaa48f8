"""Error pages: in every language where respondents go; elsewhere in one, and staff keep their navigation."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flask import Flask, Response, make_response, render_template, request
from flask_login import current_user
from werkzeug.exceptions import HTTPException

from server.language.catalogue import LANGUAGES, say
from server.language.request_language import PUBLIC, WITHOUT_COOKIE, translate

WORDED = (400, 403, 404, 405, 413, 429, 500, 503)
"""Statuses that the catalogue has words for; others are shown as 400 or 500."""

RETRY_SECONDS = "5"


def error_page(status: int, headers: Mapping[str, str]) -> Response:
    """Answer with the page of an error; it speaks every language where respondents go."""
    known = status if status in WORDED else 400 if status < 500 else 500
    if request.path.startswith(PUBLIC):
        key = f"error.{known}"
        texts = [(code, say(code, f"{key}.title"), say(code, f"{key}.text")) for code in LANGUAGES]
        return make_response(render_template("web/unavailable.html", texts=texts), status, headers)
    with_navigation = known in (403, 404) and not request.path.startswith(WITHOUT_COOKIE)
    of_staff = with_navigation and current_user.is_authenticated
    page = render_template(
        "staff/message.html" if of_staff else "web/message.html",
        title=translate(f"error.{known}.title"),
        text=translate(f"error.{known}.text"),
    )
    return make_response(page, status, headers)


def worded(error: HTTPException) -> Response | HTTPException:
    """Answer an error with its page; let redirections and answers that a view has made pass."""
    if error.response is not None or error.code is None or error.code < 400:
        return error
    headers = {name: value for name, value in error.get_headers() if name in ("Allow", "Retry-After")}
    return error_page(error.code, headers)


def init_app(app: Flask, statuses: Mapping[type[Exception], int]) -> None:
    """Answer every error with its page.

    Parameters
    ----------
    app : Flask
    statuses : Mapping
        The status that answers each exception of another room.
    """
    app.register_error_handler(HTTPException, worded)
    for exception, status in statuses.items():
        app.register_error_handler(exception, answering(status))


def answering(status: int) -> Callable[[Exception], Response]:
    """Make a handler that answers an exception with a status."""
    headers = {"Retry-After": RETRY_SECONDS} if status == 503 else {}
    return lambda error: error_page(status, headers)
