"""How often one address may send, without keeping any address."""

from __future__ import annotations

import hashlib
import hmac
import secrets

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter


class RateLimit:
    """A limit of submissions a minute from one address, counted per worker.

    Parameters
    ----------
    per_minute : int
        The most submissions a minute; 0 for no limit. Generous: a classroom shares one address.

    Notes
    -----
    What is counted is an HMAC of the address under a key that exists in this process's memory only.
    """

    def __init__(self, per_minute: int) -> None:
        self.per_minute = per_minute
        self.key = secrets.token_bytes(32)
        if per_minute:
            self.limit = RateLimitItemPerMinute(per_minute)
            self.limiter = FixedWindowRateLimiter(MemoryStorage())

    def allows(self, address: str) -> bool:
        """Count one submission from an address and tell whether it is within the limit."""
        if not self.per_minute:
            return True
        return self.limiter.hit(self.limit, hmac.digest(self.key, address.encode(), hashlib.sha256).hex())
