"""What the views work with: made once by `create_app`, found by `services`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from flask import current_app

from server.config import Config
from server.store.committer import Committer
from server.store.engine import Storage
from server.store.lifecycle.finisher import Finisher
from server.store.lifecycle.scheduler import Scheduler


@dataclass(frozen=True)
class Services:
    """Everything outside a request that a view may use.

    Attributes
    ----------
    config : Config
    storage : Storage
        Whole transactions on the database.
    committer : Committer
        Stores submissions in groups.
    finisher : Finisher
        Does what closing a survey leaves to do.
    scheduler : Scheduler
        Opens and closes surveys when their moment has come.
    clock : callable
        Gives the present moment, in UTC.
    """

    config: Config
    storage: Storage
    committer: Committer
    finisher: Finisher
    scheduler: Scheduler
    clock: Callable[[], datetime]

    @property
    def today(self) -> str:
        """The UTC day, ``YYYY-MM-DD``."""
        return self.clock().date().isoformat()


def services() -> Services:
    """Return the services of the application that answers this request."""
    found: Services = current_app.extensions["candor"]
    return found
