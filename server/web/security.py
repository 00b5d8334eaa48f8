"""What every answer carries: the content policy and its companions; and how large a request may be."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Literal, get_args

from flask import Flask, Request, Response, abort, g, request, session
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from flask_login import current_user
from secure import Secure
from secure.headers import (
    ContentSecurityPolicy,
    CrossOriginOpenerPolicy,
    CrossOriginResourcePolicy,
    PermissionsPolicy,
    ReferrerPolicy,
    XContentTypeOptions,
)
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.middleware.proxy_fix import ProxyFix

from server.language.request_language import PUBLIC

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

Policy = Literal["page", "respondent", "pictured", "framed", "lesson"]
"""``respondent`` is the page that asks, ``pictured`` that of a survey with pictures; ``framed`` is the answer
to its form, in a hidden frame.

``lesson`` is a page on which things are tried out: nothing can be sent from it.
"""

PREFIX = re.compile(r"(/[\w.~%-]+)*/?", re.ASCII)
"""What may stand before every path where a proxy in front says so."""

MOST_BYTES = 64 * 1024
"""The largest body of a request: a submission of a hundred questions has about 6 kB."""

MOST_BYTES_OF_A_SURVEY = 2 * 1024 * 1024
"""The largest body that the editor takes: a hundred questions in twenty languages."""

MOST_BYTES_OF_A_PICTURE = 16 * 1024 * 1024
"""The largest body that brings a picture: a photograph of 20 megapixels has about 8 MB."""

MOST_FIELDS = 1100
"""The most fields of a form: a draft's test run sends a thousand columns."""

MOST_FIELDS_OF_A_SURVEY = 50_000
"""The most fields of the editor's form: twice a hundred questions of ten options in twenty languages."""

WRITING = ("editor", "exchange", "saving", "choosing")
"""Where a survey's texts may be sent."""

MALFORMED = "candor.malformed"
"""Where the server leaves the status of a request that it could not parse."""

LONGEST_CONDITION = 1000
"""Characters of a header that asks for an answer under a condition; a browser sends one tag, or one time."""

CONDITIONS = ("HTTP_IF_NONE_MATCH", "HTTP_IF_MATCH", "HTTP_IF_MODIFIED_SINCE", "HTTP_IF_RANGE", "HTTP_RANGE")


class StaffSessions(SecureCookieSessionInterface):
    """Sessions for staff pages only: what respondents are sent neither reads nor depends on a cookie."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """Return the session that the cookie holds, and none where respondents go."""
        return None if request.path.startswith(PUBLIC) else super().open_session(app, request)


def content_policy(policy: Policy) -> ContentSecurityPolicy:
    """Build a content policy: no other origin, no inline script or style, no framing but where it is meant.

    The respondent's page may connect nowhere, so that script could not send an answer out of it; it may frame
    its own origin, where the answer to its one form arrives. That of a survey with pictures may ask its own
    origin for them too, to compare their bytes with what was published, and show those from memory.
    """
    built = ContentSecurityPolicy().default_src("'none'")
    built.script_src("'self'").style_src("'self'").font_src("'self'")
    built.connect_src("'none'" if policy in ("respondent", "lesson") else "'self'")
    built.img_src("'self'", "blob:") if policy == "pictured" else built.img_src("'self'")
    if policy in ("respondent", "pictured"):
        built.frame_src("'self'")
    built.form_action("'none'" if policy == "lesson" else "'self'").base_uri("'none'")
    built.frame_ancestors("'self'" if policy == "framed" else "'none'")
    return built.require_trusted_types_for("'script'")


def headers(policy: Policy) -> Mapping[str, str]:
    """Put the content policy and its companions together."""
    built = Secure(
        csp=content_policy(policy),
        referrer=ReferrerPolicy().set("same-origin"),  # under no-referrer Chromium sends "Origin: null"
        xcto=XContentTypeOptions(),
        coop=CrossOriginOpenerPolicy().set("same-origin"),
        corp=CrossOriginResourcePolicy().set("same-origin"),
        permissions=PermissionsPolicy().camera().microphone().geolocation().payment().usb().browsing_topics(),
    )
    return dict(built.headers)


HEADERS: Mapping[Policy, Mapping[str, str]] = {policy: headers(policy) for policy in get_args(Policy)}


def use_policy(policy: Policy) -> None:
    """Choose the content policy of this request's answer; without a choice it is ``page``."""
    g.policy = policy


