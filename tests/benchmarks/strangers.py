"""What strangers cost: strange requests to each address, and how long respondents wait beside them.

Usage: uv run python tests/benchmarks/strangers.py [costs] [minute] [--repeats 50] [--seconds 60]

`costs` sends every rule, and addresses that no rule has, strange shapes of a request: as nobody, as a
visitor whose forms have the token of a session that never signed in, and as an admin. It prints the worst
shape of each. The processor time is that of all threads of the worker by the scheduler's nanosecond clock,
the mean of so many repeats, over that of a valid submission measured right before; for staff, that of the
thread with the event loop. `server.web.limits.costs` says how much each may be.

`minute` lets 50 clients ask for a constant page at a steady rate, and then for the dearest of all that, with
sign-ins among it, while a respondent sends one submission after the other.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import socket
import sys
import tempfile
import threading
import time
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from string import ascii_lowercase
from typing import Any

sys.path += [str(Path(__file__).parents[1] / "server"), str(Path(__file__).parent / "campaign")]

from installation import build
from load import wait_for
from servers import PASSWORD, family, told
from strange_requests import SHAPES, Shape, addresses, without_rule
from submissions import SERVE, SURVEY, filled, running
from submissions_sent import request_with

from server import create_app
from server.config import Config
from server.store import counted_lists, pictures, surveys
from server.store.pictures import StoredPicture
from server.store.sqlite.storage import SQLiteStorage
from server.store.staff import accounts, tokens
from server.web.limits.costs import CLASS_OF, CLASSES

CLIENTS = 50
RATE = 2.0
"""Requests a second of each client: in all, as many as a survey of thousands has at its busiest."""

MOST_WAIT = 3.0
"""The respondent's p99 over that beside clients who ask for a constant page."""

VISITORS = ("nobody", "visitor", "staff")

ADMIN, DRAFT, MANY = "eve", "whole", "many"
"""An admin, a draft that could be opened, and a closed survey with a picture and a long list."""

PICTURE = random.Random(1).randbytes(200_000)

IN_MEMORY = ("/s/ten", f"/s/{MANY}/counted", f"/s/{MANY}/pictures/{sha256(PICTURE).hexdigest()}")
"""Addresses whose answers are the same for everybody: each is read from the database twice a second."""


def nanoseconds(worker: int, thread: int | str = "*") -> int:
    """Return the processor time of a thread of a process, or of all of them."""
    total = 0
    for path in Path(f"/proc/{worker}/task").glob(f"{thread}/schedstat"):
        total += int(path.read_text().split()[0])
    return total


@dataclass
class Line:
    """A connection that is opened anew where the server has closed it."""

    port: int
    connection: socket.socket | None = None

    def ask(self, request: bytes) -> bytes:
        """Send a request; return the whole answer."""
        for _ in range(2):
            if self.connection is None:
                self.connection = socket.create_connection(("127.0.0.1", self.port), timeout=60)
                self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with suppress(OSError):  # it may have answered before it had read all
                self.connection.sendall(request)
            try:
                received = self.received(request.startswith(b"HEAD"))
            except OSError:
                received = b""
            if received:
                return received
            self.close()
        raise ConnectionError(request[:100])

    def received(self, is_head: bool) -> bytes:
        """Read up to the end of an answer."""
        data, length = b"", None
        while length is None or len(data) < length:
            part = self.connection.recv(1 << 18)
            data += part
            head, end, _ = data.partition(b"\r\n\r\n")
            if end and length is None:
                said = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
                length = len(head) + 4 + (int(said[1]) if said and not is_head else 0)
                closes = b"\r\nconnection: close" in head.lower()
                if not said and b"chunked" in head.lower():
                    length = float("inf")
            if data.endswith(b"\r\n0\r\n\r\n") and length == float("inf"):
                break
            if not part:
                break
        if not data or closes:
            self.close()
        return data

    def close(self) -> None:
        """Hang up."""
        if self.connection is not None:
            self.connection.close()
        self.connection = None


