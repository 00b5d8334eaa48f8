"""The campaign: whatever is killed, cut off, full or late, what was acknowledged is stored exactly once.

Usage: uv run python tests/benchmarks/campaign [--list] [sqlite|postgresql] [parts...]

Without an engine both are tried, and without parts all of them run, one after the other. Each prints a table;
the command ends with an error if anything was missed. With --list it only names what would run.
"""

from __future__ import annotations

import sys
import time
from functools import partial
from pathlib import Path

import backups
import clocks
import crowd
import forensics
import kills
import network
import outages
import power
import raw
import rolling
import statements
from engines import ENGINES

sys.path.append(str(Path(__file__).resolve().parents[1]))
import failover

PARTS = {
    "kills": kills.table,
    "rolling": rolling.table,
    "outages": outages.table,
    "clocks": clocks.table,
    "statements": statements.table,
    "backups": backups.table,
    "network": network.table,
    "crowd": crowd.table,
    "power": power.table,
    "forensics": forensics.table,
    "raw": raw.table,
    "failover": lambda engine: not failover.main(),
}
ONE_ENGINE = {"failover": "postgresql"}
"""The parts for which only one engine has anything to try."""


def main(*words: str) -> int:
    """Run parts of the campaign on engines, or list them; 1 if anything was missed."""
    chosen = [word for word in words if word != "--list"]
    engines = [word for word in chosen if word in ENGINES] or list(ENGINES)
    parts = [word for word in chosen if word in PARTS] or list(PARTS)
    if not set(chosen) <= ENGINES.keys() | PARTS.keys():
        sys.exit(f"{__doc__}\nEngines: {', '.join(ENGINES)}. Parts: {', '.join(PARTS)}.")
    runs = {
        f"{part} on {engine}": partial(PARTS[part], engine)
        for engine in engines
        for part in parts
        if ONE_ENGINE.get(part, engine) == engine
    }
    if "--list" in words:
        print(*runs, sep="\n")
        return 0
    missed = []
    for name, run in runs.items():
        print(f"\n{name}", flush=True)
        begun = time.monotonic()
        if not run():
            missed.append(name)
        print(f"{time.monotonic() - begun:.0f} s", flush=True)
    print(f"\nMissed: {', '.join(missed)}." if missed else "\nNothing was missed.")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
