"""Keep the event loop free: under gevent, work that blocks goes to a thread; otherwise it runs here."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from threading import Lock, local
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from gevent.threadpool import ThreadPool

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


RESERVED: WeakKeyDictionary[Any, ThreadPool] = WeakKeyDictionary()
"""The event loop of a process -> its thread for `run_first`. A process that was forked has a new loop."""

AWAY = local()
"""Whether this is a thread that `run` has chosen: what blocks may block here."""

COMPUTING = Lock()
"""Held while something is computed. Under gevent, which patches before this is imported, a wait for it
holds up one greenlet only."""


def compute(
    function: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs
) -> Result:
    """Call a function that takes the processor for long, one at a time, and give its result.

    Notes
    -----
    gevent has ten threads for all that blocks. Ten previews of large grids at once would take them all, and
    respondents would wait until one ends; so computations take one, and wait for it before they enter.
    """
    with COMPUTING:
        return run(function, *args, **kwargs)


def run(function: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
    """Call a function that blocks, such as one that waits for the disk, and give its result.

    Notes
    -----
    A two-second wait for the database inside the loop holds up every other connection for two seconds.
    What such a thread calls itself stays in it.
    """
    if getattr(AWAY, "away", False) or not patched():
        return function(*args, **kwargs)
    import gevent  # only where it already serves; a plain process does not pay for it

    return applied(gevent.get_hub().threadpool, function, args, kwargs)


def run_first(
    function: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs
) -> Result:
    """Call a function as `run` does, in a thread that nothing else occupies.

    Notes
    -----
    It is for what lets others go on, such as the commit that frees a lock: if those who wait for the lock had
    all ten threads, neither they nor the commit would get anywhere.
    """
    if getattr(AWAY, "away", False) or not patched():
        return function(*args, **kwargs)
    return applied(reserved(), function, args, kwargs)


def reserved() -> ThreadPool:
    """Return the one thread of this process that waits for nobody."""
    import gevent
    from gevent.threadpool import ThreadPool

    hub = gevent.get_hub()
    if hub not in RESERVED:
        RESERVED[hub] = ThreadPool(1, hub=hub)
    return RESERVED[hub]


def patched() -> bool:
    """Return whether gevent has replaced threads."""
    monkey = sys.modules.get("gevent.monkey")
    return monkey is not None and bool(monkey.is_module_patched("threading"))


def applied(
    pool: ThreadPool, function: Callable[..., Result], args: tuple[object, ...], kwargs: dict[str, object]
) -> Result:
    """Call a function in a thread of a pool, and give its result or raise its error."""
    result, error = pool.apply(caught, (function, args, kwargs))
    if error is not None:
        raise error
    return cast("Result", result)


def pause(seconds: float) -> None:
    """Sleep; in a thread that `run` has chosen gevent's own sleep would begin another loop."""
    monkey = sys.modules.get("gevent.monkey")
    if monkey is not None and getattr(AWAY, "away", False):
        sleep = monkey.get_original("time", "sleep")
    else:
        sleep = time.sleep
    sleep(seconds)


def caught(
    function: Callable[..., Result], args: tuple[object, ...], kwargs: dict[str, object]
) -> tuple[Result | None, BaseException | None]:
    """Call a function and give its result or its error.

    Notes
    -----
    An error that leaves a thread of gevent's pool is printed together with the call's arguments: receipts,
    reports and session tokens would stand in the server's log.
    """
    AWAY.away = True
    try:
        return function(*args, **kwargs), None
    except BaseException as error:  # noqa: BLE001  # it goes on in the greenlet that waits
        return None, error
    finally:
        AWAY.away = False
