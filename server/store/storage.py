"""Choose the engine of a database."""

from __future__ import annotations

from server.database import Location, PostgreSQLURL
from server.store.engine import Storage, Unavailable


def storage_at(database: Location) -> Storage:
    """Return the storage of a database: SQLite's for a path, PostgreSQL's for a URL. Nothing is opened yet.

    Raises
    ------
    Unavailable
        If PostgreSQL is asked for and its driver, an optional dependency, is not installed.
    """
    if isinstance(database, PostgreSQLURL):
        try:
            from server.store.postgresql.storage import PostgreSQLStorage
        except ImportError as error:
            raise Unavailable("psycopg is missing: install candor-survey[postgresql]") from error
        return PostgreSQLStorage(database)
    from server.store.sqlite.storage import SQLiteStorage

    return SQLiteStorage(database)
