"""A limit on the time that the body of a request may take, so that nobody holds a connection for long.

A body that is malformed, or ends too soon, is refused here too: gunicorn finds out while it is read.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from werkzeug.exceptions import BadRequest, HTTPException, RequestTimeout

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

HEAD_SECONDS = 5
"""Time for a request up to its body, and for a connection to be idle after an answer."""

BODY_SECONDS = 10.0
BYTES_A_SECOND = 16 * 1024
"""Time for a body: `BODY_SECONDS`, and one more second for every `BYTES_A_SECOND` that have arrived.

A submission needs no more than the first. Two megabytes of a survey's texts may take two minutes."""

PIECE = 8 * 1024
"""Bytes to wait for at a time."""

AHEAD = 64 * 1024
"""Bytes of a body without a length that are read before anything is done: a malformed one does nothing."""

MALFORMED = "candor.malformed"
"""Key of the WSGI environment that holds the status for a request that could not be parsed."""


class Body(Protocol):
    """The input from which a server reads the body of a request."""

    def read(self, size: int = -1, /) -> bytes:
        """Wait for `size` bytes, or for the end."""


class Prompt:
    """An application that reads bodies with a time limit; for a server that gevent has patched.

    Parameters
    ----------
    application : callable
        WSGI.
    """

    def __init__(self, application: WSGIApplication) -> None:
        self.application = application

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request whose body is a `PromptBody`."""
        environ["wsgi.input"] = body = PromptBody(environ["wsgi.input"])
        if "HTTP_TRANSFER_ENCODING" in environ:
            try:
                body.begin()
            except HTTPException as error:
                environ[MALFORMED] = error.code
        return self.application(environ, start_response)


class PromptBody:
    """A body that raises `RequestTimeout` once it has taken too long, and `BadRequest` once it is malformed.

    Parameters
    ----------
    body : Body
    """

    def __init__(self, body: Body) -> None:
        self.body = body
        self.begun = time.monotonic()
        self.received = 0
        self.is_malformed = False
        self.beginning = b""

    def begin(self) -> None:
        """Wait for its beginning, or all of it."""
        self.beginning = self.read(AHEAD)

    def read(self, size: int = -1) -> bytes:
        """Return `size` bytes, or all up to the end."""
        cut = len(self.beginning) if size < 0 else size
        parts, self.beginning = [self.beginning[:cut]], self.beginning[cut:]
        size -= len(parts[0]) if size > 0 else 0
        while size != 0:
            part = self.piece(PIECE if size < 0 else min(size, PIECE))
            if not part:
                break
            parts.append(part)
            size -= len(part) if size > 0 else 0
        return b"".join(parts)

    def piece(self, size: int) -> bytes:
        """Wait for a piece as long as there is time left."""
        import gevent  # only where they already serve
        from gunicorn.http.errors import ParseException

        if self.is_malformed:  # to the server it seems to have ended
            raise BadRequest
        left = self.begun + BODY_SECONDS + self.received / BYTES_A_SECOND - time.monotonic()
        if left <= 0:
            raise RequestTimeout
        try:
            with gevent.Timeout(left, RequestTimeout):
                part = self.body.read(size)
        except (ParseException, OSError):
            self.is_malformed = True
            raise BadRequest from None
        self.received += len(part)
        return part
