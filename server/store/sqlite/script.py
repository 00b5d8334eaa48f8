"""SQL scripts, taken apart into statements."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator


def statements(script: str) -> Iterator[str]:
    r"""Take a script apart at the ends of lines where a statement ends.

    `executescript` would end the caller's transaction.

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
