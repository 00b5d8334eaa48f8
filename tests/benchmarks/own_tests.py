"""What `tests/run` takes, beside an older commit.

Usage: uv run python tests/benchmarks/own_tests.py [arguments for pytest]

The last commit is measured, and both run at the same time, so that what else the machine does slows both.
What is compared is the time of its processors. It needs the network, from which each run is installed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from servers import told, worktree

OLDER = "87025a13"
RUN = ("uv", "run", "tests/run")

SPENT = """
import ctypes, os, resource, signal, subprocess, sys
# PR_SET_CHILD_SUBREAPER: what outlives its parent becomes a child of this process
assert ctypes.CDLL(None).prctl(36, 1, 0, 0, 0) == 0
with open(sys.argv[1], "w") as log:
    code = subprocess.call(sys.argv[2:], stdout=log, stderr=subprocess.STDOUT)
signal.alarm(60)  # ends this process, if what the command has begun goes on
try:
    while True:
        os.wait()
except ChildProcessError:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(usage.ru_utime + usage.ru_stime, code)
"""
"""Runs a command, waits for every process that it has begun, and prints their seconds and its exit code."""

FOREIGN = ("VIRTUAL_ENV", "UV_PROJECT_ENVIRONMENT", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "CI")
"""Variables by which a run would differ from one on a fresh machine."""

TOLD = (" passed", "FAILED ", "ERROR ")


def main() -> None:
    """Run the tests of both, and compare."""
    environment = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    with tempfile.TemporaryDirectory() as folder, worktree(OLDER) as older, worktree("HEAD") as now:
        trees = {Path(folder, "older"): older, Path(folder, "now"): now}
        for tree in trees.values():  # installs, and compiles what the tests import
            subprocess.run([*RUN, "--collect-only", "--quiet"], cwd=tree, env=environment, check=True)
        running = [
            subprocess.Popen(
                [sys.executable, "-c", SPENT, log, *RUN, *sys.argv[1:]],
                cwd=tree,
                env=environment,
                stdout=subprocess.PIPE,
            )
            for log, tree in trees.items()
        ]
        spent = [process.communicate()[0].split() for process in running]
        for log in trees:
            lines = log.read_text().splitlines()
            print(log.name, *(line for line in lines if any(word in line for word in TOLD)), sep="\n")
    (before, _), (seconds, code) = ((float(taken), int(code)) for taken, code in spent)
    kept = told(f"tests/run, over that of {OLDER}", f"{seconds:.0f} s of processors", seconds / before, 0.7)
    raise SystemExit(not kept or code)  # an older commit may fail with the libraries of today


if __name__ == "__main__":
    main()
