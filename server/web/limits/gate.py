"""The gate before Flask: who asks is looked up first, and then no more of a request is read than it may cost.

What each address may cost stands in `server.web.limits.costs`.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING

from flask import Flask, abort, request
from werkzeug.exceptions import (
    BadRequest,
    HTTPException,
    RequestEntityTooLarge,
    ServiceUnavailable,
    TooManyRequests,
    Unauthorized,
    UnsupportedMediaType,
)
from werkzeug.wsgi import ClosingIterator

from server.language.catalogue import LANGUAGES, say
from server.runtime.slow_bodies import MALFORMED
from server.web.conditions import forget_long_conditions
from server.web.constant_pages import ConstantPages
from server.web.limits.costs import (
    CLASS_OF,
    CLASSES,
    MOST_BYTES,
    MOST_BYTES_OF_A_SURVEY,
    RESPONDENTS,
    Cost,
    CostClass,
    Visitor,
)
from server.web.limits.processor_share import ProcessorShare
from server.web.limits.rate_limit import RateLimit

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

log = logging.getLogger(__name__)

REFUSED = "candor.refused"
"""Key of the WSGI environment that holds the error with which Flask answers, before a view is asked."""

UNREAD = "candor.unread"
"""Key of the function that reads the body, where the rights of staff are looked up first."""

OWN_COOKIE = re.compile(r"(?:^|;) *((?:__Host-candor|language)=[^;]*)")
MOST_COOKIES = 4
"""Cookies of one name may come several times, from several paths."""

TOO_LONG = "an answer to somebody who is not signed in has %d bytes of at most %d"

FORM = "application/x-www-form-urlencoded"
SECONDS = 5
"""Seconds after which to come again where too many come at once."""

BUSY = "".join(f"{say(language, 'unavailable.crowded.text')}\n" for language in LANGUAGES).encode()
BUSY_HEADERS = [
    ("Content-Type", "text/plain; charset=utf-8"),
    ("Content-Length", str(len(BUSY))),
    ("Cache-Control", "no-store"),
    ("Retry-After", str(SECONDS)),
]


class Gate:
    """An application that lets through what costs no more than it may.

    Parameters
    ----------
    app : Flask
        Its rules are looked up, and it answers.
    visitor : callable
        Returns which kind of visitor sends a request, from its headers alone.
    strangers : ProcessorShare
        Of whoever is neither signed in nor a respondent.
    """

    def __init__(
        self, app: Flask, visitor: Callable[[WSGIEnvironment], Visitor], strangers: ProcessorShare
    ) -> None:
        self.application: WSGIApplication = app.wsgi_app
        self.rules = app.url_map.bind("")
        self.visitor = visitor
        self.strangers = strangers
        self.constant = ConstantPages(self.application)
        self.working: Counter[str] = Counter()
        self.limits = {
            name: RateLimit(kind.a_minute) for name, kind in CLASSES.items() if kind.a_minute is not None
        }

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        environ["PATH_INFO"] = environ["PATH_INFO"] or "/"  # Flask would lead there, and repeat the address
        forget_long_conditions(environ)
        forget_cookies_of_others(environ)
        if MALFORMED in environ:
            environ[REFUSED] = http_error(environ[MALFORMED])
            return self.application(environ, start_response)
        name = self.class_of(environ)
        kind = CLASSES[name]
        if kind.constant and environ["REQUEST_METHOD"] in ("GET", "HEAD"):
            return self.constant(environ, start_response)
        try:
            visitor = self.visitor(environ)
        except Exception as error:  # noqa: BLE001
            return self.refused(environ, start_response, error)
        if visitor == "staff" or name in RESPONDENTS:
            return self.answer(environ, start_response, name, visitor)
        if not self.strangers.has_some():
            return busy(environ, start_response)
        with self.strangers.spent():
            return self.answer(environ, start_response, name, visitor)

    def answer(
        self, environ: WSGIEnvironment, start_response: StartResponse, name: str, visitor: Visitor
    ) -> Iterable[bytes]:
        """Answer a request of a class, unless it would cost more than that visitor's may."""
        kind = CLASSES[name]
        try:
            cost = kind.cost(visitor)
            if kind.staff_only and visitor != "staff":
                raise Unauthorized
            self.limit(name, environ)
            if kind.rights_first:  # `server.staff.guard` and `server.api.access` look them up
                environ[UNREAD] = partial(read_body, environ, cost, kind)
            else:
                read_body(environ, cost, kind)
            self.refuse_crowd(name)  # others have come while this one was counted and read
        except Exception as error:  # noqa: BLE001
            return self.refused(environ, start_response, error)
        self.working[name] += 1
        try:
            if visitor == "staff" or cost.answer is None:
                return self.application(environ, start_response)
            return Bounded(self.application, cost.answer)(environ, start_response)
        finally:
            self.working[name] -= 1

    def refused(
        self, environ: WSGIEnvironment, start_response: StartResponse, error: Exception
    ) -> Iterable[bytes]:
        """Let the application answer an error as it does its own; it finds no body."""
        forget_body(environ)
        environ[REFUSED] = error
        return self.application(environ, start_response)

    def class_of(self, environ: WSGIEnvironment) -> str:
        """Return the name of the class of the rule that a request asks for."""
        method = environ["REQUEST_METHOD"]
        path = environ["PATH_INFO"].encode("latin-1").decode(errors="replace")
        try:
            rule, _ = self.rules.match(path, method, return_rule=True)
        except HTTPException:
            return "no rule"
        if method == "OPTIONS":  # answered by Flask, for all methods of an address
            method = next(iter(sorted((rule.methods or set()) - {"OPTIONS", "HEAD"})))
        return CLASS_OF[f"{'GET' if method == 'HEAD' else method} {rule.rule}"]

    def limit(self, name: str, environ: WSGIEnvironment) -> None:
        """Refuse a request where too many of its class are worked on, or have come from its network."""
        self.refuse_crowd(name)
        if name in self.limits and not self.limits[name].allows_new(environ.get("REMOTE_ADDR") or ""):
            raise TooManyRequests(retry_after=60)

    def refuse_crowd(self, name: str) -> None:
        """Refuse a request where too many of its class are worked on."""
        most = CLASSES[name].at_once
        if most is not None and self.working[name] >= most:
            raise ServiceUnavailable(retry_after=SECONDS)


