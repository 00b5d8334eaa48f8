"""What a load balancer asks: whether the process answers, and whether it can be sent respondents now."""

from flask import Blueprint, Response

from server.services import services
from server.store.engine import Unavailable

blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
def alive() -> Response:
    """Answer that the process answers; the database is not asked."""
    return Response("alive\n", mimetype="text/plain")


@blueprint.get("/readyz")
def ready() -> Response:
    """Answer whether the database can be read and is one that this version can use."""
    try:
        services().storage.check()
    except Unavailable:
        return Response("unavailable\n", 503, mimetype="text/plain")
    return Response("ready\n", mimetype="text/plain")
