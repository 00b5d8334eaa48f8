"""Growing waits for whoever guesses passwords or tokens, on all servers together; nobody is locked out.

Neither addresses nor names are stored, only an HMAC of them, for an hour. Its key is derived from the key
that signs sessions.
"""

from __future__ import annotations

import hashlib
import hmac
import math
from collections.abc import Mapping

from flask import current_app

from server.services import services
from server.store.staff import attempts
from server.store.staff.accounts import LONGEST_NAME
from server.web.limits.client_address import networks

FREE_FOR_A_NAME = 4
FREE_FOR_AN_ADDRESS = 20
"""Failures without a wait, for one name from one address and for an address, which many may share. The wider
networks of an address have more: see `server.web.limits.client_address`."""


class Attempt:
    """An attempt at a password, a code or a token, and the keys under which it is counted.

    Parameters
    ----------
    name : str
        An account's name as it was typed, together with the address; or an account's number.
    places : Mapping[str, int], optional
        The networks of the address, the narrowest first, if attempts are counted for them too, and how many
        failures of each cost nothing.
    """

    def __init__(self, name: str, places: Mapping[str, int] | None = None) -> None:
        self.name = counting_key(name)
        self.places = {counting_key(place): free for place, free in (places or {}).items()}
        self.counted: list[str] = []

    def begin(self, now: float) -> int:
        """Count the attempt as failed unless it has to wait; return the seconds to wait, rounded up.

        An attempt that has to wait is only read, so that it holds up no transaction that writes.
        """
        storage, name = services().storage, {self.name: FREE_FOR_A_NAME}
        seconds = storage.read(attempts.wait, name | self.places, now)
        if not seconds:
            seconds, self.counted = storage.write(attempts.begin, name, self.places, now)
        return math.ceil(seconds)

    def wrong_before(self, now: float) -> int:
        """Count the recent failures of the name, without the attempt that has begun."""
        return services().storage.read(attempts.failures_of, self.name, now)[0] - 1

    def succeeded(self, now: float) -> None:
        """Take back the failure that `begin` counted."""
        services().storage.write(attempts.succeeded, self.name, self.counted, now)


def sign_in_attempt(name: str, address: str) -> Attempt:
    """Return an attempt to sign in from an address."""
    places = {
        f"address {network}": share * FREE_FOR_AN_ADDRESS for network, share in networks(address).items()
    }
    return Attempt(f"{next(iter(places))} name {name.casefold()[:LONGEST_NAME]}", places)


def token_attempt(address: str) -> Attempt:
    """Return an attempt with a token from an address.

    Sign-ins from there are counted apart: otherwise a program with an expired token would slow down everybody
    who shares its address, and nobody guesses 256 bits.
    """
    return Attempt(f"address {next(iter(networks(address)))} token")


def code_attempt(provider: str, address: str) -> Attempt:
    """Return an attempt to come back from a provider with a code: for each, this server has to ask there."""
    return Attempt(f"address {next(iter(networks(address)))} provider {provider}")


def counting_key(text: str) -> str:
    """Return the key under which an address, or a name from there, is counted: the same on every server."""
    secret = str(current_app.secret_key).encode()
    return hmac.digest(
        hmac.digest(secret, b"failed attempts", hashlib.sha256), text.encode(), hashlib.sha256
    ).hex()
