"""``candor database``: prepare a database, as its owner, before servers use it."""

from __future__ import annotations

import re
from importlib.resources import files

import click

from server import store
from server.cli.shared.described_group import DescribedGroup
from server.cli.shared.numbers import examples
from server.cli.shared.open_database import storage
from server.database import Location, PostgreSQLURL
from server.option_types import CheckedType
from server.options import DATABASE

NAME = re.compile(r"[a-z_][a-z0-9_]{0,62}")


def role(text: str) -> str:
    """Read the name of a role that needs no quotes."""
    if not NAME.fullmatch(text):
        raise ValueError
    return text


ROLE = CheckedType(
    "name", "1 to 63 lower-case letters, digits and underscores that start with no digit", role
)


@click.group(cls=DescribedGroup, epilog=examples("candor database migrate"))
def database() -> None:
    """Prepare a database: its tables, and in PostgreSQL who may do what."""


@database.command(params=[DATABASE], epilog=examples("candor database migrate"))
def migrate(database: Location) -> None:
    """Make the tables, or bring them up to date, as their owner.

    The server does so too where it signs in as the owner. An SQLite file must be there: candor serve makes
    it. A database of a version from which no step leads to this one is refused, and stays as it is.
    """
    with storage(database, create=isinstance(database, PostgreSQLURL)):
        click.echo(f"{database} is up to date")


@database.command(epilog=examples("candor database roles > roles.sql"))
@click.option("--application", type=ROLE, default="candor_application", show_default=True, help="Who serves.")
@click.option(
    "--reader", type=ROLE, default="candor_reader", show_default=True, help="Who reads closed surveys."
)
def roles(application: str, reader: str) -> None:
    """Print the SQL that makes two roles and gives them their rights; it begins with how to run it."""
    sql = files(store).joinpath("postgresql/schema/roles.sql").read_text("utf-8")
    click.echo(sql.replace("{application}", application).replace("{reader}", reader), nl=False)
