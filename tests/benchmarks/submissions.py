"""How many durable submissions a second the server takes, over a view that only parses the form.

Usage: uv run python tests/benchmarks/submissions.py [--quick] [--before COMMIT]

64 connections for each worker send submissions of ten questions, each as soon as it has the answer to the one
before, to `candor serve` with so many reports stored, and to a Flask view under the same settings of
gunicorn, with as many workers: in turn, in five rounds, each on a fresh copy of the database. The view stores
nothing, so how often the disk can sync is printed. Two workers get 128 connections where one gets 64, so that
each can store as many submissions in one commit as the only one does. Two workers are also measured with 64
in all, which is printed only: they idle whenever the 32 of each wait for one commit. ``--before`` measures
two workers of an older commit as well.

The client shares the processor with the servers. So rates are compared with those of the no-op in the same
round, and processor time is that of the server's processes alone, as /proc counts it.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from load import wait_for, worktree
from submissions_sent import CONNECTIONS, Round, measured, p99

TOP = Path(__file__).resolve().parents[2]

ROWS = (100, 900, 5_000, 30_000, 300_000)
AT = 900
"""Stored reports where workers are compared."""

LIMITS = {1: (0.8, 1.1, 3.0), 2: (0.85, 1.1, 2.0)}
"""Workers -> least rate, most processor time and most p99, of those of the no-op with as many workers."""

KINDS = ("view", "bare")
"""No-ops: a Flask view that parses the form, and WSGI that reads the body."""

LEAST_OF_ONE = 2.0 if (os.cpu_count() or 1) >= 4 else 1.5  # the client and the disk need cores too
LEAST_OF_BEFORE = 1.5
"""Two workers, over one and over two of the older commit."""

QUESTIONS = "".join(
    f"""
[[questions]]
id = "q{n}"
mechanism = "spinner_coin"
epsilon = 1.0
wording.en = "Question {n}?"
"""
    for n in range(10)
)
SURVEY = f"""
candor = 1
slug = "ten"
languages = ["en"]
title.en = "Ten questions"
information.en = "Information"
consent.en = "Consent"
{QUESTIONS}
"""

FILL = """
import secrets, sys
from pathlib import Path
from server.store import submissions, surveys
try:
    from survey.read_definition import parse
except ImportError:  # an older commit
    from survey.definition import parse
try:
    from server.store.sqlite.storage import SQLiteStorage as Storage
except ImportError:  # an older commit
    from server.store.database import Storage
storage = Storage(Path(sys.argv[1]))
storage.create()
draft = storage.write(surveys.import_definition, parse(sys.stdin.read(), "ten.toml"))
survey = storage.write(surveys.open_survey, draft.id)
publication, left = survey.publication, int(sys.argv[2])
def put(db, many):
    bits = [[bit & 1 for bit in secrets.token_bytes(10)] for _ in range(many)]
    if hasattr(db, "reports"):
        return db.reports.put(survey.id, publication, {secrets.token_bytes(16): bytes(one) for one in bits})
    rows = [dict(zip(publication.columns, one)) for one in bits]
    batch = [
        submissions.Submission(survey.id, publication.fingerprint, secrets.token_hex(16), row) for row in rows
    ]
    return submissions.record(db, batch, "2026-01-01")
while left:
    left -= len(storage.write(put, min(left, 20_000)))
