"""The API's place in front of the pages: an application of its own, built by the first request to it.

It knows no sessions and no cookies, so no page of another site can make a browser act through it. The
libraries it is built with take a tenth of a second to import, so the server starts without them.
"""

from __future__ import annotations

from collections.abc import Iterable
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

from flask import Flask

from server.runtime import offload

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

PREFIX = "/api/"
DOCUMENTATION = ("/api/v1", "/api/v1/")
"""Addresses that the application of the pages answers."""


class Mounted:
    """An application in front of which the API answers its own requests.

    Parameters
    ----------
    app : Flask
        Its services are shared.
    application : callable
        WSGI; answers everything else.
    """

    def __init__(self, app: Flask, application: WSGIApplication) -> None:
        self.app = app
        self.application = application
        self.building = Lock()
        self.api: Flask | None = None

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request of the API, or pass it on."""
        path = environ["PATH_INFO"]
        if path.startswith(PREFIX) and path not in DOCUMENTATION:
            return self.built()(environ, start_response)
        return self.application(environ, start_response)

    def built(self) -> Flask:
        """Return the application of the API; the first call builds it."""
        if self.api is None:
            with self.building:
                self.build()
        return cast("Flask", self.api)

    def build(self) -> None:
        """Build the application, unless another request did while this one waited."""
        if self.api is None:
            self.api = offload.run(build, self.app)

    def description(self) -> dict[str, Any]:
        """Return the OpenAPI description; the first call makes it."""
        return offload.run(describe)


def build(app: Flask) -> Flask:
    """Import and build the application of the API."""
    from server.api.application import build  # what it imports is slow

    return build(app)


def describe() -> dict[str, Any]:
    """Import and return the description of the API."""
    from server.api.application import description  # what it imports is slow

    return description()


def init_app(app: Flask) -> None:
    """Put the API in front of the application of the pages."""
    mounted = Mounted(app, app.wsgi_app)
    app.extensions["candor.api"] = mounted
    app.wsgi_app = mounted  # type: ignore[method-assign]
