"""Raw requests, spoilt somewhere: none is answered with an error that is not ours, and none is logged.

A request of any rule is spoilt in its first line, its headers, what they say of the body, the body, or any
byte. In the end the same workers are there, their log holds no more than before, and the database no report.
"""

from __future__ import annotations

import random
import re
import socket
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from http.client import HTTPConnection
from urllib.parse import urlencode

from engines import Engine, installed
from ledger import SLUG, Ledger, faults
from servers import PASSWORD, Server, serving

from server import create_app
from server.config import Config
from server.database import location

REQUESTS = 100_000
AT_ONCE = 32
SECONDS = 30.0
"""How long an answer is waited for: a slow body has ten."""

ON_PURPOSE = (501, 503)
"""Statuses above 499 that we answer: to codings that nobody knows, and while nothing can be stored."""

CHUNKED = b"Transfer-Encoding: chunked\r\n"
FORM = b"Content-Type: application/x-www-form-urlencoded\r\n"

LIES: Mapping[str, bytes] = {
    "a size that is none": b"zz\r\nabc\r\n0\r\n\r\n",
    "a negative size": b"-1\r\nabc\r\n0\r\n\r\n",
    "a size with a sign": b"+3\r\nabc\r\n0\r\n\r\n",
    "a size with a prefix": b"0x3\r\nabc\r\n0\r\n\r\n",
    "a size of digits elsewhere": "３\r\nabc\r\n0\r\n\r\n".encode(),
    "no size": b"\r\nabc\r\n0\r\n\r\n",
    "a size with NUL": b"3\x00\r\nabc\r\n0\r\n\r\n",
    "a size that ends in LF": b"3\nabc\r\n0\r\n\r\n",
    "a chunk that is longer": b"3\r\nabcdef\r\n0\r\n\r\n",
    "a chunk without an end": b"3\r\nabc0\r\n\r\n",
    "an extension with CR": b"3;a=\rb\r\nabc\r\n0\r\n\r\n",
    "an extension that is none": b"3;=\r\nabc\r\n0\r\n\r\n",
    "a long line of size": b"3;" + b"a" * 20_000 + b"\r\nabc\r\n0\r\n\r\n",
    "a trailer that is none": b"3\r\nabc\r\n0\r\nno colon\r\n\r\n",
    "a trailer with NUL": b"3\r\nabc\r\n0\r\nX-End: a\x00b\r\n\r\n",
    "a folded trailer": b"3\r\nabc\r\n0\r\nX-End: a\r\n b\r\n\r\n",
    "a length as trailer": b"3\r\nabc\r\n0\r\nContent-Length: 3\r\n\r\n",
    "a coding as trailer": b"3\r\nabc\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n",
    "many trailers": b"3\r\nabc\r\n0\r\n" + b"".join(b"X-%d: a\r\n" % n for n in range(300)) + b"\r\n",
}
"""Malformed chunked bodies."""

SHORT: Mapping[str, bytes] = {
    "nothing": b"",
    "a size and no more": b"3\r\n",
    "a chunk that is shorter": b"ffff\r\nabc\r\n0\r\n\r\n",
    "a size beyond all memory": b"ffffffffffffffffffffff\r\nabc\r\n",
    "no last chunk": b"3\r\nabc\r\n",
    "no end after the last chunk": b"3\r\nabc\r\n0\r\n",
    "a trailer without an end": b"3\r\nabc\r\n0\r\nX-End: a\r\n",
}
"""Chunked bodies that end too soon, or never."""


def addresses(installation: Engine) -> list[tuple[str, str]]:
    """List method and path of every rule, of the pages and of the interface for programs."""
    app = create_app(Config(database=location(installation.address)), create=False)
    rules = [*app.url_map.iter_rules(), *app.extensions["candor.api"].built().url_map.iter_rules()]
    listed = set()
    for rule in rules:
        values = dict.fromkeys(rule.arguments, 1 if "int:" in rule.rule else SLUG)
        path = rule.build(values, append_unknown=False)[1]
        listed |= {(method, path) for method in rule.methods}
    app.extensions["candor"].storage.close()
    return sorted(listed)


def statuses(port: int, sent: bytes, *, hangs_up: bool = True) -> list[str]:
    """Send bytes, and no more after them; return what is answered until the server hangs up.

    An answer is its status, with a question mark if it has not the headers of ours.
    """
    received = b""
    with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as connection:
        try:
            connection.sendall(sent)
            if hangs_up:
                connection.shutdown(socket.SHUT_WR)
            while part := connection.recv(1 << 16):
                received += part
        except ConnectionError:
            pass  # it has hung up before it had read all
    heads = re.findall(rb"HTTP/1\.1 (\d{3}) .*?\r\n(.*?)\r\n\r\n", received, re.DOTALL)
    return [
        status.decode() + "?" * (b"\nContent-Security-Policy: " not in head)
        for status, head in heads
        if status != b"100"
    ]