print(publication.fingerprint)
"""
"""Makes a database with the survey and so many reports, by the store of the code that runs it."""

SERVE = "from server.cli import main; main()"


def noop(fd: int, workers: int, bare: bool) -> None:
    """Serve a view that parses the form, or bare WSGI, under the settings of `candor serve`."""
    from gevent import monkey

    monkey.patch_all()
    from flask import Flask, request
    from gunicorn.app.base import BaseApplication

    from server.cli.serve import settings

    app, listener = Flask("noop"), socket.socket(fileno=fd)

    @app.post("/s/<slug>")
    def view(slug: str) -> str:
        return f"{len(request.form)}"

    def wsgi(environ, start_response):
        answer = str(len(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))).encode()
        start_response("200 OK", [("Content-Type", "text/html"), ("Content-Length", str(len(answer)))])
        return [answer]

    wsgi.extensions = {}  # where a worker of ours looks for files that are ready

    class Server(BaseApplication):
        def load_config(self):
            for name, value in settings(listener, workers).items():
                if name != "worker_exit":  # where page views are written that wait
                    self.cfg.set(name, value)

        def load(self):
            return wsgi if bare else app

    Server().run()


@contextmanager
def running(command: list[str], tree: Path = TOP, **more: str) -> Iterator[tuple[int, int]]:
    """Run a server on a socket that it is given: its port and its process group."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    command = [part.format(fd=listener.fileno()) for part in command]
    server = subprocess.Popen(
        [sys.executable, *command],
        env=os.environ | {"PYTHONPATH": str(tree), "CANDOR_STRANGERS_SHARE": "0"} | more,
        cwd=tree,
        stdout=subprocess.DEVNULL,
        pass_fds=[listener.fileno()],
        start_new_session=True,
    )
    port = listener.getsockname()[1]
    listener.close()
    try:
        yield port, server.pid
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(timeout=60)


def filled(folder: Path, rows: int, tree: Path = TOP) -> tuple[Path, str]:
    """Make a database with so many reports: its path, and the fingerprint of its survey."""
    path = folder / f"{rows}-{tree.name}.db"
    made = subprocess.run(
        [sys.executable, "-c", FILL, path, str(rows)],
        input=SURVEY,
        env=os.environ | {"PYTHONPATH": str(tree)},
        cwd=tree,
        check=True,
        capture_output=True,
        text=True,
    )
    return path, made.stdout.strip()


def candor(database: tuple[Path, str], workers: int, many: int, connections: int, tree: Path) -> Round:
    """Measure `candor serve` on a copy of a database."""
    path, fingerprint = database
    copy = shutil.copy(path, path.with_suffix(".copy"))
    command = ["-c", SERVE, "serve", "--fd={fd}", f"--workers={workers}", "--rate-limit=0"]
    admin = {"CANDOR_ADMIN_NAME": "ada", "CANDOR_ADMIN_PASSWORD": "only for this run"}
    with running(command, tree, CANDOR_DATABASE=str(copy), **admin) as (port, group):
        wait_for(f"http://127.0.0.1:{port}/s/ten")
        return measured(port, group, fingerprint, many, connections)


def syncs_a_second(folder: Path) -> float:
    """Return how often the disk takes a page and says that it has it."""
    with (folder / "syncs").open("wb", buffering=0) as file:
        begun = time.perf_counter()
        for _ in range(200):
            file.write(bytes(4096))
            os.fsync(file.fileno())
        return 200 / (time.perf_counter() - begun)


@dataclass
class Case:
    """What is measured: so many stored reports and workers, by the code of a tree; and what came of it.

    ``shared`` says that all workers get the connections of one.
    """

    rows: int
    workers: int
    tree: Path
    database: tuple[Path, str]
    shared: bool = False
    found: list[Round] = field(default_factory=list)
    noop: list[Round] = field(default_factory=list)

    @property
    def name(self) -> str:
        """How many workers, of which code if not of this, and on how many connections if few."""
        return f"{self.workers}" + " before" * (self.tree != TOP) + f", on {CONNECTIONS}" * self.shared

    @property
    def connections(self) -> int:
        """Over how many connections submissions come."""
        return CONNECTIONS * (1 if self.shared else self.workers)

    def ratio(self, other: list[Round], what: str) -> float:
        """Return the median over the rounds of what was measured, over the same of another."""
        pairs = zip(self.found, other, strict=True)
        return statistics.median(getattr(one, what) / getattr(than, what) for one, than in pairs)


