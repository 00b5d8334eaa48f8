"""Slows down whoever guesses passwords, without locking anybody out.

Nothing counts for a name alone: whoever guesses at an account from elsewhere would keep its owner out.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from ipaddress import IPv6Network, ip_address

LONGEST_WAIT = 60.0
"""Seconds. Whoever shares an address with somebody who keeps guessing waits no longer than this at a time."""

FORGET_AFTER = 60 * 60.0
"""Seconds without an attempt after which earlier ones no longer count."""

MOST_KEYS = 10_000
"""How many addresses, with names and without, are remembered; the ones longest unused go first."""


def network(address: str) -> str:
    """Return what one person is likely to hold: an IPv4 address, or the /64 of an IPv6 address.

    Examples
    --------
    >>> network("192.0.2.7"), network("2001:db8::1:2:3:4"), network("")
    ('192.0.2.7', '2001:db8::/64', '')
    """
    try:
        found = ip_address(address)
    except ValueError:
        return address
    return str(found if found.version == 4 else IPv6Network((int(found), 64), strict=False))


@dataclass
class Attempts:
    """The failed attempts from one address, or at one name from there: how many, and when the last was."""

    failures: int
    last: float


@dataclass
class Backoff:
    """Waits that double with every failed attempt; in memory only, so that no address is ever stored.

    Attributes
    ----------
    attempts : OrderedDict of (str, Attempts)
        By key, longest unused first.
    """

    attempts: OrderedDict[str, Attempts] = field(default_factory=OrderedDict)

    def wait(self, key: str, free: int, now: float) -> float:
        """Return the seconds that a key has to wait before its next attempt.

        Parameters
        ----------
        key : str
            An address, or an address with an account's name.
        free : int
            How many failures cost nothing; after that 1, 2, 4 ... seconds, up to `LONGEST_WAIT`.
        now : float
            Seconds on any clock that goes forward.
        """
        found = self.attempts.get(key)
        if found is None or found.failures < free:
            return 0.0
        seconds = min(2.0 ** min(found.failures - free, 30), LONGEST_WAIT)
        return max(0.0, found.last + seconds - now)

    def failed(self, keys: Iterable[str], now: float) -> None:
        """Count an attempt as failed. Done before the password is checked, so that many at once count."""
        for key in keys:
            found = self.attempts.get(key)
            earlier = found.failures if found and now - found.last < FORGET_AFTER else 0
            self.attempts[key] = Attempts(earlier + 1, now)
            self.attempts.move_to_end(key)
        while len(self.attempts) > MOST_KEYS:
            self.attempts.popitem(last=False)

    def succeeded(self, name: str, address: str) -> None:
        """Take back what `failed` counted: all of the name's failures, but only this one of the address's.

        Otherwise somebody with an account of their own could clear their address between guesses.
        """
        self.attempts.pop(name, None)
        if found := self.attempts.get(address):
            found.failures -= 1
