"""Keep the event loop free: under gevent, work that blocks runs in a thread; elsewhere it runs at once."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from functools import partial
from threading import Lock, local
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from gevent.threadpool import ThreadPool

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


RESERVED: WeakKeyDictionary[Any, dict[str, ThreadPool]] = WeakKeyDictionary()
"""Each event loop with its threads of a purpose of their own. A forked process has a new loop."""

NICENESS = 10
"""The niceness of a thread that gives way: beside one that never rests, it gets a tenth of a processor."""

AWAY = local()
"""Marks the threads that `run` has chosen: in them a call may block."""

COMPUTING = Lock()
"""Held during a computation. gevent patches locks before this module is imported, so whoever waits for it
holds up one greenlet only."""


DRAWING = Lock()
"""Held while a page is drawn."""


def compute(
    function: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs
) -> Result:
    """Call a function that needs the processor for long, one at a time, and return its result.

    Notes
    -----
    gevent has ten threads for everything that blocks. Ten previews of large grids would occupy all of them,
    and respondents would wait until one ends. So all computations together take one thread, and wait for the
    lock before they enter it.
    """
    with COMPUTING:
        return run(function, *args, **kwargs)


def draw(function: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
    """Draw a page of staff, one at a time, in a thread that has the present request; return it.

    Notes
    -----
    To lay out a hundred questions takes longer than respondents should wait. What is drawn may compute: so
    the lock is another one, and nothing that holds `COMPUTING` may draw.
    """
    with DRAWING:
        return run(copy_context().run, partial(function, *args, **kwargs))


def run(function: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
    """Call a function that blocks, such as one that waits for the disk, and return its result.

    Notes
    -----
    A two-second wait for the database inside the loop holds up every other connection for two seconds.
    A thread that this function has chosen runs further such calls itself.
    """
    if getattr(AWAY, "away", False) or not patched():
        return function(*args, **kwargs)
    import gevent  # only where it already serves; a plain process does not pay for it

    return applied(gevent.get_hub().threadpool, function, args, kwargs)


def run_first(
    function: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs
) -> Result:
    """Call a function as `run` does, in a thread of its own.

    Notes
    -----
    The commit that frees a lock needs it: if all ten threads waited for that lock, the commit would find no
    thread, and none of them would ever go on.
    """
    if getattr(AWAY, "away", False) or not patched():
        return function(*args, **kwargs)
    return applied(reserved("first"), function, args, kwargs)


@contextmanager
def here() -> Iterator[None]:
    """Let calls run in this thread and start no other: a process that will fork does not take any along."""
    before, AWAY.away = getattr(AWAY, "away", False), True
    try:
        yield
    finally:
        AWAY.away = before


def run_gently(
    function: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs
) -> Result:
    """Call a function that takes much memory and processor, such as a hash of a password; return its result.

    Notes
    -----
    All such calls take one thread, one after the other, so that ten of them need no more memory than one. It
    and the threads that it starts give way to whoever takes submissions.
    """
    if getattr(AWAY, "away", False) or not patched():
        return function(*args, **kwargs)
    result: Result = applied(reserved("gently"), gently, (function, *args), kwargs)
    return result


def gently(
    function: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs
) -> Result:
    """Call a function in a thread that gives way to all others from now on."""
    if sys.platform == "linux":  # elsewhere a thread has no priority of its own
        os.setpriority(os.PRIO_PROCESS, 0, max(NICENESS, os.getpriority(os.PRIO_PROCESS, 0)))
    return function(*args, **kwargs)


def reserved(purpose: str) -> ThreadPool:
    """Return the thread of this process that is used for one purpose only."""
    import gevent
    from gevent.threadpool import ThreadPool

    hub = gevent.get_hub()
    pools = RESERVED.setdefault(hub, {})
    if purpose not in pools:
        pools[purpose] = ThreadPool(1, hub=hub)
    return pools[purpose]


def patched() -> bool:
    """Return whether gevent has replaced threads."""
    monkey = sys.modules.get("gevent.monkey")
    return monkey is not None and bool(monkey.is_module_patched("threading"))


def applied(
    pool: ThreadPool, function: Callable[..., Result], args: tuple[object, ...], kwargs: dict[str, object]
) -> Result:
    """Call a function in a thread of a pool, and return its result or raise its error."""
    result, error = pool.apply(caught, (function, args, kwargs))
    if error is not None:
        raise error
    return cast("Result", result)


def pause(seconds: float) -> None:
    """Sleep. In a thread that `run` has chosen, gevent's own sleep would start another loop."""
    monkey = sys.modules.get("gevent.monkey")
    if monkey is not None and getattr(AWAY, "away", False):
        sleep = monkey.get_original("time", "sleep")
    else:
        sleep = time.sleep
    sleep(seconds)


def caught(
    function: Callable[..., Result], args: tuple[object, ...], kwargs: dict[str, object]
) -> tuple[Result | None, BaseException | None]:
    """Call a function and return its result or its error.

    Notes
    -----
    gevent prints an error that leaves a thread of its pool together with the arguments of the call, so that
    receipts, reports and session tokens would reach the server's log.
    """
    AWAY.away = True
    try:
        return function(*args, **kwargs), None
    except BaseException as error:  # noqa: BLE001  # it goes on in the greenlet that waits
        return None, error
    finally:
        AWAY.away = False