def session(port: int) -> bytes:
    """Sign in as the admin; return the line of a header that brings the session."""
    line = b""
    fields = {"name": "ada", "password": PASSWORD}
    for method in ("GET", "POST"):
        with closing(HTTPConnection("127.0.0.1", port, timeout=SECONDS)) as connection:
            body = urlencode(fields) if method == "POST" else None
            sent = {"Cookie": line.decode(), "Content-Type": "application/x-www-form-urlencoded"}
            connection.request(method, "/login", body, sent)
            answer = connection.getresponse()
            line = (answer.headers["Set-Cookie"] or "").partition(";")[0].encode()
            page = answer.read().decode()
        if method == "GET":
            fields["csrf_token"] = re.search(r'name="csrf_token" value="([^"]+)"', page)[1]
    return b"Cookie: " + line + b"\r\n"


def request(method: str, path: str, *headers: bytes, body: bytes = b"") -> bytes:
    """Write a request; the headers end with their lines."""
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\n".encode()
    return head + b"".join(headers) + b"\r\n" + body


LINES = ("GET {path}", "{method} {path} HTTP/0.9", "{method} {path} HTTP/2.0", "{method}  {path} HTTP/1.1")
LINES += ("{method} {path} HTTP/1.1 x", "{method} http://localhost{path} HTTP/1.1", "{method} * HTTP/1.1")
LINES += ("{method} {path}%00 HTTP/1.1", "{method} {path}%zz HTTP/1.1", "{method} {path}%ff/ HTTP/1.1")
LINES += ("{method} /..{path} HTTP/1.1", "{method} /{path} HTTP/1.1", "{method} {path}?a=%&b=%ff HTTP/1.1")
LINES += ("{method} {path}\x00 HTTP/1.1", "{method} {path}é HTTP/1.1", "{method} {path}#a HTTP/1.1")
LINES += (
    "CONNECT localhost:1 HTTP/1.1",
    "PRI * HTTP/2.0",
    "get {path} HTTP/1.1",
    "{method}\t{path}\tHTTP/1.1",
)
LINES += ("X" * 300 + " {path} HTTP/1.1", "{method} {path}?" + "a" * 9000 + " HTTP/1.1", "", "\x16\x03\x01")

HEADERS = (
    "Host: a b",
    "Host: localhost",
    "Host:",
    "no colon",
    " folded",
    "X-A: \x00",
    "X-A: \x7f",
    ": a",
    "X A: b",
)
HEADERS += (
    "Cookie: __Host-candor=.eJw.a.b; __Host-candor=",
    "Cookie: language=\xff",
    "Cookie: " + "a=b;" * 1500,
)
HEADERS += (
    "Authorization: Bearer",
    "Authorization: Bearer \xff",
    "Authorization: Basic !",
    "Expect: 100-continue",
)
HEADERS += (
    "Expect: a wonder",
    "Accept-Language: " + "x-" * 500,
    "Accept-Language: en;q=1e9,*;q=nan",
    "Range: bytes=9-1",
)
HEADERS += ("Range: bytes=" + "0-1," * 900, "If-None-Match: " + '"a",' * 300, "If-Modified-Since: never")
HEADERS += (
    "If-Range: \xff",
    "Upgrade: h2c",
    "Upgrade: websocket",
    "Connection: close, \xff",
    "X-Forwarded-For: ::::",
)
HEADERS += (
    "Content-Type: multipart/form-data",
    "Content-Type: multipart/form-data; boundary=",
    "Content-Type: \xff",
)
HEADERS += (
    "Content-Type: text/html; charset=none",
    "Content-Type: application/json",
    "Origin: null",
    "Origin: http://[",
)
HEADERS += (
    "Sec-Fetch-Site: cross-site",
    "X_Forwarded_For: a",
    "Referer: http://[",
    "Accept-Encoding: br;q=a",
    "X: " + "a" * 9000,
)

