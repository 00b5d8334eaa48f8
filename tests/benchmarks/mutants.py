"""Mutants of what keeps the promises: every small change must be caught by a test.

Usage: uv run python tests/benchmarks/mutants.py [--workers 2] [FILE[:LINE]...]

Each mutant changes one comparison, sign, number, end, condition or statement of what takes a submission and
stores it, works out losses and intervals, or lets staff in. A process that has imported what needs no mutated
file forks, imports the file and runs the tests that reach the changed lines, the quickest first, up to the
first that fails, and then the others of their files. What survives must be explained in `mutants.toml`, with
the reason why no test can tell it from the original; of what is explained only the tests that reach the lines
run. For PostgreSQL's own files the tests on that engine run, on a server that each mutant has for itself. A
mutant with which the tests come to no end is caught, and printed; if they only wait, it is tried once more.
"""

from __future__ import annotations

import argparse
import importlib
import multiprocessing
import os
import sys
import time
import tomllib
from collections import defaultdict
from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from multiprocessing.pool import Pool
from pathlib import Path

from mutants_made import ROOT, Mutant, mutants
from mutants_tested import (
    ENDLESS,
    PASSED,
    WAITS,
    Watch,
    cluster,
    import_all_but,
    other_engine,
    tried,
    verdict,
    watch,
)

EXPLAINED = Path(__file__).with_suffix(".toml")
NAMED = {WAITS: "WAITS", ENDLESS: "ENDLESS"}

WATCHED = Path(__file__).with_name("mutants_watched.toml")

LIBRARIES = [
    "pytest",
    "_pytest.junitxml",
    "anyio.pytest_plugin",
    "xdist.looponfail",
    "gevent.event",
    "gevent.monkey",
    "hypothesis.stateful",
    "numpy",
    "scipy.stats",
    "flask",
    "flask_login",
    "flask_wtf",
    "wtforms",
    "sqlite_utils",
    "argon2",
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
    parser.add_argument("files", nargs="*", metavar="FILE[:LINE]")
    given = parser.parse_args()
    os.chdir(ROOT)
    for library in LIBRARIES:
        importlib.import_module(library)
    explained = tomllib.loads(EXPLAINED.read_text(encoding="utf-8"))
    watched = tomllib.loads(WATCHED.read_text(encoding="utf-8"))
    wanted: dict[str, set[int]] = defaultdict(set)
    for name in given.files or watched:
        file, _, line = name.partition(":")
        wanted[file] |= {int(line)} if line else set()
    tests_of = {file: named(file, watched[file]) for file in wanted}
    files_of: dict[tuple[str, str], list[str]] = defaultdict(list)
    for file, tests in tests_of.items():
        for each in tests:
            files_of[each].append(file)
    unexplained = 0
    fork = multiprocessing.get_context("fork")
    with cluster.made() if any("sqlite" in each for each in files_of) else nullcontext():
        with fork.Pool(given.workers) as workers:
            asked = [(*each, files) for each, files in files_of.items()]
            watches = dict(zip(files_of, workers.starmap(watch, asked, chunksize=1), strict=True))
        if failing := [tests for (tests, _), theirs in watches.items() if theirs is None]:
            sys.exit(f"These tests fail without a mutant: mend them first. {' '.join(failing)}")
        for file, lines in wanted.items():
            theirs = [watches[each][file] for each in tests_of[file]]
            with fork.Pool(given.workers, import_all_but, (file, theirs)) as workers:
                unexplained += survivors(workers, file, lines, theirs, explained.get(file, {}))
    print(f"{unexplained} survive without an explanation")
    return int(unexplained > 0)


def named(file: str, names: Sequence[str]) -> list[tuple[str, str]]:
    """Return the files of tests that watch over a file, which are named in short, and whose are left out."""
    room = file.partition("/")[0]
    tests = [name if "/" in name else f"tests/{room}/test_{name}.py" for name in names]
    return [(each, other_engine(file)) for each in tests]


def survivors(
    workers: Pool, file: str, lines: set[int], watches: Sequence[Watch], explained: dict[str, str | list[str]]
) -> int:
    """Print the mutants of a file, or of these lines, that survive; return how many are not explained."""
    begun = time.monotonic()
    if workers.apply(tried, (None, watches, {})) != PASSED:
        sys.exit(f"The tests of {file} fail together, without a mutant: mend them first.")
    broken = Mutant(file, 1, frozenset(), "", "", "raise ImportError")
    if workers.apply(tried, (broken, watches, {})) == PASSED:
        sys.exit(f"The tests of {file} do not import what stands in its place.")
    made = [mutant for mutant in mutants(file) if not lines or mutant.line in lines]
    reasons = {change: [why] if isinstance(why, str) else [*why] for change, why in explained.items()}
    survived, unexplained = 0, 0
    codes = workers.imap(partial(verdict, watches=watches, explained=set(explained)), made)
    for mutant, code in zip(made, codes, strict=True):
        if code in NAMED:
            print(f"{NAMED[code]} {mutant}", flush=True)
        if code != PASSED:
            continue
        why = reasons.get(mutant.change)
        survived += 1
        unexplained += not why
        print(f"SURVIVED {mutant}  {why.pop(0) if why else ''}", flush=True)
    for change, left in reasons.items() if not lines else ():
        if left:
            print(f"CAUGHT, though it is explained: {change}", flush=True)
    print(
        f"{file:34} {len(made):4} mutants, {survived:3} survived, {time.monotonic() - begun:5.0f} s",
        flush=True,
    )
    return unexplained


if __name__ == "__main__":
    sys.exit(main())
