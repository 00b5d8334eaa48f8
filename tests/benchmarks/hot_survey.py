"""Four servers that store to one survey on PostgreSQL: whether any waits for what another holds.

Usage: uv run python tests/benchmarks/hot_survey.py [COMMITS]

Each server is a process that commits what eight respondents send, who also open the page. PostgreSQL writes
down every wait for a lock of over 10 ms, with the table (`log_lock_waits`); that it does is seen first.
Meanwhile the counts, and what is published, are read again and again: no state of them may break the rules of
`server.store.publishing`, and none may follow that is nearer than a step. COMMITS is 100,000.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import secrets
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import numpy as np

BENCHMARKS = Path(__file__).resolve().parent
sys.path[:0] = [str(BENCHMARKS)]
from clusters import Cluster, address  # noqa: E402
from submissions import SURVEY  # noqa: E402
from two_servers import short_folder, storage_at  # noqa: E402

from server.store import submissions, surveys  # noqa: E402
from server.store.committer import Batch, Committer  # noqa: E402
from server.store.postgresql.storage import PostgreSQLStorage  # noqa: E402
from server.store.surveys import Survey  # noqa: E402
from server.store.upkeep.verification import verify_surveys  # noqa: E402
from survey.read_definition import parse  # noqa: E402
from survey.record import layout_of  # noqa: E402

SERVERS, TOGETHER, DAY = 4, 8, "2026-05-04"
LONGEST = 10
"""Milliseconds that nobody may wait for a row of the survey's that another server holds."""

ENTRY = re.compile(r"^\S+ \S+ UTC \[\d+\] LOG: ", re.MULTILINE)
"""The beginning of an entry in PostgreSQL's log; what led to it follows in lines of other kinds."""

TABLE = re.compile(r'in relation "(\w+)"|of relation (\d+)')
MAY_NOT = {"tallies", "tally_parts", "days", "surveys", "no table"}
"""Tables that nobody may wait for. The arrivals are not among them: their pages are made one at a time."""

SHOWN = 3
"""States that have to be seen published, at least: with fewer, steps would show little."""

States = list[tuple[np.ndarray, np.ndarray]]
"""Counts, and what of them was published, one after the other."""


class CountedCommitter(Committer):
    """Counts its commits, and notes how long the longest took."""

    commits, longest = 0, 0.0

    def commit(self, batch: Batch, starts: Counter[tuple[int, str]]) -> bool:
        """Commit, and count it."""
        begun = time.perf_counter()
        stored = super().commit(batch, starts)
        self.commits += 1
        self.longest = max(self.longest, time.perf_counter() - begun)
        return stored


def serve(database: str, commits: int) -> None:
    """Be a server: store until there were so many commits, and print what was acknowledged."""
    storage = storage_at(database)
    survey = storage.read(surveys.by_slug, "ten")
    committer = CountedCommitter(storage)
    print("ready", flush=True)
    sys.stdin.readline()

    def respond(_: int) -> int:
        stored = 0
        while committer.commits < commits:
            bits = f"{secrets.randbits(10):010b}"
            reports = {f"q{n}": int(bit) for n, bit in enumerate(bits)}
            one = submissions.Submission(
                survey.id, survey.publication.fingerprint, secrets.token_hex(16), reports
            )
            committer.start(survey.id, DAY)
            stored += committer.submit(one, DAY, time.monotonic() + 60) == "stored"
        return stored

    with ThreadPoolExecutor(TOGETHER) as pool:
        stored = sum(pool.map(respond, range(TOGETHER)))
    committer.settle()
    storage.close()
    print(json.dumps([stored, committer.commits, committer.longest]))


def tallies(storage: PostgreSQLStorage, survey: Survey) -> tuple[np.ndarray, np.ndarray]:
    """Read the counts and what is published, as they are at one moment."""
    return storage.read(
        lambda db: (
            db.reports.counts(survey.id, survey.publication),
            db.reports.published(survey.id, survey.publication),
        )
    )


