"""What it costs to visit a survey, and to send the files and the pages that are the same for everybody.

Usage: uv run python tests/benchmarks/visits.py [PART ...]

PART is visit, files or public; without one, all are measured. Every ratio is of medians of five rounds, taken
in turn.
"""

from __future__ import annotations

import re
import statistics
import urllib.parse
import urllib.request
from collections.abc import Callable
from pathlib import Path

from databases import visited
from servers import ROUNDS, TOP, candor, get, measure, processor, run, serving, told

VISITORS = 64
SECONDS = 3.0
"""How long visitors come in one round."""

CONSTANT = """
from gevent import monkey; monkey.patch_all()
import socket, sys
from flask import Flask, Response
from gunicorn.app.base import BaseApplication
from server.cli.serve import settings
from server.runtime.slow_bodies import Prompt
listener = socket.socket(fileno=int(sys.argv[1]))
app, page = Flask("constant", static_folder=None), open(sys.argv[2], "rb").read()
@app.get("/", defaults={"path": ""})
@app.get("/<path:path>")
def view(path):
    return page
app.wsgi_app = Prompt(app.wsgi_app)
class Server(BaseApplication):
    def load_config(self):
        for name, value in settings(listener, 1).items():
            if name != "worker_exit":
                self.cfg.set(name, value)
    def load(self):
        return app
Server().run()
"""
"""A Flask view that returns the same bytes, under the settings of `candor serve`."""

VISIT = """
import gevent, socket, sys, time
host, port, visitors, seconds = "127.0.0.1", int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
request = (
    f"GET {sys.argv[4]} HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nAccept-Encoding: gzip, deflate, br\\r\\n"
    "User-Agent: Mozilla/5.0\\r\\nAccept: text/html\\r\\nAccept-Language: en\\r\\n\\r\\n"
).encode()
answered = 0
def visitor():
    global answered
    connection = socket.create_connection((host, port))
    stream = connection.makefile("rb")
    while time.monotonic() < end:
        connection.sendall(request)
        assert b" 200 " in stream.readline()
        length = 0
        while (line := stream.readline()) not in (b"\\r\\n", b""):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        assert length and len(stream.read(length)) == length
        answered += 1
end = time.monotonic() + seconds
gevent.joinall([gevent.spawn(visitor) for _ in range(visitors)], raise_error=True)
print(answered)
"""


def visit(folder: Path, old: Path) -> list[bool]:
    """Compare visits of a survey with those of a view that returns a constant."""
    rate, ratio, cost, dearer = over_constant(folder, lambda page: "/s/exam-honesty")
    return [
        told("visits of a survey a second, of a constant view's", f"{rate:.0f}", ratio, 0.8, at_least=True),
        told("processor time a visit, of a constant view's", f"{1e6 * cost:.0f} us", dearer, 1.25),
    ]


def files(folder: Path, old: Path) -> list[bool]:
    """Compare requests of a style with those of a view that returns the same bytes."""
    rate, ratio, cost, dearer = over_constant(
        folder, lambda page: re.search(r'"\.\.(/static/\w+/\w+\.css)"', page)[1]
    )
    return [
        told("files a second, of a constant view's", f"{rate:.0f}", ratio, 1.0, at_least=True),
        told("processor time a file, of a constant view's", f"{1e6 * cost:.0f} us", dearer, 0.6),
    ]


def public(folder: Path, old: Path) -> list[bool]:
    """Compare the processor time of the home page and of the lessons' with that of the same bytes."""
    kept = []
    for path in ("/", "/learn"):
        *_, cost, dearer = over_constant(folder, lambda page, path=path: path)
        what = f"processor time of {path}, of a constant view's"
        kept.append(told(what, f"{1e6 * cost:.0f} us", dearer, 4))
    return kept


def over_constant(folder: Path, choose: Callable[[str], str]) -> tuple[float, float, float, float]:
    """Ask for what `choose` names in a survey's page, and for the same bytes from a constant view, in turn.

    Returns
    -------
    tuple of float
        Requests a second, over those of the constant view; processor time of one, over that of the view.
    """
    database, body = visited(folder), folder / "body"
    rates: list[list[float]] = [[], []]
    costs: list[list[float]] = [[], []]
    with candor(database=database) as ours:
        with urllib.request.urlopen(f"{ours[0]}/s/exam-honesty") as answer:
            path = choose(answer.read().decode())
        body.write_bytes(get(f"{ours[0]}{path}"))
        with serving(TOP, CONSTANT, "{fd}", body) as constant:
            get(f"{constant[0]}{path}")
            for _ in range(ROUNDS):
                for (address, process), rate, cost in zip((constant, ours), rates, costs, strict=True):
                    before = processor(process)
                    port = urllib.parse.urlsplit(address).port
                    answered = int(run(TOP, VISIT, port, VISITORS, SECONDS, path))
                    rate.append(answered / SECONDS)
                    cost.append((processor(process) - before) / answered)
    (plain, rate), (least, cost) = (map(statistics.median, each) for each in (rates, costs))
    return rate, rate / plain, cost, cost / least


if __name__ == "__main__":
    measure((visit, files, public))
