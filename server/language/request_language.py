"""The language of a request from staff. Respondents choose theirs in the page; the server never learns it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from urllib.parse import urlencode

from babel import negotiate_locale
from flask import Flask, Response, g, request
from flask_login import current_user

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

YEAR = 365 * 24 * 60 * 60


def current() -> str:
    """Return the language of this request: that of ``?language=``, else the cookie's, else the browser's.

    For respondents' pages it is always the first: they hold every language themselves.
    """
    if request.path.startswith(PUBLIC):
        return LANGUAGES[0]
    if "language" not in g:
        chosen = (request.args.get("language"), request.cookies.get(COOKIE))
        preferred = [code for code, _ in request.accept_languages]
        g.language = next(
            (code for code in chosen if code in LANGUAGES),
            negotiate_locale(preferred, LANGUAGES, sep="-") or LANGUAGES[0],
        )
    language: str = g.language
    return language


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
    chosen = request.args.get("language")
    if chosen in LANGUAGES:
        response.set_cookie(
            COOKIE, chosen, max_age=YEAR, httponly=True, samesite="Lax", secure=request.is_secure
        )
    return response


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
