"""The page in place of a survey, or of something about it, that is not there."""

from __future__ import annotations

from flask import Response, make_response, render_template

from server.language.catalogue import LANGUAGES, say


def unavailable_page(reason: str, status: int, **values: str) -> Response:
    """Show in every language why there is nothing here."""
    texts = [
        (code, say(code, f"{reason}.title"), say(code, f"{reason}.text", **values)) for code in LANGUAGES
    ]
    return make_response(render_template("web/unavailable.html", texts=texts), status)


def busy_page(_: Exception) -> Response:
    """Answer that the database cannot be used now."""
    response = unavailable_page("unavailable.busy", 503)
    response.headers["Retry-After"] = "5"
    return response
