"""Steps of the schema that are written as SQL."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from importlib.resources import files

from sqlite_utils import Database


def step(name: str) -> Callable[[Database], None]:
    """Make a migration of a file of ``schema``."""

    def run(db: Database) -> None:
        """Run it in the caller's transaction, which `executescript` would end."""
        text = files("server.store.sqlite").joinpath(f"schema/{name}.sql").read_text("utf-8")
        for statement in statements(text):
            db.execute(statement)

    return run


def statements(script: str) -> Iterator[str]:
    r"""Take a script apart at the ends of lines where a statement ends.

    Examples
    --------
    >>> trigger = "CREATE TRIGGER t AFTER INSERT ON a BEGIN\nSELECT 1;\nEND;"
    >>> list(statements(f"CREATE TABLE a (b);\n\n-- Why.\n{trigger}\n")) == [
    ...     "CREATE TABLE a (b);", f"-- Why.\n{trigger}"
    ... ]
    True
    """
    held = ""
    for line in script.splitlines():
        held = f"{held}\n{line}".strip()
        if sqlite3.complete_statement(held):
            yield held
            held = ""
    if held:
        raise ValueError(f"the script ends within a statement: {held[:60]!r}")
