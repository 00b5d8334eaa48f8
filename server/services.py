"""The database and the other services that views use; `create_app` makes them once."""

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
    """The services of an application.

    Attributes
    ----------
    config : Config
    storage : Storage
        Runs transactions on the database.
    committer : Committer
        Stores submissions in groups.
    finisher : Finisher
        Finishes the work that closing a survey leaves.
    scheduler : Scheduler
        Opens and closes surveys at their time.
    clock : callable
        Returns the present moment, in UTC.
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
    made: Services = current_app.extensions["candor"]
    return made
