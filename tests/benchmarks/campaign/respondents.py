"""Respondents who send to servers until they are answered; a process of its own, full of greenlets.

Usage: python respondents.py PLAN, where PLAN is the JSON of `Plan`

Each draws a receipt and reports, sends them to one of the servers, and sends the same again, there or
elsewhere, until it is answered "stored". Some come back later with the same bytes and some with others. It
writes down what was sent and acknowledged, and prints what it met.
"""

from __future__ import annotations

import json
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from ledger import SLUG, Ledger, draw, other

SECONDS = 8.0
"""How long an answer is waited for; a server waits 5 for its database."""

PAUSE = 0.1
"""Seconds until a respondent tries again."""

PAGE = f"GET /s/{SLUG} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
HEAD = (
    f"POST /s/{SLUG} HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\n"
    "Content-Type: application/x-www-form-urlencoded\r\n"
)


@dataclass
class Plan:
    """What respondents are to do.

    Attributes
    ----------
    ports : list of int
        Where servers listen.
    fingerprint : str
    columns : dict of str to int
        Column -> how many codes it has.
    count : int
        How many submissions there are in all.
    together : int
        How many respondents there are at a time.
    rate : float
        How many submissions a second they send in all; 0 for as many as they can.
    page : bool
        Whether each opens the page before it sends.
    seed : int
    """

    ports: list[int]
    fingerprint: str
    columns: dict[str, int]
    count: int
    together: int
    rate: float = 0.0
    page: bool = False
    seed: int = 1


def plan_for(survey, servers, **more) -> Plan:
    """Plan submissions to a survey."""
    publication = survey.publication
    columns = {name: column.codes for name, column in publication.columns.items()}
    return Plan([server.port for server in servers], publication.fingerprint, columns, **more)


@dataclass
class Report:
    """What respondents met.

    Attributes
    ----------
    ledger : Ledger
    seconds : list of float
        How long each acknowledgement took, from the first attempt.
    met : dict of str to int
        Answers -> how often they came; ``none`` where there was no answer.
    wrong : list of str
        Answers that no respondent may get.
    """

    ledger: Ledger
    seconds: list[float]
    met: dict[str, int]
    wrong: list[str]

    def quantile(self, share: float) -> float:
        """Return a quantile of the seconds."""
        return sorted(self.seconds)[min(int(share * len(self.seconds)), len(self.seconds) - 1)]


@dataclass
class Running:
    """Respondents at work."""

    process: subprocess.Popen
    notes: Path

    def acknowledged(self) -> int:
        """Return how many submissions have been acknowledged by now, or a little less."""
        return self.notes.read_bytes().count(b"\nstored ") if self.notes.exists() else 0

    def at_work(self) -> bool:
        """Return whether they still send."""
        return self.process.poll() is None

    def report(self, seconds: float = 3600) -> Report:
        """Wait until they are done, and read what they wrote down."""
        printed, _ = self.process.communicate(timeout=seconds)
        if self.process.returncode:
            raise RuntimeError("the respondents have failed")
        return Report(read_ledger(self.notes), **json.loads(printed))


def read_ledger(notes: Path) -> Ledger:
    """Read what respondents wrote down, as far as it goes."""
    ledger = Ledger()
    for line in notes.read_text().split("\n")[1:-1]:
        word, receipt, *codes = line.split()
        if word == "sent":
            ledger.sent[receipt] = tuple(map(int, codes))
        else:
            ledger.acknowledged.add(receipt)
    return ledger


@contextmanager
def sending(plan: Plan) -> Iterator[Running]:
    """Let respondents send while the block lasts; they are ended with it."""
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder) / "notes"
        command = [sys.executable, __file__, json.dumps(asdict(plan)), notes]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            yield Running(process, notes)
        finally:
            process.kill()
            process.wait()


