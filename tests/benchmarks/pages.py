"""What it costs to visit a survey, and to read the results of a million people.

Usage: uv run python tests/benchmarks/pages.py [PART ...]

PART is visit, files, public, first, results, tables or download; without one, all are measured. Where one is
compared with an older commit, a worktree of that lasts as long as the part. Every ratio is of medians of five
rounds, taken in turn.
"""

from __future__ import annotations

import contextlib
import functools
import math
import re
import statistics
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from servers import (
    PASSWORD,
    PATIENCE,
    TOP,
    answering,
    candor,
    family,
    get,
    measure,
    processor,
    run,
    serving,
    told,
)

sys.path.insert(0, str(TOP))

ROUNDS = 5
PEOPLE = 1_000_000
VISITORS = 64
SECONDS = 3.0
"""How long visitors come in one round."""

STORAGE = """
import sys, time
from pathlib import Path
import numpy as np
from server.store import surveys
try:
    from survey.read_definition import parse
except ImportError:  # before a definition was read apart from what it is
    from survey.definition import parse
try:
    from server.store.sqlite.storage import SQLiteStorage as Storage
except ImportError:  # before each engine had a room of its own
    from server.database import Storage
storage = Storage(Path(sys.argv[1]))
getattr(storage, "create" if hasattr(storage, "create") else "migrate")()
def opened(draft):
    return storage.write(surveys.open_survey, storage.write(surveys.create_draft, draft).id)
def large(questions):
    said = {"en": "?"}
    one = {"mechanism": "spinner_coin", "epsilon": 0.5, "wording": said}
    table = {"candor": 1, "slug": "large", "languages": ["en"], "title": said, "information": said}
    listed = [one | {"id": f"q{n}"} for n in range(questions)]
    return opened(table | {"consent": said, "questions": listed})
"""

PUBLISH = STORAGE + "opened(parse(Path(sys.argv[2]).read_text(), sys.argv[2]).as_dict())"

FILL = (
    STORAGE
    + """
survey, chance = large(10), np.random.default_rng(1)
for _ in range(0, int(sys.argv[2]), 100_000):
    receipts = chance.bytes(1_600_000)
    records = chance.integers(0, 2, (100_000, 10), dtype=np.uint8).tobytes()
    batch = {receipts[16 * n : 16 * n + 16]: records[10 * n : 10 * n + 10] for n in range(100_000)}
    storage.write(lambda db: db.reports.put(survey.id, survey.publication, batch))
storage.write(surveys.close_survey, survey.id)
storage.finish()
"""
)
"""Stores many reports of ten questions by the store's own path, and closes the survey."""

OLD_TABLES = (
    STORAGE
    + """
from server.store import readings
survey, chance = large(2), np.random.default_rng(1)
def fill(db):
    for name in ("never_change", "come_once", "stay_once_closed"):
        db.execute(f"DROP TRIGGER IF EXISTS reports_{survey.id}_{name}")
    codes = chance.integers(0, 2, (int(sys.argv[2]), 2)).tolist()
    receipts = sorted(chance.bytes(16) for _ in codes)
    rows = ((receipt, *row) for receipt, row in zip(receipts, codes))
    db.conn.executemany(f"INSERT INTO reports_{survey.id} VALUES (?, ?, ?)", rows)
    db.execute("UPDATE surveys SET state = 'closed'")
storage.write(fill)
closed = storage.read(surveys.get, survey.id)
for _ in range(int(sys.argv[3])):
    begun = time.process_time()
    assert storage.read(readings.joint_table, closed, "q0", "q1").sum() == int(sys.argv[2])
    print(time.process_time() - begun)
"""
)
"""Takes the processor time of joint tables of two columns with the code of the older commit."""

FIRST = (
    STORAGE
    + """
import re, inspect
from server import create_app
from server.config import Config
try:
    from server.store.results import survey_results
    from server.store.staff import accounts
except ImportError:  # before the store had rooms
    from server.store import accounts, readings as survey_results
try:
    from survey.results import Reached, Results
except ImportError:  # before there were sections
    from server.store.submissions import Results
storage.write(accounts.create, "ada", sys.argv[3], "admin")
survey = opened(parse(Path(sys.argv[2]).read_text(), "student-life").as_dict())
definition, chance = survey.publication.definition, np.random.default_rng(1)
columns = survey.publication.columns
shares = {name: chance.dirichlet(np.full(each.codes, 5.0)) for name, each in columns.items()}
client = create_app(Config(database=Path(sys.argv[1]))).test_client()
token = re.search(r'name="csrf_token" value="([^"]+)"', client.get("/login").text)[1]
client.post("/login", data={"csrf_token": token, "name": "ada", "password": sys.argv[3]})
for people, _ in enumerate(sys.stdin, 2000):
    counts = {name: chance.multinomial(people, each).tolist() for name, each in shares.items()}
    found = {"respondents": people, "counts": counts, "final": False}
    if "sections" in inspect.signature(Results).parameters:
        reached = {each.id: Reached(people, people) for each in definition.sections}
        found |= {"prepared": True, "sections": reached}
    survey_results.survey_with_results = lambda db, slug: (survey, Results(**found))
    begun = time.process_time()
    answer = client.get("/results/student-life")
    print(time.process_time() - begun, flush=True)
    assert answer.status_code == 200 and f"{people:,}" in answer.text
"""
)
"""Takes the processor time of the results page of eleven questions, with new counts, once for each line."""

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


