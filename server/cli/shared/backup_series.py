"""Make backups into a folder: one now, or one every so many hours for as long as the command runs."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click

from server.database import Location
from server.store.engine import Unavailable
from server.store.upkeep import backup_series
from server.store.upkeep.backup_series import Series


def run(database: Location, folder: Path, keep: int, hours: int | None, recipient: str | None) -> None:
    """Make a backup, and with `hours` another one after each such time; then a failure ends nothing.

    Raises
    ------
    click.ClickException
        If the key is none, or the one backup cannot be made.
    """
    try:
        if recipient is not None and not backup_series.is_recipient(recipient):
            raise click.ClickException(f"--encrypt-to must be a public key (age1...), got {recipient!r}")
    except Unavailable as error:
        raise click.ClickException(str(error)) from error
    series = Series(database, folder, keep, recipient)
    while True:
        if hours is not None:
            wait_until(backup_series.newest(folder), hours)
        now = datetime.now(UTC)
        try:
            target, made = backup_series.attempt(series, now, hours)
        except Unavailable as error:
            failure = f"{database} cannot be backed up to {folder}: {error}"
            if hours is None:
                raise click.ClickException(failure) from error
            click.echo(f"Error: {failure}", err=True)
            time.sleep(3600)  # sooner than the next one, and not at once
            continue
        held = made.description
        click.echo(
            f"{target} holds surveys: {held.surveys}, reports: {held.reports}, accounts: {held.accounts}. "
            "It was restored to a place of its own and counted there."
        )
        if hours is None:
            return


def wait_until(last: datetime | None, hours: int) -> None:
    """Wait until so many hours have passed since a backup; not at all if there was none."""
    if last is not None:
        left = last + timedelta(hours=hours) - datetime.now(UTC)
        time.sleep(max(0.0, left.total_seconds()))
