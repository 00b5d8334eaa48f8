"""What it costs to read results: after new counts, and of a million people.

Usage: uv run python tests/benchmarks/results.py [PART ...]

PART is first, results or tables; without one, all are measured, the first and the tables beside a commit from
before they were made quick. Every ratio is of medians of five rounds.
"""

from __future__ import annotations

import contextlib
import re
import statistics
import sys
import time
from pathlib import Path

import numpy as np
from databases import PEOPLE, STORAGE, filled
from servers import PASSWORD, ROUNDS, TOP, answering, measure, run, told

sys.path.insert(0, str(TOP))

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
for people, _ in zip(range(2000, 10**6, 50), sys.stdin):
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


if __name__ == "__main__":
    measure((first, results, tables), {"first": "492c410", "tables": "492c410"})