@dataclass
class Visitor:
    """Writes the requests of a kind of visitor, each from another address."""

    kind: str
    headers: dict[str, str] = field(default_factory=dict)
    draw: random.Random = field(default_factory=lambda: random.Random(23))

    @classmethod
    def of(cls, kind: str, port: int, secret: str = "") -> Visitor:
        """Get a session, and sign in with it; staff have a token of the interface too."""
        visitor, line = cls(kind), Line(port)
        if kind == "nobody":
            return visitor
        visitor.enter(line.ask(visitor.request("GET", "/login", Shape())))
        if kind == "staff":
            visitor.headers["Authorization"] = f"Bearer {secret}"
            body = f"name={ADMIN}&password={PASSWORD.replace(' ', '+')}".encode()
            visitor.enter(line.ask(visitor.request("POST", "/login", Shape(body))))
            visitor.enter(line.ask(visitor.request("GET", "/account", Shape())))
        line.close()
        return visitor

    def enter(self, answer: bytes) -> None:
        """Keep the session of an answer, and the token of its forms."""
        text = answer.decode()
        if cookie := re.search(r"(?i)set-cookie: (__Host-candor=[^;]+)", text):
            self.headers["Cookie"] = cookie[1]
        if token := re.search(r'name="csrf_token" value="([^"]+)"', text):
            self.headers["X-CSRFToken"] = token[1]

    def request(self, method: str, address: str, shape: Shape) -> bytes:
        """Write a request."""
        headers = {"Host": "127.0.0.1", "Sec-Fetch-Site": "same-origin", "X-Forwarded-Proto": "http"}
        headers["X-Forwarded-For"] = ".".join(str(self.draw.randrange(1, 250)) for _ in range(4))
        headers |= self.headers | {name: text for name, text in shape.headers.items() if name != "Cookie"}
        if "Cookie" in shape.headers:
            headers["Cookie"] = f"{self.headers.get('Cookie', 'a=1')}; {shape.headers['Cookie']}"[:8000]
        if shape.body or method != "GET":
            headers |= {"Content-Type": shape.kind, "Content-Length": str(len(shape.body))}
        head = "".join(f"{name}: {text}\r\n" for name, text in headers.items())
        query = f"?{shape.query}" if shape.query else ""
        return f"{method} {address}{query} HTTP/1.1\r\n{head}\r\n".encode() + shape.body


@dataclass
class Place:
    """A server with an open survey, and its worker."""

    port: int
    worker: int
    fingerprint: str
    secret: str
    repeats: int

    def mean(self, requests: Iterator[bytes], thread: int | str = "*") -> float:
        """Return the processor time of a request in milliseconds."""
        line, sent = Line(self.port), [next(requests) for _ in range(self.repeats)]
        line.ask(next(requests))
        begun = nanoseconds(self.worker, thread)
        for request in sent:
            line.ask(request)
        line.close()
        return (nanoseconds(self.worker, thread) - begun) / self.repeats / 1e6

    def submission(self) -> float:
        """Return that of a valid submission."""
        return self.mean(iter(lambda: request_with(self.fingerprint), None))


@dataclass(order=True)
class Worst:
    """The dearest shape at a rule, of a kind of visitor."""

    times: float
    rule: str
    shape: str
    visitor: str
    address: str
    request: bytes = field(repr=False)


def rules(folder: Path, bits: int) -> list[tuple[str, str, str]]:
    """List the rules with a method and an address, and addresses of what is there."""
    app = create_app(Config(database=folder / "rules.db", style=True, metrics_token="t" * 32))
    listed = addresses(app, app.extensions["candor.api"].built()) + without_rule()
    app.extensions["candor"].storage.close()
    there = [
        ("GET /s/<slug>", IN_MEMORY[0]),
        ("GET /s/<slug>/counted", IN_MEMORY[1]),
        ("GET /s/<slug>/pictures/<sha256>", IN_MEMORY[2]),
        ("GET /s/<slug>/counted/leaves-<bits>", f"/s/{MANY}/counted/leaves-{'01' * bits}"[:-bits]),
    ]
    listed = [(rule, method, re.sub(r"\bhalf\b", DRAFT, address)) for rule, method, address in listed]
    return [*((rule, "GET", address) for rule, address in there), *listed]


def pictured(table: dict[str, Any]) -> dict[str, Any]:
    """Let the first question of a survey file show the picture."""
    name = sha256(PICTURE).hexdigest()
    table["questions"][0]["picture"] = {
        "sha256": name,
        "type": "png",
        "width": 500,
        "height": 400,
        "alt": {"en": "x"},
    }
    return table


