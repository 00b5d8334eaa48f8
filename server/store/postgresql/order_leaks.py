"""Settings of a PostgreSQL server that write down when a report was stored, or in what order reports came."""

from __future__ import annotations

from collections.abc import Iterator

from server.store.postgresql.connection import PostgreSQL

LOGGED = {
    "track_commit_timestamp": ("off",),
    "log_statement": ("none", "ddl"),
    "log_duration": ("off",),
    "log_min_duration_statement": ("-1",),
    "log_min_duration_sample": ("-1",),
    "log_transaction_sample_rate": ("0",),
}
"""Setting -> the values with which it writes nothing of a submission."""

LIBRARIES = ("auto_explain", "pgaudit")
"""Libraries that log statements, wherever a server loads them."""

LOADED = ("shared_preload_libraries", "session_preload_libraries", "local_preload_libraries")

COPIES = """
    SELECT 'publication', pubname FROM pg_publication WHERE puballtables OR EXISTS (
        SELECT FROM pg_publication_tables AS published
        WHERE published.pubname = pg_publication.pubname AND schemaname IN ('candor', 'candor_closed')
    )
    UNION ALL
    SELECT 'replication slot', slot_name FROM pg_replication_slots
    WHERE database IS NULL OR database = current_database()
    ORDER BY 1, 2
"""


def leaks(db: PostgreSQL) -> Iterator[str]:
    """Yield each setting, library, publication and replication slot that shows order, in a sentence."""
    rows = db.execute(
        "SELECT name, setting FROM pg_settings WHERE name = ANY (?)", [[*LOGGED, *LOADED]]
    ).fetchall()
    settings = dict(rows)
    for name, harmless in LOGGED.items():
        if name in settings and settings[name] not in harmless:
            yield f"{name} is {settings[name]}: the server writes down when something was stored"
    for library in LIBRARIES:
        if any(library in settings.get(name, "") for name in LOADED):
            yield f"{library} is loaded: it can write down when something was stored"
    if hidden := [name for name in (*LOGGED, *LOADED) if name not in settings]:
        yield (
            f"{', '.join(hidden)} cannot be seen by this role: "
            "look as a member of pg_read_all_settings whether they log statements"
        )
    for kind, name in db.execute(COPIES).fetchall():
        yield f"{kind} {name} passes on what was stored, in the order in which it came"
