"""The fast path of a submission: the same outcome as `submission.send`, without parsing fields.

Nearly all that comes to an open survey is the body that its page writes, byte for byte. The fast path takes
exactly that, from the survey's own page, once `submission.send` has stored something for the survey.
Everything else goes on to the application as it came, which also explains what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from typing import TYPE_CHECKING

from flask import Flask
from werkzeug.exceptions import HTTPException

from server.respond.origin import comes_from_own_page
from server.respond.process_memory import OpenSurvey, ProcessMemory
from server.respond.submission import COUNTED, FORM, answer, page_outcome
from server.services import Services
from server.store.engine import Unavailable
from server.store.submissions import Submission

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

PREFIX = "/s/"

Answer = tuple[str, list[tuple[str, str]], bytes]
"""The status line, the headers and the body."""


class FastPath:
    """An application before which the surveys' own submissions are taken.

    Parameters
    ----------
    app : Flask
        Its services and its memory are used.
    application : callable
        WSGI; answers everything else.
    """

    def __init__(self, app: Flask, application: WSGIApplication) -> None:
        self.app = app
        self.application = application
        self.answers: dict[str, Answer] = {}

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        path = environ["PATH_INFO"]
        memory: ProcessMemory = self.app.extensions["candor.respond"]
        open_survey = (
            memory.open_surveys.results.get(path[len(PREFIX) :]) if path.startswith(PREFIX) else None
        )
        submission = None if open_survey is None else read(environ, open_survey)
        outcome = None if submission is None else self.take(environ, submission, memory)
        if outcome is None:
            return self.application(environ, start_response)
        status, headers, body = self.answer(environ, outcome)
        start_response(status, [*headers])
        return [body]

    def take(self, environ: WSGIEnvironment, submission: Submission, memory: ProcessMemory) -> str | None:
        """Count and store a submission.

        Returns
        -------
        str or None
            The outcome. None where the application has to look: near the limit of new submissions, because a
            repeated one does not count; where the survey is gone, and another may have its name; and where
            something fails that should not. Then nothing that the application counts is counted here.
        """
        services: Services = self.app.extensions["candor"]
        address = environ.get("REMOTE_ADDR") or ""
        if not memory.rate_limit.allows(address):
            return "limited"
        environ[COUNTED] = True
        outcome: str | None = None
        allowed = memory.rate_limit.allows_new(address)
        if allowed:
            try:
                outcome = services.committer.submit(submission, services.today)
            except Unavailable:
                outcome = "busy"
            except Exception:  # noqa: BLE001  # the application tries again and tells of it
                outcome = None
        if allowed and outcome in (None, "busy", "repeated", "different", "paused", "missing"):
            memory.rate_limit.forgive_new(address)
        return None if outcome == "missing" else outcome

    def answer(self, environ: WSGIEnvironment, outcome: str) -> Answer:
        """Return the answer to an outcome as the application makes it; made once, for it never changes."""
        if outcome not in self.answers:
            with self.app.request_context(environ):
                made = answer("busy", status=429) if outcome == "limited" else answer(page_outcome(outcome))
                made = self.app.process_response(made)
                self.answers[outcome] = made.status, [*made.get_wsgi_headers(environ)], made.get_data()
        return self.answers[outcome]


def read(environ: WSGIEnvironment, open_survey: OpenSurvey) -> Submission | None:
    """Read a request that is exactly the submission of a survey's own page; leave any other as it came."""
    if not (
        environ["REQUEST_METHOD"] == "POST"
        and environ.get("CONTENT_TYPE") == FORM
        and environ.get("CONTENT_LENGTH") == str(open_survey.body.length)
        and not environ.get("QUERY_STRING")
        and "HTTP_TRANSFER_ENCODING" not in environ
        and "HTTP_UPGRADE" not in environ
        and comes_from_own_page(environ)
    ):
        return None
    try:
        body = environ["wsgi.input"].read(open_survey.body.length)
    except (HTTPException, OSError):  # too slow, or gone: the application meets the same
        return None
    environ["wsgi.input"] = BytesIO(body)
    fields = open_survey.body.read(body)
    return fields and Submission(open_survey.survey_id, open_survey.body.publication.fingerprint, *fields)


def init_app(app: Flask) -> None:
    """Take submissions before the application sees them."""
    app.wsgi_app = FastPath(app, app.wsgi_app)  # type: ignore[method-assign]
