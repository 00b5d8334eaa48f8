"""What a load balancer asks: whether the process answers, and whether it can be sent respondents now.

`candor doctor` asks for more: how a request looks that came in through the proxies. It proves with the key
that signs sessions that it is the operator's, and is told about its own request alone.
"""

from importlib.metadata import version

from flask import Blueprint, Response, current_app, jsonify, request
from itsdangerous import BadSignature, TimestampSigner

from server.services import services
from server.store.engine import Unavailable

blueprint = Blueprint("health", __name__)

ASKS = "Candor-Doctor"
"""The header with which `candor doctor` asks."""

SECONDS = 300
"""How long a request of the doctor's can be used."""

FORWARDED = ("for", "proto", "host", "prefix")
"""What each proxy adds to, as X-Forwarded-For and so on."""


@blueprint.get("/healthz")
def alive() -> Response:
    """Answer that the process answers; the database is not asked."""
    if ASKS in request.headers and is_the_doctor(request.headers[ASKS]):
        return jsonify(seen())
    return Response("alive\n", mimetype="text/plain")


@blueprint.get("/readyz")
def ready() -> Response:
    """Answer whether the database can be read and is one that this version can use."""
    try:
        services().storage.check()
    except Unavailable:
        return Response("unavailable\n", 503, mimetype="text/plain")
    return Response("ready\n", mimetype="text/plain")


def signer(secret_key: str) -> TimestampSigner:
    """Return what signs a request of the doctor's."""
    return TimestampSigner(secret_key, salt="candor doctor")


def is_the_doctor(signed: str) -> bool:
    """Return whether somebody signed this who has the key."""
    try:
        signer(str(current_app.secret_key)).unsign(signed, max_age=SECONDS)
    except BadSignature:
        return False
    return True


def seen() -> dict[str, object]:
    """Return what the application takes a request for, and how many proxies have added to each header."""
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
