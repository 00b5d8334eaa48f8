"""Gunicorn's gevent worker, changed in two ways.

It ends a connection after a long body, and answers malformed requests with our own page.
"""

from __future__ import annotations

import socket
from contextlib import suppress
from typing import Any

import gevent
from gunicorn import SERVER
from gunicorn.http import errors
from gunicorn.util import http_date
from gunicorn.workers.ggevent import GeventWorker
from werkzeug.test import EnvironBuilder
from werkzeug.wrappers import Response

from server.runtime import slow_bodies
from server.runtime.slow_bodies import MALFORMED
from server.web.conditions import CONDITIONS
from server.web.files.ready_files import Headers
from server.web.limits.costs import MOST_BYTES, MOST_BYTES_OF_A_PICTURE

STATUSES = {
    errors.LimitRequestLine: 414,
    errors.LimitRequestHeaders: 431,
    errors.ExpectationFailed: 417,
    errors.UnsupportedTransferCoding: 501,
}
"""Error of parsing a request -> the status of the answer, if it is not 400."""

BEGINNING = 200
"""Bytes that are remembered of a request, enough for method and path."""

UNUSUAL = frozenset({name.removeprefix("HTTP_").replace("_", "-") for name in CONDITIONS}) | {
    "CONTENT-LENGTH",
    "EXPECT",
    "TRANSFER-ENCODING",
    "UPGRADE",
}
"""Headers of a request that the application has to look at, whatever it asks for."""

SINK = bytearray(1 << 20)
"""A buffer for bytes that nobody reads, which all connections share."""


class Worker(GeventWorker):  # type: ignore[misc]
    """A gevent worker for connections from strangers."""

    def handle(self, listener: Any, client: Any, addr: Any) -> None:
        """Answer the requests of a connection."""
        super().handle(listener, Connection(client), addr)

    def handle_request(self, listener_name: Any, req: Any, sock: Any, addr: Any) -> Any:
        """Answer a request, of a file at once; end the connection after a long body.

        Otherwise gunicorn would read the rest of the body, a kilobyte at a time, to find the next request.
        """
        if (answer := plain_file(self.wsgi, req)) is not None:
            close = req.should_close() or not self.alive
            sock.sendall(written(*answer, "close" if close else "keep-alive"))
            if close:
                raise StopIteration
            return True
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
    """A socket that remembers the beginning of the request that is being read.

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
        """Send an answer; bytes received after it belong to another request."""
        self.client.sendall(sent)
        self.beginning = b""

    def __getattr__(self, name: str) -> Any:
        """Return any other attribute of the socket."""
        return getattr(self.client, name)


def plain_file(application: Any, req: Any) -> tuple[Headers, bytes] | None:
    """Return the answer to a request of a file that asks for nothing more; the application answers others.

    Most of what a file costs is otherwise what gunicorn does for an application in general.
    """
    files = application.extensions.get("candor.ready_files")
    if files is None or req.method != "GET" or not req.path.startswith(files.root):
        return None
    values = dict(req.headers)
    if not UNUSUAL.isdisjoint(values):
        return None
    answer: tuple[Headers, bytes] | None = files.find(req.path, values.get("ACCEPT-ENCODING", ""))
    return answer


def written(headers: Headers, body: bytes, connection: str) -> bytes:
    """Write an answer as gunicorn does."""
    own = [("Server", SERVER), ("Date", http_date()), ("Connection", connection)]
    head = "".join([f"{name}: {value}\r\n" for name, value in [*own, *headers]])
    return f"HTTP/1.1 200 OK\r\n{head}\r\n".encode("latin-1") + body


def is_long(req: Any) -> bool:
    """Return whether a body is longer than a submission may be, or of unknown length."""
    values = dict(req.headers)
    return "TRANSFER-ENCODING" in values or int(values.get("CONTENT-LENGTH", 0)) > MOST_BYTES


def path(beginning: bytes) -> str:
    """Return the path of a request line, also of an incomplete one."""
    words = beginning.decode("latin-1").split(" ")
    target = words[1].partition("?")[0] if len(words) > 1 else ""
    return target if target.startswith("/") else "/"


def malformed(application: Any, path: str, status: int) -> bytes:
    """Let the application answer that a request is malformed; return the bytes to send."""
    environ = EnvironBuilder(path, method="OPTIONS", environ_overrides={MALFORMED: status}).get_environ()
    answer = Response.from_app(application, environ, buffered=True)
    answer.headers["Connection"] = "close"
    head = "".join(f"{name}: {value}\r\n" for name, value in answer.headers)
    return f"HTTP/1.1 {answer.status}\r\n{head}\r\n".encode("latin-1") + answer.get_data()


def linger(sock: Any) -> None:
    """Read and discard what a client still sends, up to the longest body that is allowed.

    If a socket is closed while bytes arrive, the connection is reset and the client may lose the answer
    (RFC 9112, section 9.6).
    """
    rest = MOST_BYTES_OF_A_PICTURE
    with gevent.Timeout(slow_bodies.BODY_SECONDS, False), suppress(OSError):
        sock.shutdown(socket.SHUT_WR)
        while rest > 0 and (size := sock.recv_into(SINK)):
            rest -= size
