"""Killed before each statement: what was begun is whole or not there, and whoever comes next finishes it."""

from __future__ import annotations

import statements_on_postgresql
import statements_on_sqlite
from ledger import summary

CASES = {"sqlite": statements_on_sqlite.cases, "postgresql": statements_on_postgresql.cases}
LEAST = 5
"""How many statements any work has."""


def table(engine: str) -> bool:
    """Print a row for each work; return whether nothing was missed."""
    print("work                            killed  wrong")
    well = True
    for name, kill in CASES[engine]():
        statements, wrong = kill()
        print(f"{name:31} {statements:6}  {summary(wrong)}", flush=True)
        well &= not wrong and statements >= LEAST
    return well
