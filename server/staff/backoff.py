"""Growing waits for whoever guesses passwords or tokens, on all servers together; nobody is locked out.

Neither addresses nor names are stored, only an HMAC of them, for an hour. Its key is derived from the key
that signs sessions.
"""

from __future__ import annotations

import hashlib
import hmac
from ipaddress import IPv6Network, ip_address

from flask import current_app

from server.services import services
from server.store.staff import attempts
from server.store.staff.accounts import LONGEST_NAME

FREE_FOR_A_NAME = 4
FREE_FOR_AN_ADDRESS = 20
"""Failures without a wait, for one name from one address and for an address, which many may share."""


def network(address: str) -> str:
    """Return the network that one person is likely to hold: an IPv4 address, or the /64 of an IPv6 address.

    Examples
    --------
    >>> network("192.0.2.7"), network("2001:db8::1:2:3:4"), network("")
    ('192.0.2.7', '2001:db8::/64', '')
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    return str(parsed if parsed.version == 4 else IPv6Network((int(parsed), 64), strict=False))


class Attempt:
    """An attempt at a password, a code or a token, and the keys under which it is counted.

    Parameters
    ----------
    name : str
        An account's name as it was typed, together with the address; or an account's number.
    address : str, optional
        The address alone, if attempts are counted for it too.
    """

    def __init__(self, name: str, address: str | None = None) -> None:
        self.name = counting_key(name)
        self.address = self.name if address is None else counting_key(address)
        self.free = {self.address: FREE_FOR_AN_ADDRESS, self.name: FREE_FOR_A_NAME}

    def begin(self, now: float) -> float:
        """Count the attempt as failed unless it has to wait; return the seconds to wait.

        An attempt that has to wait is only read, so that it holds up no transaction that writes.
        """
        storage = services().storage
        seconds = storage.read(attempts.wait, self.free, now)
        return seconds or storage.write(attempts.begin, self.free, now)

    def wrong_before(self, now: float) -> int:
        """Count the recent failures of the name, without the attempt that has begun."""
        return services().storage.read(attempts.failures_of, self.name, now)[0] - 1

    def succeeded(self, now: float) -> None:
        """Take back the failure that `begin` counted."""
        services().storage.write(attempts.succeeded, self.name, self.address, now)


def sign_in_attempt(name: str, address: str) -> Attempt:
    """Return an attempt to sign in from an address."""
    place = f"address {network(address)}"
    return Attempt(f"{place} name {name.casefold()[:LONGEST_NAME]}", place)


def token_attempt(address: str) -> Attempt:
    """Return an attempt with a token from an address.

    Sign-ins from there are counted apart: otherwise a program with an expired token would slow down everybody
    who shares its address, and nobody guesses 256 bits.
    """
    return Attempt(f"address {network(address)} token")


def counting_key(text: str) -> str:
    """Return the key under which an address, or a name from there, is counted: the same on every server."""
    secret = str(current_app.secret_key).encode()
    return hmac.digest(
        hmac.digest(secret, b"failed attempts", hashlib.sha256), text.encode(), hashlib.sha256
    ).hex()
