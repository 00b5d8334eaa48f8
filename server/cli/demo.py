"""``candor demo``: run a real server with example surveys, and let simulated respondents answer over HTTP."""

from __future__ import annotations

import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import click

from server.cli.serving.listener import address, listen
from server.cli.shared.numbers import examples
from server.cli.shared.open_database import storage as opened
from server.cli.simulation.example_truths import EXAMPLES
from server.cli.simulation.respondents import answer_all, read_examples
from server.option_types import DatabaseFile
from server.store import surveys
from server.store.engine import Connection, Storage
from server.store.sqlite.connection import connect
from server.store.sqlite.migrations import is_unused
from server.store.staff import accounts
from server.store.upkeep import settings

STAFF: tuple[tuple[str, accounts.Role], ...] = (("admin", "admin"), ("researcher", "researcher"))
CANDOR = (sys.executable, "-P", "-m", __package__)
"""This command. With -P, a server.py in the working directory is not mistaken for ours."""

CLOSED = "undeclared-work"
"""The example that is closed once it was answered, to show exact counts and reports."""

TWICE = "student-life"
"""The example that twice as many people answer: it has the most questions, and the hardest to estimate."""


@click.command(epilog=examples("candor demo --respondents 5 --port 0 --fresh"))
@click.option(
    "--respondents",
    type=click.IntRange(0, 1_000_000),
    default=2000,
    show_default=True,
    help="In each survey; the one with every kind of question gets twice as many.",
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 chooses a free port."
)
@click.option(
    "--database",
    type=DatabaseFile(),
    default=Path("demo.db"),
    show_default=True,
    help="The SQLite file; one that the demo made before is served again and completed.",
)
@click.option("--fresh", is_flag=True, help="Delete the file first.")
def demo(respondents: int, port: int, database: Path, fresh: bool) -> None:
    """Run a server with example surveys and simulated respondents.

    Ctrl-C stops it. The database is kept and can be served again.
    """
    with listen("127.0.0.1", port) as listener:
        door = address(listener)
        refuse_another(database)
        for number in (signal.SIGINT, signal.SIGTERM):  # a shell's background job starts with SIGINT ignored
            signal.signal(number, signal.default_int_handler)
        if fresh:
            database.unlink(missing_ok=True)
        try:
            with opened(database, create=True) as storage:
                storage.write(settings.mark_as_demo, respondents)
                passwords = issue_passwords(storage)
                storage.write(open_examples)
                absent = storage.read(still_to_come)
                with served(listener, database) as server:
                    if any(absent.values()):
                        answer_all(door, absent)
                    storage.write(close, CLOSED)
                    storage.finish()
                    announce(door, passwords)
                    server.wait()
                    raise click.ClickException("the server stopped by itself")
        except KeyboardInterrupt:
            click.echo(f"\nStopped. To serve it again: candor serve --database {database}")


def refuse_another(database: Path) -> None:
    """Refuse a file that the demo did not make, since the demo changes passwords and may delete the file.

    Raises
    ------
    click.ClickException
        If the file holds anything else.
    """
    if not database.exists() or not database.stat().st_size:
        return
    try:
        with closing(connect(database)) as db:
            ours = is_unused(db) or settings.demo_respondents(db) is not None
    except sqlite3.Error:
        ours = False
    if not ours:
        raise click.ClickException(
            f"{database} was not made by the demo: name another file with --database. "
            "Nothing in it was changed."
        )


def issue_passwords(storage: Storage) -> dict[str, str]:
    """Create the accounts of the demo, or set new passwords; return name -> password."""
    passwords = {name: accounts.new_password() for name, _ in STAFF}
    for name, role in STAFF:
        account = storage.read(accounts.by_name, name)
        if account is None:
            made = storage.write(accounts.create, name, passwords[name], role)
            storage.write(accounts.mark, made.id, all_surveys=True)
        else:
            storage.write(accounts.set_password, account.id, passwords[name])
    return passwords


def open_examples(db: Connection) -> None:
    """Publish the examples that are not there yet."""
    for definition in read_examples():
        if surveys.by_slug(db, definition.slug) is None:
            surveys.open_survey(db, surveys.import_definition(db, definition).id)


def still_to_come(db: Connection) -> dict[str, int]:
    """Count the respondents that each example lacks, also after an interrupted demo: slug -> number."""
    wanted = settings.demo_respondents(db) or 0
    absent = {}
    for slug in EXAMPLES:
        survey = surveys.by_slug(db, slug)
        if survey is not None and survey.publication is not None and survey.state == "open":
            here = db.reports.respondents(survey.id, survey.publication)
            absent[slug] = max(0, wanted * (2 if slug == TWICE else 1) - here)
    return absent


def close(db: Connection, slug: str) -> None:
    """Close a survey by its name."""
    survey = surveys.by_slug(db, slug)
    if survey is not None and survey.state == "open":
        surveys.close_survey(db, survey.id)


@contextmanager
def served(listener: socket.socket, database: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run ``candor serve`` on the socket until the block ends."""
    listener.set_inheritable(True)
    server = subprocess.Popen(  # noqa: S603
        [
            *CANDOR,
            "serve",
            f"--fd={listener.fileno()}",
            f"--database={database}",
            "--rate-limit=0",
            "--style",
        ],
        pass_fds=[listener.fileno()],
        start_new_session=True,  # Ctrl-C reaches this process alone, which then ends the server in order
    )
    listener.close()  # the server's alone now: if it dies, connections fail instead of hanging
    try:
        yield server
    finally:
        server.terminate()
        try:
            server.wait(timeout=20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def announce(door: str, passwords: dict[str, str]) -> None:
    """Print the addresses, and names and passwords for signing in."""
    for slug in EXAMPLES:
        click.echo(f"respondent  {door}/s/{slug}" if slug != CLOSED else f"closed      {door}/results/{slug}")
    click.echo(f"researcher  {door}/results     name researcher   password {passwords['researcher']}")
    click.echo(f"admin       {door}/admin       name admin        password {passwords['admin']}")
    click.echo(f"everybody   {door}/learn       how it works, with things to try")
    click.echo("Press Ctrl-C to stop. The database is kept.")
