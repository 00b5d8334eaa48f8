"""``candor verify``: recount every survey from its reports."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TextIO

import click

from server.cli.shared.numbers import examples
from server.cli.shared.open_database import storage
from server.database import Location
from server.options import ACCEPT, DATABASE
from server.store.engine import Storage
from server.store.staff import audit_chain
from server.store.upkeep import verification
from server.store.upkeep.attestation import WAY_ON, unaccepted


@click.command(params=[DATABASE, ACCEPT], epilog=examples("candor verify", "candor verify --heads heads.txt"))
@click.option(
    "--head", "known", multiple=True, metavar="SHA256", help="A head of the audit log; may be repeated."
)
@click.option("--heads", type=click.File("r"), help="A file of heads, such as CANDOR_HEADS names.")
def verify(database: Location, accept: frozenset[str], known: tuple[str, ...], heads: TextIO | None) -> None:
    """Recount every survey, look every receipt up, compare the schema, and check the audit log.

    Checks that what was published has its fingerprint, that the counts are those of the stored reports, that
    no receipt is there twice, that every report is found under its receipt, and that no more is shown than
    was counted. Prints a line for each survey that agrees and one for each fault, and ends with 1 if there is
    any. Nothing is changed.

    Everything in the schema is compared with what this version makes: tables, columns, indexes, triggers and
    views, in PostgreSQL also functions, policies and rights. What is more, less or different is named.

    Each line of the audit log holds the hash of the one before. The first line that was removed, changed or
    moved is named. Lines that were cut off at the end, or a last line that was changed, are found by a head
    that was kept. A log that was written anew from some line on, by somebody who holds the database and every
    head, cannot be told from the first one.

    It may run while a server does: every survey is read in short pieces. Of one that takes reports meanwhile,
    the recount must lie between the counts before and after it.
    """
    if wrong := [text for text in known if not audit_chain.HEAD.fullmatch(text)]:
        raise click.UsageError(f"--head must be 64 hexadecimal digits, got {wrong[0]!r}")
    known = (*known, *(audit_chain.heads_in(heads.read()) if heads else ()))
    all_agree, any_survey = True, False
    with storage(database) as opened:
        all_agree &= schema_agrees(opened, accept)
        all_agree &= log_agrees(opened, known)
        for slug, reports, faults in verification.verify_surveys(opened):
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


def schema_agrees(opened: Storage, accept: frozenset[str]) -> bool:
    """Name what is more, less or different in the schema; return whether nothing of it is refused."""
    deviations = opened.deviations()
    refused = [deviation for deviation in deviations if deviation.refused]
    for deviation in refused:
        click.echo(f"schema: {deviation}: {WAY_ON}", err=True)
    for deviation in unaccepted(deviations, accept):
        click.echo(f"Warning: {deviation}; accept it by its name with --accept", err=True)
    if not refused:
        click.echo("the schema is the one that this version of Candor makes")
    return not refused


def log_agrees(opened: Storage, heads: Iterable[str]) -> bool:
    """Name the first line of the log that was touched, and heads that no line has; return if none is."""
    lines = opened.read(audit_chain.chain)
    faults = list(audit_chain.faults(lines, heads))
    for fault in faults:
        click.echo(f"audit log: {fault}", err=True)
    if not faults:
        click.echo(f"audit log: each line follows from the one before, in {len(lines):,} lines")
    return not faults
