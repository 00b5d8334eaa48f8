"""What the layout of reports costs, and what it shows: the same at a thousand rows and at a million.

Usage: python layout.py [--most ROWS] [--columns N]

Fills the survey of a new database up to each size in turn, and prints the processor time of a submission,
how many pages of the file a transaction changes, the longest transaction, and how well the place in the file
tells the order of arrival. Ends with an error where something is missed:

- a submission of ten columns alone changes at most as many pages as before columns were packed;
- a submission at most twice as dear at the most rows as at a thousand, in batches of 1 and of 64;
- no transaction that records what the committer takes at once longer than 50 ms of processor time;
- no rank correlation of arrival and place beyond 3 standard deviations of chance.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr

from server.store import submissions, surveys
from server.store.committer import MOST
from server.store.sqlite.storage import SQLiteStorage
from server.store.submissions import Submission

DAY = "2026-05-04"
SIZES = (10**3, 10**4, 10**5, 10**6)
BATCHES = (1, 64)
ROUNDS = 5
LIMIT, HELD = 2.0, 0.05
"""How much dearer a submission may get, and seconds of processor time that a transaction may take."""

COLUMNS, PAGES = 10, 4
"""The columns of the survey unless it is told, and the pages that a submission alone may change then."""

MOST_QUESTIONS, BOXES = 100, 20
"""Above so many columns each question has so many boxes."""

TEXT = {"en": "Text"}
OPTIONS = [{"en": f"Option {number}"} for number in range(BOXES)]


@dataclass
class Respondents:
    """An open survey of a new database, and those who come to it.

    Attributes
    ----------
    arrived : list of bytes
        Receipts in the order in which they came.
    """

    storage: SQLiteStorage
    survey: surveys.Survey
    chance: random.Random
    arrived: list[bytes]

    def batch(self, number: int) -> list[Submission]:
        """Draw the submissions of so many people."""
        names = list(self.survey.publication.columns)
        batch = []
        for _ in range(number):
            receipt, bits = self.chance.randbytes(16), self.chance.getrandbits(len(names))
            self.arrived.append(receipt)
            reports = {name: bits >> place & 1 for place, name in enumerate(names)}
            batch.append(
                Submission(self.survey.id, self.survey.publication.fingerprint, receipt.hex(), reports)
            )
        return batch

    def record(self, number: int) -> float:
        """Record a batch in one transaction; return the processor time in seconds."""
        batch, before = self.batch(number), time.process_time()
        outcomes = self.storage.write_here(submissions.record, batch, DAY)
        spent = time.process_time() - before
        assert outcomes == ["stored"] * number
        return spent

    def cost(self, number: int) -> float:
        """Return the processor time of a submission in batches of so many: the median of the rounds."""
        times = max(3, 200 // number)
        return statistics.median(
            sum(self.record(number) for _ in range(times)) / (times * number) for _ in range(ROUNDS)
        )

    def pages(self, number: int) -> int:
        """Return how many pages of the file one batch changes."""
        before = self.storage.path.read_bytes()
        self.record(number)
        after = self.storage.path.read_bytes()
        old, new = (np.frombuffer(held, np.uint8).reshape(-1, 4096) for held in (before, after))
        return int((old != new[: len(old)]).any(axis=1).sum()) + len(new) - len(old)

    def told(self) -> float:
        """Return how well places tell the order of arrival: the rank correlation, in standard deviations."""
        ranks = {receipt: rank for rank, receipt in enumerate(self.arrived)}
        found = self.storage.read(lambda db: [*db.reports.records(self.survey.id, self.survey.publication)])
        order = [ranks[receipt] for receipt, _ in found]  # as they lie: bucket by bucket, page by page
        assert sorted(order) == list(range(len(self.arrived)))
        return float(spearmanr(order, range(len(order))).statistic * np.sqrt(len(order) - 1))


def opened(path: Path, columns: int) -> Respondents:
    """Make a database with an open survey."""
    storage = SQLiteStorage(path, draw=random.Random(1).randbytes)
    storage.create()
    question: dict[str, object] = {"mechanism": "spinner_coin", "epsilon": 0.1, "wording": TEXT}
    if columns > MOST_QUESTIONS:
        question |= {"kind": "boxes", "mechanism": "per_box", "scope": "question", "options": OPTIONS}
        columns //= BOXES
    questions = [{"id": f"q{number}", **question} for number in range(columns)]
    table = {"candor": 1, "slug": "layout", "languages": ["en"], "questions": questions}
    table |= dict.fromkeys(("title", "information", "consent"), TEXT)
    survey = storage.write_here(lambda db: surveys.open_survey(db, surveys.create_draft(db, table).id))
    return Respondents(storage, survey, random.Random(2), [])


def main(most: int, columns: int) -> int:
    """Print the table; return 1 if anything is missed."""
    head = "     rows  µs alone  µs of 64  pages alone  of 64  longest of {:4} ms  arrival told, sd   file MB"
    print(head.format(MOST))
    costs, missed = {}, []
    with tempfile.TemporaryDirectory() as folder:
        people = opened(Path(folder) / "candor.db", columns)
        for size in (size for size in SIZES if size <= most):
            while len(people.arrived) < size:
                people.record(min(2000, size - len(people.arrived)))
            costs[size] = [people.cost(number) for number in BATCHES]
            pages = [people.pages(number) for number in BATCHES]
            longest = max(people.record(MOST) for _ in range(10))
            told = people.told()
            file = people.storage.path.stat().st_size / 1e6
            print(
                f"{size:9,}  {1e6 * costs[size][0]:8.0f}  {1e6 * costs[size][1]:8.0f}"
                f"  {pages[0]:11}  {pages[1]:5}  {1e3 * longest:15.1f}  {told:18.2f}  {file:8.1f}",
                flush=True,
            )
            if columns == COLUMNS and pages[0] > PAGES:
                missed.append(f"a submission at {size:,} rows changes {pages[0]} pages")
            if longest > HELD:
                missed.append(f"a transaction at {size:,} rows takes {1e3 * longest:.0f} ms")
            if abs(told) > 3:
                missed.append(f"at {size:,} rows the place tells the arrival")
        people.storage.close()
    for place, number in enumerate(BATCHES):
        dearer = costs[max(costs)][place] / costs[min(costs)][place]
        print(f"in batches of {number:2} a submission costs {dearer:.2f} times as much")
        if dearer > LIMIT:
            missed.append(f"in batches of {number} it gets {dearer:.2f} times as dear")
    print(*missed, sep="\n", end="\n" if missed else "")
    return int(bool(missed))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--most", type=int, default=SIZES[-1], help="rows to fill the survey up to")
    parser.add_argument("--columns", type=int, default=COLUMNS, help="columns of the survey")
    asked = parser.parse_args()
    sys.exit(main(asked.most, asked.columns))
