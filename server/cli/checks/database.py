"""Checks of the database: usable, undamaged, up to date, and durable."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from server.cli.checks import Check, sign_in
from server.config import Config
from server.store import surveys
from server.store.engine import Condition, Connection, Storage, Unavailable
from server.store.lifecycle import retention
from server.store.staff import accounts
from server.store.storage import storage_at
from server.store.surveys import Survey
from server.store.upkeep import backup_series
from server.store.upkeep.attestation import WAY_ON
from server.store.upkeep.backup_series import Outcome
from server.store.upkeep.deviation import Deviation

APART = 5.0
"""Seconds by which two clocks may differ."""


def database(config: Config, clock: Callable[[], float]) -> Iterator[Check]:
    """Check the database without changing it."""
    try:
        with closing(storage_at(config.database)) as storage:
            condition = storage.condition()
            yield Check("database", "ok", f"{condition.engine} at {storage.name}")
            yield from upgrade(condition)
            yield from integrity(condition)
            yield from durability(condition)
            yield from order(condition)
            yield from clocks(condition, clock())
            if not condition.steps:
                yield from schema(storage.deviations(), config.accept)
                yield from backups(storage.read(backup_series.outcome), datetime.fromtimestamp(clock(), UTC))
                yield retained(storage.read(retention.due, datetime.fromtimestamp(clock(), UTC).date()))
                yield from contents(storage, config, clock())
                yield from storage.read(lambda db: [*sign_in.emergency(db, config.sign_in, clock())])
    except Unavailable as error:
        remedy = "name the right one in CANDOR_DATABASE, or bring it back with candor restore"
        yield Check("database", "fault", f"{config.database} cannot be used: {error}", remedy)


def upgrade(condition: Condition) -> Iterator[Check]:
    """Check whether the tables are those of this version."""
    if condition.steps:
        yield Check(
            "migrations",
            "warning",
            f"the tables are of an earlier version ({', '.join(condition.steps)} to come)",
            "make a backup; candor serve brings them up to date when it starts",
        )
    else:
        yield Check("migrations", "ok", "the tables are up to date")


def integrity(condition: Condition) -> Iterator[Check]:
    """Check whether the engine finds its files damaged."""
    for fault in condition.damage:
        yield Check("integrity", "fault", fault, "stop the servers and restore a backup to a new place")
    if not condition.damage:
        yield Check("integrity", "ok", "the engine finds no damage; candor verify recounts what is stored")


def durability(condition: Condition) -> Iterator[Check]:
    """Check whether a commit survives a power cut."""
    for risk in condition.risks:
        yield Check("durability", "fault", risk, "turn it on in postgresql.conf")
    if condition.durability is not None and not condition.risks:
        yield Check("durability", "ok", condition.durability)


def order(condition: Condition) -> Iterator[Check]:
    """Check whether the server of a database writes down when something was stored."""
    for leak in condition.leaks:
        yield Check("order", "warning", leak, "turn it off, or keep what it writes as safe as the reports")


def schema(deviations: list[Deviation], accepted: Collection[str]) -> Iterator[Check]:
    """Check whether the schema is the one that this version makes."""
    for deviation in deviations:
        if deviation.refused:
            yield Check("schema", "fault", f"{deviation}, so no server starts", WAY_ON)
        elif deviation.part in accepted:
            yield Check("schema", "ok", f"{deviation}, and was accepted")
        else:
            remedy = f"remove it, or accept it: CANDOR_ACCEPT='{deviation.part}'"
            yield Check("schema", "warning", str(deviation), remedy)
    if not deviations:
        yield Check("schema", "ok", "it is the one that this version of Candor makes")


def clocks(condition: Condition, now: float) -> Iterator[Check]:
    """Compare the clock of a database server with ours."""
    if condition.clock is not None:
        yield clock_check("the database server", condition.clock - now)


def clock_check(other: str, seconds: float) -> Check:
    """Check whether another clock agrees with ours."""
    if abs(seconds) <= APART:
        return Check("clock", "ok", f"the clock of {other} agrees to {abs(seconds):.0f} s")
    behind = "behind" if seconds < 0 else "ahead"
    finding = f"the clock of {other} is {abs(seconds):,.0f} s {behind}"
    return Check(
        "clock", "warning" if abs(seconds) < 60 else "fault", finding, "let both follow a time server"
    )


def backups(outcome: Outcome | None, now: datetime) -> Iterator[Check]:
    """Check whether backups into a folder are made as often as they should be."""
    remedy = "run candor backup --to FOLDER by hand, and look at what it says"
    if outcome is None:
        yield Check("backups", "ok", "none was made by candor backup --to, which also notes when one fails")
    elif outcome.failure is not None:
        finding = f"the one of {outcome.tried} failed: {outcome.failure}"
        yield Check("backups", "fault", finding, remedy)
    elif outcome.overdue(now):
        finding = f"the latest is of {outcome.made}, and one is due every {outcome.hours} h"
        yield Check("backups", "warning", finding, remedy)
    else:
        yield Check("backups", "ok", f"the latest was made and rehearsed at {outcome.made}")


def retained(due: list[Survey]) -> Check:
    """Check whether every survey has kept its data only as long as it says."""
    if not due:
        return Check("retention", "ok", "no survey has reports after the day until which it keeps them")
    names = ", ".join(survey.slug for survey in due)
    remedy = "ask an admin to delete them, to set a day on which the reports go, or a legal hold"
    return Check("retention", "warning", f"kept longer than respondents were told: {names}", remedy)


def contents(storage: Storage, config: Config, now: float) -> Iterator[Check]:
    """Check that there is an admin, and that nothing stored is later than now."""
    storage.read(surveys.all_surveys)  # none must be of a version that this one cannot read
    roles = [account.role for account in storage.read(accounts.all_accounts)]
    if "admin" not in roles:
        remedy = "candor serve asks for the first admin when it starts, candor user add makes another"
        yield Check("accounts", "warning", "nobody is an admin", remedy)
    elif config.admin_password:
        finding = "CANDOR_ADMIN_PASSWORD is still set, and there is an admin"
        yield Check("accounts", "warning", finding, "take it out of the environment: it is not read any more")
    else:
        yield Check("accounts", "ok", f"admins: {roles.count('admin')}, all accounts: {len(roles)}")
    last = storage.read(last_day)
    tomorrow = (datetime.fromtimestamp(now, UTC) + timedelta(days=1)).date().isoformat()
    today = datetime.fromtimestamp(now, UTC).date().isoformat()
    if last is not None and last > tomorrow:
        yield Check(
            "clock", "fault", f"it is {today} here, and something was sent on {last}", "set the clock"
        )
    else:
        yield Check("clock", "ok", f"it is {today} here, in UTC, and nothing was sent later")


def last_day(db: Connection) -> str | None:
    """Return the last day on which something was sent or a page was opened."""
    ((day,),) = db.execute("SELECT max(day) FROM days").fetchall()
    return None if day is None else str(day)


def secret_key(config: Config) -> str | None:
    """Return the key of this installation, or None if it has none yet; none is drawn."""
    if config.secret_key:
        return config.secret_key
    try:
        with closing(storage_at(config.database)) as storage:
            held = storage.read(
                lambda db: db.execute("SELECT value FROM settings WHERE name = 'secret_key'").fetchone()
            )
    except Unavailable:
        return None
    return None if held is None else str(held[0])


def file_of(config: Config) -> Path | None:
    """Return the file of an SQLite database."""
    return config.database if isinstance(config.database, Path) else None
