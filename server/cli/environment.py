"""What the environment says, for commands: a fault in it ends the command with one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from server.config import Config, ConfigError, from_environment
from server.store.database import Storage, Unavailable


def config() -> Config:
    """Read the environment.

    Raises
    ------
    click.ClickException
        If a variable cannot be used.
    """
    try:
        return from_environment()
    except ConfigError as error:
        raise click.ClickException(str(error)) from error


@contextmanager
def storage(path: Path | None = None, *, create: bool = False) -> Iterator[Storage]:
    """Open a database, brought up to date, while a command works with it.

    Parameters
    ----------
    path : Path, optional
        The file; the one that the environment names if it is left out.
    create : bool
        Whether to make it where there is none.

    Raises
    ------
    click.ClickException
        If it cannot be used, be it only in the middle of the command.
    """
    opened = Storage(path or config().database)
    try:
        if create:
            opened.create()
        else:
            opened.migrate()
        yield opened
    except Unavailable as error:
        raise click.ClickException(f"the database {opened.path} cannot be used: {error}") from error
    finally:
        opened.close()
