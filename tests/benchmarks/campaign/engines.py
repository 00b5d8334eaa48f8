"""A database of each engine with the campaign's survey in it, and what can befall it."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

from ledger import open_survey
from on_postgresql import PostgreSQL
from on_sqlite import SQLite

from server.store.engine import Storage
from server.store.surveys import Survey

PATIENCE = 120
"""Seconds that anything may take."""


class Engine(Protocol):
    """A database, for as long as a block lasts.

    Attributes
    ----------
    folder : Path
        Where its files are.
    address : str
        What CANDOR_DATABASE names it by.
    """

    folder: Path
    address: str

    def storage(self) -> Storage:
        """Open the store, with connections of its own."""

    def another(self, name: str) -> AbstractContextManager[Engine]:
        """Give another database beside it, with nothing in it."""

    def locked(self) -> AbstractContextManager[None]:
        """Hold the whole database, as another process may."""

    def away(self) -> AbstractContextManager[None]:
        """Take the database away."""

    def backups(self) -> dict[str, tuple[Callable[[Path], None], Callable[[Path], Storage]]]:
        """Return the ways of backing up into a folder: name -> how to take one, how to open it."""


ENGINES: dict[str, Callable[[Path], AbstractContextManager[Engine]]] = {
    "sqlite": SQLite,
    "postgresql": PostgreSQL,
}


@contextmanager
def installed(engine: str) -> Iterator[tuple[Engine, Survey]]:
    """Make a database with the open survey of the campaign."""
    with tempfile.TemporaryDirectory() as folder, ENGINES[engine](Path(folder)) as installation:
        yield installation, prepared(installation)


def prepared(installation: Engine) -> Survey:
    """Make the tables of an empty database, and open the survey of the campaign."""
    storage = installation.storage()
    storage.create()
    survey = storage.write(open_survey)
    storage.close()
    return survey


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait until something holds."""
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"{condition} took more than {PATIENCE} s")
        time.sleep(0.05)
