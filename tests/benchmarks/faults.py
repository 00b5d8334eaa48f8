"""Faults seeded into what runs in the browser, one at a time: the tests must catch every one of them.

The scripts are copied together with the tests. Each fault changes one place, the tests that watch over it
run, and the place is restored.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
FAULTS = Path(__file__).with_suffix(".toml")
SECONDS = 1200
"""How long the tests of one fault, or all of them, may take."""


class Fault(NamedTuple):
    """What is wrong, in which script, what stands there, what is seeded, and the tests that see it."""

    name: str
    file: str
    right: str
    wrong: str
    tests: list[str]


def main() -> int:
    """Seed every fault, run its tests, print a table; 1 if a fault survives."""
    faults = [Fault(**table) for table in tomllib.loads(FAULTS.read_text(encoding="utf-8"))["faults"]]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "candor"
        ignored = shutil.ignore_patterns(".git", ".venv", "node_modules", "__pycache__", ".pytest_cache")
        shutil.copytree(ROOT, copy, ignore=ignored)
        (copy / "tests/js/node_modules").symlink_to((ROOT / "tests/js/node_modules").resolve())
        environment = os.environ | {"UV_PROJECT_ENVIRONMENT": str(copy / ".venv")}
        subprocess.run(["uv", "sync", "--quiet", "--project", "tests"], cwd=copy, env=environment, check=True)
        every = list(dict.fromkeys(test for fault in faults for test in fault.tests))
        if not passes(copy, every):
            sys.exit("The tests fail without a fault: mend them first.")
        survivors = [fault.name for fault in faults if survives(copy, fault)]
    print(f"{len(faults) - len(survivors)} of {len(faults)} caught")
    return 1 if survivors else 0


def survives(copy: Path, fault: Fault) -> bool:
    """Seed a fault, run its tests, restore the place; return whether all tests passed."""
    path = copy / "static/js" / fault.file
    text = path.read_text(encoding="utf-8")
    if text.count(fault.right) != 1:
        sys.exit(f"{fault.file} must hold the place of {fault.name!r} once, got {text.count(fault.right)}")
    path.write_text(text.replace(fault.right, fault.wrong), encoding="utf-8")
    begin = time.monotonic()
    passed = passes(copy, fault.tests)
    path.write_text(text, encoding="utf-8")
    verdict = "SURVIVED" if passed else "caught  "
    print(f"{verdict} {time.monotonic() - begin:5.0f} s  {fault.file:22} {fault.name}", flush=True)
    return passed


def passes(copy: Path, tests: list[str]) -> bool:
    """Return whether tests pass, up to the first that fails."""
    command = [copy / ".venv/bin/python", "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    return subprocess.run(command, cwd=copy, capture_output=True, timeout=SECONDS).returncode == 0


if __name__ == "__main__":
    sys.exit(main())
