"""The steps by which the database came to be, each a file in ``schema``; how one is brought up to date.

A step and the migration of SQLite that does the same have one name. What is here has run somewhere: append,
never edit.
"""

from __future__ import annotations

from importlib.resources import files

from server.store.engine import Unavailable
from server.store.postgresql.connection import SCHEMA, PostgreSQL
from server.store.versions import ADDITIVE, generation

STEPS = (
    "start",
    "failed_attempts",
    "api_tokens",
    "audit",
    "pictures",
    "life",
    "draft_edits",
    "staff_roles",
    "origins",
    "invitations",
    "staff_links",
    "second_factor",
)

LOCK = 0x63616E646F72
"""The advisory lock of whoever changes the tables: ``candor`` in ASCII."""

NOT_OURS = "it is not a database that candor serve made"

IS_OURS = """
    SELECT count(*) = 2 FROM pg_attribute WHERE attrelid = to_regclass(?)
        AND (attname, atttypid) IN (('name', 'text'::regtype), ('stops', 'boolean'::regtype))
"""
"""Gives whether a table of this name has the columns of the one that lists our steps."""

HELD = "SELECT count(*) FROM migrations WHERE stops"
"""Gives the generation of the database: see `server.store.versions`."""

OURS = generation(STEPS)
"""The generation that this version of Candor works on."""


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
        If the tables of a later version, or of another application, are there; or none, unless `create`.
    """
    db.execute("SELECT pg_advisory_xact_lock(?)", [LOCK])
    known = applied(db)
    refuse_later(known)
    if not known:
        refuse_another(db, create=create)
        db.execute(f"CREATE SCHEMA {SCHEMA}")
        db.execute("CREATE TABLE migrations (name text PRIMARY KEY, stops boolean NOT NULL)")
    elif not known.keys() >= set(STEPS):
        refuse_unless_owner(db)
    for step in STEPS:
        if step not in known:
            db.execute(files("server.store.postgresql").joinpath(f"schema/{step}.sql").read_text("utf-8"))
            db.execute("INSERT INTO migrations (name, stops) VALUES (?, ?)", [step, step not in ADDITIVE])


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
    known = applied(db)
    refuse_later(known)
    if not known:
        raise Unavailable(NOT_OURS)
    if not known.keys() >= set(STEPS):
        raise Unavailable(
            "it is of an earlier version of Candor; candor serve brings it up to date when it starts"
        )


def applied(db: PostgreSQL) -> dict[str, bool]:
    """Return the steps that the database has seen: name -> whether it stops servers that do not know it."""
    ((ours,),) = db.execute(IS_OURS, [f"{SCHEMA}.migrations"]).fetchall()
    return dict(db.execute("SELECT name, stops FROM migrations").fetchall()) if ours else {}


def refuse_later(known: dict[str, bool]) -> None:
    """Refuse a database that a later version of Candor has changed so that this one cannot work on it."""
    if sum(known.values()) > OURS:
        later = ", ".join(sorted(known.keys() - set(STEPS)))
        raise Unavailable(f"a later version of Candor has changed it ({later})")


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
