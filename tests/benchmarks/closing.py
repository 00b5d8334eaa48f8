"""Print how long closing and deleting a large survey take, and hold up those who answer another.

    python tests/benchmarks/closing.py [RESPONDENTS]     a million unless it is given

A survey of ten questions is filled and closed, on each engine. While its reports become a table and its list
is made, reports are sent to another survey of the same database all the time, by the same process, as its
server would; and again while it is deleted. A second such survey is closed and deleted while nobody sends
any.

Transactions on a file take at most 0.05 s. Nobody waits longer than 0.1 s, and the 99th percentile of waits
is at most twice the one before.
"""

import gc
import os
import random
import sys
import tempfile
import threading
import time
from collections import defaultdict
from contextlib import closing
from pathlib import Path

import numpy as np

sys.path += [str(Path(__file__).parents[1] / "postgresql")]

import cluster

from server.store import surveys
from server.store.committer import Committer
from server.store.lifecycle.paced_storage import PacedStorage
from server.store.postgresql.storage import PostgreSQLStorage
from server.store.sqlite.short_transactions import timed
from server.store.sqlite.storage import SQLiteStorage
from server.store.submissions import Submission

QUESTIONS, BATCH, SECONDS_BEFORE = 10, 20_000, 20
LONGEST_TRANSACTION, LONGEST_WAIT, LATEST = 0.05, 0.1, 2
TOOK = defaultdict(list)
"""The seconds of transactions, by what they did."""


class Measured(SQLiteStorage):
    """A storage that notes how long each transaction of the background holds its lock."""

    def until(self, idle, deadline, begin, function, *arguments, **named):
        """Run a transaction, and note how long it took since it had its lock."""
        if getattr(function, "__func__", None) is not PacedStorage.noted:
            return super().until(idle, deadline, begin, function, *arguments, **named)
        begun = []

        def noted(db, *given):
            begun.append(time.perf_counter())
            return function(db, *given)

        result = super().until(idle, deadline, begin, noted, *arguments, **named)
        step = arguments[1] if arguments[0] is timed else arguments[0]
        TOOK[getattr(step, "func", step).__name__].append(time.perf_counter() - begun[0])
        return result


def opened(storage, slug):
    """Open a survey of ten yes/no questions."""
    questions = [
        {"id": f"q{n}", "mechanism": "coin", "wording": {"en": f"Question {n}?"}} for n in range(QUESTIONS)
    ]
    texts = {name: {"en": name} for name in ("title", "information", "consent")}
    table = {"candor": 1, "slug": slug, "languages": ["en"], "questions": questions, **texts}
    return storage.write(surveys.open_survey, storage.write(surveys.create_draft, table).id)


def fill(storage, survey, respondents):
    """Store the reports of so many respondents."""
    for start in range(0, respondents, BATCH):
        many = min(BATCH, respondents - start)
        codes = np.random.default_rng(start).integers(0, 2, (many, QUESTIONS), np.uint8)
        records = {os.urandom(16): row.tobytes() for row in codes}
        storage.write(lambda db, records: db.reports.put(survey.id, survey.publication, records), records)


def send(storage, survey, ended, seconds):
    """Send one report after the other until an event is set; note how long each waited."""
    committer = Committer(storage)
    while not ended.is_set():
        reports = {f"q{n}": random.getrandbits(1) for n in range(QUESTIONS)}
        one = Submission(survey.id, survey.publication.fingerprint, os.urandom(16).hex(), reports)
        began = time.perf_counter()
        assert committer.submit(one, "2026-05-04") == "stored"
        seconds.append(time.perf_counter() - began)
        time.sleep(0.002)


def waits(storage, survey, work):
    """Return how long others' submissions waited while something was done, and how long that took."""
    ended, seconds = threading.Event(), []
    sender = threading.Thread(target=send, args=(storage, survey, ended, seconds))
    sender.start()
    took = timed_alone(work)
    ended.set()
    sender.join()
    return seconds, took


def timed_alone(work):
    """Return the seconds that something takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def row(name, seconds):
    """Print one row: number, median, 99th percentile and maximum in milliseconds."""
    median, late, most = (1000 * np.quantile(seconds, q) for q in (0.5, 0.99, 1))
    print(f"{name:38} {len(seconds):8,} {median:8.1f} {late:8.1f} {most:8.1f}", flush=True)


def finished(storage, deed, survey):
    """Return what closes or deletes a survey and does all that is left to do, as a server would."""

    def work():
        storage.write(deed, survey.id)
        storage.finish(gently=True)

    return work


def measure(storage, respondents):
    """Print the table of one engine; return whether a figure is missed."""
    storage.create()
    large, alone, other = (opened(storage, slug) for slug in ("large", "alone", "other"))
    fill(storage, large, respondents)
    fill(storage, alone, respondents)
    print(f"{'':38} {'number':>8} {'median':>8} {'99%':>8} {'longest':>8}  ms")
    before, _ = waits(storage, other, lambda: time.sleep(SECONDS_BEFORE))
    row("submissions before", before)
    missed = False
    for done, deed in (("closed", surveys.close_survey), ("deleted", surveys.delete_survey)):
        TOOK.clear()
        seconds, took = waits(storage, other, finished(storage, deed, large))
        row(f"submissions while it is {done}", seconds)
        for step, transactions in TOOK.items():
            row(f"  {step}", transactions)
        missed |= any(max(transactions) > LONGEST_TRANSACTION for transactions in TOOK.values())
        missed |= max(seconds) > LONGEST_WAIT
        missed |= np.quantile(seconds, 0.99) > LATEST * np.quantile(before, 0.99)
        print(f"{respondents:,} reports {done} after {took:.1f} s beside others", end=", ", flush=True)
        print(f"{timed_alone(finished(storage, deed, alone)):.1f} s alone", flush=True)
    return missed


def main(respondents):
    """Print the tables; return 1 if a figure is missed."""
    gc.freeze()  # as `candor serve` does: otherwise a collection looks at all modules, for some 40 ms
    with tempfile.TemporaryDirectory() as folder, closing(Measured(Path(folder) / "candor.db")) as storage:
        print("SQLite")
        missed = measure(storage, respondents)
    os.environ[cluster.VARIABLE] = str(cluster.place() / f"pg{os.getpid()}")
    try:
        with closing(PostgreSQLStorage(cluster.new_database())) as storage:
            print("PostgreSQL")
            missed |= measure(storage, respondents)
    finally:
        cluster.stop()
    return int(missed)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000))
