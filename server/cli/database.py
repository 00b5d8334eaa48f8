"""``candor database``: what the owner of a database does before servers use it."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import click

from server.checked import Checked, DatabaseFile
from server.cli.described import DescribedGroup
from server.cli.environment import storage
from server.cli.numbers import examples
from server.database import Location, PostgreSQLURL
from server.options import DATABASE
from server.store.engine import Unavailable

NAME = re.compile(r"[a-z_][a-z0-9_]{0,62}")


def role(text: str) -> str:
    """Read the name of a role, one that needs no quotes."""
    if not NAME.fullmatch(text):
        raise ValueError
    return text


ROLE = Checked("name", "1 to 63 lower-case letters, digits and underscores that start with no digit", role)


@click.group(cls=DescribedGroup, epilog=examples("candor database migrate --check candor.db"))
def database() -> None:
    """Prepare a database: its tables, and in PostgreSQL who may do what."""


@database.command(
    params=[DATABASE],
    epilog=examples("candor database migrate", "candor database migrate --check candor.db"),
)
@click.option(
    "--check",
    "file",
    type=DatabaseFile(exists=True),
    help="Bring only a copy of this SQLite file up to date, and say what that changes and how long it takes.",
)
def migrate(database: Location, file: Path | None) -> None:
    """Make the tables, or bring them up to date, as their owner.

    The server does so too where it signs in as the owner. An SQLite file must be there: candor serve makes
    it. With --check, nothing is changed: a copy beside the file is brought up to date, counted again, and
    removed.
    """
    if file is not None:
        rehearse(file)
        return
    with storage(database, create=isinstance(database, PostgreSQLURL)):
        click.echo(f"{database} is up to date")


@database.command(epilog=examples("candor database roles > roles.sql"))
@click.option("--application", type=ROLE, default="candor_application", show_default=True, help="Who serves.")
@click.option(
    "--reader", type=ROLE, default="candor_reader", show_default=True, help="Who reads closed surveys."
)
def roles(application: str, reader: str) -> None:
    """Print the SQL that makes two roles and gives them their rights; it begins with how to run it."""
    sql = files("server.store").joinpath("postgresql/schema/roles.sql").read_text("utf-8")
    click.echo(sql.replace("{application}", application).replace("{reader}", reader), nl=False)


def rehearse(file: Path) -> None:
    """Rehearse an upgrade on a copy, and print what it does."""
    from server.store import rehearsal

    try:
        done = rehearsal.rehearse(file)
    except Unavailable as error:
        raise click.ClickException(f"the upgrade of {file} would fail: {error}") from error
    if not done.steps:
        click.echo(f"{file} is up to date: nothing would change")
        return
    click.echo(f"steps: {', '.join(done.steps)}")
    click.echo(
        f"tables that come: {', '.join(done.made) or 'none'}; that go: {', '.join(done.gone) or 'none'}"
    )
    click.echo(f"size: {done.before / 2**20:,.1f} MB before, {done.after / 2**20:,.1f} MB afterwards")
    click.echo(f"{done.reports:,} reports agree with their counts and receipts afterwards")
    if done.rolling:
        click.echo("servers of the version before can go on meanwhile")
    else:
        click.echo("servers of the version before stop: they answer 503 until they are replaced")
    click.echo(f"it took {done.seconds:.2f} s, in which a server answers nothing")
