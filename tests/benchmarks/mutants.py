"""Mutants of the commit path: every small change of what stores a submission must be caught by a test.

Usage: uv run python tests/benchmarks/mutants.py [--workers 2] [FILE...]

Each mutant changes one comparison, sign, number, condition or statement. A process that has imported the
libraries forks, imports the mutated file and runs the tests that reach the changed lines, the quickest first,
up to the first that fails, and then the others of their files. What survives must be explained in
`mutants.toml`, with the reason why no test can tell it from the original. A mutant with which the tests come
to no end is caught, and printed; if they only wait, it is tried once more.
"""

from __future__ import annotations

import argparse
import importlib
import multiprocessing
import os
import sys
import time
import tomllib
from functools import partial
from multiprocessing.pool import Pool
from pathlib import Path

from mutants_made import ROOT, mutants
from mutants_tested import ENDLESS, PASSED, WAITS, tried, verdict, watch

EXPLAINED = Path(__file__).with_suffix(".toml")
NAMED = {WAITS: "WAITS", ENDLESS: "ENDLESS"}

STORE = ("submissions", "layout", "closing", "verify", "campaign", "publishing", "metadata", "immutability")
FILES = {
    "server/store/committer.py": ("committer", "publishing", "respond", "locked", "life"),
    "server/store/submissions.py": (
        "submissions",
        "committer",
        "drawn_sections",
        "publishing",
        "respond",
        "invitations",
        "life",
        "relatives",
    ),
    "server/store/results/visible_results.py": ("submissions", "drawn_sections", "life", "relatives"),
    "server/store/publishing.py": ("publishing", "results", "drawn_sections", "invitations"),
    "server/store/sqlite/reports.py": (*STORE, "life", "move"),
    "server/store/sqlite/buckets.py": STORE,
    "server/store/sqlite/counts.py": STORE,
    "server/store/sqlite/bucket_shape.py": STORE,
    "server/store/sqlite/report_table.py": (*STORE, "read_once"),
    "server/store/sqlite/short_transactions.py": ("closing", "deleting"),
    "server/store/sqlite/conversion.py": ("closing", "layout"),
    "server/store/sqlite/deleting.py": ("deleting", "immutability"),
    "survey/record.py": ("submissions", "verify"),
}
"""File -> the tests that watch over it, in tests/server."""

IN_WORDS = "tests/server/test_offload.py::test_what_is_secret_stands_in_no_representation"
MORE = {
    "server/store/committer.py": [IN_WORDS],
    "server/store/submissions.py": [IN_WORDS],
    "survey/record.py": ["tests/survey/test_record.py", "survey/record.py"],
    "server/store/sqlite/bucket_shape.py": ["server/store/sqlite/bucket_shape.py"],
    "server/store/publishing.py": ["server/store/publishing.py"],
}
LIBRARIES = [
    "pytest",
    "hypothesis.stateful",
    "numpy",
    "scipy.stats",
    "flask",
    "flask_login",
    "flask_wtf",
    "wtforms",
    "sqlite_utils",
    "argon2",
    "babel",
    "brotli",
    "click",
    "limits",
    "secure",
    "psycopg",
    "werkzeug.test",
    "jinja2",
    "tomli_w",
]


def main() -> int:
    """Print every survivor; 1 if one of them is not explained."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", type=int, default=1, help="how many mutants are tried at a time")
    parser.add_argument("files", nargs="*", metavar="FILE")
    given = parser.parse_args()
    os.chdir(ROOT)
    for library in LIBRARIES:
        importlib.import_module(library)
    explained = tomllib.loads(EXPLAINED.read_text(encoding="utf-8")) if EXPLAINED.exists() else {}
    unexplained = 0
    with multiprocessing.get_context("fork").Pool(given.workers) as workers:
        for file in given.files or FILES:
            unexplained += survivors(workers, file, explained.get(file, {}))
    print(f"{unexplained} survive without an explanation")
    return int(unexplained > 0)


def survivors(workers: Pool, file: str, explained: dict[str, str]) -> int:
    """Print the mutants of a file that survive; return how many of them are not explained."""
    begun = time.monotonic()
    tests = [f"tests/server/test_{name}.py" for name in FILES[file]] + MORE.get(file, [])
    watches = workers.map(partial(watch, file), tests, chunksize=1)
    failing = [name for name, each in zip(tests, watches, strict=True) if each is None]
    if failing or tried(None, watches, {}) != PASSED:
        sys.exit(f"The tests of {file} fail without a mutant: mend them first. {' '.join(failing)}")
    made, survived, unexplained = list(mutants(file)), 0, 0
    codes = workers.imap(partial(verdict, watches=watches), made)
    for mutant, code in zip(made, codes, strict=True):
        if code in NAMED:
            print(f"{NAMED[code]} {mutant}", flush=True)
        if code != PASSED:
            continue
        why = explained.pop(" ".join(f"{mutant.right} -> {mutant.wrong}".split()), None)
        survived += 1
        unexplained += why is None
        print(f"SURVIVED {mutant}  {why or ''}", flush=True)
    for change in explained:
        print(f"CAUGHT, though it is explained: {change}", flush=True)
    print(
        f"{file:34} {len(made):4} mutants, {survived:3} survived, {time.monotonic() - begun:5.0f} s",
        flush=True,
    )
    return unexplained


if __name__ == "__main__":
    sys.exit(main())
