"""Health checks for a load balancer: the process answers, and it can take respondents now.

`candor doctor` also asks how its request looks after the proxies. It signs this with the key of the sessions,
which only the operator has, and learns about its own request alone.
"""

import hashlib
from importlib.metadata import version

from flask import Blueprint, Response, current_app, jsonify, request
from itsdangerous import BadSignature, TimestampSigner

from server.services import services
from server.store.engine import Unavailable

blueprint = Blueprint("health", __name__)

ASKS = "Candor-Doctor"
"""The header of a request of `candor doctor`."""

SECONDS = 300
"""Seconds for which a signature of `candor doctor` is valid."""

FORWARDED = ("for", "proto", "host", "prefix")
"""The headers X-Forwarded-For and so on, which each proxy extends."""


@blueprint.get("/healthz")
def alive() -> Response:
    """Answer without asking the database."""
    if ASKS in request.headers and is_the_doctor(request.headers[ASKS]):
        return jsonify(request_seen())
    return Response("alive\n", mimetype="text/plain")


@blueprint.get("/readyz")
def ready() -> Response:
    """Answer 200 if the database can be read and this version can use it, else 503."""
    try:
        services().storage.check()
    except Unavailable:
        return Response("unavailable\n", 503, mimetype="text/plain")
    return Response("ready\n", mimetype="text/plain")


def signer(secret_key: str) -> TimestampSigner:
    """Make the signer of `candor doctor`'s requests."""
    return TimestampSigner(secret_key, salt="candor doctor", digest_method=hashlib.sha256)


def is_the_doctor(signed: str) -> bool:
    """Return whether a signature was made with the key, and recently."""
    try:
        signer(str(current_app.secret_key)).unsign(signed, max_age=SECONDS)
    except BadSignature:
        return False
    return True


def request_seen() -> dict[str, object]:
    """Describe the request as the application sees it; count the values in each forwarded header."""
    added = {
        name: len(
            [part for part in request.headers.get(f"X-Forwarded-{name}", "").split(",") if part.strip()]
        )
        for name in FORWARDED
    }
    return {
        "version": version("candor-survey"),
        "hops": services().config.proxy_hops,
        "forwarded": added,
        "address": request.remote_addr,
        "origin": f"{request.scheme}://{request.host}",
        "prefix": request.script_root,
    }
