"""Published surveys, read from their bytes outside transactions: a long one takes seconds to check.

Whoever waits for a lock would wait as long. So a transaction that needs a publication which this process has
not read yet is undone; the publication is read, and the transaction begins anew.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeVar
from weakref import WeakValueDictionary

from server.runtime import offload
from server.store.engine import Unavailable
from survey.publication import Publication
from survey.read_publication import load

Result = TypeVar("Result")

READ: WeakValueDictionary[bytes, Publication] = WeakValueDictionary()
"""Publications that have been read and are still in use, by their bytes."""

READING = threading.Lock()
"""Held while a publication is read: all of them take one thread, and wait for no other computation."""

HERE = threading.local()
"""Notes for each thread whether its transaction can begin anew."""


class UnreadableSurvey(Unavailable):
    """The database holds a publication that this version cannot read: a later one made it, or it is damaged.

    Parameters
    ----------
    reason : str
    """

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"it holds a survey that this version of Candor cannot read ({reason}); "
            "serve it with the version that published it"
        )
        self.reason = reason


class NotRead(Exception):
    """A transaction needs publications that were not read yet.

    Parameters
    ----------
    data : list of bytes
    """

    def __init__(self, data: list[bytes]) -> None:
        super().__init__(f"{len(data)} publications have to be read first")
        self.data = data


@lru_cache(maxsize=128)
def recent(data: bytes) -> Publication:
    """Return a publication that has been read; the latest ones stay in memory."""
    return READ[data]


def remember(publication: Publication) -> Publication:
    """Put a publication among the latest, such as one that was just made or is used again."""
    publication = READ.setdefault(publication.json, publication)
    return recent(publication.json)


def read(data: bytes) -> Publication:
    """Read a publication, unless somebody has done so. The bytes never change.

    Raises
    ------
    UnreadableSurvey
        If this version cannot read them.
    """
    try:
        return READ.get(data) or remember(load(data))
    except (ValueError, LookupError, TypeError) as error:
        raise UnreadableSurvey(str(error).partition("\n")[0]) from error


def publications(data: Sequence[bytes]) -> list[Publication]:
    """Return publications by their bytes.

    Raises
    ------
    NotRead
        If some were not read yet, in a transaction that can begin anew.
    """
    found = {each: READ.get(each) for each in data}
    missing = [each for each, publication in found.items() if publication is None]
    if missing and getattr(HERE, "begins_anew", False):
        raise NotRead(missing)
    return [remember(found[each] or read(each)) for each in data]


def run(transaction: Callable[[], Result], *, here: bool = False) -> Result:
    """Run a transaction, as often as it needs publications that were not read yet.

    Parameters
    ----------
    transaction : callable
        Undoes what it did when it raises, and can be called again.
    here : bool
        Whether it sends what waits away from the event loop itself; otherwise all of it goes.
    """
    held: list[Publication] = []  # none is forgotten before the transaction has all that it needs
    while True:
        try:
            if here:
                return with_a_new_beginning(transaction)
            return offload.run(with_a_new_beginning, transaction)
        except NotRead as error:
            with READING:
                held += [offload.run(read, each) for each in error.data]


def with_a_new_beginning(transaction: Callable[[], Result]) -> Result:
    """Run a transaction that can begin anew."""
    HERE.begins_anew = True
    try:
        return transaction()
    finally:
        HERE.begins_anew = False
