"""What a whole visit takes of a server, assets included, beside oTree, a form, an older commit and no-ops.

Usage: uv run python tests/benchmarks/compare.py [--quick] [--before COMMIT]

Somebody who has nothing in memory opens a connection, loads a page of ten questions and every file that it
names, and sends: to `candor serve`, to the form of `plain_form.py`, to an older commit, and to oTree unless
`--quick` is said. The no-ops of `submissions.py`, which store nothing, are only sent the submission.
They take turns in five rounds, with one worker each. The processor time is that of the server's processes
alone, as /proc counts it. The client shares the processor, so rates hold only beside those of the same round.
"""

from __future__ import annotations

import argparse
import math
import os
import re
import secrets
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode, urljoin, urlsplit

import brotli
from load import wait_for, worktree
from otree_form import otree
from plain_form import QUESTIONS
from submissions import KINDS, SERVE, TOP, filled, running, syncs_a_second
from submissions_sent import cpu_seconds

FORM = "application/x-www-form-urlencoded"

AT_ONCE = 8
"""Visits at a time."""

FEWER = 10
"""How many times fewer visits oTree gets in a round: each takes as many times as long."""

FIRST = 20
"""Visits to each before any is measured."""

MOST_OF_FORM, MOST_OF_BEFORE, MOST_OF_OTREE = 0.6, 0.3, 1 / 25
"""Candor's processor time a visit, over that of the form, of the older commit, and of oTree."""

FASTER_THAN_OTREE = 20
"""How many times as many people as oTree it serves in a second."""

NAMED = re.compile(r'(?:src|href)="([^"]+\.(?:js|css|svg))"')
IMPORTED = re.compile(r'\b(?:from|import)\s*"(\.[^"]+\.js)"')
COOKIE, PLACE, LENGTH = (
    re.compile(rf"(?i)\r\n{name}: ([^;\r\n]*)") for name in ("set-cookie", "location", "content-length")
)


class Visitor:
    """Somebody without any file in memory, on a connection of their own.

    Takes little of the processor, which it shares with the server that is measured.
    """

    def __init__(self, port: int) -> None:
        self.connection = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.cookie = self.place = self.page = ""
        self.requests = 0

    def ask(self, method: str, path: str, fields: dict[str, str] | None = None) -> Answer:
        """Ask as a browser does, go on where an answer leads, and return the last."""
        body = urlencode(fields) if fields else ""
        form = f"Content-Type: {FORM}\r\nContent-Length: {len(body)}\r\n" if body else ""
        cookie = f"Cookie: {self.cookie}\r\n" if self.cookie else ""
        self.connection.sendall(
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip, br\r\n"
            f"Sec-Fetch-Site: same-origin\r\n{cookie}{form}\r\n{body}".encode()
        )
        headers, content = self.receive()
        self.requests += 1
        self.place = path
        if cookie := COOKIE.search(headers):
            self.cookie = cookie[1]
        if place := PLACE.search(headers):
            return self.ask("GET", urlsplit(place[1]).path)
        if not headers.startswith("HTTP/1.1 200"):
            raise RuntimeError(f"{method} {path} is answered {headers[:20]}: {content[:200]!r}")
        return Answer(content, "content-encoding: br" in headers.lower())

    def receive(self) -> tuple[str, bytes]:
        """Receive one answer: its headers and its body, which oTree sends in chunks."""
        data = b""
        while b"\r\n\r\n" not in data:
            data += self.more()
        head, _, data = data.partition(b"\r\n\r\n")
        headers = head.decode()
        if length := LENGTH.search(headers):
            while len(data) < int(length[1]):
                data += self.more()
            return headers, data
        while not data.endswith(b"0\r\n\r\n"):
            data += self.more()
        content = b""
        while size := int(data.partition(b"\r\n")[0], 16):
            start = data.index(b"\r\n") + 2
            content += data[start : start + size]
            data = data[start + size + 2 :]
        return headers, content

    def more(self) -> bytes:
        """Receive what there is."""
        if data := self.connection.recv(65536):
            return data
        raise ConnectionError("the server has hung up")

    def load(self, path: str) -> Answer:
        """Load a page and all that it and its scripts name, each once; return the page."""
        page, seen = self.ask("GET", path), {path}
        self.page = path = self.place
        waiting = [urljoin(path, name) for name in named(page, NAMED)]
        while waiting:
            if (name := waiting.pop()) not in seen:
                seen.add(name)
                content = self.ask("GET", name)
                if name.endswith(".js"):
                    waiting += [urljoin(name, other) for other in named(content, IMPORTED)]
        return page


class Answer(NamedTuple):
    """The body of an answer."""

    content: bytes
    brotli: bool

    @property
    def text(self) -> str:
        """The body, unpacked."""
        return (brotli.decompress(self.content) if self.brotli else self.content).decode()


@lru_cache(maxsize=256)
def named(answer: Answer, pattern: re.Pattern[str]) -> list[str]:
    """Return what a body names; read once, as many visitors get the same."""
    return pattern.findall(answer.text)


def visit_survey(visitor: Visitor, fingerprint: str) -> None:
    """Take part in a survey of Candor's."""
    visitor.load("/s/ten")
    if 'data-outcome="stored"' not in send(visitor, fingerprint).text:
        raise RuntimeError("a submission was not stored")


def send(visitor: Visitor, fingerprint: str) -> Answer:
    """Send a submission, which is all that a no-op is asked."""
    reports = {f"q{number}": str(secrets.randbits(1)) for number in range(10)}
    receipt = {"fingerprint": fingerprint, "receipt": secrets.token_hex(16)}
    return visitor.ask("POST", "/s/ten", receipt | reports)


