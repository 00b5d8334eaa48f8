"""``candor verify``: recount every survey from its reports."""

from __future__ import annotations

import sys

import click

from server.cli.shared.numbers import examples
from server.cli.shared.open_database import storage
from server.database import Location
from server.options import ACCEPT, DATABASE
from server.store.upkeep import verification
from server.store.upkeep.attestation import WAY_ON, unaccepted


@click.command(
    params=[DATABASE, ACCEPT], epilog=examples("candor verify", "candor verify --database candor.db")
)
def verify(database: Location, accept: frozenset[str]) -> None:
    """Recount every survey from its reports, look every receipt up, and compare the schema.

    Checks that what was published has its fingerprint, that the counts are those of the stored reports, that
    no receipt is there twice, that every report is found under its receipt, and that no more is shown than
    was counted. Prints a line for each survey that agrees and one for each fault, and ends with 1 if there is
    any. Nothing is changed.

    Everything in the schema is compared with what this version makes: tables, columns, indexes, triggers and
    views, in PostgreSQL also functions, policies and rights. What is more, less or different is named.

    It may run while a server does. In an SQLite database, whoever sends something waits while an open survey
    is read, as its reports and counts must be of one moment: for 300,000 reports less than 0.05 seconds. A
    closed survey is read in short pieces.
    """
    all_agree, any_survey = True, False
    with storage(database) as opened:
        deviations = opened.deviations()
        for deviation in deviations:
            if deviation.refused:
                click.echo(f"schema: {deviation}: {WAY_ON}", err=True)
                all_agree = False
        for deviation in unaccepted(deviations, accept):
            click.echo(f"Warning: {deviation}; accept it by its name with --accept", err=True)
        if all_agree:
            click.echo("the schema is the one that this version of Candor makes")
        for slug, reports, faults in verification.verified(opened):
            any_survey = True
            for fault in faults:
                click.echo(f"{slug}: {fault}", err=True)
            if not faults and reports is None:
                click.echo(f"{slug}: its reports were removed on their day; its counts cannot be recounted")
            elif not faults:
                click.echo(f"{slug}: {reports:,} reports agree with their counts and receipts")
            all_agree &= not faults
    if not any_survey:
        click.echo(f"{database} holds no survey that was opened: there is nothing to count again")
    sys.exit(0 if all_agree else 1)
