"""Settings that a server decides once, for as long as its database lasts."""

from __future__ import annotations

import secrets

from server.store.engine import Connection


def secret_key(db: Connection) -> str:
    """Return the key that signs staff sessions. The first call draws it."""
    db.execute(
        "INSERT INTO settings (name, value) VALUES ('secret_key', ?) ON CONFLICT DO NOTHING",
        [secrets.token_hex(32)],
    )
    ((value,),) = db.execute("SELECT value FROM settings WHERE name = 'secret_key'").fetchall()
    return str(value)


def mark_as_demo(db: Connection, respondents: int) -> None:
    """Mark the database as the demo's, and store how many simulated respondents a survey is to have."""
    db.execute(
        "INSERT INTO settings (name, value) VALUES ('demo', ?) ON CONFLICT DO NOTHING", [str(respondents)]
    )


def demo_respondents(db: Connection) -> int | None:
    """Return the number that `mark_as_demo` stored, or None if the database is not the demo's."""
    row = db.execute("SELECT value FROM settings WHERE name = 'demo'").fetchone()
    return None if row is None else int(row[0])