def visit_form(visitor: Visitor, _: str) -> None:
    """Fill in the form."""
    token = re.search(r'name="csrf_token"[^>]*value="([^"]+)"', visitor.load("/").text)
    answers = {name: secrets.choice(["yes", "no"]) for name in QUESTIONS}
    if "Thank you" not in visitor.ask("POST", "/", answers | {"csrf_token": token[1] if token else ""}).text:
        raise RuntimeError("the form was not accepted")


def visit_otree(visitor: Visitor, link: str) -> None:
    """Take part in a session of oTree's."""
    visitor.load(link)
    answers = {name: secrets.choice(["True", "False"]) for name in QUESTIONS}
    if "question_0" in visitor.ask("POST", visitor.page, answers).text:
        raise RuntimeError("the answers were not accepted")


@dataclass
class Case:
    """A server, how it is visited, and what came of it: visits a second, and seconds of processor each.

    `told` is what a visitor is told. Candor's processor time may be at most `most` of this server's, and its
    visits are at least `least` times as many.
    """

    name: str
    server: tuple[int, int]
    visit: Callable[[Visitor, str], object]
    told: str = ""
    most: float = math.inf
    least: float = 0.0
    fewer: int = 1
    requests: int = 0
    rates: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def measure(self, many: int) -> None:
        """Let so many visit, a few at a time."""
        port, group = self.server

        def one(_: int) -> None:
            visitor = Visitor(port)
            self.visit(visitor, self.told)
            visitor.connection.close()
            self.requests = visitor.requests

        with ThreadPoolExecutor(AT_ONCE) as visitors:
            cpu, begun = cpu_seconds(group), time.perf_counter()
            list(visitors.map(one, range(many)))
            self.rates.append(many / (time.perf_counter() - begun))
            self.cpu.append((cpu_seconds(group) - cpu) / many)


def main(quick: bool, before: str) -> int:
    """Measure all, print the table, and return how many figures were missed."""
    rounds, many = (3, 100) if quick else (5, 500)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir="/var/tmp")))  # not in memory

        def candor(name: str, tree: Path, most: float = math.inf) -> Case:
            path, fingerprint = filled(folder, 0, tree)
            command = ["-c", SERVE, "serve", "--fd={fd}", "--rate-limit=0"]
            admin = {"CANDOR_ADMIN_NAME": "ada", "CANDOR_ADMIN_PASSWORD": "only for this run"}
            server = stack.enter_context(running(command, tree, CANDOR_DATABASE=str(path), **admin))
            return Case(name, server, visit_survey, fingerprint, most)

        command = [
            str(Path(__file__).with_name("plain_form.py")),
            "{fd}",
            str(folder / "form.db"),
            str(TOP / "static"),
        ]
        form = stack.enter_context(running(command))
        cases = [candor("candor", TOP), Case("a form of forty lines", form, visit_form, most=MOST_OF_FORM)]
        tree = stack.enter_context(worktree(before))
        cases.append(candor(f"candor at {before}", tree, MOST_OF_BEFORE))
        for kind in KINDS:
            command = [str(Path(__file__).with_name("submissions.py")), "--noop={fd}", f"--kind={kind}"]
            cases.append(Case(f"no-op, {kind}", stack.enter_context(running(command)), send, "0" * 64))
        if not quick:
            port, group, link = stack.enter_context(otree(folder / "otree", rounds * many // FEWER + FIRST))
            bounds = {"most": MOST_OF_OTREE, "least": FASTER_THAN_OTREE}
            cases.append(Case("oTree", (port, group), visit_otree, link, **bounds, fewer=FEWER))
        for case in cases:
            if case.visit is not send:  # a no-op has no page
                wait_for(f"http://127.0.0.1:{case.server[0]}/{'s/ten' if case.visit is visit_survey else ''}")
            case.measure(FIRST)
            case.rates.clear()
            case.cpu.clear()
        print(f"{os.getloadavg()[0]:.1f} other processes wanted the processor as this began")
        for _ in range(rounds):
            for case in cases:
                case.measure(many // case.fewer)
        print(f"{syncs_a_second(folder):.0f} syncs a second of a page")
    return table(cases)


def table(cases: list[Case]) -> int:
    """Print what was found; return how many figures were missed."""
    print(f"\n{'':28} requests   visits a second   CPU ms   candor's CPU of it   candor's visits of it")
    ours, missed = cases[0], 0
    for case in cases:
        cpu, rate = (
            statistics.median(mine / other for mine, other in zip(first, second, strict=True))
            for first, second in ((ours.cpu, case.cpu), (ours.rates, case.rates))
        )
        figures = f"{statistics.median(case.rates):17.0f} {1000 * statistics.median(case.cpu):8.2f}"
        bounds = [f"CPU at most {case.most:g}"] * (case.most < math.inf)
        bounds += [f"visits at least {case.least:g} times"] * (case.least > 0)
        kept = cpu <= case.most and rate >= case.least
        verdict = f"  {', '.join(bounds)}: {'kept' if kept else 'missed'}" if bounds else ""
        missed += not kept
        print(f"{case.name:28} {case.requests:8} {figures} {cpu:20.3f} {rate:24.2f}{verdict}")
    return missed


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="three short rounds")
    parser.add_argument("--before", metavar="COMMIT", default="87025a13", help="measure this older commit")
    given = parser.parse_args()
    sys.exit(min(1, main(given.quick, given.before)))
