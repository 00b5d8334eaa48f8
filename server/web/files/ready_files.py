"""Scripts, styles and pictures, answered before the application sees the request.

Under one address a file is always the same, so each of its answers is made once and stays in memory.
"""

from __future__ import annotations

import mimetypes
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from flask import Response

from server.web.conditions import CONDITIONS, forget_long_conditions
from server.web.constant_answer import encoded, preferred
from server.web.content_policy import HEADERS

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

mimetypes.add_type("font/woff2", ".woff2")  # which Python does not know by itself

YEAR = 365 * 24 * 60 * 60

COMPACT = (".png", ".woff2")
"""Endings of formats that are compressed by themselves: to compress them again saves nothing."""

ANY_CONDITION = frozenset(CONDITIONS)

Headers = list[tuple[str, str]]


class ReadyFiles:
    """An application before which files are answered.

    Parameters
    ----------
    application : callable
        WSGI; answers everything else.
    files : mapping of str to bytes
        The content of every file by its path.
    root : str
        What stands before these paths in an address: it names this version, for browsers keep what they get.
    """

    def __init__(self, application: WSGIApplication, files: Mapping[str, bytes], root: str) -> None:
        self.application = application
        self.files = files
        self.root = root
        self.answers: dict[tuple[str, str | None], tuple[Headers, bytes]] = {}

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        answer = None
        if environ["PATH_INFO"].startswith(self.root) and environ["REQUEST_METHOD"] in ("GET", "HEAD"):
            answer = self.find(environ["PATH_INFO"], environ.get("HTTP_ACCEPT_ENCODING", ""))
        if answer is None:
            return self.application(environ, start_response)
        headers, body = answer
        if not ANY_CONDITION.isdisjoint(environ):
            forget_long_conditions(environ)
            return Response(body, headers=headers).make_conditional(environ)(environ, start_response)
        start_response("200 OK", [*headers])
        return [body] if environ["REQUEST_METHOD"] == "GET" else []

    def find(self, address: str, encodings: str) -> tuple[Headers, bytes] | None:
        """Return headers and body of a file at an address below `root`, as an Accept-Encoding wants it."""
        encoding = None if address.endswith(COMPACT) else preferred(encodings)
        answer = self.answers.get((address, encoding))
        path = address[len(self.root) :]
        if answer is None and path in self.files:
            kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
            made = encoded(self.files[path], encoding, kind)
            made.headers["Cache-Control"] = f"public, immutable, max-age={YEAR}"
            made.headers.update(HEADERS["page"])
            answer = self.answers[address, encoding] = [*made.headers], made.get_data()
        return answer
