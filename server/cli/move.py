"""``candor move``: move an installation from an SQLite file to PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from server.cli.shared.numbers import examples
from server.database import PostgreSQLURL
from server.option_types import CheckedType, DatabaseFile, RefusedOption
from server.store.engine import Unavailable

if TYPE_CHECKING:
    from server.store.postgresql.connection import PostgreSQL

EXISTING = DatabaseFile(exists=True)
URL = CheckedType(
    "url",
    "postgresql://user@host/database",
    PostgreSQLURL,
    shown=lambda text: "another URL" if ":" in text else repr(text),  # it may hold a password
    error=RefusedOption,
)


@click.command(
    epilog=examples(
        "candor move candor.db postgresql://candor@db.example/surveys", "candor move --undo candor.db"
    )
)
@click.argument("sqlite", type=EXISTING)
@click.argument("postgresql", type=URL, required=False)
@click.option("--undo", is_flag=True, help="Let SQLITE be used again after a move.")
def move(sqlite: Path, postgresql: PostgreSQLURL | None, undo: bool) -> None:
    """Move an installation from the file SQLITE into the empty database POSTGRESQL.

    Surveys with their reports and receipts, counts and published counts, accounts, settings and days go along
    and are counted again before anything counts as moved. Sessions stay behind: staff sign in again. The file
    is kept, and marked, and candor serve refuses it from then on. Servers that use it meanwhile answer 503.
    POSTGRESQL is a URL such as postgresql://candor@db.example/surveys.

    Everybody on a machine can read its command lines: give a password in PGPASSWORD or in a file ~/.pgpass.
    """
    if undo == (postgresql is not None):
        raise click.UsageError("POSTGRESQL must be given, or --undo, and not both")
    click.echo(undone(sqlite) if postgresql is None else moved(sqlite, postgresql))


def moved(sqlite: Path, postgresql: PostgreSQLURL) -> str:
    """Move an installation, and return the message that says so.

    Raises
    ------
    click.ClickException
        If nothing was moved, or if PostgreSQL did not say whether it has committed.

    Notes
    -----
    The file is marked before PostgreSQL commits: whatever happens in between, only one takes reports.
    """
    from server.cli.shared.open_database import storage
    from server.store.upkeep.move import CarriedTotals, carry
    from server.store.upkeep.move_mark import locked_file, mark

    marked = False

    def carry_and_mark(db: PostgreSQL) -> CarriedTotals:
        nonlocal marked
        totals = carry(db, source)
        mark(source, target.name)
        marked = True
        return totals

    with storage(sqlite):
        pass  # brought up to date, or refused
    with storage(postgresql, create=True) as target, blaming(str(sqlite)), locked_file(sqlite) as source:
        try:
            with blaming(target.name):
                totals = target.write_here(carry_and_mark)
        except click.ClickException as error:
            if not marked:
                raise
            way = f"Unless it holds everything, go back with candor move --undo {sqlite}"
            raise click.ClickException(f"{error.message}. {way}") from error
        with suppress(Unavailable):
            target.finish()  # a server that starts there does what is left
    return (
        f"Everything was carried over to {target.name} and counted again there: surveys: {totals.surveys}, "
        f"reports: {totals.reports}, accounts: {totals.accounts}. Sessions were not: staff sign in again. "
        f"{sqlite} is kept, and candor serve refuses it."
    )


def undone(sqlite: Path) -> str:
    """Let a file be used again, and return the message that says so."""
    from server.store.upkeep.move_mark import unmark

    with blaming(str(sqlite)):
        target = unmark(sqlite)
    return f"{sqlite} can be used again. What {target} has stored since is not in it."


@contextmanager
def blaming(name: str) -> Iterator[None]:
    """End the command with one sentence if a database cannot be used."""
    try:
        yield
    except Unavailable as error:
        raise click.ClickException(f"the database {name} cannot be used: {error}") from error
