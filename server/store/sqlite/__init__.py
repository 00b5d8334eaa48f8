"""SQLite: the database in one file, for one machine."""

from __future__ import annotations

from server.runtime.hidden_libraries import hidden, postponed

# sqlite-utils has types for pandas, and reads dates for its own commands.
with hidden("pandas"), postponed("sqlite_utils.recipes"):
    import sqlite_utils as sqlite_utils
