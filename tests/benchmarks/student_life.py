"""Widths of the intervals of the example `student-life`, beside those at an older commit, of the same people.

Usage: uv run python tests/benchmarks/student_life.py [COMMIT]

The same 4000 simulated people answer the survey of today, that of COMMIT (aeb423fe), and that of today with
its ordered question under the exponential mechanism at the same epsilon. Each survey is estimated by its own
code. The widths are means over four crowds.
"""

from __future__ import annotations

import csv
import io
import random
import re
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from statistics import fmean

from servers import SERVE, TOP, run, worktree

from server.cli.simulation.example_truths import EXAMPLES, Person
from server.cli.simulation.respondents import answered
from survey.publication import publish
from survey.read_definition import parse

COMMIT = "aeb423fe"
SLUG = "student-life"
FILE = f"server/examples/{SLUG}.toml"
PEOPLE, CROWDS = 4000, 4

ORDERED, NUMBERS = "worry", ("hours", "drinks", "spent")
MOST_ORDERED, MOST_MEDIAN, MOST_ANY = 0.4, 0.6, 1.0
MEDIAN = "0.5"
DESIGNED = re.compile(rf'(id = "{ORDERED}".*?)mechanism = "designed"\nwants = [^\n]*', re.DOTALL)

Widths = dict[tuple[str, str, str], float]
"""Column, quantity and answer, or probability of a quantile -> the width of the interval."""


def counts(text: str, crowd: int) -> str:
    """Let a crowd answer a survey: how often each code came, as a CSV file."""
    publication = publish(parse(text, SLUG))
    tally: defaultdict[str, Counter[int]] = defaultdict(Counter)
    words = random.Random(crowd)
    for number in range(PEOPLE):
        person = random.Random(PEOPLE * crowd + number)
        codes = answered(
            publication, EXAMPLES[SLUG], Person(person, person.random()), lambda: words.getrandbits(32)
        )
        for name, code in codes.items():
            tally[name][code] += 1
    rows = (f"{name},{code},{n}\n" for name, codes in tally.items() for code, n in codes.items())
    return "column,code,count\n" + "".join(rows)


def widths(tree: Path, text: str, crowd: int) -> Widths:
    """Estimate a survey that a crowd has answered with the code of a tree."""
    with tempfile.TemporaryDirectory() as folder:
        survey, counted = Path(folder) / "survey.toml", Path(folder) / "counts.csv"
        survey.write_text(text, encoding="utf-8")
        counted.write_text(counts(text, crowd))
        options = ("--survey", survey, "--counts", counted, "--format", "csv")
        printed = run(tree, SERVE, "estimate", *options)
    found: Widths = {}
    for row in csv.DictReader(io.StringIO(printed)):
        if row["quantity"] not in ("proportion", "mean", "quantile") or row["stratum"] == "by_hand":
            continue
        key = row["column"], row["quantity"], row["probability"] or row["answer"]
        found[key] = float(row["high"]) - float(row["low"])
    return found


def means(tree: Path, text: str) -> Widths:
    """Return the mean of each width over all crowds that have one."""
    every = [widths(tree, text, crowd) for crowd in range(CROWDS)]
    keys = dict.fromkeys(key for each in every for key in each)
    return {key: fmean(each[key] for each in every if key in each) for key in keys}


def main() -> int:
    """Print the table; return 1 if a width is more than promised."""
    text = (TOP / FILE).read_text(encoding="utf-8")
    other, replaced = DESIGNED.subn(r'\1mechanism = "exponential"', text)
    now = means(TOP, text)
    with worktree(sys.argv[1] if len(sys.argv) > 1 else COMMIT) as tree:
        before = means(tree, (tree / FILE).read_text(encoding="utf-8"))
    exponential = means(TOP, other)
    missed = replaced != 1
    print("column       quantity   answer   before      now now/before  at most")
    for key, width in now.items():
        column, quantity, answer = key
        wide, most = before.get(key), MOST_ANY
        if quantity == "quantile" and column in NUMBERS and answer == MEDIAN:
            most = MOST_MEDIAN
        if wide is None:
            print(f"{column:12} {quantity:10} {answer:6} {'-':>8} {width:8.3f}")
            continue
        missed |= width / wide > most
        print(f"{column:12} {quantity:10} {answer:6} {wide:8.3f} {width:8.3f} {width / wide:10.3f} {most:8}")
    shares = [key for key in now if key[:2] == (ORDERED, "proportion")]
    for key in shares:
        wide, width = exponential[key], now[key]
        print(f"{ORDERED:12} exponential {key[2]:5} {wide:8.3f} {width:8.3f} {width / wide:10.3f}")
    ratio = sum(now[key] for key in shares) / sum(exponential[key] for key in shares)
    print(
        f"{ORDERED}: all shares over those of the exponential mechanism {ratio:.3f}, at most {MOST_ORDERED}"
    )
    missed |= ratio > MOST_ORDERED
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
