"""``candor doctor``: check an installation, and say what to do about each finding."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from urllib.parse import SplitResult

import click

from server.cli.checks import Check
from server.cli.shared.http_get import public_url
from server.cli.shared.numbers import examples
from server.database import Location
from server.option_types import CheckedType
from server.options import LOCATION

URL = CheckedType("url", "the address of a server, such as https://survey.example", public_url)


@click.command(epilog=examples("candor doctor", "candor doctor --database candor.db --json"))
@click.option(
    "--database", type=LOCATION, help="Look at this database instead of the one that CANDOR_DATABASE names."
)
@click.option("--url", type=URL, help="Ask the server at its public address too: https://survey.example")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def doctor(database: Location | None, url: SplitResult | None, as_json: bool) -> None:
    """Look an installation over: settings, database, files, disk, clock, and the proxies in front.

    Run it as the user who runs the server, with its environment. Each line is ok, a warning or a fault, and
    says what to do. With --url, the server is asked at its public address what it takes a request for: so it
    shows whether CANDOR_PROXY_HOPS is right, whether a respondent could choose the address that the server
    counts by, and whether the proxies leave headers as they are. Nothing is changed. The exit status is 1 if
    there is a fault.

    An SQLite database is copied beside itself, into a file without a name, and looked over there for damage.
    Whoever sends something waits for the copy: about 2 seconds for each GB, or longer on a busy machine.
    """
    checks = list(examined(database, url, time.time))
    faults = sum(check.state == "fault" for check in checks)
    warnings = sum(check.state == "warning" for check in checks)
    if as_json:
        told = {"faults": faults, "warnings": warnings, "checks": [asdict(check) for check in checks]}
        click.echo(json.dumps(told, indent=2))
    else:
        for check in checks:
            click.echo(check)
        click.echo(f"faults: {faults}, warnings: {warnings}")
    sys.exit(1 if faults else 0)


def examined(
    database: Location | None, url: SplitResult | None, clock: Callable[[], float]
) -> Iterator[Check]:
    """Check every part in turn."""
    from server.cli.checks import configuration, machine, proxy, sign_in
    from server.cli.checks import database as base

    yield machine.versions()
    config, found = configuration.configuration(os.environ)
    yield from found
    key = None
    if config is not None:
        if database is not None:
            config = replace(config, database=database)
        yield from base.database(config, clock)
        yield from sign_in.providers(config)
        key = base.secret_key(config)
        file = base.file_of(config)
        if file is not None:
            yield from machine.files(file)
            yield from machine.disk(file, machine.mounts())
    yield machine.limits()
    if url is not None:
        yield from proxy.proxy(url, key, clock)
