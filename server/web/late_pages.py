"""Pages that are imported when somebody first asks for one of them: a server starts without them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Lock
from typing import TYPE_CHECKING, Any

from flask import Flask
from werkzeug.exceptions import HTTPException

from server.runtime import offload

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

Add = Callable[[Flask], None]
"""Adds pages to an application, without a pause in which a request could meet half of them."""


class GrowingFlask(Flask):
    """An application that also takes pages after its first request."""

    def _check_setup_finished(self, f_name: str) -> None:
        """Refuse nothing. Flask would, as a request might miss a page; `LatePages` lets it wait instead."""


class LatePages:
    """An application in front of another one, which adds the late pages before a request for one passes.

    Parameters
    ----------
    app : GrowingFlask
    load : callable
        Imports the late pages, which takes long, and returns what adds them.
    """

    def __init__(self, app: Flask, load: Callable[[], Add]) -> None:
        self.app = app
        self.application: WSGIApplication = app.wsgi_app
        self.early = frozenset(app.view_functions)
        self.rules = app.url_map.bind("")
        self.load = load
        self.loading = Lock()
        self.complete = False

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        if not (self.complete or self.knows(environ)):
            self.add()
        return self.application(environ, start_response)

    def knows(self, environ: WSGIEnvironment) -> bool:
        """Return whether a page that was there from the start answers the address."""
        path = environ["PATH_INFO"].encode("latin-1").decode(errors="replace")
        try:
            endpoint, _ = self.rules.match(path, environ["REQUEST_METHOD"])
        except HTTPException:
            return False
        return endpoint in self.early

    def add(self) -> None:
        """Add the late pages, unless another request did while this one waited."""
        with self.loading:
            if not self.complete:
                offload.run(self.load)(self.app)
                self.complete = True

    def address(self, error: Exception, endpoint: str, values: dict[str, Any]) -> str:
        """Write the address of a late page, to which an early one leads."""
        if self.complete:
            raise error
        self.add()
        return self.app.url_for(endpoint, **values)


def init_app(app: GrowingFlask, load: Callable[[], Add]) -> None:
    """Let an application add pages when it first needs one."""
    late = LatePages(app, load)
    app.wsgi_app = late  # type: ignore[method-assign]
    app.url_build_error_handlers.append(late.address)