LENGTHS = (
    "Content-Length: -1",
    "Content-Length: +5",
    "Content-Length: 5, 5",
    "Content-Length: 1e3",
    "Content-Length: ",
)
LENGTHS += (
    "Content-Length: 5\r\nContent-Length: 6",
    "Content-Length: 99999999999999999999",
    "Content-Length: 0x5",
)
LENGTHS += ("Content-Length: 70000", "Content-Length: 3", "Content-Length: 5\r\nTransfer-Encoding: chunked")
LENGTHS += ("Transfer-Encoding: gzip", "Transfer-Encoding: chunked, chunked", "Transfer-Encoding: identity")
LENGTHS += ("Transfer-Encoding: xchunked", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked")
LENGTHS += ("Transfer-Encoding:\x0bchunked", "Transfer-Encoding : chunked", "Transfer-Encoding: Chunked")

BODIES = (
    b"a=%ff&b=%00&c=%",
    b"&" * 2000,
    b"=",
    b"receipt=\xff\xfe",
    b"\x00" * 100,
    b"[" * 5000,
    b'{"a": 1e999}',
)
BODIES += (
    b'{"typed": {"\\ud800": 1}, "basis": []}',
    b"null",
    b'"',
    b"--bound\r\n\r\n--bound--",
    b"--bound\r\nContent-",
)
BODIES += (
    b'--bound\r\nContent-Disposition: form-data; name="a"; filename="\xff"\r\n\r\na\r\n--bound--\r\n',
    b"a" * 70_000,
)

TYPES = (
    b"",
    FORM,
    b"Content-Type: application/json\r\n",
    b"Content-Type: multipart/form-data; boundary=bound\r\n",
)


class Spoiler:
    """Makes up requests, each spoilt in one way.

    Parameters
    ----------
    rules : list of (str, str)
        Method and path.
    seed : int
    cookie : bytes
        A line of a header with the session of somebody who is signed in, which one in ten brings.
    """

    def __init__(self, rules: list[tuple[str, str]], seed: int, cookie: bytes = b"") -> None:
        posts = [rule for rule in rules if rule[0] == "POST"]
        self.rules, self.draw, self.cookie = (rules, posts), random.Random(seed), cookie
        self.ways: list[Callable[[str, str], bytes]] = [
            self.line,
            self.header,
            self.length,
            self.body,
            self.chunks,
            self.bytes_of,
            self.several,
        ]

    def __iter__(self) -> Iterator[bytes]:
        while True:
            spoilt = self.draw.choice(self.ways)(*self.draw.choice(self.draw.choice(self.rules)))
            brought = self.cookie * (self.draw.random() < 0.1)
            yield spoilt.replace(b"\r\nHost: localhost\r\n", b"\r\nHost: localhost\r\n" + brought)

    def line(self, method: str, path: str) -> bytes:
        """Spoil the first line."""
        line = self.draw.choice(LINES).format(method=method, path=path)
        return line.encode("latin-1") + b"\r\n" + request(method, path).partition(b"\r\n")[2]

    def header(self, method: str, path: str) -> bytes:
        """Add headers that are malformed or strange."""
        spoilt = self.draw.choices(HEADERS, k=self.draw.choice((1, 1, 2, 150)))
        return request(method, path, *(line.encode("latin-1") + b"\r\n" for line in spoilt))

    def length(self, method: str, path: str) -> bytes:
        """Lie about the length."""
        line = self.draw.choice(LENGTHS).encode("latin-1") + b"\r\n"
        return request(method, path, self.draw.choice(TYPES), line, body=self.draw.choice(BODIES))

    def body(self, method: str, path: str) -> bytes:
        """Send a body that is malformed within, as it was announced."""
        body = self.draw.choice(BODIES)
        return request(
            method, path, self.draw.choice(TYPES), b"Content-Length: %d\r\n" % len(body), body=body
        )

    def chunks(self, method: str, path: str) -> bytes:
        """Send a malformed chunked body."""
        body = self.draw.choice([*LIES.values(), *SHORT.values()])
        return request(method, path, self.draw.choice(TYPES), CHUNKED, body=body)

    def bytes_of(self, method: str, path: str) -> bytes:
        """Change some bytes of a request, which the server may take."""
        spoilt = bytearray(self.draw.choice((self.body, self.chunks))(method, path)[:2000])
        for _ in range(self.draw.choice((1, 3, 20))):
            place = self.draw.randrange(len(spoilt))
            spoilt[place : place + self.draw.randrange(2)] = self.draw.randbytes(self.draw.randrange(3))
        return bytes(spoilt[: self.draw.choice((len(spoilt), self.draw.randrange(len(spoilt) + 1)))])

    def several(self, method: str, path: str) -> bytes:
        """Send one request after the other on one connection."""
        return request("GET", "/healthz") + self.bytes_of(method, path) + request("GET", "/healthz")


def sent_to(server: Server, spoilt: Iterator[bytes], number: int) -> tuple[Counter[str], list[str]]:
    """Send requests, and count what is answered; describe those whose answers are not ours."""
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        while number > 0:
            batch = [next(spoilt) for _ in range(min(number, 1000))]
            number -= len(batch)
            for sent, told in zip(batch, pool.map(partial(statuses, server.port), batch), strict=True):
                counts.update(told or ["none"])
                wrong += [f"{status} to {sent[:500]!r}" for status in told if not is_ours(status)]
    return counts, wrong


def is_ours(status: str) -> bool:
    """Return whether an answer has our headers, and no status that means a defect."""
    return "?" not in status and (int(status) < 500 or int(status) in ON_PURPOSE)


def table(engine: str, share: float = 1.0) -> bool:
    """Print how often each status came, of a share of the requests; return whether all are ours."""
    with installed(engine) as (installation, _), serving(installation, workers=2) as (server,):
        workers, log = server.workers(), server.log.read_text()
        spoilt = iter(Spoiler(addresses(installation), 1, session(server.port)))
        counts, wrong = sent_to(server, spoilt, round(share * REQUESTS))
        for status, count in sorted(counts.items()):
            print(f"answered {status:5} {count:8,}")
        if server.workers() != workers:
            wrong.append("a worker has ended")
        if more := server.log.read_text()[len(log) :]:
            wrong.append(f"logged: {more[:2000]}")
        wrong += faults(installation.storage(), Ledger())
    print(f"wrong: {len(wrong)}", *wrong[:10], sep="\n")
    return not wrong
