"""Group commit: whoever waits while the disk is busy shares the next transaction.

A commit costs a sync of the disk, whether it holds one submission or a hundred. The first that waits leads:
it takes all that wait, commits them together, and hands the lead to the first that came meanwhile. Nobody is
answered before the commit is durable.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter
from dataclasses import dataclass, field
from itertools import groupby

from server.store import submissions
from server.store.engine import Connection, Storage, Unavailable
from server.store.submissions import Outcome, Submission

FLUSH_SECONDS = 1.0
"""How long page views may wait for a submission to take them along."""

log = logging.getLogger(__name__)


@dataclass(eq=False)
class Waiting:
    """A submission on its way to the disk.

    Attributes
    ----------
    deadline : float
        The moment up to which it waits, by `time.monotonic`.
    woken : threading.Event
        Set when there is a result, or when this one is to lead.
    result : Outcome, Exception or None
        What became of it.
    """

    submission: Submission = field(repr=False)
    day: str
    deadline: float
    woken: threading.Event = field(default_factory=threading.Event)
    result: Outcome | Exception | None = None


class Committer:
    """Stores submissions and counts page views, many in one transaction.

    Works under threads and, because gevent replaces `threading`, under gevent.

    Parameters
    ----------
    storage : Storage
    """

    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        self.lock = threading.Lock()
        self.waiting: list[Waiting] = []
        self.starts: Counter[tuple[int, str]] = Counter()
        self.led = False
        self.flushing = False
        self.idle = threading.Event()
        self.idle.set()

    def submit(self, submission: Submission, day: str, deadline: float | None = None) -> Outcome:
        """Store a submission; returns when it is durable.

        Parameters
        ----------
        submission : Submission
        day : str
            The UTC day, ``YYYY-MM-DD``.
        deadline : float, optional
            The moment up to which to wait for the database, by `time.monotonic`: for the commit that is
            going on, and for this one. `Storage.deadline` unless it is given.

        Raises
        ------
        Unavailable
            If the database could not take it; nothing of it was stored.
        """
        mine = Waiting(submission, day, self.storage.deadline() if deadline is None else deadline)
        with self.lock:
            self.waiting.append(mine)
            lead = self.take_the_lead()
        if not lead:
            mine.woken.wait()
        if mine.result is None:
            self.lead()
        result = mine.result or RuntimeError("a batch was committed without its leader")
        if isinstance(result, Exception):
            raise result
        return result

    def start(self, survey_id: int, day: str) -> None:
        """Count that a survey's page was opened, at one of the next commits; never waits and never fails."""
        with self.lock:
            self.starts[survey_id, day] += 1
            if self.flushing:
                return
            self.flushing = True
        timer = threading.Timer(FLUSH_SECONDS, self.flush)
        timer.daemon = True
        timer.start()

    def flush(self) -> None:
        """Commit the page views that no submission has taken along, unless a commit is going on."""
        with self.lock:
            self.flushing = False
            lead = bool(self.starts) and self.take_the_lead()
        if lead:
            self.lead()

    def settle(self) -> None:
        """Write what waits, and wait until nothing is being committed."""
        self.idle.wait()
        self.flush()
        self.idle.wait()

    def take_the_lead(self) -> bool:
        """Return whether the caller, who holds the lock, is to lead."""
        if self.led:
            return False
        self.led = True
        self.idle.clear()
        return True

    def lead(self) -> None:
        """Commit all that wait, once, and hand on the lead."""
        with self.lock:
            batch, self.waiting = self.waiting, []
            starts, self.starts = self.starts, Counter()
        stored = self.commit(batch, starts)
        with self.lock:
            if not stored:
                self.starts.update(starts)  # they wait for the next commit, whoever leads it
            successor = self.waiting[0] if self.waiting else None
            if successor is None:
                self.led = False
                self.idle.set()
        for waiting in batch:
            waiting.woken.set()
        if successor is not None:
            successor.woken.set()

    def commit(self, batch: list[Waiting], starts: Counter[tuple[int, str]]) -> bool:
        """Write one batch and note what became of it; an error is everybody's, for nothing was stored."""
        try:
            deadline = min((one.deadline for one in batch), default=self.storage.deadline())
            outcomes = self.storage.write_until(deadline, record, batch, starts)
        except Exception as error:  # whatever it is, nobody may wait for ever
            for waiting in batch:
                waiting.result = error
            if not batch and not isinstance(error, Unavailable):
                log.exception("page views could not be counted")
            return False
        for waiting, outcome in zip(batch, outcomes, strict=True):
            waiting.result = outcome
        return True


def record(db: Connection, batch: list[Waiting], starts: Counter[tuple[int, str]]) -> list[Outcome]:
    """Record a batch in the caller's transaction; around midnight it may span two days."""
    submissions.started(db, starts)
    outcomes: list[Outcome] = []
    for day, waiting in groupby(batch, key=lambda one: one.day):
        outcomes += submissions.record(db, [one.submission for one in waiting], day)
    return outcomes
