"""The campaign: whatever is killed, cut off, full or late, what was acknowledged is stored exactly once.

Usage: uv run python tests/benchmarks/campaign [sqlite|postgresql] [parts...]

Without parts all of them run, one after the other, in less than an hour. Each prints a table; the command
ends with an error if anything was missed.
"""

from __future__ import annotations

import sys
import time

import backups
import clocks
import crowd
import forensics
import kills
import network
import outages
import power
import rolling
import statements
from engines import ENGINES

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
}


def main(engine: str = "sqlite", *parts: str) -> int:
    """Run parts of the campaign on an engine; 1 if anything was missed."""
    if engine not in ENGINES or not set(parts) <= set(PARTS):
        sys.exit(f"{__doc__}\nEngines: {', '.join(ENGINES)}. Parts: {', '.join(PARTS)}.")
    missed = []
    for part in parts or PARTS:
        print(f"\n{part} on {engine}", flush=True)
        begun = time.monotonic()
        if not PARTS[part](engine):
            missed.append(part)
        print(f"{time.monotonic() - begun:.0f} s", flush=True)
    print(f"\nMissed: {', '.join(missed)}." if missed else "\nNothing was missed.")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