def furnished(path: Path, rows: int) -> tuple[str, int]:
    """Add surveys in every state, with every kind of question, and an admin.

    Returns
    -------
    token : str
        The admin's.
    bits : int
        How many first bits of a leaf ask for it in the list of the closed survey with so many reports.
    """
    storage = SQLiteStorage(path)
    storage.write(build, False)
    storage.write(surveys.create_draft, tomllib.loads(SURVEY) | {"slug": DRAFT})
    admin = storage.write(accounts.create, ADMIN, PASSWORD, "admin")
    storage.write(accounts.mark, admin.id, all_surveys=True)
    secret = storage.write(tokens.create, admin.id, "strangers", True, None, None)
    many = storage.write(surveys.create_draft, pictured(tomllib.loads(SURVEY) | {"slug": MANY}))
    storage.write(pictures.put, many.id, StoredPicture("png", 500, 400, PICTURE))
    many = storage.write(surveys.open_survey, many.id)
    for start in range(0, rows, 20_000):
        reports = {
            os.urandom(16): bytes(map((1).__and__, os.urandom(10)))
            for _ in range(rows)[start : start + 20_000]
        }
        storage.write(lambda db, reports=reports: db.reports.put(many.id, many.publication, reports))
    storage.write(surveys.close_survey, many.id)
    storage.finish()
    made = storage.read(counted_lists.of, many.id)
    storage.close()
    return secret, made.bits


def costs(place: Place, listed: list[tuple[str, str, str]], kinds: list[str]) -> list[Worst]:
    """Measure each rule, and print the worst shape of each kind of visitor."""
    visitors = [Visitor.of(kind, place.port, place.secret) for kind in kinds]
    every: list[Worst] = []
    print(f"{'rule':<52} {'class':<24}" + "".join(f"{kind:>30}" for kind in kinds))
    for rule, method, address in listed:
        unit, line = place.submission(), ""
        for visitor in visitors:
            if visitor.kind == "staff" and rule == "POST /logout":
                continue
            thread = place.worker if visitor.kind == "staff" else "*"
            one = []
            for name, shape in SHAPES.items():
                if shape.length is not None:
                    continue  # who says more than is sent is waited for: `test_slow_clients`
                asked = iter(lambda: visitor.request(method, address, shape), None)  # noqa: B023
                times = place.mean(asked, thread) / unit
                look_at(place, rule, visitor.kind, next(asked))
                one.append(Worst(times, rule, name, visitor.kind, address, next(asked)))
            every.append(worst := max(one))
            line += f"{worst.times:7.2f} {worst.shape:<22}"
        print(
            f"{rule if rule != 'no rule' else f'{method} {address}':<52} {class_of(rule):<24}{line}",
            flush=True,
        )
    return every


def look_at(place: Place, rule: str, kind: str, request: bytes) -> None:
    """Compare the length of an answer with what its class allows."""
    line = Line(place.port)
    answer, most = line.ask(request), CLASSES[class_of(rule)].cost(kind).answer or float("inf")
    line.close()
    assert not answer.startswith(b"HTTP/1.1 500"), request[:100]
    assert len(answer) <= most, request[:100]


def class_of(rule: str) -> str:
    """Return the name of the class of a rule."""
    return CLASS_OF.get(rule, "no rule")


def kept(every: list[Worst]) -> bool:
    """Print the dearest of each class; return whether none costs more than it may."""
    fine = True
    if hits := [one for one in every if one.address in IN_MEMORY]:
        fine = told(f"from memory: {max(hits).address[:40]}", max(hits).shape, max(hits).times, 1)
    for name, kind in CLASSES.items():
        for visitor in VISITORS:
            if found := [one for one in every if class_of(one.rule) == name and one.visitor == visitor]:
                worst, bound = max(found), kind.cost(visitor).times or float("inf")
                what = f"{name}, {visitor}: {worst.rule}"
                fine &= told(what, f"{worst.shape}", worst.times, bound)
    return fine


