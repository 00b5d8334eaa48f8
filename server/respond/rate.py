"""How often one address may send, without keeping any address."""

from __future__ import annotations

import hashlib
import hmac
import secrets

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter

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
        self.limiter = FixedWindowRateLimiter(MemoryStorage()) if per_minute else None
        if per_minute:
            self.new = RateLimitItemPerMinute(per_minute, namespace="new")
            self.all = RateLimitItemPerMinute(REPEATS * per_minute, namespace="all")

    def allows(self, address: str) -> bool:
        """Count whatever an address sends, before it is read; return whether that is within the limit."""
        return self.limiter is None or self.limiter.hit(self.all, self.name(address))

    def allows_new(self, address: str) -> bool:
        """Count what may be new, before it is checked; return whether that is within the limit."""
        return self.limiter is None or self.limiter.hit(self.new, self.name(address))

    def name(self, address: str) -> str:
        """Return what an address is counted under."""
        return hmac.digest(self.key, address.encode(), hashlib.sha256).hex()
