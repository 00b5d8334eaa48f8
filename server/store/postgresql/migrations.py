"""The version of Candor that left a database as it is, and bringing it up to date."""

from __future__ import annotations

from server.store.engine import Unavailable
from server.store.postgresql.connection import SCHEMA, PostgreSQL
from server.store.upkeep import versions
from server.store.upkeep.versions import NOT_OURS, OUTDATED, Step

LOCK = 0x63616E646F72
"""The advisory lock of whoever changes the tables: ``candor`` in ASCII."""

COLUMNS = "SELECT attname FROM pg_attribute WHERE attrelid = to_regclass(?) AND attnum > 0"


def migrate(db: PostgreSQL, *, create: bool) -> None:
    """Bring the database up to date in one transaction; of two servers that start at once, one does it.

    Parameters
    ----------
    db : PostgreSQL
        In a transaction.
    create : bool
        Whether to make the tables where there are none.

    Raises
    ------
    Unavailable
        If the tables of another application are there; or none, unless `create`; or it cannot be brought up
        to date: see `server.store.upkeep.versions.missing`.
    """
    db.execute("SELECT pg_advisory_xact_lock(?)", [LOCK])
    steps = versions.missing(held := recorded(db))
    if not held:
        refuse_another(db, create=create)
        db.execute(f"CREATE SCHEMA {SCHEMA}")
        db.execute(versions.TABLE)
    elif steps:
        refuse_unless_owner(db)
    versions.take(db, steps, "postgresql", db.execute)


def refuse_unless_owner(db: PostgreSQL) -> None:
    """Refuse to change the tables as a role that may not: see ``schema/roles.sql``."""
    ((owner,),) = db.execute("SELECT has_schema_privilege(?, 'CREATE')", [SCHEMA]).fetchall()
    if not owner:
        raise Unavailable(
            "it is of an earlier version of Candor; "
            "its owner brings it up to date with candor database migrate"
        )


def check(db: PostgreSQL) -> None:
    """Refuse a database that is not as this version of Candor leaves it, such as an empty one.

    Raises
    ------
    Unavailable
        With what is wrong with it.
    """
    if missing(db):
        raise Unavailable(OUTDATED)


def missing(db: PostgreSQL) -> dict[int, Step]:
    """Return the steps that bring the database up to date: see `server.store.upkeep.versions.missing`."""
    if held := recorded(db):
        return versions.missing(held)
    raise Unavailable(NOT_OURS)


def recorded(db: PostgreSQL) -> dict[int, bool]:
    """Return the versions that the database has had: see `versions.recorded`; none if it is not ours."""
    if columns_of(db, "versions") == {"number", "stops"}:
        return versions.recorded(db)
    if columns_of(db, "migrations") == {"name", "stops"}:  # up to version 3, it held a list of steps
        ((count,),) = db.execute("SELECT count(*) FROM migrations WHERE stops").fetchall()
        return {count: True}
    return {}


def columns_of(db: PostgreSQL, table: str) -> set[str]:
    """Return the names of the columns of a table; none if it is not there."""
    return {name for (name,) in db.execute(COLUMNS, [f"{SCHEMA}.{table}"]).fetchall()}


def refuse_another(db: PostgreSQL, *, create: bool) -> None:
    """Refuse a database that is not ours and has tables, or a schema of a name that ours have."""
    table = db.execute(
        """
        SELECT nspname || '.' || relname
        FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE relkind IN ('r', 'p') AND nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
            AND NOT starts_with(nspname, 'pg_temp') AND NOT EXISTS (
                SELECT FROM pg_depend WHERE deptype = 'e' AND classid = 'pg_class'::regclass
                AND objid = pg_class.oid
            )
        ORDER BY 1
        """
    ).fetchone()
    if table is not None:
        raise Unavailable(f"it holds another application's table {table[0]}")
    if not create:
        raise Unavailable(NOT_OURS)
    schema = db.execute(
        "SELECT nspname FROM pg_namespace WHERE nspname IN (?, ?)", [SCHEMA, f"{SCHEMA}_closed"]
    ).fetchone()
    if schema is not None:
        raise Unavailable(f"it has a schema {schema[0]} that candor serve did not make: drop it first")
