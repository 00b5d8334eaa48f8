"""The campaign's database on SQLite."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from server.store.sqlite.connection import connect
from server.store.sqlite.storage import SQLiteStorage
from server.store.upkeep.backup import back_up, restore


class SQLite:
    """A database in one file; see `engines.Engine`.

    Parameters
    ----------
    folder : Path
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.address = str(folder / "candor.db")

    def __enter__(self) -> SQLite:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def storage(self) -> SQLiteStorage:
        """Open the store, with connections of its own."""
        return SQLiteStorage(Path(self.address))

    @contextmanager
    def another(self, name: str) -> Iterator[SQLite]:
        """Give another database, with nothing in it."""
        with tempfile.TemporaryDirectory(dir=self.folder, prefix=name) as folder:
            yield SQLite(Path(folder))

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the whole database, as another process may."""
        with closing(connect(self.address)) as db:
            db.conn.execute("BEGIN EXCLUSIVE")
            yield
            db.conn.execute("ROLLBACK")

    @contextmanager
    def away(self) -> Iterator[None]:
        """Take the file away."""
        path = Path(self.address)
        path.rename(path.with_suffix(".away"))
        yield
        path.with_suffix(".away").rename(path)

    def backups(self) -> dict[str, tuple[Callable[[Path], None], Callable[[Path], SQLiteStorage]]]:
        """Return SQLite's own ways of copying a database that is in use, and Candor's."""
        ways = {"backup at once": at_once, "backup in steps": in_steps, "VACUUM INTO": vacuumed}
        found = {name: (partial(self.copy, way), restored) for name, way in ways.items()}
        return {"candor backup": (self.save, brought_back), **found}

    def save(self, folder: Path) -> None:
        """Make a backup of Candor's own."""
        back_up(Path(self.address), folder / "backup.zip")

    def copy(self, way: Callable[[sqlite3.Connection, Path], None], folder: Path) -> None:
        """Copy the database into a folder."""
        with closing(sqlite3.connect(self.address)) as db:
            way(db, folder / "candor.db")


def at_once(db: sqlite3.Connection, path: Path) -> None:
    """Copy all pages in one step."""
    with closing(sqlite3.connect(path)) as to:
        db.backup(to)


def in_steps(db: sqlite3.Connection, path: Path) -> None:
    """Copy ten pages at a time; SQLite begins anew when somebody writes."""
    with closing(sqlite3.connect(path)) as to:
        db.backup(to, pages=10, sleep=0.001)


def vacuumed(db: sqlite3.Connection, path: Path) -> None:
    """Write the database anew."""
    db.execute("VACUUM INTO ?", [str(path)])


def brought_back(folder: Path) -> SQLiteStorage:
    """Restore a backup of Candor's own."""
    restore(folder / "backup.zip", folder / "candor.db")
    return restored(folder)


def restored(folder: Path) -> SQLiteStorage:
    """Open a copy."""
    return SQLiteStorage(folder / "candor.db")
