"""``candor backup``: write everything into one file while respondents go on."""

from __future__ import annotations

from pathlib import Path

import click

from server.cli.shared.numbers import examples
from server.database import Location
from server.options import DATABASE
from server.store.engine import Unavailable


@click.command(
    params=[DATABASE],
    epilog=examples("candor backup backup.zip", "candor backup backup.zip --database candor.db"),
)
@click.argument("target", type=click.Path(path_type=Path))
def backup(database: Location, target: Path) -> None:
    """Write everything into the new file TARGET, while respondents go on.

    The file is the same for SQLite and PostgreSQL, and `candor restore` makes either of it. It shows one
    moment, and is counted again before it gets its name; a file that is there already is never touched. It
    holds surveys with their reports and receipts, the hashes of passwords, the secrets of second factors, and
    everything else but sessions, the key that signs them, API tokens and links for staff: keep it as safe as
    the database. Only its owner can read it.

    Two backups of an open survey show which reports came between them: keep one, or make it after closing.
    An SQLite database is first copied beside TARGET, page by page, into a file without a name. Whoever sends
    something waits for that, and for nothing else: about 2 seconds for each GB, or longer on a busy machine.
    The disk of TARGET needs room for the database twice and for the backup. What it frees in the end can
    show older pages of the database to whoever reads the disk itself.
    """
    from server.store.upkeep.backup import CHANGED_LOG, back_up

    try:
        made = back_up(database, target)
    except Unavailable as error:
        raise click.ClickException(f"{database} cannot be backed up to {target}: {error}") from error
    held = made.description
    click.echo(
        f"{target} holds surveys: {held.surveys}, reports: {held.reports}, accounts: {held.accounts}. "
        "All of it was counted again."
    )
    click.echo(
        "It contains every report with its receipt, drafts, the hashes of passwords, and the secrets of "
        "second factors. It contains no session, no key that signs sessions, no API token, and no link for "
        "staff."
    )
    click.echo(f"The head of its audit log is {held.audit_head}.")
    for deviation in made.deviations:
        click.echo(f"Warning: {deviation}.", err=True)
    for fault in made.log_faults:
        click.echo(f"Warning: {CHANGED_LOG}: {fault}.", err=True)
    if made.log_faults or any(deviation.refused for deviation in made.deviations):
        click.echo("Warning: candor restore takes this backup with --anew only.", err=True)
    if made.open_surveys:
        click.echo(
            f"Warning: {made.open_surveys} of its surveys take reports. With another backup, it shows which "
            "came in between.",
            err=True,
        )
