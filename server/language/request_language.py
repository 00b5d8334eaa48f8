"""The language of a request from staff. Respondents choose theirs in the page; the server never learns it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from urllib.parse import urlencode

from flask import Flask, Response, g, request
from flask_login import current_user
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import dump_cookie, parse_accept_header

from server.language.catalogue import LANGUAGES, say
from server.language.language_names import called, direction
from server.language.problems import sentence
from server.language.units import spaced
from survey.fields import Problem

PUBLIC = ("/s/", "/static/", "/healthz", "/readyz")
"""Paths of respondents and load balancers: their answers are the same for everybody and set no cookie."""

WITHOUT_COOKIE = (*PUBLIC, "/try")
"""Paths that remember no choice of a language: the practice survey leaves as little behind as a real one."""

COOKIE = "language"
KEPT_ARGUMENTS = "candor_kept_arguments"
"""Key under which a page notes the arguments that its links keep for visitors who are not signed in."""

LONGEST_CHOICE = 200
"""Characters of an Accept-Language that are read; browsers send about 50."""

YEAR = 365 * 24 * 60 * 60


def current() -> str:
    """Return the language of this request: that of ``?language=``, else the cookie's, else the browser's.

    For respondents' pages it is always the first: they hold every language themselves.
    """
    if request.path.startswith(PUBLIC):
        return LANGUAGES[0]
    if "language" not in g:
        chosen = (request.args.get("language"), request.cookies.get(COOKIE))
        g.language = next(
            (code for code in chosen if code in LANGUAGES),
            None,
        ) or negotiated(request.headers.get("Accept-Language", ""))
    language: str = g.language
    return language


@lru_cache(maxsize=256)
def negotiated(asked: str) -> str:
    """Return the language that an Accept-Language prefers among ours, or the first of them."""
    preferred = parse_accept_header(asked[:LONGEST_CHOICE], LanguageAccept)
    return preferred.best_match(LANGUAGES, LANGUAGES[0])


def nearest(languages: Sequence[str]) -> str:
    """Return the language of this request if it is among those of a survey, or else the first of them."""
    return current() if current() in languages else languages[0]


def translate(key: str, /, **values: object) -> str:
    """Return a message in the language of this request: ``_`` in templates."""
    return say(current(), key, **values)


def problem_sentence(problem: Problem) -> str:
    """Describe a problem in the language of this request: ``|sentence`` in templates."""
    return sentence(current(), problem)


def spoken(code: str) -> str:
    """Name a language in the language of this request."""
    return called(code, current())


def in_language(code: str) -> str:
    """Return this page's address in another language; signed-in staff keep all its arguments."""
    arguments = [(name, value) for name, value in request.args.items(multi=True) if name != "language"]
    if arguments and not current_user.is_authenticated:
        arguments = g.get(KEPT_ARGUMENTS, [])
    return "?" + urlencode([*arguments, ("language", code)])


def remember(response: Response) -> Response:
    """Store a choice made by ``?language=`` in a cookie, except where no choice is remembered."""
    if request.path.startswith(WITHOUT_COOKIE):
        return response
    if cookie := choice_cookie(request.path, request.args.get("language"), request.is_secure):
        response.headers.add("Set-Cookie", cookie)
    return response


def choice_cookie(path: str, chosen: str | None, secure: bool) -> str | None:
    """Write the cookie that remembers a choice made at an address, if there it is remembered."""
    if chosen not in LANGUAGES or path.startswith(WITHOUT_COOKIE):
        return None
    return dump_cookie(COOKIE, chosen, max_age=YEAR, httponly=True, samesite="Lax", secure=secure)


def page_words() -> dict[str, object]:
    """Return the language of a page, and a `translate` bound to it, which is faster."""
    return {"language": current(), "_": partial(say, current())}


def init_app(app: Flask) -> None:
    """Bind in templates ``_``, ``language``, and the other functions of languages."""
    app.jinja_env.globals.update(
        _=translate,
        LANGUAGES=LANGUAGES,
        say=say,
        in_language=in_language,
        spoken=spoken,
        direction=direction,
        nearest=nearest,
    )
    app.jinja_env.filters["spaced"] = spaced
    app.jinja_env.filters["sentence"] = problem_sentence
    app.context_processor(page_words)
    app.after_request(remember)