@dataclass
class Crowd:
    """All respondents of a process."""

    plan: Plan
    notes: object
    left: int = 0
    seconds: list[float] = field(default_factory=list)
    met: Counter = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.plan.seed)
        self.left = self.plan.count
        self.begun = time.monotonic()

    def respondent(self, number: int) -> None:
        """Send one submission after the other; the `number`-th of those who work together."""
        turn, lines = number, Lines()
        while self.left > 0:
            self.left -= 1
            if self.plan.rate:
                time.sleep(max(0.0, self.begun + turn / self.plan.rate - time.monotonic()))
                turn += self.plan.together
            receipt, codes = draw(self.plan.columns.values(), self.chance)
            self.note("sent", receipt, *codes)
            begun = time.monotonic()
            if self.plan.page:
                while self.ask(lines, PAGE) != "200":
                    time.sleep(PAUSE)
            while (answer := self.send(lines, receipt, codes)) != "stored":
                if answer not in ("none", "busy"):
                    self.wrong.append(f"a new submission is answered {answer!r}")
                    return
                time.sleep(PAUSE)
            self.seconds.append(time.monotonic() - begun)
            self.note("stored", receipt)
            if self.chance.random() < 0.03:
                self.come_back(lines, receipt, codes, "stored")
            if self.chance.random() < 0.03:
                self.come_back(lines, receipt, other(codes), "different")

    def come_back(self, lines: Lines, receipt: str, codes: tuple[int, ...], expected: str) -> None:
        """Send under a receipt that is stored."""
        answer = self.send(lines, receipt, codes)
        if answer not in (expected, "none", "busy"):
            self.wrong.append(f"a stored receipt is answered {answer!r} instead of {expected!r}")

    def note(self, *words: object) -> None:
        """Write down what happened; what is acknowledged is on record when the next thing happens."""
        self.notes.write(" ".join(map(str, words)) + "\n")

    def send(self, lines: Lines, receipt: str, codes: tuple[int, ...]) -> str:
        """Send a submission; return the outcome."""
        columns = zip(self.plan.columns.items(), codes, strict=True)
        fields = "".join(f"&{name}={code:0{len(str(size - 1))}}" for (name, size), code in columns)
        body = f"fingerprint={self.plan.fingerprint}&receipt={receipt}{fields}"
        return self.ask(lines, f"{HEAD}Content-Length: {len(body)}\r\n\r\n{body}".encode(), b'data-outcome="')

    def ask(self, lines: Lines, request: bytes, sign: bytes = b"") -> str:
        """Ask one of the servers; return what follows a sign in the body, or the status."""
        port = self.chance.choice(self.plan.ports)
        try:
            head, body = lines.ask(port, request)
            status = head.split()[1].decode()
            found = body.partition(sign)[2].partition(b'"')[0].decode() if sign else ""
            answer = found or status
        except (OSError, ValueError, IndexError):
            lines.hang_up(port)
            answer = "none"
        self.met[answer] += 1
        return answer


class Lines:
    """One respondent's connections, which stay open from one request to the next: port -> socket."""

    def __init__(self) -> None:
        self.open: dict[int, socket.socket] = {}

    def ask(self, port: int, request: bytes) -> tuple[bytes, bytes]:
        """Send a request; return head and body of the answer."""
        if port not in self.open:
            self.open[port] = socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
        self.open[port].sendall(request)
        return read(self.open[port])

    def hang_up(self, port: int) -> None:
        """Close a connection that is of no more use."""
        if port in self.open:
            self.open.pop(port).close()


def read(connection: socket.socket) -> tuple[bytes, bytes]:
    """Read one answer: its head and its body."""
    received = b""
    while b"\r\n\r\n" not in received:
        received += more(connection)
    head, _, body = received.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length:")[2].split()[0])
    while len(body) < length:
        body += more(connection)
    return head, body


def more(connection: socket.socket) -> bytes:
    """Read what comes."""
    received = connection.recv(65536)
    if not received:
        raise ConnectionResetError("the server hung up")
    return received


def main(plan: str, notes: str) -> None:
    """Let everybody send, and print what they met."""
    import gevent

    with Path(notes).open("w", buffering=1) as file:
        file.write("begun\n")
        crowd = Crowd(Plan(**json.loads(plan)), file)
        gevent.joinall(
            [gevent.spawn(crowd.respondent, n) for n in range(crowd.plan.together)], raise_error=True
        )
    print(json.dumps({"seconds": crowd.seconds, "met": crowd.met, "wrong": crowd.wrong}))


if __name__ == "__main__":
    from gevent import monkey

    monkey.patch_all()
    main(*sys.argv[1:])
