"""Who asks, and what they may see: the token in the request's header decides, and nothing else."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Concatenate, ParamSpec, TypeVar

from flask import g, request

from server.api.problems import Refused
from server.services import services
from server.staff.backoff import token_guess
from server.staff.rights import Action, may
from server.store import surveys
from server.store.engine import Connection, Unavailable
from server.store.results import survey_results
from server.store.staff import audit, second_factor, tokens
from server.store.staff.accounts import Account
from server.store.staff.rights import Standing, owned, standing
from server.store.staff.tokens import Token
from server.store.surveys import Survey
from survey.publication import Publication
from survey.results import Results

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

CHALLENGE = {"WWW-Authenticate": 'Bearer realm="Candor"'}


@dataclass(frozen=True)
class Caller:
    """Whose token a request brings, and the token."""

    account: Account
    token: Token
    standing: Standing

    @property
    def writes(self) -> bool:
        """Whether the request may change anything: both the token and the role must allow it."""
        return self.token.writes and may(self.standing, "create")

    def sees(self, survey: Survey) -> bool:
        """Return whether a survey is in the token's scope, and one that its owner may see in this state."""
        action: Action = "look" if survey.publication is None else "read"
        return self.token.covers(survey.id) and may(self.standing, action, survey.id)


def admit() -> None:
    """Find who asks, before every operation.

    Notes
    -----
    A right token never waits: nobody guesses 256 bits, and colleagues may share an address with somebody who
    tries. Nor does anybody who signs in from there. Where everybody has to have a second factor, the token of
    somebody without one waits as its owner does: whoever stole a password could have made it.
    """
    secret = token_sent()
    if not secret:
        raise Refused(401, "no-token", headers=CHALLENGE)
    today = services().today
    credentials = services().storage.read(tokens.holder, secret, today)
    if credentials is None:
        wait = math.ceil(token_guess(request.remote_addr or "").begin(services().clock().timestamp()))
        if wait:
            raise Refused(429, "wait", headers={"Retry-After": str(wait)}, n=wait)
        raise Refused(401, "token", headers=CHALLENGE | {"WWW-Authenticate": INVALID})
    if services().storage.read(second_factor.is_lacking, credentials[0].id):
        raise Refused(401, "factor", headers=CHALLENGE | {"WWW-Authenticate": INVALID})
    g.caller = Caller(*credentials, services().storage.read(standing, credentials[0]))
    if credentials[1].used != today:
        with suppress(Unavailable):  # whoever reads does not wait for whoever writes
            services().storage.write(tokens.note_use, credentials[1].id, today)


def token_sent() -> str:
    """Return the token that a request brings, or an empty text."""
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    return secret.strip() if kind.casefold() == "bearer" else ""


def brings_token() -> bool:
    """Return whether a request brings a token that is valid, whatever its owner still has to do."""
    secret = token_sent()
    return bool(secret) and services().storage.read(tokens.holder, secret, services().today) is not None


INVALID = CHALLENGE["WWW-Authenticate"] + ', error="invalid_token"'


def caller() -> Caller:
    """Return who asks."""
    present: Caller = g.caller
    return present


def made_by_caller(
    create: Callable[Concatenate[Connection, Arguments], Survey], what: str, slug: str
) -> Callable[Concatenate[Connection, Arguments], Survey]:
    """Make a function that stores a new survey give it to whoever's token it is, and note it."""
    return by_caller(owned(create, caller().account.id), what, slug)


def by_caller(
    function: Callable[Concatenate[Connection, Arguments], Result], what: str, survey: str
) -> Callable[Concatenate[Connection, Arguments], Result]:
    """Make a function of a transaction note that whoever's token it is has done it."""
    return audit.noted(function, caller().account.name, what, survey)


def note_rows(slug: str) -> None:
    """Note that a program read rows of a survey: once a day, whichever pages of them it reads."""
    who, today = caller().account.name, services().today
    line = (who, "rows_downloaded", slug, today)
    if not services().storage.read(audit.known_today, *line):
        services().storage.write(audit.note_once_a_day, *line)


def need_writing() -> None:
    """Refuse to change anything for a token, or a role, that only reads."""
    if not caller().token.writes:
        raise Refused(403, "reads")
    if not caller().writes:
        raise Refused(403, "role")


def need(action: Action, survey: Survey) -> None:
    """Refuse what whoever's token it is may not do to a survey that they see."""
    if not may(caller().standing, action, survey.id):
        raise Refused(403, "role")


def survey_named(slug: str) -> Survey:
    """Find a survey that the token may see."""
    survey = services().storage.read(surveys.by_slug, slug)
    if survey is None or not caller().sees(survey):
        raise Refused(404, "survey", slug=slug[:80])
    return survey


def published(slug: str) -> Publication:
    """Find what a survey published."""
    survey = survey_named(slug)
    if survey.publication is None:
        raise Refused(409, "draft", slug=slug)
    return survey.publication


def with_results(slug: str) -> tuple[Survey, Publication, Results]:
    """Find a published survey together with the counts that may be shown."""
    publication = published(slug)
    survey_with_results = services().storage.read(survey_results.survey_with_results, slug)
    if survey_with_results is None or not caller().sees(survey_with_results[0]):
        raise Refused(404, "survey", slug=slug)  # deleted in between, and perhaps made anew
    return survey_with_results[0], survey_with_results[0].publication or publication, survey_with_results[1]
