"""A limit of submissions from one address, which stores no address."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from importlib import import_module
from threading import Lock

from server.runtime import offload

REPEATS = 10
"""Times the limit of new submissions that an address may send in all. A page repeats what got no answer, and
what is stored already takes no place from a neighbour who sends something new."""


class RateLimit:
    """A limit of submissions a minute from one address, counted by each worker itself.

    Parameters
    ----------
    per_minute : int
        The most new submissions a minute; 0 for no limit. Generous: a classroom shares one address.

    Notes
    -----
    Addresses are counted as HMACs under a key that exists in the memory of this process only.
    """

    def __init__(self, per_minute: int) -> None:
        self.key = secrets.token_bytes(32)
        self.per_minute = per_minute
        self.lock = Lock()
        self.minute_counts: MinuteCounts | None = None

    def allows(self, address: str) -> bool:
        """Count whatever an address sends, before it is read; return whether that is within the limit."""
        return not self.per_minute or self.counts().count_all(self.name(address))

    def allows_new(self, address: str) -> bool:
        """Count what may be new, before it is checked; return whether that is within its limit."""
        return not self.per_minute or self.counts().count_new(self.name(address))

    def forgive_new(self, address: str) -> None:
        """Take back what `allows_new` counted: it was stored before, or could not be stored at all."""
        if self.per_minute:
            self.counts().forgive_new(self.name(address))

    def counts(self) -> MinuteCounts:
        """Return the counts, made for the first submission: no page waits until their library is imported."""
        with self.lock:
            if self.minute_counts is None:
                offload.run(import_module, "limits.strategies")
                self.minute_counts = MinuteCounts(self.per_minute)
            return self.minute_counts

    def name(self, address: str) -> str:
        """Return the name under which an address is counted."""
        return hmac.digest(self.key, address.encode(), hashlib.sha256).hex()


class MinuteCounts:
    """Counts of the submissions under each name within the minute, in memory.

    Parameters
    ----------
    per_minute : int
        The most new submissions a minute, 1 or more.
    """

    def __init__(self, per_minute: int) -> None:
        from limits import RateLimitItemPerMinute
        from limits.storage import MemoryStorage
        from limits.strategies import FixedWindowRateLimiter

        self.storage = MemoryStorage()
        self.limiter = FixedWindowRateLimiter(self.storage)
        self.new = RateLimitItemPerMinute(per_minute, namespace="new")
        self.all = RateLimitItemPerMinute(REPEATS * per_minute, namespace="all")

    def count_all(self, name: str) -> bool:
        """Count a submission; return whether it is within the limit of all."""
        return self.limiter.hit(self.all, name)

    def count_new(self, name: str) -> bool:
        """Count what may be new; return whether it is within the limit of that."""
        return self.limiter.hit(self.new, name)

    def forgive_new(self, name: str) -> None:
        """Take one back from what was counted as new."""
        self.storage.decr(self.new.key_for(name))
