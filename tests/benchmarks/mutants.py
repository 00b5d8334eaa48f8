"""Mutants of what keeps the promises: every small change must be caught by a test.

Usage: uv run python tests/benchmarks/mutants.py [--workers 2] [FILE[:LINE]...]

Each mutant changes one comparison, sign, number, end, condition or statement of what takes a submission and
stores it, works out losses and intervals, or lets staff in. A process that has imported what needs no mutated
file forks, imports the file and runs the tests that reach the changed lines, the quickest first, up to the
first that fails, and then the others of their files. What survives must be explained in `mutants.toml`, with
the reason why no test can tell it from the original; of what is explained only the tests that reach the lines
run. A mutant with which the tests come to no end is caught, and printed; if they only wait, it is tried once
more.
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
from functools import partial
from multiprocessing.pool import Pool
from pathlib import Path

from mutants_made import ROOT, Mutant, mutants
from mutants_tested import ENDLESS, PASSED, WAITS, Watch, import_all_but, tried, verdict, watch

EXPLAINED = Path(__file__).with_suffix(".toml")
NAMED = {WAITS: "WAITS", ENDLESS: "ENDLESS"}

RESPOND = ("respond", "fast_path")
SECRET = "tests/server/test_offload.py::test_what_is_secret_stands_in_no_representation"
FILES = {
    "server/store/committer.py": (
        "committer",
        "publishing",
        "tally_parts",
        "respond",
        "locked",
        "life",
        SECRET,
    ),
    "server/store/submissions.py": (
        "submissions",
        "committer",
        "drawn_sections",
        "publishing",
        "tally_parts",
        "respond",
        "invitations",
        "life",
        "relatives",
        SECRET,
    ),
    "server/store/results/visible_results.py": (
        "submissions",
        "drawn_sections",
        "life",
        "linked",
        "relatives",
    ),
    "server/store/publishing.py": (
        "publishing",
        "results",
        "drawn_sections",
        "invitations",
        "tally_parts",
        "server/store/publishing.py",
    ),
    "server/store/invitations.py": ("invitations", "invitations_apart", "inviting", "invited_fast_path"),
    "server/store/invitation_list.py": ("invitations", "inviting"),
    "server/store/sqlite/reports.py": ("submissions", "verify", "closing", "life", "move"),
    "server/store/sqlite/buckets.py": ("layout", "verify", "immutability"),
    "server/store/sqlite/bucket_shape.py": ("layout", "server/store/sqlite/bucket_shape.py"),
    "server/store/sqlite/packed_records.py": (
        "packed_records",
        "layout",
        "closing",
        "server/store/sqlite/packed_records.py",
    ),
    "server/store/sqlite/report_table.py": ("closing", "verify", "immutability", "read_once"),
    "server/store/sqlite/short_transactions.py": ("short_transactions", "closing", "deleting"),
    "server/store/lifecycle/paced_storage.py": ("paced_storage",),
    "server/store/sqlite/conversion.py": ("closing", "layout"),
    "server/store/sqlite/deleting.py": ("deleting", "immutability"),
    "survey/record.py": (
        "submissions",
        "verify",
        "tests/survey/test_record.py",
        "tests/survey/test_linked.py",
        "survey/record.py",
    ),
    "server/respond/origin.py": RESPOND,
    "server/respond/fast_path.py": (*RESPOND, "invited_fast_path"),
    "server/respond/submission.py": (*RESPOND, "locked", "life", "headers", "invited_fast_path"),
    "server/respond/exact_body.py": (*RESPOND, "invited_fast_path"),
    "server/respond/invitation_token.py": ("invited_fast_path", "invitations"),
    "server/web/limits/rate_limit.py": RESPOND,
    "server/store/staff/rights.py": ("rights", "staff_roles", "joining", "relatives", "leaving"),
    "server/staff/rights.py": ("staff_roles", "rights", "relatives", "audit"),
    "server/store/staff/second_factor.py": ("second_factor", "user_command"),
    "server/staff/second_factor.py": ("second_factor",),
}
"""File -> the tests that watch over it: a file, or a name, which is that of a file in tests/server."""

PRIVACY = {
    "binomial": ("binomial", "shuffle"),
    "budget": ("budget",),
    "composition": ("loss", "budget", "dearest", "guess"),
    "curve": ("loss", "budget", "dearest"),
    "dearest_draws": ("guess",),
    "forgery": ("forgery",),
    "guess": ("guess",),
    "hardest_pairs": ("guess", "budget", "dearest", "tests/survey/mechanisms/test_designed.py"),
    "known_answer": ("known_answer",),
    "limits": ("suspicion", "tests/server/test_reasons.py"),
    "loss": ("loss", "budget", "dearest"),
    "published_counts": ("published", "published_sections"),
    "reports": ("dearest", "guess"),
    "requirements": ("loss", "suspicion"),
    "shuffle": ("shuffle", "published"),
    "suspicion": ("suspicion",),
    "variation": ("guess",),
}
INTERVALS = {
    "answered_shares": ("likelihood_intervals",),
    "any_shape": ("any_shape",),
    "exact": ("interval", "coverage"),
    "leaving_band": ("leaving",),
    "likelihood_ratio": ("interval", "coverage"),
    "profile_likelihood": ("likelihood_intervals",),
    "saturated_likelihood": ("saturated_likelihood",),
    "several_shares": ("likelihood_intervals",),
    "wald": ("interval",),
    "waves": ("waves",),
    "wilson": ("interval",),
}
for room, folder, files in (("privacy", "privacy/", PRIVACY), ("interval", "", INTERVALS)):
    for name, tests in files.items():
        file = f"survey/{room}/{name}.py"
        paths = (each if "/" in each else f"tests/survey/{folder}test_{each}.py" for each in tests)
        FILES[file] = (*paths, file)

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
    explained = tomllib.loads(EXPLAINED.read_text(encoding="utf-8")) if EXPLAINED.exists() else {}
    wanted: dict[str, set[int]] = defaultdict(set)
    for name in given.files or FILES:
        file, _, line = name.partition(":")
        wanted[file] |= {int(line)} if line else set()
    watched: dict[str, list[str]] = defaultdict(list)
    for file in wanted:
        for tests in tests_of(file):
            watched[tests].append(file)
    unexplained = 0
    fork = multiprocessing.get_context("fork")
    with fork.Pool(given.workers) as workers:
        watches = dict(zip(watched, workers.starmap(watch, watched.items(), chunksize=1), strict=True))
    if failing := [tests for tests, theirs in watches.items() if theirs is None]:
        sys.exit(f"These tests fail without a mutant: mend them first. {' '.join(failing)}")
    for file, lines in wanted.items():
        theirs = [watches[tests][file] for tests in tests_of(file)]
        with fork.Pool(given.workers, import_all_but, (file, theirs)) as workers:
            unexplained += survivors(workers, file, lines, theirs, explained.get(file, {}))
    print(f"{unexplained} survive without an explanation")
    return int(unexplained > 0)


def tests_of(file: str) -> list[str]:
    """Return the files of tests that watch over a file."""
    return [name if "/" in name else f"tests/server/test_{name}.py" for name in FILES[file]]


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
