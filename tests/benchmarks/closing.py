"""Print how long closing and deleting a large survey take, and hold up those who answer another.

    python tests/benchmarks/closing.py [RESPONDENTS]     300 000 unless it is given, 1 min

A survey of ten questions is filled and closed. While its buckets become a table, reports are sent to another
survey of the same file all the time, by the same process, as its server would; and again while it is deleted.
Transactions take at most 0.05 s and nobody waits longer than 0.1 s.
"""

import os
import random
import sys
import tempfile
import threading
import time
from collections import defaultdict
from pathlib import Path

import numpy as np

from server.store import surveys
from server.store.committer import Committer
from server.store.sqlite import conversion, deleting, short_transactions
from server.store.sqlite.storage import SQLiteStorage
from server.store.submissions import Submission

QUESTIONS, BATCH = 10, 20_000
LONGEST_TRANSACTION, LONGEST_WAIT = 0.05, 0.1


class Measured:
    """A storage that notes how long each transaction of the conversion holds its lock."""

    def __init__(self, storage):
        self.storage, self.took = storage, defaultdict(list)

    def run(self, transaction, function, *arguments):
        begun = []

        def noted(db, *given):
            begun.append(time.perf_counter())
            return function(db, *given)

        result = transaction(noted, *arguments)
        step = arguments[0] if function is short_transactions.timed else function
        self.took[getattr(step, "func", step).__name__].append(time.perf_counter() - begun[0])
        return result

    def read(self, function, *arguments):
        """Read, and note it."""
        return self.run(self.storage.read, function, *arguments)

    def write(self, function, *arguments):
        """Write, and note it."""
        return self.run(self.storage.write, function, *arguments)


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
    began = time.perf_counter()
    work()
    took = time.perf_counter() - began
    ended.set()
    sender.join()
    return seconds, took


def row(name, seconds):
    """Print one row: number, median, 99th percentile and maximum in milliseconds."""
    median, late, most = (1000 * np.quantile(seconds, q) for q in (0.5, 0.99, 1))
    print(f"{name:38} {len(seconds):8,} {median:8.1f} {late:8.1f} {most:8.1f}", flush=True)


def main(respondents):
    """Print the tables; return 1 if a figure is missed."""
    with tempfile.TemporaryDirectory() as folder:
        storage = SQLiteStorage(Path(folder) / "candor.db")
        storage.create()
        large, other = opened(storage, "large"), opened(storage, "other")
        fill(storage, large, respondents)
        storage.write(surveys.close_survey, large.id)
        measured = Measured(storage)
        print(f"{'':38} {'number':>8} {'median':>8} {'99%':>8} {'longest':>8}  ms")
        before, _ = waits(storage, other, lambda: time.sleep(2))
        row("submissions before", before)
        during, took = waits(storage, other, lambda: conversion.finish(measured))
        row("submissions meanwhile", during)
        for step, name in (("gather", "read buckets"), ("append", "add rows"), ("remove", "remove buckets")):
            row(f"transactions that {name}", measured.took[step])
        print(f"{respondents:,} reports in a table after {took:.1f} s")
        removing = Measured(storage)
        meanwhile, took = waits(storage, other, lambda: delete(removing, large))
        row("submissions while it is deleted", meanwhile)
        for step, name in (("delete_survey", "forget it"), ("remove", "remove rows")):
            row(f"transactions that {name}", removing.took[step])
        print(f"{respondents:,} reports removed after {took:.1f} s")
        storage.close()
    longest = max(second for one in (measured, removing) for step in one.took.values() for second in step)
    return int(max(*during, *meanwhile) > LONGEST_WAIT or longest > LONGEST_TRANSACTION)


def delete(storage, survey):
    """Delete a survey with all its reports."""
    storage.write(surveys.delete_survey, survey.id)
    deleting.finish(storage)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 300_000))