def protect(response: Response) -> Response:
    """Add the headers; whatever does not say how long it may be kept is not kept."""
    response.headers.update(HEADERS[g.get("policy", "page")])
    if "Cache-Control" not in response.headers:
        response.headers["Cache-Control"] = "no-store"
    return response


def limit_body(signed_in: Callable[[], bool]) -> None:
    """Refuse bodies that are too large, unread; let only the editor accept more than a submission needs.

    Nobody who is not signed in has more than `MOST_BYTES` read, at any address. A body that does not say how
    long it is counts as too large once so much has come. Fields are counted before they are parsed. The view
    of submissions counts by those of its survey.
    """
    unsaid = "Transfer-Encoding" in request.headers
    long = unsaid or (request.content_length or 0) > MOST_BYTES
    # Werkzeug stops to read where the body becomes too long.
    if long and not signed_in() and (not unsaid or len(request.get_data()) >= MOST_BYTES):
        raise RequestEntityTooLarge
    most = MOST_FIELDS
    if request.blueprint in WRITING and signed_in():
        request.max_content_length = MOST_BYTES_OF_A_SURVEY
        request.max_form_memory_size = MOST_BYTES_OF_A_SURVEY
        most = MOST_FIELDS_OF_A_SURVEY
    with_file = request.endpoint == "editor.save" and request.mimetype == "multipart/form-data"
    if (with_file or request.blueprint == "pictures") and signed_in():
        request.max_content_length = MOST_BYTES_OF_A_PICTURE
    is_form = request.method == "POST" and request.mimetype == "application/x-www-form-urlencoded"
    if is_form and request.blueprint != "submission" and request.get_data().count(b"&") >= most:
        raise RequestEntityTooLarge


def refuse_malformed() -> None:
    """Refuse a request that the server could not parse; only its path is known."""
    if MALFORMED in request.environ:
        abort(request.environ[MALFORMED])


def is_staff() -> bool:
    """Return whether the session of a request is somebody's who is signed in."""
    return bool(session) and current_user.is_authenticated


def forget_long_conditions() -> None:
    """Leave out conditions that no browser sends: reading thousands of tags takes longer than any page."""
    for name in CONDITIONS:
        if len(request.environ.get(name, "")) > LONGEST_CONDITION:
            del request.environ[name]


def with_plain_prefix(application: WSGIApplication) -> WSGIApplication:
    """Ignore a prefix that is no plain path: addresses that begin with it would lead to another server."""

    def checked(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if not PREFIX.fullmatch(environ.get("SCRIPT_NAME", "")):
            environ["SCRIPT_NAME"] = ""
        return application(environ, start_response)

    return checked


def init_app(app: Flask, proxy_hops: int, signed_in: Callable[[], bool] = is_staff) -> None:
    """Protect every answer of the application.

    Parameters
    ----------
    app : Flask
    proxy_hops : int
        How many proxies in front are believed about address, scheme, host and the prefix of every path; 0 for
        none.
    signed_in : callable
        Returns whether a request is of somebody who is signed in.
    """
    app.config["MAX_CONTENT_LENGTH"] = MOST_BYTES
    if proxy_hops:
        hops = dict.fromkeys(("x_for", "x_proto", "x_host", "x_prefix"), proxy_hops)
        app.wsgi_app = ProxyFix(with_plain_prefix(app.wsgi_app), **hops)  # type: ignore[method-assign]
    app.session_interface = StaffSessions()
    app.before_request(refuse_malformed)
    app.before_request(forget_long_conditions)
    app.before_request(partial(limit_body, signed_in))
    app.after_request(protect)
