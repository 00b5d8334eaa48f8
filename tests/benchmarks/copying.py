"""Print how long respondents wait while `candor backup`, `doctor` and `verify` look at a large SQLite file.

    python tests/benchmarks/copying.py [RESPONDENTS]     300 000 unless it is given, 1 min

A survey of ten questions is filled. Reports are sent to another survey of the same file all the time while
each command runs, and while none does. The longest wait of each of five rounds is taken, and of those the
least, the median and the most are printed. They depend on the machine, so no figure is asserted; a command
that fails is an error.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from closing import fill, opened, waits

from server.store.sqlite.storage import SQLiteStorage

ROUNDS = 5


def command(database: Path, *words: str) -> Callable[[], object]:
    """Return what runs a command on a database, and fails if it does."""
    environment = os.environ | {"CANDOR_DATABASE": str(database)}
    candor = Path(sys.executable).with_name("candor")
    return lambda: subprocess.run([candor, *words], env=environment, check=True, capture_output=True)


def main(respondents: int) -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "candor.db"
        storage = SQLiteStorage(database)
        storage.create()
        large, other = opened(storage, "large"), opened(storage, "other")
        fill(storage, large, respondents)
        print(f"{respondents:,} reports, {database.stat().st_size / 1e6:.0f} MB; longest wait in ms")
        print(f"{'while':12} {'least':>8} {'median':>8} {'most':>8}")
        for name in ("nothing", "backup", "doctor", "verify"):
            longest = []
            for round_ in range(ROUNDS):
                target = [str(Path(folder) / f"{round_}.zip")] if name == "backup" else []
                work = (lambda: time.sleep(2)) if name == "nothing" else command(database, name, *target)
                longest.append(1000 * max(waits(storage, other, work)[0]))
            figures = (min(longest), statistics.median(longest), max(longest))
            print(f"{name:12} " + " ".join(f"{each:8.0f}" for each in figures), flush=True)
        storage.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300_000)
