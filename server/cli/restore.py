"""``candor restore``: make an installation of a backup."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from tempfile import gettempdir

import click

from server.cli.shared.numbers import examples
from server.database import Location
from server.options import ACCEPT, DATABASE
from server.store.engine import Unavailable
from server.store.upkeep.attestation import unaccepted


@click.command(
    params=[DATABASE, ACCEPT],
    epilog=examples(
        "candor restore backup.zip --database restored.db",
        "candor restore backup.zip --check",
    ),
)
@click.argument("source", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--anew", is_flag=True, help="Carry its rows into new tables, and leave all else behind.")
@click.option("--check", is_flag=True, help="Only try it, in a place of its own, and leave nothing.")
@click.option(
    "--identity",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The file with the private key to which SOURCE was encrypted.",
)
def restore(
    database: Location, accept: frozenset[str], source: Path, anew: bool, check: bool, identity: Path | None
) -> None:
    """Make an installation of the backup SOURCE: a new file, or an empty PostgreSQL database.

    The backup is read whole, brought up to date and counted again before anything of it is in place. A
    backup that was cut short, or that a version of Candor made which this one cannot follow, is refused.
    One with a trigger, or anything else that could act on what is stored, which this version does not make,
    is refused too: with --anew, its rows are carried into new tables, and nothing else. So is one whose audit
    log is not the one that was written: with --anew, it is restored all the same, and the fault is printed
    and stands in the audit log. All staff sign in again, with the passwords that they had, and make new API
    tokens. An encrypted backup needs its private key; --check shows that it is the right one, and that the
    backup can be restored.
    """
    from server.store.upkeep.backup import CHANGED_LOG
    from server.store.upkeep.backup import restore as restored
    from server.store.upkeep.backup_file import private_folder
    from server.store.upkeep.backup_series import decrypted

    try:
        with ExitStack() as opened:
            plain, target = source, database
            if check or identity:
                inside = opened.enter_context(private_folder(Path(gettempdir())))
                target = inside / "checked.db" if check else database
                plain = decrypted(source, key_in(identity), inside / "backup.zip") if identity else source
            made = restored(plain, target, anew=anew)
    except Unavailable as error:
        place = "" if check else f" to {database}"
        raise click.ClickException(f"{source} cannot be restored{place}: {error}") from error
    held = made.description
    for fault in made.log_faults:
        click.echo(f"Warning: {CHANGED_LOG}: {fault}. The audit log says so now.", err=True)
    for deviation in unaccepted(made.deviations, accept):
        click.echo(f"Warning: {deviation}; accept it by its name with --accept", err=True)
    if check:
        click.echo(
            f"{source} can be restored. It holds surveys: {held.surveys}, reports: {held.reports}, "
            f"accounts: {held.accounts}. All of it was counted again."
        )
        return
    click.echo(
        f"{database} holds surveys: {held.surveys}, reports: {held.reports}, accounts: {held.accounts}. "
        "All of it was counted again. Every session and API token has ended: staff sign in again."
    )


def key_in(file: Path) -> str:
    """Return the private key in a file of age-keygen's, among its comments."""
    lines = [line.strip() for line in file.read_text("utf-8", "replace").splitlines()]
    keys = [line for line in lines if line and not line.startswith("#")]
    if len(keys) != 1:
        raise Unavailable(f"{file} must hold one private key (AGE-SECRET-KEY-...), and holds {len(keys)}")
    return keys[0]
