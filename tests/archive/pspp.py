"""What PSPP makes of analysis.sps, and what it should make of it."""

from __future__ import annotations

import csv
import io
import math
import re
import subprocess


def expected(figures):
    """Return what the syntax prints, in its order: people, estimate and standard error with n - 1."""
    found = []
    for column in (column for question in figures.questions for column in question.columns):
        if column.number is not None:
            mean = column.number.mean
            found.append((column.number.respondents, mean.unbiased, mean.standard_error))
            continue
        for way in filter(None, (column.shares, column.by_hand)):
            shares = way.shares[1:] if len(way.shares) == 2 else way.shares
            found += [(way.reported, share.unbiased, share.standard_error) for share in shares]
        if column.column.by_hand is not None and column.by_hand is None:
            found.append((0, math.nan, math.nan))  # nobody used real coins
    return [
        (n, estimate if n else math.nan, error * math.sqrt(n / (n - 1)) if n > 1 else math.nan)
        for n, estimate, error in found
    ]


def run(folder):
    """Run the syntax; return what it prints, and of each estimate people, mean and standard error."""
    done = subprocess.run(
        ["pspp", "-O", "format=csv", "analysis.sps"], cwd=folder, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    assert not re.search(r"^analysis\.sps:\d", done.stdout, re.MULTILINE), done.stdout[-2000:]  # a warning
    table = done.stdout.partition("Table: Descriptive Statistics\n")[2].partition("\n\n")[0]
    rows = list(csv.reader(io.StringIO(table)))
    assert rows[0] == ["", "N", "Mean", "S.E. Mean"]
    return done.stdout, [tuple(map(number, row[1:])) for row in rows[1:] if len(row) > 3 and row[3]]


def number(cell):
    """Return a number; PSPP prints a full stop where there is none."""
    return math.nan if cell.strip() == "." else float(cell)
