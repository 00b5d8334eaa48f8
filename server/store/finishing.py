"""What closing and deleting surveys leave to do, in the background of a server."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from server.store.engine import Storage, Unavailable

RETRY_SECONDS = 5.0
"""How long to wait when the database is away or full, before the next try."""

log = logging.getLogger(__name__)


class Finisher:
    """Runs `Storage.finish` in a thread, one at a time; in a greenlet where gevent replaces `threading`.

    Parameters
    ----------
    storage : Storage
    pause : callable
        Waits for so many seconds.
    """

    def __init__(self, storage: Storage, pause: Callable[[float], None] = time.sleep) -> None:
        self.storage = storage
        self.pause = pause
        self.lock = threading.Lock()
        self.wanted = False
        self.idle = threading.Event()
        self.idle.set()

    def start(self) -> None:
        """Do what there is to do, and do not wait for it; whoever is at it looks once more."""
        with self.lock:
            self.wanted = True
            if not self.idle.is_set():
                return
            self.idle.clear()
        threading.Thread(target=self.run, name="finishing", daemon=True).start()

    def settle(self) -> None:
        """Wait until nothing is being done."""
        self.idle.wait()

    def run(self) -> None:
        """Finish until nobody has asked for it meanwhile."""
        while self.is_wanted():
            try:
                self.storage.finish()
            except Unavailable as error:
                log.warning("closed or deleted surveys are still being worked on: %s", error)
                self.pause(RETRY_SECONDS)
                self.wanted = True
            except Exception:
                log.exception("what closing or deleting a survey left to do could not be done")

    def is_wanted(self) -> bool:
        """Return whether somebody has asked since the last time; if not, this is the end."""
        with self.lock:
            wanted, self.wanted = self.wanted, False
            if not wanted:
                self.idle.set()
            return wanted
