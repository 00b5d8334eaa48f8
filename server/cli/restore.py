"""``candor restore``: make an installation of a backup."""

from __future__ import annotations

from pathlib import Path

import click

from server.cli.shared.numbers import examples
from server.database import Location
from server.options import ACCEPT, DATABASE
from server.store.engine import Unavailable
from server.store.upkeep.attestation import unaccepted


@click.command(params=[DATABASE, ACCEPT], epilog=examples("candor restore backup.zip --database restored.db"))
@click.argument("source", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--anew", is_flag=True, help="Carry its rows into new tables, and leave all else behind.")
def restore(database: Location, accept: frozenset[str], source: Path, anew: bool) -> None:
    """Make an installation of the backup SOURCE: a new file, or an empty PostgreSQL database.

    The backup is read whole, brought up to date and counted again before anything of it is in place. A
    backup that was cut short, or that a version of Candor made which this one cannot follow, is refused.
    One with a trigger, or anything else that could act on what is stored, which this version does not make,
    is refused too: with --anew, its rows are carried into new tables, and nothing else. So is one whose audit
    log is not the one that was written: with --anew, it is restored all the same, and the fault is printed
    and stands in the audit log. All staff sign in again, with the passwords that they had, and make new API
    tokens.
    """
    from server.store.upkeep.backup import CHANGED_LOG
    from server.store.upkeep.backup import restore as restored

    try:
        made = restored(source, database, anew=anew)
    except Unavailable as error:
        raise click.ClickException(f"{source} cannot be restored to {database}: {error}") from error
    held = made.description
    for fault in made.log_faults:
        click.echo(f"Warning: {CHANGED_LOG}: {fault}. The audit log says so now.", err=True)
    for deviation in unaccepted(made.deviations, accept):
        click.echo(f"Warning: {deviation}; accept it by its name with --accept", err=True)
    click.echo(
        f"{database} holds surveys: {held.surveys}, reports: {held.reports}, accounts: {held.accounts}. "
        "All of it was counted again. Every session and API token has ended: staff sign in again."
    )
