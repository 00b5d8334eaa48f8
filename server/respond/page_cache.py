"""A survey's page, answered from memory: it is the same for everybody, so one reading serves many."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from werkzeug.wrappers import Response

from server.services import Services

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

SECONDS = 0.5
"""How long an answer is given again; half as long again to those who come while one request asks anew. It may
take that long until a server shows that a survey was closed or deleted."""

MOST_ANSWERS = 512
LONGEST_CHOICE = 100
"""Characters of an Accept-Encoding that an answer is kept for; browsers send about 25."""

SHOWN_SURVEYS = "candor.surveys"
"""Key of the WSGI environment under which the view notes the number of the survey whose page it answers."""

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
    """A page as it was answered once.

    Attributes
    ----------
    survey_id : int
    headers : list of (str, str)
        Without the date.
    body : bytes
    asked : float
        The moment before the database was read for it.
    """

    survey_id: int
    headers: list[tuple[str, str]]
    body: bytes
    asked: float


class PageCache:
    """An application that is not asked again for a survey's page while its last answer is fresh.

    Parameters
    ----------
    application : callable
        WSGI; notes under `SHOWN_SURVEYS` whose page it answers.
    services : Services
    now : callable
        Gives a moment in seconds that never goes back.

    Notes
    -----
    Only pages are kept: what is answered where nothing is open is asked for each time, so that a survey is
    there as soon as it is opened.
    """

    def __init__(
        self, application: WSGIApplication, services: Services, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.application = application
        self.services = services
        self.now = now
        self.answers: dict[tuple[str, str], CachedPage] = {}
        self.asking: set[tuple[str, str]] = set()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request, from memory if it asks for a page that is fresh there, and count the visit."""
        if not asks_for_page(environ):
            return self.application(environ, start_response)
        key = environ["PATH_INFO"], environ.get("HTTP_ACCEPT_ENCODING", "")
        answer = self.answers.get(key)
        if answer is None or self.now() >= answer.asked + (1.5 if key in self.asking else 1) * SECONDS:
            return self.ask(key, environ)(environ, start_response)
        self.services.committer.start(answer.survey_id, self.services.today)
        start_response("200 OK", list(answer.headers))
        return [answer.body]

    def ask(self, key: tuple[str, str], environ: WSGIEnvironment) -> Response:
        """Ask the application, and keep its answer if it is a survey's page."""
        asked = self.now()
        self.asking.add(key)
        try:
            surveys: list[int] = []
            response = Response.from_app(self.application, environ | {SHOWN_SURVEYS: surveys}, buffered=True)
        finally:
            self.asking.discard(key)
        self.answers.pop(key, None)
        if surveys and response.status_code == 200:
            while len(self.answers) >= MOST_ANSWERS:
                self.answers.pop(next(iter(self.answers)), None)
            headers = [(name, value) for name, value in response.headers if name != "Date"]
            self.answers[key] = CachedPage(surveys[0], headers, response.get_data(), asked)
        return response


def asks_for_page(environ: WSGIEnvironment) -> bool:
    """Return whether a request may ask for a survey's page, and for nothing but the page."""
    return (
        environ["REQUEST_METHOD"] == "GET"
        and environ["PATH_INFO"].startswith("/s/")
        and not environ.get("QUERY_STRING")
        and environ.get("CONTENT_LENGTH", "") in ("", "0")
        and "HTTP_TRANSFER_ENCODING" not in environ
        and len(environ.get("HTTP_ACCEPT_ENCODING", "")) <= LONGEST_CHOICE
        and CONDITIONS.isdisjoint(environ)
    )
