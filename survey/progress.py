"""The part of a long search that is done, for whoever waits for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

Listener = Callable[[float], None]
"""Is told the part of a search that is done, from 0 to 1."""

LISTENER: ContextVar[Listener | None] = ContextVar("listener", default=None)
"""An argument would pass through every question, its channel and its design."""


@contextmanager
def heard_by(listener: Listener | None) -> Iterator[None]:
    """Tell a listener how far the search within is.

    Examples
    --------
    >>> heard = []
    >>> with heard_by(heard.append):
    ...     told = each_a_step(tell, [0.5, 0.0])
    >>> heard
    [0.25, 0.5, 0.5, 1.0]
    """
    before = LISTENER.get()
    LISTENER.set(listener)
    try:
        yield
    finally:
        LISTENER.set(before)


@contextmanager
def stretch(begin: float, end: float, of: float = 1.0) -> Iterator[None]:
    """Count what is done within as the stretch from `begin` to `end` of the search around it."""
    around = LISTENER.get()
    if around is None:
        yield
        return
    with heard_by(lambda part: around((begin + (end - begin) * part) / of)):
        yield
    around(end / of)


def each_a_step(function: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
    """Call a function with every item in turn, and count each call as one step of as many as there are."""
    listed = list(items)
    results = []
    for place, item in enumerate(listed):
        with stretch(place, place + 1, of=len(listed)):
            results.append(function(item))
    return results


def tell(part: float) -> None:
    """Say which part of the search is done."""
    if listener := LISTENER.get():
        listener(part)
