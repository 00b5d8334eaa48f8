"""A limit of submissions from one network, which stores no address."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from importlib import import_module
from threading import Lock

from server.runtime import offload
from server.web.client_address import WIDER, networks

REPEATS = 10
"""Times the limit of new submissions that a network may send in all. A page repeats what got no answer, and
what is stored already takes no place from a neighbour who sends something new."""


class RateLimit:
    """A limit of submissions a minute from one network, counted by each worker itself.

    Parameters
    ----------
    per_minute : int
        The most new submissions a minute from one address, or one IPv6 network of 64 bits; 0 for no limit.
        Generous: a classroom shares one. Wider networks may send more: see `server.web.client_address`.

    Notes
    -----
    Networks are counted as HMACs under a key that exists in the memory of this process only.
    """

    def __init__(self, per_minute: int) -> None:
        self.key = secrets.token_bytes(32)
        self.per_minute = per_minute
        self.lock = Lock()
        self.minute_counts: MinuteCounts | None = None

    def allows(self, address: str) -> bool:
        """Count whatever an address sends, before it is read; return whether that is within the limit."""
        return not self.per_minute or self.counts().count("all", self.names(address))

    def allows_new(self, address: str) -> bool:
        """Count what may be new, before it is checked; return whether that is within its limit."""
        return not self.per_minute or self.counts().count("new", self.names(address))

    def forgive_new(self, address: str) -> None:
        """Take back what `allows_new` allowed: it was stored before, or could not be stored at all."""
        if self.per_minute:
            self.counts().forgive("new", self.names(address))

    def counts(self) -> MinuteCounts:
        """Return the counts, made for the first submission: no page waits until their library is imported."""
        with self.lock:
            if self.minute_counts is None:
                offload.run(import_module, "limits.strategies")
                self.minute_counts = MinuteCounts(self.per_minute)
            return self.minute_counts

    def names(self, address: str) -> dict[str, int]:
        """Return the names under which an address is counted, and how many times as much each may send."""
        return {
            hmac.digest(self.key, network.encode(), hashlib.sha256).hex(): share
            for network, share in networks(address).items()
        }


class MinuteCounts:
    """Counts of the submissions under each name within the minute, in memory.

    Parameters
    ----------
    per_minute : int
        The most new submissions a minute of a name with a share of 1, 1 or more.
    """

    def __init__(self, per_minute: int) -> None:
        from limits import RateLimitItemPerMinute
        from limits.storage import MemoryStorage
        from limits.strategies import FixedWindowRateLimiter

        self.storage = MemoryStorage()
        self.limiter = FixedWindowRateLimiter(self.storage)
        self.limits = {
            (kind, share): RateLimitItemPerMinute(times * share * per_minute, namespace=kind)
            for kind, times in (("new", 1), ("all", REPEATS))
            for share in WIDER.values()
        }

    def count(self, kind: str, names: Mapping[str, int]) -> bool:
        """Count a submission under names, the narrowest first; return whether it is within all limits.

        One that is not is not counted: a network that goes on beyond its limit uses up no wider one's.
        """
        counted: dict[str, int] = {}
        for name, share in names.items():
            counted[name] = share
            if not self.limiter.hit(self.limits[kind, share], name):
                self.forgive(kind, counted)
                return False
        return True

    def forgive(self, kind: str, names: Mapping[str, int]) -> None:
        """Take one back under each name."""
        for name, share in names.items():
            self.storage.decr(self.limits[kind, share].key_for(name))
