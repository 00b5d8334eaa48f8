"""SQLite: the database in one file, for one machine."""

from __future__ import annotations

from server.runtime.hidden_libraries import hidden

with hidden("pandas"):  # sqlite-utils has types for it
    import sqlite_utils as sqlite_utils
