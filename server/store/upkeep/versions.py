"""The versions of the tables: which of them a database has had, and the step that makes each.

Both engines count the same versions, and have a file of SQL for each step in their folders ``schema``. Until
Candor 0.9, whoever changes the tables changes ``tables.sql`` and raises `FIRST`, and a database of an earlier
version is refused. From then on each change is a step of its own.

Several servers on one database are replaced one at a time. The first new one takes the step, and the others
go on with what it leaves. So a change of the tables comes in two versions wherever it can: one adds what the
next will use, and a later one removes what nobody uses any more. A step after which servers of the version
before cannot go on stops them: they answer 503 from their next transaction on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files

from server import store
from server.store.engine import Connection, Unavailable


@dataclass(frozen=True)
class Step:
    """A step from one version of the tables to the next.

    Attributes
    ----------
    name : str
        The name of its file of SQL.
    stops : bool
        Whether it stops servers that do not know it.
    """

    name: str
    stops: bool = True


FIRST = 21
"""The version that ``tables.sql`` makes of an empty database."""

STEPS: tuple[Step, ...] = (Step("tables"),)
"""The steps to `FIRST` and to each version after it."""

TABLE = "CREATE TABLE versions (number integer PRIMARY KEY, stops integer NOT NULL)"
"""Holds a row for each version that the database has had."""

REQUIRED = "SELECT max(number) FROM versions WHERE stops = 1"
"""Gives the version that a server must know to work on the database."""

NOT_OURS = "it is not a database that candor serve made"
OUTDATED = "it is of an earlier version of Candor; candor serve brings it up to date when it starts"


def required() -> int:
    """Return the version that this Candor requires: servers that require the same can work side by side."""
    return max(number for number, step in enumerate(STEPS, FIRST) if step.stops)


def recorded(db: Connection) -> dict[int, bool]:
    """Return the versions that a database has had: number -> whether it stopped servers of those before."""
    rows = db.execute("SELECT number, stops FROM versions ORDER BY number").fetchall()
    return {number: bool(stops) for number, stops in rows}


def missing(versions: Mapping[int, bool]) -> dict[int, Step]:
    """Return the steps that bring a database up to date, by the versions that it has had.

    Raises
    ------
    Unavailable
        If no step leads from its version to this one, or a later version has changed what this one uses.
    """
    newest = FIRST + len(STEPS) - 1
    if any(stops and number > newest for number, stops in versions.items()):
        raise Unavailable(
            f"a later version of Candor has changed it: its tables have version {max(versions)}, "
            f"and this one knows no version after {newest}; use that later one"
        )
    if versions and max(versions) < FIRST:
        raise Unavailable(
            "an earlier version of Candor made it, and this one cannot bring it up to date: its tables have "
            f"version {max(versions)}, and this one needs {FIRST}; serve it with the version that made it, "
            "and download survey files and results there"
        )
    return {number: step for number, step in enumerate(STEPS, FIRST) if number not in versions}


def take(db: Connection, steps: Mapping[int, Step], engine: str, run: Callable[[str], object]) -> None:
    """Take steps in the caller's transaction, with what runs a script of SQL; note the version of each."""
    for number, step in steps.items():
        run(script(engine, step.name))
        db.execute("INSERT INTO versions (number, stops) VALUES (?, ?)", [number, int(step.stops)])


def script(engine: str, name: str) -> str:
    """Read a step's SQL for an engine, ``sqlite`` or ``postgresql``."""
    return files(store).joinpath(f"{engine}/schema/{name}.sql").read_text("utf-8")