def busy(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """Answer that the server has other work, at hardly any cost."""
    start_response("503 SERVICE UNAVAILABLE", BUSY_HEADERS)
    return [] if environ["REQUEST_METHOD"] == "HEAD" else [BUSY]


class Bounded:
    """An application whose answers may have so many bytes: a longer one is a defect, and is not sent.

    Parameters
    ----------
    application : callable
        WSGI.
    most : int
    """

    def __init__(self, application: WSGIApplication, most: int) -> None:
        self.application = application
        self.most = most
        self.length: int | None = None

    @property
    def exceeded(self) -> bool:
        """True where the answer says that it is too long."""
        return self.length is not None and self.length > self.most

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""

        def started(status: str, headers: list[tuple[str, str]], *error: object) -> object:
            self.length = next((int(value) for name, value in headers if name == "Content-Length"), None)
            if not self.exceeded:
                return start_response(status, headers, *error)  # type: ignore[arg-type]
            log.error(TOO_LONG, self.length, self.most)
            return start_response("500 INTERNAL SERVER ERROR", [("Content-Length", "0")])

        answer = self.application(environ, started)  # type: ignore[arg-type]
        if not self.exceeded:
            close = getattr(answer, "close", None)
            return answer if self.length is not None else ClosingIterator(self.counted(answer), close)
        if hasattr(answer, "close"):
            answer.close()
        return []

    def counted(self, answer: Iterable[bytes]) -> Iterator[bytes]:
        """Yield an answer that does not say how long it is, up to the part with which it is too long."""
        length = 0
        for part in answer:
            length += len(part)
            if length > self.most:
                log.error(TOO_LONG, length, self.most)
                return
            yield part


def forget_cookies_of_others(environ: WSGIEnvironment) -> None:
    """Leave only cookies that the server has set: to read 1600 takes longer than to answer a submission."""
    if cookies := environ.get("HTTP_COOKIE"):
        own = islice(OWN_COOKIE.finditer(cookies), MOST_COOKIES)
        environ["HTTP_COOKIE"] = "; ".join(match[1] for match in own)


def read_body(environ: WSGIEnvironment, cost: Cost, kind: CostClass) -> None:
    """Read a body that may be read, and count its fields before anything is parsed.

    Raises
    ------
    HTTPException
        If it is too long, has too many fields, or ends too soon.
    """
    unsaid = "HTTP_TRANSFER_ENCODING" in environ
    length = int(environ.get("CONTENT_LENGTH") or 0)
    if length > (cost.body or MOST_BYTES):
        raise RequestEntityTooLarge
    if cost.body == 0:
        forget_body(environ)
    if cost.body == 0 or not (length or unsaid):
        return
    kind_sent = environ.get("CONTENT_TYPE", "").partition(";")[0].strip().lower()
    if kind_sent.startswith("multipart/") and not kind.files and cost.fields is not None:
        raise UnsupportedMediaType
    body = environ["wsgi.input"].read(cost.body + 1 if unsaid else length)
    if len(body) > cost.body:
        raise RequestEntityTooLarge
    if not unsaid and len(body) < length:
        raise BadRequest
    if cost.fields is not None and kind_sent == FORM and body.count(b"&") >= cost.fields:
        raise RequestEntityTooLarge
    put_body(environ, body)


def read_unread() -> None:
    """Read the body of the present request, if its sender's rights had to be known first."""
    if UNREAD in request.environ:
        request.environ.pop(UNREAD)()


def put_body(environ: WSGIEnvironment, body: bytes) -> None:
    """Let the application find a body that was read."""
    environ["wsgi.input"] = BytesIO(body)
    environ["CONTENT_LENGTH"] = str(len(body))
    environ.pop("HTTP_TRANSFER_ENCODING", None)


def forget_body(environ: WSGIEnvironment) -> None:
    """Let the application find no body, whatever came."""
    put_body(environ, b"")
    environ["CONTENT_TYPE"] = ""


def http_error(status: int) -> HTTPException:
    """Return the error of a status."""
    try:
        abort(status)
    except HTTPException as error:
        return error


def refuse() -> None:
    """Raise the error for which the gate has not let a request through."""
    if REFUSED in request.environ:
        raise request.environ[REFUSED]


def init_app(app: Flask, visitor: Callable[[WSGIEnvironment], Visitor], strangers: ProcessorShare) -> None:
    """Put the gate before an application: nothing that runs before its views may come earlier.

    Parameters
    ----------
    app : Flask
    visitor : callable
        Returns which kind of visitor sends a request, from its headers alone.
    strangers : ProcessorShare
        Of whoever is neither signed in nor a respondent.
    """
    app.url_map.merge_slashes = False  # an address with more of them would lead on, and repeat what was asked
    app.config["MAX_FORM_MEMORY_SIZE"] = MOST_BYTES_OF_A_SURVEY
    app.before_request(refuse)
    app.extensions["candor.gate"] = app.wsgi_app = Gate(app, visitor, strangers)  # type: ignore[method-assign]


def check(app: Flask) -> None:
    """Refuse an application with a rule that no class names.

    Raises
    ------
    LookupError
        Naming each such rule.
    """
    rules = {
        f"{method} {rule.rule}"
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"OPTIONS", "HEAD"}
    }
    if missing := sorted(rules - CLASS_OF.keys()):
        raise LookupError(f"server/web/limits/costs.py must say what these may cost: {', '.join(missing)}")
