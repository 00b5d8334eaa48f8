"""The location of the database: an SQLite file, or a PostgreSQL URL."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

POSTGRESQL = re.compile(r"postgres(?:ql)?://(?:[^@/]*@)?(?P<hosts>[^@/?#]*)/(?P<name>[^@/?#]+)(?:\?[^#]*)?")
"""``postgresql://user:password@host:port,host:port/database?option=value``; libpq checks the rest of it."""

SCHEMES = ("postgresql:", "postgres:")


@dataclass(frozen=True)
class PostgreSQLURL:
    """The address of a PostgreSQL database; ``str`` shows host and name only, as it may hold a password.

    Attributes
    ----------
    text : str
        The whole address, for libpq alone.

    Raises
    ------
    ValueError
        If it is not the address of a database.

    Examples
    --------
    >>> str(PostgreSQLURL("postgresql://candor:secret@one,two/surveys?sslmode=require"))
    'postgresql://one,two/surveys'
    """

    text: str = field(repr=False)

    def __post_init__(self) -> None:
        if POSTGRESQL.fullmatch(self.text) is None:
            raise ValueError("not postgresql://user@host/database")

    def __str__(self) -> str:
        found = POSTGRESQL.fullmatch(self.text)
        return "" if found is None else f"postgresql://{found['hosts']}/{found['name']}"


Location = Path | PostgreSQLURL
"""The location of a database."""


def location(text: str) -> Location:
    """Read a location: the path of a file in a folder that exists, or a PostgreSQL URL.

    Raises
    ------
    ValueError
        If it is neither.
    """
    if text.startswith(SCHEMES):
        return PostgreSQLURL(text)
    path = Path(text)
    if path.is_dir() or not path.parent.is_dir():
        raise ValueError
    return path


def shown(text: str) -> str:
    """Show a location in a message: all of a path, nothing of a URL, as it may hold a password."""
    return "another URL" if text.startswith(SCHEMES) or "://" in text else repr(text)
