"""The wire between a browser and the server: it keeps every byte that is sent, and can be cut."""

from __future__ import annotations

import re
import socket
import socketserver
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

MOMENTS = ("request", "half a request", "answer", "half an answer")
"""When a line can break: before the server reads anything, within what it reads, after it stored, and within
its answer."""


@dataclass(frozen=True)
class Request:
    """One request, as it went over the wire."""

    method: str
    target: str
    head: str
    body: str

    def header(self, name: str) -> str | None:
        """Give a header's value, None where it was not sent."""
        found = re.search(rf"^{name}: ([^\r\n]*)", self.head, re.IGNORECASE | re.MULTILINE)
        return found and found[1]


@dataclass
class Wire:
    """Forwards connections to the server, one request each, and remembers what the browser said.

    Attributes
    ----------
    upstream : (str, int)
        Where the server listens.
    requests : list of Request
        In the order of their arrival.
    breaks : str
        What of a POST the line breaks in or before: one of `MOMENTS`; empty while it holds. (Not a number of
        times: a browser may try again by itself.)
    rewrites : callable, optional
        Makes another answer of a request and the server's answer, as a server with other plans would.
    """

    upstream: tuple[str, int]
    requests: list[Request] = field(default_factory=list)
    breaks: str = ""
    rewrites: Callable[[Request, bytes], bytes] | None = None

    def __enter__(self) -> Wire:
        wire = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                wire.forward(self.request)

        self.server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    @property
    def address(self) -> str:
        """Where the browser goes."""
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    @property
    def posts(self) -> list[Request]:
        """The requests that carried a body."""
        return [request for request in self.requests if request.method == "POST"]

    def forward(self, browser: socket.socket) -> None:
        """Pass one request on and its answer back, then hang up, so that nothing is left unread."""
        request = self.read_request(browser)
        if request is None:
            return
        self.requests.append(request)
        once = re.sub(
            r"^Connection: [^\r\n]*", "Connection: close", request.head, count=1, flags=re.MULTILINE
        )
        if self.rewrites:  # what is rewritten must be readable
            once = re.sub(r"^Accept-Encoding: [^\r\n]*\r\n", "", once, flags=re.MULTILINE)
        breaks = self.breaks if request.method == "POST" else ""
        if breaks == "request":
            return
        whole = once.encode("latin-1") + request.body.encode("latin-1")
        with socket.create_connection(self.upstream) as server:
            server.sendall(whole[:-10] if breaks == "half a request" else whole)
            if breaks == "half a request":
                return
            answer = b"".join(iter(lambda: server.recv(65536), b""))
        if breaks == "half an answer":
            browser.sendall(answer[: answer.index(b"\r\n\r\n") + 20])
        elif not breaks:
            browser.sendall(self.rewrites(request, answer) if self.rewrites else answer)

    def read_request(self, browser: socket.socket) -> Request | None:
        """Read one request in full; None where it was not sent to its end, such as one opened ahead."""
        data = b""
        while b"\r\n\r\n" not in data:
            chunk = browser.recv(65536)
            if not chunk:
                return None
            data += chunk
        head, _, body = data.partition(b"\r\n\r\n")
        length = re.search(rb"^Content-Length: (\d+)", head, re.IGNORECASE | re.MULTILINE)
        while length and len(body) < int(length[1]):
            chunk = browser.recv(65536)
            if not chunk:
                return None
            body += chunk
        method, target, _ = head.split(b" ", 2)
        return Request(
            method.decode(), target.decode(), head.decode("latin-1") + "\r\n\r\n", body.decode("latin-1")
        )
