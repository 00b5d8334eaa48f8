"""The database that a command works with: a fault of it ends the command with one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from server.database import Location
from server.store.engine import Storage, Unavailable
from server.store.storage import storage_at


@contextmanager
def storage(database: Location, *, create: bool = False) -> Iterator[Storage]:
    """Open a database, brought up to date, while a command works with it.

    Parameters
    ----------
    database : Path or PostgreSQLURL
        Where it is.
    create : bool
        Whether to make it where there is none.

    Raises
    ------
    click.ClickException
        If it cannot be used, be it only in the middle of the command.
    """
    opened = None
    try:
        opened = storage_at(database)
        if create:
            opened.create()
        else:
            opened.migrate()
        yield opened
    except Unavailable as error:
        raise click.ClickException(f"the database {database} cannot be used: {error}") from error
    finally:
        if opened is not None:
            opened.close()
