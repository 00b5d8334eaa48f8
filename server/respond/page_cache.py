"""A cache of surveys' pages, with their pictures: the same for everybody, so that one reading serves many."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from werkzeug.wrappers import Response

from server.runtime.bounded_cache import BoundedCache
from server.services import Services

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

SECONDS = 0.5
"""The time for which a page is fresh; half as long again for those who come while it is being refreshed. A
server may take that long to show that a survey was closed or deleted."""

MOST_BYTES = 64 * 1024 * 1024
"""Bytes of the cached answers; a picture has up to 500 kB."""

LONGEST_CHOICE = 100
"""Characters of an Accept-Encoding for which a page is cached; browsers send about 25."""

VISITED = "candor.visited"
"""Key of the WSGI environment with a list, in which a view notes that its answer may be cached: by the number
of the survey whose visits are counted, or None where nobody who comes is counted."""

CONDITIONS = frozenset(
    f"HTTP_{name}"
    for name in (
        "IF_MATCH",
        "IF_MODIFIED_SINCE",
        "IF_NONE_MATCH",
        "IF_RANGE",
        "IF_UNMODIFIED_SINCE",
        "RANGE",
    )
)


@dataclass(frozen=True)
class CachedPage:
    """A page as it was answered.

    Attributes
    ----------
    survey_id : int or None
        Whose visits are counted.
    headers : list of (str, str)
        Without the date.
    body : bytes
    read_at : float
        The moment before the database was read for it.
    """

    survey_id: int | None
    headers: list[tuple[str, str]]
    body: bytes
    read_at: float


class PageCache:
    """An application in front of another one, which answers for it while a survey's page is fresh.

    Parameters
    ----------
    application : callable
        The WSGI application that makes pages; notes under `VISITED` which of them may be cached.
    services : Services
    now : callable
        A clock in seconds that never goes back.

    Notes
    -----
    Of surveys' pages only those of open ones are cached, so that a survey is there as soon as it is opened.
    """

    def __init__(
        self, application: WSGIApplication, services: Services, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.application = application
        self.services = services
        self.now = now
        self.pages: BoundedCache[CachedPage] = BoundedCache(MOST_BYTES, weigh=weight)
        self.refreshing: set[tuple[str, str]] = set()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request, from memory if it asks for a page that is fresh there, and count the visit."""
        if not asks_for_page(environ):
            return self.application(environ, start_response)
        key = environ["PATH_INFO"], environ.get("HTTP_ACCEPT_ENCODING", "")
        page = self.pages.results.get(key)
        if page is None or self.now() >= page.read_at + (1.5 if key in self.refreshing else 1) * SECONDS:
            return self.refresh(key, environ)(environ, start_response)
        if page.survey_id is not None:
            self.services.committer.start(page.survey_id, self.services.today)
        start_response("200 OK", list(page.headers))
        return [page.body]

    def refresh(self, key: tuple[str, str], environ: WSGIEnvironment) -> Response:
        """Ask the application, and cache its answer if it is a survey's page."""
        read_at = self.now()
        self.refreshing.add(key)
        try:
            visited: list[int | None] = []
            response = Response.from_app(self.application, environ | {VISITED: visited}, buffered=True)
        finally:
            self.refreshing.discard(key)
        if visited and response.status_code == 200:
            headers = [(name, value) for name, value in response.headers if name != "Date"]
            self.pages.put(key, CachedPage(visited[0], headers, response.get_data(), read_at))
        else:
            self.pages.forget(lambda known: known == key)
        return response


def weight(page: CachedPage) -> int:
    """Return about how many bytes a page takes."""
    return len(page.body) + 2000


def asks_for_page(environ: WSGIEnvironment) -> bool:
    """Return whether a request may ask for a survey's page. A query or a body changes nothing of it."""
    return (
        environ["REQUEST_METHOD"] == "GET"
        and environ["PATH_INFO"].startswith("/s/")
        and "HTTP_TRANSFER_ENCODING" not in environ
        and len(environ.get("HTTP_ACCEPT_ENCODING", "")) <= LONGEST_CHOICE
        and CONDITIONS.isdisjoint(environ)
    )
