"""What the environment says, for commands: a fault in it ends the command with one sentence."""

from __future__ import annotations

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


def storage() -> Storage:
    """Open the database that the environment names, brought up to date.

    Raises
    ------
    click.ClickException
        If it cannot be used.
    """
    found = Storage(config().database)
    try:
        found.migrate()
    except Unavailable as error:
        raise click.ClickException(f"the database {found.path} cannot be used: {error}") from error
    return found
