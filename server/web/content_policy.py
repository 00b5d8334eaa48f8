"""The content security policy and the other headers that protect every answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from flask import Flask, Response, g
from secure import Secure
from secure.headers import (
    ContentSecurityPolicy,
    CrossOriginOpenerPolicy,
    CrossOriginResourcePolicy,
    PermissionsPolicy,
    ReferrerPolicy,
    XContentTypeOptions,
)

Policy = Literal["page", "respondent", "pictured", "framed", "lesson"]
"""The kinds of answers that need a policy of their own.

``respondent`` is the page of a survey, and ``pictured`` that of a survey with pictures. ``framed`` is the
answer to its form, in a hidden frame. ``lesson`` is a page for trying things out, which can send nothing.
"""


def content_policy(policy: Policy) -> ContentSecurityPolicy:
    """Build a content policy. It forbids other origins, and inline scripts and styles.

    A respondent's page may connect nowhere, so that no script can send an answer out of it. It may frame its
    own origin, because the answer to its only form arrives in a frame. With pictures, it may also fetch them
    from its own origin, compare their bytes with what was published, and show them from memory.
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
    """Write the content policy and the other headers of an answer."""
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
    """Choose the content policy of this request's answer; otherwise it is ``page``."""
    g.policy = policy


def protect(response: Response) -> Response:
    """Add the headers to an answer, and forbid caching unless the answer allows it."""
    response.headers.update(HEADERS[g.get("policy", "page")])
    if "Cache-Control" not in response.headers:
        response.headers["Cache-Control"] = "no-store"
    return response


def init_app(app: Flask) -> None:
    """Add the headers to every answer of the application."""
    app.after_request(protect)
