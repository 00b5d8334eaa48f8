"""``candor restore``: make an installation of a backup."""

from __future__ import annotations

from pathlib import Path

import click

from server.cli.shared.numbers import examples
from server.database import Location
from server.options import DATABASE
from server.store.engine import Unavailable


@click.command(params=[DATABASE], epilog=examples("candor restore backup.zip --database restored.db"))
@click.argument("source", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def restore(database: Location, source: Path) -> None:
    """Make an installation of the backup SOURCE: a new file, or an empty PostgreSQL database.

    The backup is read whole, brought up to date and counted again before anything of it is in place. A
    backup that was cut short, or that a version of Candor made which this one cannot follow, is refused. All
    staff sign in again, with the passwords that they had, and make new API tokens.
    """
    from server.store.upkeep.backup import restore as restored

    try:
        held = restored(source, database)
    except Unavailable as error:
        raise click.ClickException(f"{source} cannot be restored to {database}: {error}") from error
    click.echo(
        f"{database} holds surveys: {held.surveys}, reports: {held.reports}, accounts: {held.accounts}. "
        "All of it was counted again. Every session and API token has ended: staff sign in again."
    )