def broken(survey: Survey, states: States) -> Iterator[str]:
    """Yield what breaks a rule of publishing; all questions of this survey are asked everybody."""
    step, codes = survey.publication.definition.step, layout_of(survey.publication).ends[0]
    shown = [int(published[:codes].sum()) for _, published in states]
    for (counts, _), respondents in zip(states, shown, strict=True):
        if respondents and counts[:codes].sum() - respondents < step:
            yield f"{respondents} were shown of {counts[:codes].sum()}"
    for (_, before), (_, after) in itertools.pairwise(states):
        if (before != after).any() and (after - before)[:codes].sum() < step:
            yield f"{after[:codes].sum()} were shown after {before[:codes].sum()}"


def waits(log: str, names: dict[str, str]) -> Counter[str]:
    """Count the waits of over 10 ms by the table that PostgreSQL names, or numbers."""
    tables = (TABLE.search(entry) for entry in ENTRY.split(log) if "still waiting for" in entry)
    return Counter((found[1] or names[found[2]]) if found else "no table" for found in tables)


def wait_once(storage: PostgreSQLStorage, survey: Survey) -> None:
    """Wait for a row that is held, as no server may, so that the log says so."""

    def hold(db: object) -> None:
        db.reports.count_alone(survey.id)
        with ThreadPoolExecutor(1) as pool:
            other = pool.submit(
                storage.write_until, storage.deadline(), lambda db: db.reports.count_alone(survey.id)
            )
            time.sleep(0.2)
            db.execute("ROLLBACK; BEGIN")
            other.result()

    storage.write_until(storage.deadline(), hold)


def main(commits: int = 100_000) -> int:
    """Run the servers, print a table, and return 1 if anything waited or is wrong."""
    with short_folder() as folder, ExitStack() as stack:
        cluster = Cluster(
            folder / "a",
            log_lock_waits="on",
            deadlock_timeout=f"{LONGEST}ms",
            log_timezone="UTC",
            log_line_prefix="%m [%p] ",
        )
        stack.callback(cluster.stop)
        cluster.make()
        storage = storage_at(address(cluster))
        storage.create()
        draft = storage.write(surveys.import_definition, parse(SURVEY, "ten.toml"))
        survey = storage.write(surveys.open_survey, draft.id)
        log = folder / "a" / "log"
        wait_once(storage, survey)
        names = dict(
            storage.read(lambda db: db.execute("SELECT oid::text, relname FROM pg_class").fetchall())
        )
        assert waits(log.read_text(), names) == {"tallies": 1}
        before = len(log.read_text())
        command = [sys.executable, __file__, "--serve", address(cluster), str(commits // SERVERS)]
        servers = [
            stack.enter_context(
                subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            )
            for _ in range(SERVERS)
        ]
        for server in servers:
            assert server.stdout.readline() == "ready\n"
        begun = time.perf_counter()
        for server in servers:
            server.stdin.write("\n")
            server.stdin.flush()
        states = [tallies(storage, survey)]
        while any(server.poll() is None for server in servers):
            states.append(tallies(storage, survey))
            time.sleep(0.05)
        seconds = time.perf_counter() - begun
        told = [json.loads(server.stdout.read()) for server in servers]
        acknowledged, commits_made, longest = zip(*told, strict=True)
        stored, made = sum(acknowledged), sum(commits_made)
        found = waits(log.read_text()[before:], names)
        ((parts,),) = storage.read(lambda db: db.execute("SELECT count(*) FROM tally_parts").fetchall())
        shown = len({published.tobytes() for _, published in states})
        wrong = list(broken(survey, states))
        storage.write(surveys.close_survey, survey.id)
        for _, reports, faults in verify_surveys(storage):
            wrong += faults + [f"{reports} are stored of {stored}"] * (reports != stored)
        storage.close()
    print(f"{os.getloadavg()[0]:.1f} processes wanted the processor at the end")
    print("commits  a second  acknowledged  longest s  parts  states shown  waits over 10 ms  wrong")
    print(
        f"{made:7,} {made / seconds:9.0f} {stored:13,} {max(longest):10.2f} {parts:6} {shown:13} "
        f"{dict(found) or 'none'!s:>17}  {'; '.join(wrong[:3]) or 'nothing'}"
    )
    return int(bool(wrong or MAY_NOT & set(found) or shown < SHOWN))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        serve(sys.argv[2], int(sys.argv[3]))
    else:
        sys.exit(main(*map(int, sys.argv[1:])))
