"""Pages that are the same for everybody, answered from memory: each is made once for a language."""

from __future__ import annotations

import re
from collections.abc import Iterable
from io import BytesIO
from threading import Lock
from typing import TYPE_CHECKING

from werkzeug.wrappers import Response

from server.language.catalogue import LANGUAGES
from server.language.request_language import choice_cookie, negotiated
from server.runtime.bounded_cache import BoundedCache
from server.web.conditions import CONDITIONS
from server.web.constant_answer import preferred

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

MOST_PAGES = 512
ASKED = re.compile(rf"(?:^|[&;]\s*)language=({'|'.join(LANGUAGES)})(?![^&;])")
"""A choice of a language, in a query or among cookies."""

ANY_CONDITION = frozenset(CONDITIONS)

Page = tuple[list[tuple[str, str]], bytes]
"""Headers and body."""


class ConstantPages:
    """An application whose answers depend on the address, the language and the encoding, and on nothing else.

    Of a request nothing more is passed on: not its host, no cookie, and no argument.

    Parameters
    ----------
    application : callable
        WSGI; makes the pages.
    """

    def __init__(self, application: WSGIApplication) -> None:
        self.application = application
        self.pages: BoundedCache[Page] = BoundedCache(MOST_PAGES)
        self.making = Lock()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        path, root = environ["PATH_INFO"], environ.get("SCRIPT_NAME", "")
        chosen = ASKED.search(environ.get("QUERY_STRING", ""))
        known = chosen or ASKED.search(environ.get("HTTP_COOKIE", ""))
        language = known[1] if known else negotiated(environ.get("HTTP_ACCEPT_LANGUAGE", ""))
        encoding = preferred(environ.get("HTTP_ACCEPT_ENCODING", ""))
        key = path, root, language, encoding
        page = self.pages.results.get(key)
        if page is None:
            with self.making:
                page = self.pages.results.get(key)
                response = None if page else self.made(*key)
            if response is not None:
                if response.status_code != 200 or "Set-Cookie" in response.headers:
                    return response(environ, start_response)
                page = [*response.headers], response.get_data()
                self.pages.put(key, page)
        assert page is not None  # noqa: S101  # it was made
        headers, body = page
        if chosen and (cookie := choice_cookie(path, chosen[1], environ["wsgi.url_scheme"] == "https")):
            headers = [*headers, ("Set-Cookie", cookie)]
        if not ANY_CONDITION.isdisjoint(environ):
            answer = Response(body, headers=headers).make_conditional(environ)
            return answer(environ, start_response)
        start_response("200 OK", [*headers])
        return [body] if environ["REQUEST_METHOD"] == "GET" else []

    def made(self, path: str, root: str, language: str, encoding: str | None) -> Response:
        """Ask the application for a page."""
        environ: WSGIEnvironment = {
            "REQUEST_METHOD": "GET",
            "PATH_INFO": path,
            "SCRIPT_NAME": root,
            "QUERY_STRING": "",
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "HTTP_ACCEPT_LANGUAGE": language,
            "HTTP_ACCEPT_ENCODING": encoding or "",
            "wsgi.url_scheme": "http",
            "wsgi.input": BytesIO(),
        }
        return Response.from_app(self.application, environ, buffered=True)
