"""How often one address may send, without keeping any address."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from importlib import import_module
from threading import Lock

from server.runtime import offload

REPEATS = 10
"""How many times the limit of new submissions an address may send in all: a page repeats what got no answer,
and whoever repeats what is stored takes no place from a neighbour who sends something new."""


class RateLimit:
    """A limit of submissions a minute from one address, counted per worker.

    Parameters
    ----------
    per_minute : int
        The most new submissions a minute; 0 for no limit. Generous: a classroom shares one address.

    Notes
    -----
    What is counted is an HMAC of the address under a key that exists in this process's memory only.
    """

    def __init__(self, per_minute: int) -> None:
        self.key = secrets.token_bytes(32)
        self.per_minute = per_minute
        self.making = Lock()
        self.made: MinuteCounts | None = None

    def allows(self, address: str) -> bool:
        """Count whatever an address sends, before it is read; return whether that is within the limit."""
        return not self.per_minute or self.windows().count_all(self.name(address))

    def allows_new(self, address: str) -> bool:
        """Count what may be new, before it is checked; return whether that is within the limit."""
        return not self.per_minute or self.windows().count_new(self.name(address))

    def forgive_new(self, address: str) -> None:
        """Take back what `allows_new` counted: it was stored before, or could not be stored at all."""
        if self.per_minute:
            self.windows().forgive_new(self.name(address))

    def windows(self) -> MinuteCounts:
        """Return what counts, made for the first submission: no page waits until its library is imported."""
        with self.making:
            if self.made is None:
                offload.run(import_module, "limits.strategies")
                self.made = MinuteCounts(self.per_minute)
            return self.made

    def name(self, address: str) -> str:
        """Return what an address is counted under."""
        return hmac.digest(self.key, address.encode(), hashlib.sha256).hex()


class MinuteCounts:
    """What came under each name within the minute, in memory.

    Parameters
    ----------
    per_minute : int
        The most new submissions a minute, 1 or more.
    """

    def __init__(self, per_minute: int) -> None:
        from limits import RateLimitItemPerMinute
        from limits.storage import MemoryStorage
        from limits.strategies import FixedWindowRateLimiter

        self.counts = MemoryStorage()
        self.limiter = FixedWindowRateLimiter(self.counts)
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
        self.counts.decr(self.new.key_for(name))
