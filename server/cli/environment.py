"""The database that a command works with: a fault of it ends the command with one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from server.store.engine import Storage, Unavailable
from server.store.sqlite.storage import SQLiteStorage


@contextmanager
def storage(path: Path, *, create: bool = False) -> Iterator[Storage]:
    """Open a database, brought up to date, while a command works with it.

    Parameters
    ----------
    path : Path
        The file.
    create : bool
        Whether to make it where there is none.

    Raises
    ------
    click.ClickException
        If it cannot be used, be it only in the middle of the command.
    """
    opened = SQLiteStorage(path)
    try:
        if create:
            opened.create()
        else:
            opened.migrate()
        yield opened
    except Unavailable as error:
        raise click.ClickException(f"the database {opened.name} cannot be used: {error}") from error
    finally:
        opened.close()
