"""``candor backup``: write everything into one file while respondents go on."""

from __future__ import annotations

from pathlib import Path

import click

from server.cli.shared.numbers import examples
from server.database import Location
from server.options import DATABASE
from server.store.engine import Unavailable

HOURS = {"hour": 1, "day": 24, "week": 168}
MOST_KEPT = 1000


@click.command(
    params=[DATABASE],
    epilog=examples(
        "candor backup backup.zip",
        "candor backup backup.zip --database candor.db",
        "candor backup --to . --keep 7 --database candor.db",
    ),
)
@click.argument("target", type=click.Path(path_type=Path), required=False)
@click.option(
    "--to",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Put the backup into this folder, under the present date and time, and remove the oldest ones.",
)
@click.option(
    "--keep",
    type=click.IntRange(1, MOST_KEPT),
    default=7,
    show_default=True,
    help="Keep so many backups in the folder.",
)
@click.option("--every", type=click.Choice(tuple(HOURS)), help="Stay, and make one so often.")
@click.option("--once", is_flag=True, help="Make one now: a timer calls this so often as --every says.")
@click.option(
    "--encrypt-to",
    "recipient",
    metavar="KEY",
    help="Encrypt those in the folder to this public key (age1...); only the private key opens them.",
)
def backup(
    database: Location,
    target: Path | None,
    folder: Path | None,
    keep: int,
    every: str | None,
    once: bool,
    recipient: str | None,
) -> None:
    """Write everything into a new file while respondents go on, or make backups into a folder.

    The file is the same for SQLite and PostgreSQL, and `candor restore` makes either of it. It shows one
    moment, and is counted again before it gets its name; a file that is there already is never touched. It
    holds surveys with their reports and receipts, the hashes of passwords, the secrets of second factors, and
    everything else but sessions, the key that signs them, API tokens and links for staff: keep it as safe as
    the database. Only its owner can read it.

    With --to, each backup is restored to a place of its own and counted there before it gets its name, and
    only then the oldest goes. --every stays and makes one so often; with --once, a timer calls it instead
    (candor deploy backup-timer). candor doctor, the metrics and the page of surveys say when one failed, and
    with --every also when one is overdue. The key of --encrypt-to is one that age-keygen made. Keep its
    private half elsewhere, and try it once with candor restore --check: whoever loses it loses every backup.

    Two backups of an open survey show which reports came between them: keep one, or make it after closing.
    An SQLite database is first copied beside TARGET, page by page, into a file without a name. Whoever sends
    something waits for that, and for nothing else: about 2 seconds for each GB, or longer on a busy machine.
    The disk of TARGET needs room for the database twice and for the backup. What it frees in the end can
    show older pages of the database to whoever reads the disk itself.
    """
    if (target is None) == (folder is None):
        raise click.UsageError("Name either TARGET, a new file, or a folder with --to.")
    if folder is None and (every or recipient):
        raise click.UsageError("--every and --encrypt-to are for a folder: name it with --to.")
    if once and not every:
        raise click.UsageError("--once needs --every, so that somebody can see when the next one is overdue.")
    if folder is not None:
        from server.cli.shared.backup_series import run
        from server.store.upkeep.backup_series import Series

        series = Series(database, folder, keep, recipient)
        run(series, HOURS[every] if every else None, stays=every is not None and not once)
    elif target is not None:
        into_one_file(database, target)


def into_one_file(database: Location, target: Path) -> None:
    """Make one backup, and say what it holds and what is wrong with it."""
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
