"""Group commit: whoever waits while the disk is busy shares the next transaction.

A commit costs a sync of the disk, whether it holds one submission or a hundred. The first that waits leads:
it commits all that wait together, and hands the lead to the first that came meanwhile. Nobody is answered
before the commit is durable. A crowd is committed in several transactions, so that none holds the database
for long.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field

from server.store import submissions
from server.store.engine import Connection, Storage, Unavailable
from server.store.publishing import Memory
from server.store.submissions import Outcome, Submission

FLUSH_SECONDS = 1.0
"""Seconds that page views, and counts to be read again, may wait for a submission to take them along."""

MOST = 100
"""The most submissions that a transaction records: with a thousand columns they take about 30 ms."""

log = logging.getLogger(__name__)


@dataclass(eq=False)
class Batch:
    """Submissions on their way to the disk together, with the events that wake those who wait.

    Attributes
    ----------
    submissions : list of (Submission, str)
        Each with the UTC day, ``YYYY-MM-DD``, on which it came.
    deadline : float
        The moment up to which all of them wait, by `time.monotonic`: the earliest of theirs.
    turn : threading.Event
        Set when the first of them, who waits for nothing else, is to lead or has an outcome.
    done : threading.Event
        Set when all have an outcome. The others wait for it: waking them all costs one event.
    outcomes : list of Outcome, Exception or None
        What became of them, in order.
    """

    submissions: list[tuple[Submission, str]] = field(default_factory=list, repr=False)
    deadline: float = float("inf")
    turn: threading.Event = field(default_factory=threading.Event)
    done: threading.Event = field(default_factory=threading.Event)
    outcomes: list[Outcome] | Exception | None = None

    def add(self, submission: Submission, day: str, deadline: float) -> int:
        """Add a submission; return its place."""
        self.submissions.append((submission, day))
        self.deadline = min(self.deadline, deadline)
        return len(self.submissions) - 1

    def outcome(self, place: int) -> Outcome:
        """Return what became of a submission, or raise what kept all of them from being stored."""
        if isinstance(self.outcomes, list):
            return self.outcomes[place]
        raise self.outcomes or RuntimeError("a batch was given up without an outcome")


class Committer:
    """Stores submissions and counts page views, many in one transaction.

    Works under threads and, because gevent replaces `threading`, under gevent.

    Parameters
    ----------
    storage : Storage
    clock : callable
        Gives the moment in seconds since 1970, at which surveys that close by themselves may have closed.
    filled : callable
        Called when a survey has all the reports it takes, and is to be closed.
    """

    def __init__(
        self,
        storage: Storage,
        clock: Callable[[], float] = time.time,
        filled: Callable[[], None] = lambda: None,
    ) -> None:
        self.storage = storage
        self.clock = clock
        self.filled = filled
        self.lock = threading.Lock()
        self.waiting = deque([Batch()])
        self.starts: Counter[tuple[int, str]] = Counter()
        self.memory: Memory = {}
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
        deadline = self.storage.deadline() if deadline is None else deadline
        with self.lock:
            batch = self.waiting[-1]
            if len(batch.submissions) == MOST:
                batch = Batch()
                self.waiting.append(batch)
            place = batch.add(submission, day, deadline)
            lead = place == 0 and self.take_the_lead()
        if place:
            batch.done.wait()
        elif not lead:
            batch.turn.wait()
        if batch.outcomes is None:
            self.lead()
        return batch.outcome(place)

    def start(self, survey_id: int, day: str) -> None:
        """Count a visit to a survey's page at one of the next commits; never waits and never fails."""
        with self.lock:
            self.starts[survey_id, day] += 1
            self.flush_later()

    def flush_later(self) -> None:
        """Plan to flush, unless that is planned; the caller holds the lock."""
        if not self.flushing:
            self.flushing = True
            timer = threading.Timer(FLUSH_SECONDS, self.flush)
            timer.daemon = True
            timer.start()

    def flush(self) -> None:
        """Commit what no submission has taken along; later, if a commit is going on."""
        with self.lock:
            self.flushing = False
            waits = bool(self.starts) or self.is_behind()
            lead = waits and self.take_the_lead()
            if waits and not lead:
                self.flush_later()  # they came after that commit had begun, and there may be no other
        if lead:
            self.lead()

    def is_behind(self) -> bool:
        """Return whether the counts of a survey are to be read again: see `publishing.advance`."""
        return any(remembered.behind for remembered in self.memory.values())

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
        """Commit the first that wait, once, and hand on the lead."""
        with self.lock:
            batch = self.waiting[0]
            starts, self.starts = self.starts, Counter()
        stored = self.commit(batch, starts)
        with self.lock:
            if not stored:
                self.starts.update(starts)  # they wait for the next commit, whoever leads it
            if self.is_behind():
                self.flush_later()
            successor = self.waiting[0] if self.waiting[0].submissions else None
            if successor is None:
                self.led = False
                self.idle.set()
        if successor is not None:
            successor.turn.set()  # before anybody is answered: the disk need not wait for the answers
        batch.turn.set()
        batch.done.set()

    def commit(self, batch: Batch, starts: Counter[tuple[int, str]]) -> bool:
        """Write one batch and note what became of it; an error is everybody's, for nothing was stored."""
        memory = self.memory.copy()
        full: set[int] = set()
        try:
            deadline = min(batch.deadline, self.storage.deadline())
            outcomes = self.storage.write_until(deadline, self.record, batch, starts, memory, full)
        except Exception as error:  # whatever it is, nobody may wait for ever
            self.seal(batch)
            batch.outcomes = error
            if not batch.submissions and not isinstance(error, Unavailable):
                log.exception("page views could not be counted")
            return False
        batch.outcomes = outcomes
        self.memory = memory  # what did not become durable is not remembered
        if full:
            self.filled()
        return True

    def record(
        self,
        db: Connection,
        batch: Batch,
        starts: Counter[tuple[int, str]],
        memory: Memory,
        full: set[int],
    ) -> list[Outcome]:
        """Record a batch in the caller's transaction; around midnight it may span two days.

        Notes
        -----
        Only now is the batch complete. While another process had the database, whoever came joined it: of
        several that write in turn, each takes along all that wait for it. The transaction may begin anew, so
        nothing of it is remembered before its end.
        """
        self.seal(batch)
        changed = memory.copy()
        outcomes = submissions.record_and_count(
            db,
            [submission for submission, _ in batch.submissions],
            [day for _, day in batch.submissions],
            starts,
            changed,
            self.clock(),
            full,
        )
        memory.update(changed)
        return outcomes

    def seal(self, batch: Batch) -> None:
        """Let nobody join a batch any more."""
        with self.lock:
            if self.waiting[0] is batch:
                self.waiting.popleft()
                if not self.waiting:
                    self.waiting.append(Batch())
