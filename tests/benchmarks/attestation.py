"""The longer start of a server that compares its schema, with a million reports stored: at most 50 ms.

Usage: uv run python tests/benchmarks/attestation.py [--rows 1000000]
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

sys.path += [str(Path(__file__).parents[1] / folder) for folder in ("postgresql", "server")]

import cluster
import numpy as np

from server.store import surveys
from server.store.storage import storage_at

MOST, TIMES, BATCH = 0.050, 15, 50_000
SURVEY = {
    "candor": 1,
    "slug": "large",
    "languages": ["en"],
    **{name: {"en": name} for name in ("title", "information", "consent", "organisation", "contact")},
    "kept_until": "2030-12-31",
    "questions": [
        {"id": "copied", "mechanism": "spinner_coin", "epsilon": 1.0, "wording": {"en": "Did you?"}}
    ],
}


def fill(storage, rows):
    """Open a survey and store so many reports, past what a submission does besides."""
    survey = storage.write(surveys.open_survey, storage.write(surveys.create_draft, SURVEY).id)
    draw = np.random.default_rng(23)
    for start in range(0, rows, BATCH):
        receipts = draw.bytes(16 * min(BATCH, rows - start))
        batch = {receipts[at : at + 16]: bytes([receipts[at] & 1]) for at in range(0, len(receipts), 16)}
        deadline = storage.deadline() + 3600
        storage.write_until(
            deadline, lambda db, batch=batch: db.reports.put(survey.id, survey.publication, batch)
        )


def measured(database, rows):
    """Return the median and the least time of comparing a schema, in seconds."""
    with closing(storage_at(database)) as storage:
        storage.create()
        fill(storage, rows)
        took = []
        for _ in range(TIMES):
            began = time.perf_counter()
            assert storage.deviations() == []
            took.append(time.perf_counter() - began)
    return statistics.median(took), min(took)


def main():
    """Measure both engines, and end with an error if one takes too long."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    rows = parser.parse_args().rows
    os.environ[cluster.VARIABLE] = str(cluster.place() / f"pg{os.getpid()}")
    try:
        with tempfile.TemporaryDirectory() as folder:
            slow = False
            for name, database in (("SQLite", Path(folder) / "a.db"), ("PostgreSQL", cluster.new_database())):
                median, least = measured(database, rows)
                slow |= median > MOST
                print(f"{name:<10} {rows:>9,} rows: {1000 * median:5.1f} ms, at best {1000 * least:5.1f} ms")
    finally:
        cluster.stop()
    sys.exit("a start takes too long" if slow else 0)


if __name__ == "__main__":
    main()