def p99(place: Place, seconds: float, requests: list[bytes]) -> float:
    """Return the respondent's p99 in ms, while clients send these requests in turn at a steady rate."""
    stopped, late = threading.Event(), []

    def client(number: int) -> None:
        draw = random.Random(number)
        line, turn, due = Line(place.port), number, time.monotonic() + number / CLIENTS / RATE
        while not stopped.is_set():
            time.sleep(max(0.0, due - time.monotonic()))
            line.ask(from_elsewhere(requests[turn % len(requests)], draw))
            late.append(time.monotonic() - due)
            turn, due = turn + 1, due + 1 / RATE
        line.close()

    clients = [threading.Thread(target=client, args=(number,)) for number in range(CLIENTS)]
    for each in clients:
        each.start()
    line, latencies, end = Line(place.port), [], time.monotonic() + seconds
    while time.monotonic() < end:
        request = request_with(place.fingerprint)
        begun = time.perf_counter()
        line.ask(request)
        latencies.append(time.perf_counter() - begun)
        time.sleep(0.005)
    stopped.set()
    for each in clients:
        each.join()
    many = sorted(latencies)
    figure = 1000 * many[len(many) * 99 // 100]
    print(
        f"p99 {figure:.1f} ms, median {1000 * many[len(many) // 2]:.1f} ms of {len(many)} submissions; "
        f"{len(late) / seconds:.0f} requests a second, the last {1000 * max(late[-CLIENTS:]):.0f} ms late"
    )
    return figure


def from_elsewhere(request: bytes, draw: random.Random) -> bytes:
    """Send a request from another network, and a sign-in with another name, slowed by no attempt before."""
    address = ".".join(str(draw.randrange(1, 250)) for _ in range(4))
    name = "".join(draw.choices(ascii_lowercase, k=3))
    request = re.sub(rb"X-Forwarded-For: [0-9.]+", f"X-Forwarded-For: {address}".encode(), request)
    return request.replace(b"name=ada", f"name={name}".encode())


def minute(place: Place, seconds: float, dear: list[bytes]) -> bool:
    """Compare both minutes."""
    nobody = Visitor("nobody")
    page = [nobody.request("GET", "/learn", Shape())]
    constant = p99(place, seconds, page)
    beside = p99(place, seconds, dear)
    return told("the respondent's p99, over that beside a constant page", "", beside / constant, MOST_WAIT)


def dearest(place: Place, every: list[Worst]) -> list[bytes]:
    """Return the requests of strangers that cost the most, a sign-in and a wrong code among them."""
    strangers = sorted((one for one in every if one.visitor != "staff"), reverse=True)
    visitor = Visitor.of("visitor", place.port)
    signing = [
        visitor.request("POST", "/login", Shape(b"name=ada&password=not+the+right+one")),
        visitor.request("POST", "/login/code", Shape(b"code=000000")),
        visitor.request(
            "POST", "/join", Shape(b"link=" + b"a" * 43 + b"&name=eve&password=long+enough+it+is")
        ),
    ]
    return [*(one.request for one in strangers[:20]), *signing]


def main() -> int:
    """Measure, print the tables, and return whether a figure was missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", default=["costs", "minute"])
    parser.add_argument("--repeats", type=int, default=50)
    parser.add_argument("--only", default="", help="a part of the rules that are measured")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--rows", type=int, default=100_000, help="reports of the survey with a long list")
    parser.add_argument("--visitors", nargs="*", default=[*VISITORS])
    asked = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir="/var/tmp")))
        path, fingerprint = filled(folder, 100)
        secret, bits = furnished(path, asked.rows)
        command = ["-c", SERVE, "serve", "--fd={fd}", "--rate-limit=0", "--style"]
        more = {"CANDOR_DATABASE": str(path), "CANDOR_METRICS_TOKEN": "t" * 32, "CANDOR_PROXY_HOPS": "1"}
        port, server = stack.enter_context(running(command, **more))
        wait_for(f"http://127.0.0.1:{port}/s/ten")
        place = Place(port, family(server)[1], fingerprint, secret, asked.repeats)
        print(f"{os.getloadavg()[0]:.1f} processes want the processor")
        place.submission()
        print(f"a submission takes {place.submission():.2f} ms of the worker's processor time")
        every = costs(place, [row for row in rules(folder, bits) if asked.only in row[0]], asked.visitors)
        fine = kept(every) if "costs" in asked.parts else True
        if "minute" in asked.parts:
            port, _ = stack.enter_context(
                running([*command, f"--strangers-share={Config.strangers_share}"], **more)
            )
            wait_for(f"http://127.0.0.1:{port}/s/ten")
            place = replace(place, port=port)
            fine &= minute(place, asked.seconds, dearest(place, every))
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
