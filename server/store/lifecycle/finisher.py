"""Finish in the background what closing and deleting surveys have begun."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable
from typing import TypeVar

from server.store.engine import Storage, Unavailable

RETRY_SECONDS = 5.0
"""Seconds before the next try if the database is away or full."""

DEFECT_SECONDS = 300.0
"""Seconds before the next try after a defect, whose cause may be gone by then."""

log = logging.getLogger(__name__)

Item = TypeVar("Item")


def run_for_each(errand: Callable[[Item], object], items: Iterable[Item]) -> None:
    """Run an errand for every item, even after it has failed for another.

    Raises
    ------
    Unavailable
        If the database goes away: then nothing else would succeed.
    ExceptionGroup
        With all other failures, at the end.
    """
    failures = []
    for item in items:
        try:
            errand(item)
        except Unavailable:
            raise
        except Exception as error:  # noqa: BLE001  # raised below, after the others had their turn
            failures.append(error)
    if failures:
        raise ExceptionGroup("the others were done", failures)


def in_a_while(seconds: float, function: Callable[[], None]) -> None:
    """Call a function later, in a thread that does not keep the process from ending."""
    timer = threading.Timer(seconds, function)
    timer.daemon = True
    timer.start()


class Finisher:
    """Runs `Storage.finish` in a thread, one at a time; in a greenlet where gevent replaces `threading`.

    Parameters
    ----------
    storage : Storage
    pause : callable
        Waits for a number of seconds.
    later : callable
        Calls a function after a number of seconds.
    after : callable
        Called each time that `Storage.finish` has run, even if some of it failed.
    """

    def __init__(
        self,
        storage: Storage,
        pause: Callable[[float], None] = time.sleep,
        later: Callable[[float, Callable[[], None]], None] = in_a_while,
        after: Callable[[], None] = lambda: None,
    ) -> None:
        self.storage = storage
        self.pause = pause
        self.later = later
        self.after = after
        self.planned = False
        self.lock = threading.Lock()
        self.wanted = False
        self.idle = threading.Event()
        self.idle.set()

    def start(self) -> None:
        """Begin to finish what there is, without waiting for it; a run that is under way looks once more."""
        with self.lock:
            self.wanted = True
            if not self.idle.is_set():
                return
            self.idle.clear()
        threading.Thread(target=self.run, name="finishing", daemon=True).start()

    def settle(self) -> None:
        """Wait until no run is under way."""
        self.idle.wait()

    def run(self) -> None:
        """Finish, and again as long as somebody has asked for it meanwhile."""
        while self.is_wanted():
            try:
                self.storage.finish(gently=True)
            except Unavailable as error:
                log.warning("closed or deleted surveys are still being worked on: %s", error)
                self.pause(RETRY_SECONDS)
                self.wanted = True
            except Exception:
                log.exception("some of what closing or deleting surveys left to do could not be done")
                self.try_later()
            self.after()

    def try_later(self) -> None:
        """Plan one more try, unless one is planned; `start` need not wait for it."""
        if not self.planned:
            self.planned = True
            self.later(DEFECT_SECONDS, self.try_again)

    def try_again(self) -> None:
        """Start the try that was planned."""
        self.planned = False
        self.start()

    def is_wanted(self) -> bool:
        """Return whether somebody has asked since the last time; if not, become idle."""
        with self.lock:
            wanted, self.wanted = self.wanted, False
            if not wanted:
                self.idle.set()
            return wanted
