"""Where the interface for programs begins: an application of its own, built when it is first asked.

It knows no sessions and no cookies, so no page of another site can make a browser act through it. What it is
built with takes a tenth of a second to import, which the start of the server does not wait for.
"""

from __future__ import annotations

from collections.abc import Iterable
from threading import Lock
from typing import TYPE_CHECKING, cast

from flask import Flask

from server.runtime import offload

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

PREFIX = "/api/"
DOCUMENTATION = ("/api/v1", "/api/v1/")
"""A page like the others: the application of the pages answers it."""


class Mounted:
    """An application before which requests of programs are answered by another.

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
        """Answer a request."""
        path = environ["PATH_INFO"]
        if path.startswith(PREFIX) and path not in DOCUMENTATION:
            return self.built()(environ, start_response)
        return self.application(environ, start_response)

    def built(self) -> Flask:
        """Return the application, which the first request builds."""
        if self.api is None:
            with self.building:
                self.build()
        return cast("Flask", self.api)

    def build(self) -> None:
        """Build the application, unless another request did while this one waited."""
        if self.api is None:
            self.api = offload.run(build, self.app)


def build(app: Flask) -> Flask:
    """Build the application of the interface."""
    from server.api.application import build  # what it imports is slow

    return build(app)


def init_app(app: Flask) -> None:
    """Answer programs before the application of the pages sees them."""
    mounted = Mounted(app, app.wsgi_app)
    app.extensions["candor.api"] = mounted
    app.wsgi_app = mounted  # type: ignore[method-assign]
