"""The storage for large work in the background: it rests after each transaction, so that nobody notices."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import inf
from typing import Any, Concatenate, ParamSpec, TypeVar

from server.store.engine import Connection, Transactions

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

ALONE, BESIDE_OTHERS = 1, 100
"""Times as long as it has worked that it rests. Of the submissions of others one in a hundred meets a
transaction, and waits for the rest of it: 99 in 100 take what they always take."""

QUIET_SECONDS = 10.0
"""Seconds without an arrival after which nobody else counts as there."""

AT_ONCE_SECONDS = 0.1
"""Seconds in transactions before it looks for others: some thousands of reports are done at once."""

SHORTEST_REST, LONGEST_REST = 0.005, 2.0
"""Seconds. Whoever waits for a lock looks again each millisecond, and gets in. What takes long because a
machine stood still, or has too much to do, is not made up for."""


class PacedStorage:
    """Transactions between which others have time.

    Parameters
    ----------
    storage : Transactions
    clock : callable
        Gives a moment in seconds.
    pause : callable
        Waits for so many seconds.

    Notes
    -----
    Others do not only wait for locks: what is computed between two transactions keeps the interpreter from
    them. So it rests in proportion to all the time since the last transaction began.
    """

    def __init__(
        self,
        storage: Transactions,
        clock: Callable[[], float] = time.perf_counter,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self.storage, self.clock, self.pause = storage, clock, pause
        self.began: float | None = None
        self.worked = 0.0
        self.mark: object = None
        self.arrived = -inf

    def read(
        self,
        function: Callable[Concatenate[Any, Arguments], Result],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """Rest, then read as the storage does."""
        self.rest()
        return self.storage.read(self.noted, function, *args, **kwargs)

    def write(
        self,
        function: Callable[Concatenate[Any, Arguments], Result],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """Rest, then write as the storage does."""
        self.rest()
        return self.storage.write(self.noted, function, *args, **kwargs)

    def rest(self) -> None:
        """Rest in proportion to the time since the last transaction began."""
        if self.began is None:
            return
        now = self.clock()
        beside_others = self.worked > AT_ONCE_SECONDS and now - self.arrived < QUIET_SECONDS
        seconds = (BESIDE_OTHERS if beside_others else ALONE) * (now - self.began)
        self.pause(min(max(SHORTEST_REST, seconds), LONGEST_REST))

    def noted(
        self,
        db: Connection,
        function: Callable[Concatenate[Any, Arguments], Result],
        /,
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """Note how long a transaction works, and whether reports have arrived since the last one."""
        self.began = self.clock()
        before, self.mark = self.mark, db.reports.arrivals_mark()
        if before not in (None, self.mark):
            self.arrived = self.began
        result = function(db, *args, **kwargs)
        self.worked += self.clock() - self.began
        return result
