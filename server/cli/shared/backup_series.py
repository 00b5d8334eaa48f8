"""Make backups into a folder: one now, or one every so many hours for as long as the command runs."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

import click

from server.store.engine import Unavailable
from server.store.upkeep import backup_series
from server.store.upkeep.backup_series import Series


def run(series: Series, hours: int | None, *, stays: bool) -> None:
    """Make a backup; if the command stays, one after so many hours each time, and a failure ends nothing.

    Raises
    ------
    click.ClickException
        If the key is none, or the one backup cannot be made.
    """
    require_key(series.recipient)
    while True:
        if stays and hours is not None:
            wait_until(backup_series.newest(series.folder), hours)
        now = datetime.now(UTC)
        try:
            target, made = backup_series.attempt(series, now, hours)
        except Unavailable as error:
            failure = f"{series.source} cannot be backed up to {series.folder}: {error}"
            if not stays:
                raise click.ClickException(failure) from error
            click.echo(f"Error: {failure}", err=True)
            time.sleep(3600)  # sooner than the next one, and not at once
            continue
        held = made.description
        click.echo(
            f"{target} holds surveys: {held.surveys}, reports: {held.reports}, accounts: {held.accounts}. "
            "It was restored to a place of its own and counted there."
        )
        if not stays:
            return


def require_key(recipient: str | None) -> None:
    """Refuse what is no public key, and any key where nothing can be encrypted."""
    try:
        if recipient is not None and not backup_series.is_recipient(recipient):
            raise click.ClickException(f"--encrypt-to must be a public key (age1...), got {recipient!r}")
    except Unavailable as error:
        raise click.ClickException(str(error)) from error


def wait_until(last: datetime | None, hours: int) -> None:
    """Wait until so many hours have passed since a backup; not at all if there was none."""
    if last is not None:
        left = last + timedelta(hours=hours) - datetime.now(UTC)
        time.sleep(max(0.0, left.total_seconds()))
