"""An audit log that holds bytes where text belongs, which SQLite can and other engines cannot."""

from __future__ import annotations

from dataclasses import astuple

from server.store.sqlite.connection import SQLite
from server.store.staff import audit, audit_chain


def put_into_text(db: SQLite) -> None:
    """Replace bytes in the log of a copy, of which only the rows matter, by text that any table takes."""
    db.conn.execute("BEGIN IMMEDIATE")
    db.execute("DROP TRIGGER IF EXISTS audit_never_changes")
    for line in audit_chain.chain(db):
        if not line.is_text:
            number, *values = map(as_text, astuple(line))
            columns = ", ".join(f"{column} = ?" for column in audit.COLUMNS[1:])
            db.execute(f"UPDATE audit SET {columns} WHERE id = ?", [*values, number])
    db.conn.execute("COMMIT")


def as_text(value: int | str | bytes | None) -> int | str | None:
    """Return a value of the log; of bytes as many characters, U+FFFD for each that is none of ASCII."""
    if not isinstance(value, bytes):
        return value
    return value.decode("ascii", errors="replace").replace("\0", "\ufffd")
