"""SQLite: the database in one file, for one machine."""

from __future__ import annotations

import sys
from typing import Any

if "pandas" not in sys.modules:
    modules: dict[str, Any] = sys.modules
    modules["pandas"] = None  # sqlite-utils would import it where it is installed, for types of its own
    import sqlite_utils as sqlite_utils

    del modules["pandas"]
