"""Pages that differ by their language only."""

from flask import Response, make_response, request

from server.web.constant import constant


def for_everybody(page: str) -> Response:
    """Answer a page, compressed unless its address holds more than a language: links repeat what it holds."""
    return constant(page.encode()) if request.args.keys() <= {"language"} else make_response(page)
