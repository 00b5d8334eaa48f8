"""What `tests/run` takes, beside an older commit.

Usage: uv run python tests/benchmarks/own_tests.py [arguments for pytest]

Both run at the same time, so that what else the machine does slows both. What is compared is the time of its
processors, of which neither run leaves one idle.
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
import ctypes, os, resource, subprocess, sys
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER: what outlives its parent is waited for here
subprocess.Popen(sys.argv[2:], stdout=open(sys.argv[1], "w"), stderr=subprocess.STDOUT)
try:
    while True:
        os.wait()
except ChildProcessError:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(usage.ru_utime + usage.ru_stime)
"""
"""Runs a command, waits for every process that it has started, and prints the seconds that they took."""

OURS = ("VIRTUAL_ENV", "UV_PROJECT_ENVIRONMENT", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "CI")
"""Variables of this environment, which is not the one of either run."""


def main() -> None:
    """Run the tests of both, and compare."""
    environment = {name: value for name, value in os.environ.items() if name not in OURS}
    with worktree(OLDER) as older, worktree("HEAD") as now, tempfile.TemporaryDirectory() as folder:
        for tree in (older, now):  # installs, and compiles what the tests import
            ready = [*RUN, "--collect-only", "--quiet"]
            subprocess.run(ready, cwd=tree, env=environment, stdout=subprocess.DEVNULL, check=True)
        logs = Path(folder, "older"), Path(folder, "now")
        running = [
            subprocess.Popen(
                [sys.executable, "-c", SPENT, log, *RUN, *sys.argv[1:]],
                cwd=tree,
                env=environment,
                stdout=subprocess.PIPE,
            )
            for tree, log in zip((older, now), logs, strict=True)
        ]
        before, seconds = (float(process.communicate()[0]) for process in running)
        for log in logs:
            print(log.name, *(line for line in log.read_text().splitlines() if " passed" in line), sep="\n")
    kept = told(f"tests/run, of {OLDER}", f"{seconds:.0f} s of processors", seconds / before, 0.7)
    raise SystemExit(not kept)


if __name__ == "__main__":
    main()