def visited(folder: Path) -> Path:
    """Make a database with a survey, once."""
    database = folder / "visits.db"
    if not database.exists():
        run(TOP, PUBLISH, database, TOP / "server/examples/exam-honesty.toml")
    return database


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


def first(folder: Path, old: Path) -> list[bool]:
    """Compare the first view of results after new counts with what it was, of the older commit's survey."""

    example = Path("server/examples/student-life.toml")
    cases = {"before": (old, old), "now": (TOP, old), "today": (TOP, TOP)}
    with contextlib.ExitStack() as stack:
        views = [
            stack.enter_context(
                answering(tree, FIRST, folder / f"first-{name}.db", surveys / example, PASSWORD)
            )
            for name, (tree, surveys) in cases.items()
        ]
        rounds = [[float(view()) for view in views] for _ in range(1 + ROUNDS)]
    earlier, very_first, _ = rounds[0]
    before, now, today = map(statistics.median, zip(*rounds[1:], strict=True))
    print(f"    the very first view of a server took {very_first:.2f} s, {earlier:.2f} s before")
    print(f"    of the survey as it is today: {1000 * today:.0f} ms")
    return [told("first view after new counts", f"{1000 * now:.0f} ms", now / before, 0.15)]


def results(folder: Path, old: Path) -> list[bool]:
    """Compare the results page of a million people with that of ten thousand, computed anew each time."""
    from server import create_app
    from server.config import Config
    from server.results import estimates
    from server.store import surveys
    from server.store.staff import accounts
    from survey.read_definition import parse
    from survey.record import layout_of

    app = create_app(Config(database=folder / "results.db"))
    storage = app.extensions["candor"].storage
    storage.write(accounts.create, "ada", PASSWORD, "admin")
    chance, shares = np.random.default_rng(1), {}
    for people in (10_000, PEOPLE):
        draft = parse((TOP / "server/examples/student-life.toml").read_text(), "student-life").as_dict()
        draft = storage.write(surveys.create_draft, draft | {"slug": f"of-{people}"})
        survey = storage.write(surveys.open_survey, draft.id)
        counts = [
            chance.multinomial(people, shares.setdefault(name, chance.dirichlet(np.full(codes, 5.0))))
            for name, codes in layout_of(survey.publication).codes
        ]
        publish = np.concatenate(counts)
        storage.write(
            lambda db, survey=survey, publish=publish: db.reports.publish(
                survey.id, survey.publication, publish
            )
        )
    client = app.test_client()
    token = re.search(r'name="csrf_token" value="([^"]+)"', client.get("/login").text)[1]
    client.post("/login", data={"csrf_token": token, "name": "ada", "password": PASSWORD})
    taken: dict[int, list[float]] = {10_000: [], PEOPLE: []}
    for _ in range(1 + ROUNDS):
        for people, times in taken.items():
            estimates.FIGURES.results.clear()
            begun = time.process_time()
            answer = client.get(f"/results/of-{people}")
            times.append(time.process_time() - begun)
            assert answer.status_code == 200
            assert f"{people:,}" in answer.text
    few, many = (statistics.median(times[1:]) for times in taken.values())
    return [told("results page of a million, of ten thousand's", f"{1000 * many:.0f} ms", many / few, 1.5)]


def show(db: Any, survey: Any, counts: Any) -> None:
    """Publish counts of an open survey."""
    db.reports.publish(survey.id, survey.publication, counts)


@functools.cache
def filled(folder: Path) -> Path:
    """Store a million reports and close the survey."""
    run(TOP, FILL, folder / "large.db", PEOPLE)
    return folder / "large.db"


