"""A part of a worker's processor time, for whoever nobody would want to wait for."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SAVED = 0.25
"""Seconds that may be saved up: enough for a score of people who sign in at once."""

MOST = 0.1
"""Seconds that one request takes away at most: while it waits for a thread, the event loop serves others."""


class ProcessorShare:
    """Processor time of the event loop, of which a part of each second can be spent.

    Parameters
    ----------
    percent : int
        Of each second; with 0, no time is counted.
    clock, processor : callable
        Return seconds that have passed, and seconds that this thread has worked.

    Notes
    -----
    One event loop serves respondents and strangers in turn. As long as there is time left a request is
    worked on to its end, so that a respondent waits for one of them at most, and for all of them together no
    more than this part of the time.
    """

    def __init__(
        self,
        percent: int,
        clock: Callable[[], float] = time.monotonic,
        processor: Callable[[], float] = time.thread_time,
    ) -> None:
        self.part = percent / 100
        self.clock, self.processor = clock, processor
        self.seconds, self.counted_at = SAVED, clock()

    def has_some(self) -> bool:
        """Return whether there is time left."""
        now = self.clock()
        self.seconds = min(SAVED, self.seconds + self.part * (now - self.counted_at))
        self.counted_at = now
        return not self.part or self.seconds > 0

    @contextmanager
    def spent(self) -> Iterator[None]:
        """Take away the time of what is done within."""
        begun = self.processor()
        try:
            yield
        finally:
            self.seconds -= min(MOST, self.processor() - begun)
