"""Commits that took too long: the server goes on with them, and until they end nothing more is written.

While a standby is away that must have every commit, the server's process waits for it, for ever if need be,
and does not notice that we have hung up. Each further commit would take one more of the server's connections,
until none was left for those who only read. The end of those that wait shows that commits end again.
"""

from __future__ import annotations

import psycopg
from psycopg.pq import TransactionStatus

from server.store.postgresql.connection import PostgreSQL


def commit(db: PostgreSQL, given_up: set[int]) -> str | None:
    """Commit, and return what the server says to it.

    Parameters
    ----------
    db : PostgreSQL
    given_up : set of int
        Takes the number of the server's process, if that does not end before nobody waits for it any more.
    """
    try:
        return db.execute("COMMIT").statusmessage
    except psycopg.Error:
        if db.writing and db.info.transaction_status == TransactionStatus.ACTIVE:
            given_up.add(db.info.backend_pid)
        raise


def go_on(db: PostgreSQL, given_up: set[int]) -> bool:
    """Return whether any of these processes is still at work; forget those that are not."""
    asked = list(given_up)
    at_work = db.execute(
        "SELECT pid FROM pg_stat_activity WHERE pid = ANY (?) AND state = 'active'", [asked]
    ).fetchall()
    given_up.difference_update(set(asked) - {pid for (pid,) in at_work})
    return bool(at_work)
