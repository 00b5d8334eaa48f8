"""The database of a command; an error of it ends the command with one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from server.database import Location
from server.store.engine import Storage, Unavailable
from server.store.storage import storage_at


@contextmanager
def storage(database: Location, *, create: bool = False) -> Iterator[Storage]:
    """Bring a database up to date, and open it while a command works with it.

    Parameters
    ----------
    database : Path or PostgreSQLURL
    create : bool
        Whether to create a database that does not exist.

    Raises
    ------
    click.ClickException
        If the database cannot be used, now or later in the command.
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