def tables(folder: Path, old: Path) -> list[bool]:
    """Compare the processor time of a joint table of a million people, read already, with what it was."""
    from server.results.cross_estimates import joint_table
    from server.store.results import survey_results
    from server.store.sqlite.storage import SQLiteStorage

    before = [float(line) for line in run(old, OLD_TABLES, folder / "old.db", PEOPLE, ROUNDS).split()]
    storage = SQLiteStorage(filled(folder))
    survey, found = storage.read(survey_results.survey_with_results, "large")
    taken = []
    for _ in range(1 + ROUNDS):
        begun = time.process_time()
        assert joint_table(storage, survey, found, "q0", "q1").sum() == PEOPLE
        taken.append(time.process_time() - begun)
    cold, *warm = taken
    ratio = statistics.median(warm) / statistics.median(before)
    return [
        told(
            "joint table of a million",
            f"{1000 * statistics.median(warm):.0f} ms (first {cold:.1f} s)",
            ratio,
            0.1,
        )
    ]


FILES = ("reports.csv", "all.zip", "reports.sqlite", "reports.parquet")
"""Files that hold every report; each is asked of a server of its own."""


def download(folder: Path, old: Path) -> list[bool]:
    """Download a million reports of ten columns, and see how much memory that takes and who waits for it."""
    return [kept for name in FILES for kept in one_download(filled(folder), name)]


def one_download(database: Path, name: str) -> list[bool]:
    """Download one file. What is counted is the server with all its processes: Parquet's has pyarrow."""
    gaps: list[float] = []
    with candor(database=database) as (address, process):
        get(f"{address}/")
        cookie = sign_in(address)
        stop, most = threading.Event(), [0.0]
        others = threading.Thread(target=ask_until, args=(stop, f"{address}/learn", gaps))
        watch = threading.Thread(target=most_memory, args=(stop, process, most))
        others.start()
        watch.start()
        begun = time.perf_counter()
        request = urllib.request.Request(f"{address}/results/large/{name}", headers={"Cookie": cookie})
        lines = length = 0
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            first = time.perf_counter() - begun
            for piece in iter(functools.partial(answer.read, 2**16), b""):
                lines, length = lines + piece.count(b"\n"), length + len(piece)
        took = time.perf_counter() - begun
        stop.set()
        others.join()
        watch.join()
    assert length > 10_000
    assert name != "reports.csv" or lines == 1 + PEOPLE
    print(f"    {length / 1e6:.1f} MB in {took:.1f} s, the first bytes after {first:.1f} s")
    print(f"    meanwhile another page took {1000 * max(gaps):.0f} ms at most")
    promised = 200 if name != "reports.parquet" else math.inf  # its process is there for seconds only
    return [
        told(
            f"memory of the server that sends a million rows, {name}", f"{most[0]:.0f} MB", most[0], promised
        )
    ]


def most_memory(stop: threading.Event, process: Any, most: list[float]) -> None:
    """Note the most memory that any process of a server has ever had, in MB, also of those that end."""
    while not stop.wait(0.02):
        for each in family(process):
            with contextlib.suppress(OSError):  # it has just ended
                status = Path(f"/proc/{each}/status").read_text()
                if found := re.search(r"VmHWM:\s+(\d+)", status):
                    most[0] = max(most[0], int(found[1]) / 1024)


def sign_in(address: str) -> str:
    """Sign in as the admin: the cookie of the session, which a browser keeps for 127.0.0.1."""
    with urllib.request.urlopen(f"{address}/login") as answer:
        cookie = answer.headers["Set-Cookie"].split(";")[0]
        token = re.search(r'name="csrf_token" value="([^"]+)"', answer.read().decode())[1]
    body = urllib.parse.urlencode({"csrf_token": token, "name": "ada", "password": PASSWORD}).encode()

    class Stay(urllib.request.HTTPRedirectHandler):
        """Follow no redirection: the cookie comes with it."""

        def redirect_request(self, *_: object) -> None:
            return None

    try:
        urllib.request.build_opener(Stay).open(
            urllib.request.Request(f"{address}/login", body, {"Cookie": cookie})
        )
    except urllib.error.HTTPError as answer:
        return answer.headers["Set-Cookie"].split(";")[0]
    raise SystemExit("the admin could not sign in")


def ask_until(stop: threading.Event, address: str, gaps: list[float]) -> None:
    """Fetch a page again and again, and note how long each took."""
    while not stop.wait(0.02):
        begun = time.perf_counter()
        urllib.request.urlopen(address, timeout=PATIENCE).close()
        gaps.append(time.perf_counter() - begun)


PARTS = (visit, files, public, first, results, tables, download)
OLDER = {"first": "492c410", "tables": "492c410"}
"""Part -> the older commit, if it is one from before these were made quick."""

if __name__ == "__main__":
    measure(PARTS, OLDER)
