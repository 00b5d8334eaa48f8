"""Access to the API: the token in a request's header alone decides what the caller may see and do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from flask import Flask, g, request

from server.api.problems import Refused
from server.services import Services, services
from server.staff.backoff import token_attempt
from server.staff.rights import Action, may
from server.store import surveys
from server.store.engine import Connection, Unavailable
from server.store.results import survey_results
from server.store.staff import audit, identities, tokens
from server.store.staff.accounts import Account
from server.store.staff.rights import AccountRights, owned, rights_of
from server.store.staff.tokens import Token
from server.store.surveys import Survey
from server.web.limits.costs import Visitor
from server.web.limits.gate import read_unread
from survey.publication import Publication
from survey.results import Results

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

CREDENTIALS = "candor.credentials"
"""Key of the WSGI environment that holds the account and the token of a request, once they were looked up."""

READING = ("GET", "HEAD", "OPTIONS")
CHECK = "v1.check"
"""The operation that changes nothing, although it is sent a survey file."""

CHANGES: Mapping[str, Action] = {
    "v1.create": "create",
    "v1.replace": "edit",
    "v1.open_survey": "open",
    "v1.close_survey": "run",
    "v1.delete_survey": "delete",
}
"""Operation that changes something -> the right that it needs, which is looked up before a body is read."""

CHALLENGE = {"WWW-Authenticate": 'Bearer realm="Candor"'}


@dataclass(frozen=True)
class Caller:
    """The owner of the token that a request brings, and the token."""

    account: Account
    token: Token
    standing: AccountRights

    @property
    def writes(self) -> bool:
        """True if both the token and its owner's role allow changes."""
        return self.token.writes and may(self.standing, "create")

    def sees(self, survey: Survey) -> bool:
        """Return whether the token covers a survey that its owner may see in its present state."""
        action: Action = "look" if survey.publication is None else "read"
        return self.token.covers(survey.id) and may(self.standing, action, survey.id)


def admit() -> None:
    """Identify the caller before every operation, and slow down whoever tries tokens.

    Notes
    -----
    A valid token never waits: nobody guesses 256 bits, and an honest program may share its address with
    somebody who tries. Where everybody needs a second factor, the token of an account without one is refused:
    it may have been made with a stolen password.
    """
    if not secret_in(request.headers.get("Authorization", "")):
        raise Refused(401, "no-token", headers=CHALLENGE)
    today = services().today
    credentials: tuple[Account, Token] | None = request.environ[CREDENTIALS]
    if credentials is None:
        wait = token_attempt(request.remote_addr or "").begin(services().clock().timestamp())
        if wait:
            raise Refused(429, "wait", headers={"Retry-After": str(wait)}, n=wait)
        raise Refused(401, "token", headers=CHALLENGE | {"WWW-Authenticate": INVALID})
    if services().storage.read(identities.lacks_factor, credentials[0], services().config.sign_in):
        raise Refused(401, "factor", headers=CHALLENGE | {"WWW-Authenticate": INVALID})
    g.caller = Caller(*credentials, services().storage.read(rights_of, credentials[0]))
    if credentials[1].used != today:
        with suppress(Unavailable):  # whoever reads does not wait for whoever writes
            services().storage.write(tokens.note_use, credentials[1].id, today)
    if request.method not in READING and request.endpoint != CHECK:
        need_writing()
        action, slug = CHANGES[request.endpoint or ""], (request.view_args or {}).get("slug")
        if slug is not None:
            need(action, survey_named(slug))
        elif g.caller.token.surveys is not None:
            raise Refused(403, "chosen")
    read_unread()


def secret_in(authorization: str) -> str:
    """Return the bearer token in a header, or an empty string."""
    kind, _, secret = authorization.partition(" ")
    return secret.strip() if kind.casefold() == "bearer" else ""


def visitor(app: Flask, environ: WSGIEnvironment) -> Visitor:
    """Return who sends a request: staff if its token is valid, even if the owner lacks a second factor."""
    secret = secret_in(environ.get("HTTP_AUTHORIZATION", ""))
    services: Services = app.extensions["candor"]
    held = services.storage.read(tokens.holder, secret, services.today) if secret else None
    rules = services.config.sign_in
    if held and not services.storage.read(identities.may_enter, held[0], rules, services.today):
        held = None
    environ[CREDENTIALS] = held
    return "nobody" if held is None else "staff"


INVALID = CHALLENGE["WWW-Authenticate"] + ', error="invalid_token"'


def caller() -> Caller:
    """Return the caller of this request."""
    present: Caller = g.caller
    return present


def made_by_caller(
    create: Callable[Concatenate[Connection, Arguments], Survey], what: str, slug: str
) -> Callable[Concatenate[Connection, Arguments], Survey]:
    """Wrap a function that stores a new survey: the caller owns the survey, and the audit log says so."""
    return by_caller(owned(create, caller().account.id), what, slug)


def by_caller(
    function: Callable[Concatenate[Connection, Arguments], Result], what: str, survey: str
) -> Callable[Concatenate[Connection, Arguments], Result]:
    """Wrap a function of a transaction: the audit log says in the same transaction that the caller did it."""
    return audit.noted(function, caller().account.name, what, survey)


def note_rows(slug: str) -> None:
    """Note once a day in the audit log that the caller read rows of a survey."""
    who, today = caller().account.name, services().today
    line = (who, "rows_downloaded", slug, today)
    if not services().storage.read(audit.known_today, *line):
        services().storage.write(audit.note_once_a_day, *line)


def need_writing() -> None:
    """Refuse a change if the caller's token or role only reads."""
    if not caller().token.writes:
        raise Refused(403, "reads")
    if not caller().writes:
        raise Refused(403, "role")


def need(action: Action, survey: Survey) -> None:
    """Refuse an action that the caller may see the survey for but has no right to."""
    if not may(caller().standing, action, survey.id):
        raise Refused(403, "role")


def survey_named(slug: str) -> Survey:
    """Return a survey that the caller may see; any other is answered 404."""
    survey = services().storage.read(surveys.by_slug, slug)
    if survey is None or not caller().sees(survey):
        raise Refused(404, "survey", slug=slug[:80])
    return survey


def published(slug: str) -> Publication:
    """Return the publication of a survey; a draft is answered 409."""
    survey = survey_named(slug)
    if survey.publication is None:
        raise Refused(409, "draft", slug=slug)
    return survey.publication


def with_results(slug: str) -> tuple[Survey, Publication, Results]:
    """Return a published survey together with the counts that may be shown."""
    publication = published(slug)
    survey_with_results = services().storage.read(survey_results.survey_with_results, slug)
    if survey_with_results is None or not caller().sees(survey_with_results[0]):
        raise Refused(404, "survey", slug=slug)  # deleted in between, and perhaps made anew
    return survey_with_results[0], survey_with_results[0].publication or publication, survey_with_results[1]
