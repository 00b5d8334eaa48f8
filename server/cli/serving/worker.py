"""Gunicorn's worker with gevent: reads on after no long body, and answers malformed requests in our words."""

from __future__ import annotations

import socket
from contextlib import suppress
from typing import Any

import gevent
from gunicorn.http import errors
from gunicorn.workers.ggevent import GeventWorker
from werkzeug.test import EnvironBuilder
from werkzeug.wrappers import Response

from server.runtime import slow_bodies
from server.web.request_limits import MALFORMED, MOST_BYTES, MOST_BYTES_OF_A_PICTURE

STATUSES = {
    errors.LimitRequestLine: 414,
    errors.LimitRequestHeaders: 431,
    errors.ExpectationFailed: 417,
    errors.UnsupportedTransferCoding: 501,
}
"""Why a request cannot be parsed -> the status of its answer, where that is not 400."""

BEGINNING = 200
"""Bytes of a request that are remembered: method and path."""

SINK = bytearray(1 << 20)
"""Where bytes go that nobody reads; all connections share it."""


class Worker(GeventWorker):  # type: ignore[misc]
    """Gunicorn's worker, for connections from strangers."""

    def handle(self, listener: Any, client: Any, addr: Any) -> None:
        """Answer the requests of a connection."""
        super().handle(listener, Connection(client), addr)

    def handle_request(self, listener_name: Any, req: Any, sock: Any, addr: Any) -> Any:
        """Answer a request; end the connection after a long body.

        Gunicorn would read what the application left of it, a kilobyte at a time, to find the next request.
        """
        if not is_long(req):
            return super().handle_request(listener_name, req, sock, addr)
        req.force_close()
        try:
            return super().handle_request(listener_name, req, sock, addr)
        finally:
            linger(sock)

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        """Answer a request that cannot be parsed."""
        if req is not None or not isinstance(exc, errors.ParseException):
            super().handle_error(req, client, addr, exc)
            return
        status = next((status for kind, status in STATUSES.items() if isinstance(exc, kind)), 400)
        with suppress(OSError):
            client.sendall(malformed(self.wsgi, path(client.beginning), status))
            linger(client)


class Connection:
    """A socket that remembers how the request began that is being read.

    Parameters
    ----------
    client : socket
    """

    def __init__(self, client: Any) -> None:
        self.client = client
        self.beginning = b""

    def recv(self, size: int) -> bytes:
        """Receive bytes."""
        received: bytes = self.client.recv(size)
        if len(self.beginning) < BEGINNING:
            self.beginning += received[:BEGINNING]
        return received

    def sendall(self, sent: bytes) -> None:
        """Send an answer; what is received next belongs to another request."""
        self.client.sendall(sent)
        self.beginning = b""

    def __getattr__(self, name: str) -> Any:
        """Do everything else as the socket does."""
        return getattr(self.client, name)


def is_long(req: Any) -> bool:
    """Return whether a body is longer than a submission may be, or does not say how long it is."""
    values = dict(req.headers)
    return "TRANSFER-ENCODING" in values or int(values.get("CONTENT-LENGTH", 0)) > MOST_BYTES


def path(beginning: bytes) -> str:
    """Return the path of a request line, or of as much of it as there is."""
    words = beginning.decode("latin-1").split(" ")
    target = words[1].partition("?")[0] if len(words) > 1 else ""
    return target if target.startswith("/") else "/"


def malformed(application: Any, path: str, status: int) -> bytes:
    """Let the application say that a request at a path is malformed; return the answer as it is sent."""
    environ = EnvironBuilder(path, method="OPTIONS", environ_overrides={MALFORMED: status}).get_environ()
    answer = Response.from_app(application, environ, buffered=True)
    answer.headers["Connection"] = "close"
    head = "".join(f"{name}: {value}\r\n" for name, value in answer.headers)
    return f"HTTP/1.1 {answer.status}\r\n{head}\r\n".encode("latin-1") + answer.get_data()


def linger(sock: Any) -> None:
    """Read and forget what a client still sends, up to the longest body that anybody may send.

    A socket that is closed while bytes arrive resets the connection, and the client may lose the answer that
    was sent before (RFC 9112, section 9.6).
    """
    rest = MOST_BYTES_OF_A_PICTURE
    with gevent.Timeout(slow_bodies.BODY_SECONDS, False), suppress(OSError):
        sock.shutdown(socket.SHUT_WR)
        while rest > 0 and (size := sock.recv_into(SINK)):
            rest -= size
