"""Bodies that trickle: whoever sends one byte now and then holds a connection no longer than anybody else."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from werkzeug.exceptions import RequestTimeout

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

HEAD_SECONDS = 5
"""How long a request may take up to its body; also how long a connection may be idle after an answer."""

BODY_SECONDS = 10.0
BYTES_A_SECOND = 16 * 1024
"""How long a body may take: so many seconds, and one more for so many bytes that have arrived.

A submission fits into the first. Two megabytes of a survey's texts may take two minutes."""

PIECE = 8 * 1024
"""Bytes that are waited for at a time."""


class Body(Protocol):
    """What a server reads the body of a request from."""

    def read(self, size: int = -1, /) -> bytes:
        """Wait for so many bytes, or for the end."""


class Prompt:
    """An application whose requests must arrive in time; for a server that gevent has patched.

    Parameters
    ----------
    application : callable
        WSGI.
    """

    def __init__(self, application: WSGIApplication) -> None:
        self.application = application

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request, whose body can be read only in time."""
        environ["wsgi.input"] = PromptBody(environ["wsgi.input"])
        return self.application(environ, start_response)


class PromptBody:
    """A body that raises `RequestTimeout` while it is read, once it has taken too long.

    Parameters
    ----------
    body : Body
    """

    def __init__(self, body: Body) -> None:
        self.body = body
        self.begun = time.monotonic()
        self.received = 0

    def read(self, size: int = -1) -> bytes:
        """Return so many bytes, or all up to the end."""
        parts = []
        while size != 0:
            part = self.piece(PIECE if size < 0 else min(size, PIECE))
            if not part:
                break
            parts.append(part)
            size -= len(part) if size > 0 else 0
        return b"".join(parts)

    def piece(self, size: int) -> bytes:
        """Wait for a piece while there is time; a body that was too late once remains so."""
        import gevent  # only where it already serves

        left = self.begun + BODY_SECONDS + self.received / BYTES_A_SECOND - time.monotonic()
        if left <= 0:
            raise RequestTimeout
        with gevent.Timeout(left, RequestTimeout):
            part = self.body.read(size)
        self.received += len(part)
        return part
