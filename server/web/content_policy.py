"""The content policy and its companions, which every answer carries in its headers."""

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
"""``respondent`` is the page that asks, ``pictured`` that of a survey with pictures; ``framed`` is the answer
to its form, in a hidden frame.

``lesson`` is a page on which things are tried out: nothing can be sent from it.
"""


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


def init_app(app: Flask) -> None:
    """Add the headers to every answer of the application."""
    app.after_request(protect)