def main(quick: bool, before: str | None) -> int:
    """Measure all, print the table, and return how many figures were missed."""
    rounds, many = (3, 1500) if quick else (5, 5000)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir="/var/tmp")))  # not in memory
        bare, *views = (
            stack.enter_context(running([__file__, "--noop={fd}", f"--kind={kind}", f"--workers={workers}"]))
            for kind, workers in (("bare", 1), ("view", 1), ("view", 2))
        )
        sizes = (AT, 30_000) if quick else ROWS
        cases = [Case(rows, 1, TOP, filled(folder, rows)) for rows in sizes]
        one = next(case for case in cases if case.rows == AT)
        cases += [two := Case(AT, 2, TOP, one.database), Case(AT, 2, TOP, one.database, shared=True)]
        least = [(two, one, LEAST_OF_ONE)]
        if before is not None:
            tree = stack.enter_context(worktree(before))
            cases.append(Case(AT, 2, tree, filled(folder, AT, tree)))
            least.append((two, cases[-1], LEAST_OF_BEFORE))
        print(f"{os.getloadavg()[0]:.1f} other processes wanted the processor as this began")
        bares = []
        for _ in range(rounds):
            bares.append(measured(*bare, "0" * 64, many))
            for case in cases:
                each = many, case.connections
                case.noop.append(measured(*views[case.workers - 1], "0" * 64, *each))
                case.found.append(candor(case.database, case.workers, *each, case.tree))
        print(f"{syncs_a_second(folder):.0f} syncs a second of a page")
    missed = table(cases, bares)
    for case, other, ratio in least:
        found = case.ratio(other.found, "rate")
        missed += found < ratio
        print(f"{case.name} workers: {found:.2f} of the rate of {other.name}, at least {ratio}")
    return missed


def table(cases: list[Case], bares: list[Round]) -> int:
    """Print what was found; return how many figures were missed."""
    print("\n    rows  workers     a second   CPU ms   p99 ms      rate    CPU    p99 of the no-op's")
    line = "{:>8}  {:10} {:9.0f} {:8.2f} {:8.1f}"
    missed = 0
    print(line.format("", "bare", *absolute(bares)))
    for workers in LIMITS:
        rounds = [one for case in cases if case.workers == workers for one in case.noop if not case.shared]
        print(line.format("", f"no-op, {workers}", *absolute(rounds)))
    for case in cases:
        rate, cpu, late = (
            case.ratio(case.noop, "rate"),
            case.ratio(case.noop, "cpu"),
            p99(case.found) / p99(case.noop),
        )
        least, most_cpu, most_p99 = LIMITS[case.workers]
        kept = rate >= least and cpu <= most_cpu and late <= most_p99
        told = "" if case.tree != TOP or case.shared else "  kept" if kept else "  missed"
        missed += told == "  missed"
        figures = line.format(f"{case.rows:,}", case.name, *absolute(case.found))
        print(f"{figures}   {rate:7.2f} {cpu:6.2f} {late:6.2f}{told}")
    for workers, (rate, cpu, late) in LIMITS.items():
        print(f"{workers} workers: at least {rate} of the rate, at most {cpu} of CPU and {late} of p99")
    return missed


def absolute(rounds: list[Round]) -> tuple[float, float, float]:
    """Return the median rate; the median processor time and the p99 of all, in milliseconds."""
    rate = statistics.median(one.rate for one in rounds)
    return rate, 1000 * statistics.median(one.cpu for one in rounds), 1000 * p99(rounds)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="three short rounds of two sizes")
    parser.add_argument("--before", metavar="COMMIT", help="also measure two workers of this commit")
    parser.add_argument("--noop", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--kind", choices=KINDS, help=argparse.SUPPRESS)
    parser.add_argument("--workers", type=int, default=1, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.noop is not None:
        noop(given.noop, given.workers, bare=given.kind == "bare")
    sys.exit(min(1, main(given.quick, given.before)))
