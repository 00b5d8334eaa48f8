"""The language that staff read. Respondents choose theirs in the page, and the server never learns it."""

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
"""Where respondents and load balancers go: what is answered there is the same for everybody, and remembers
nothing."""

WITHOUT_COOKIE = (*PUBLIC, "/try")
"""Where no choice is remembered: the practice survey leaves as little behind as a real one."""

COOKIE = "language"
KEPT_ARGUMENTS = "candor_kept_arguments"
"""Under this name a page notes which of its arguments links keep for whoever is not signed in."""

YEAR = 365 * 24 * 60 * 60


def current() -> str:
    """Return the language of this request: that of ``?language=``, else the cookie's, else the browser's.

    Where respondents go it is always the first: their pages speak every language themselves.
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
    """Say what is wrong in the language of this request: ``|sentence`` in templates."""
    return sentence(current(), problem)


def spoken(code: str) -> str:
    """Return what a language is called in the language of this request."""
    return called(code, current())


def in_language(code: str) -> str:
    """Return this page's address in another language, for whoever is signed in with its other arguments."""
    arguments = [(name, value) for name, value in request.args.items(multi=True) if name != "language"]
    if arguments and not current_user.is_authenticated:
        arguments = g.get(KEPT_ARGUMENTS, [])
    return "?" + urlencode([*arguments, ("language", code)])


def remember(response: Response) -> Response:
    """Keep a choice made by ``?language=`` for the next page; only where the choice counts."""
    if request.path.startswith(WITHOUT_COOKIE):
        return response
    chosen = request.args.get("language")
    if chosen in LANGUAGES:
        response.set_cookie(
            COOKIE, chosen, max_age=YEAR, httponly=True, samesite="Lax", secure=request.is_secure
        )
    return response


def page_words() -> dict[str, object]:
    """Return what a page speaks: its language, and `translate` with that settled once for all its words."""
    return {"language": current(), "_": partial(say, current())}


def init_app(app: Flask) -> None:
    """Bind in templates ``_``, ``language``, and what pages in every language need."""
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
