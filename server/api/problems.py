"""Problem details for HTTP (RFC 9457): the API's answer to whatever goes wrong."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from server.language.catalogue import written
from server.language.moments import moment
from server.language.problems import sentence
from server.language.request_language import current
from server.services import services
from server.store.drafts import DraftChangedError
from server.store.engine import Unavailable
from server.store.lifecycle.legal_hold import OnHold
from server.store.results.visible_results import GroupWithheld, InPreparation, ReportsRemoved, ReportsWithheld
from server.store.staff.accounts import AccountGone
from server.store.surveys import SlugTaken, Survey, SurveyGone, WrongState
from survey.fields import DefinitionError, Problem

MIMETYPE = "application/problem+json"
RETRY_SECONDS = "5"

CODES = {
    400: "malformed",
    404: "address",
    405: "method",
    408: "slow",
    412: "changed",
    413: "large",
    414: "large",
    429: "wait",
    431: "large",
    500: "defect",
}
"""Status -> the problem that Flask reports by it; see ``api.problem`` in the catalogue."""

RAISED: Mapping[type[Exception], tuple[int, str]] = {
    Unavailable: (503, "away"),
    InPreparation: (503, "preparing"),
    SurveyGone: (404, "survey"),
    AccountGone: (401, "token"),
    GroupWithheld: (409, "too_few"),  # before the exception that it is one of
    ReportsWithheld: (409, "withheld"),
    ReportsRemoved: (410, "removed"),
    OnHold: (409, "held"),
    WrongState: (409, "frozen"),
    SlugTaken: (409, "slug"),
    DraftChangedError: (412, "changed"),
    DefinitionError: (422, "definition"),
}
"""Exception of another room -> the status and the problem that it is answered with."""


@dataclass(frozen=True)
class Fault:
    """A fault of one field: the rule that it breaks, and a sentence for people."""

    field: str
    rule: str
    limits: Mapping[str, object]
    sentence: str


class Refused(Exception):
    """A request that is answered with a problem.

    Parameters
    ----------
    status : int
    code : str
        ``api.problem.<code>`` in the catalogue.
    faults : iterable of Problem
        What is wrong with single fields.
    headers : Mapping[str, str], optional
    **values
        What the names in the text stand for.
    """

    def __init__(
        self,
        status: int,
        code: str,
        faults: Iterable[Problem] = (),
        headers: Mapping[str, str] | None = None,
        **values: object,
    ) -> None:
        self.status = status
        self.code = code
        self.faults = tuple(faults)
        self.headers = dict(headers or {})
        self.values = values
        super().__init__(code)


def fault(problem: Problem) -> Fault:
    """Describe a problem of a field in the language of the request."""
    limits = {name: as_json(limit) for name, limit in problem.limits.items()}
    return Fault(problem.place, problem.rule, limits, f"{sentence(current(), problem)}.")


def as_json(limit: object) -> object:
    """Return a limit for JSON: a tuple as a list, a date as a string."""
    if isinstance(limit, tuple):
        return list(limit)
    return str(limit) if isinstance(limit, date) else limit


def problem(
    status: int,
    code: str,
    faults: Iterable[Problem] = (),
    headers: Mapping[str, str] | None = None,
    **values: object,
) -> Response:
    """Return the response that describes a problem; the sentences about single fields are its detail."""
    named = [fault(wrong) for wrong in faults]
    detail = " ".join(wrong.sentence for wrong in named) or written(
        current(), f"api.problem.{code}.text", **values
    )
    body = {
        "type": f"{request.script_root}/api/v1/#problem-{code}",
        "title": written(current(), f"api.problem.{code}.title"),
        "status": status,
        "detail": detail,
        **({"faults": [asdict(wrong) for wrong in named]} if named else {}),
    }
    text = json.dumps(body, ensure_ascii=False) + "\n"
    return Response(text.encode(errors="replace"), status, headers, content_type=MIMETYPE)


def refused(error: Refused) -> Response:
    """Return the response to a request that a view refuses."""
    return problem(error.status, error.code, error.faults, error.headers, **error.values)


def refused_by_flask(error: HTTPException) -> Response | HTTPException:
    """Return the response to a request that Flask refuses or that failed; a redirection passes."""
    if error.code is None or error.code < 400:
        return error
    headers = {name: value for name, value in error.get_headers() if name in ("Allow", "Retry-After")}
    code = CODES.get(error.code, "malformed" if error.code < 500 else "defect")
    return problem(error.code, code, headers=headers)


def refused_elsewhere(error: Exception) -> Response:
    """Return the response for an exception of another room."""
    status, code = next(answer for kind, answer in RAISED.items() if isinstance(error, kind))
    if isinstance(error, InPreparation):
        services().finisher.start()
    faults = error.problems if isinstance(error, DefinitionError) else ()
    values = in_words(error.survey) if isinstance(error, WrongState) else {}
    if isinstance(error, OnHold):
        values = {"slug": error.slug, "who": error.hold.who, "reason": error.hold.reason}
        values |= {"since": moment(error.hold.since, "UTC")}
    return problem(status, code, faults, {"Retry-After": RETRY_SECONDS} if status == 503 else {}, **values)


def in_words(survey: Survey) -> dict[str, Any]:
    """Return the slug of a survey and its state in words, for the text of a problem."""
    return {"slug": survey.slug, "state": written(current(), f"api.state.{survey.state}")}


def init_app(app: Flask) -> None:
    """Let the application answer every error with a problem."""
    app.register_error_handler(Refused, refused)
    app.register_error_handler(HTTPException, refused_by_flask)
    for kind in RAISED:
        app.register_error_handler(kind, refused_elsewhere)
