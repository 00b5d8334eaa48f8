"""From an empty machine to the first page of the demo: seconds, megabytes and packages.

Usage: uv run python tests/benchmarks/first_minutes.py [COMMIT] [--rounds N]

The first command of the README runs in a fresh clone, with an empty home, an empty cache and an empty virtual
environment, until the first page that it announces answers; here and at the older commit in turn, and figures
are medians (of 3). What is received is what all of the machine receives: let nothing else use the network.
It is an error if more than 56 packages or 250 MB are installed, or if seconds or megabytes received exceed .9
of those of the older commit. tests/browser/test_first_minutes.py goes on from there to the zip.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import NamedTuple

TOP = Path(__file__).resolve().parents[2]
COMMAND = "pip install --quiet uv && uv run candor demo --port 0 --respondents 60"
PATIENCE = 900
MOST_PACKAGES, MOST_MEGABYTES, MOST_OF_OLDER = 56, 250, 0.9


class Minutes(NamedTuple):
    """The first command once: until its first page answers, and what was installed for it."""

    seconds: float
    received: float
    packages: int
    installed: float


def received() -> float:
    """Return the megabytes that all network devices but the loopback have received."""
    lines = Path("/proc/net/dev").read_text().splitlines()[2:]
    devices = (line.split(":") for line in lines)
    return sum(int(rest.split()[0]) for name, rest in devices if name.strip() != "lo") / 1e6


def first_minutes(commit: str) -> Minutes:
    """Run the first command of a commit as on an empty machine."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        place = Path(folder)
        clone, environment = place / "clone", place / "environment"
        subprocess.run(["git", "clone", "--quiet", TOP, clone], check=True)
        subprocess.run(["git", "checkout", "--quiet", "--detach", commit], check=True, cwd=clone)
        subprocess.run([sys.executable, "-m", "venv", environment], check=True)
        variables = {
            name: value for name, value in os.environ.items() if not name.startswith(("UV_", "XDG_"))
        }
        for name in ("VIRTUAL_ENV", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE"):
            variables.pop(name, None)
        variables |= {"HOME": str(place / "home"), "PATH": f"{environment / 'bin'}:{os.environ['PATH']}"}
        output, before, begun = place / "output", received(), time.monotonic()
        with output.open("w") as stream:
            demo = subprocess.Popen(
                COMMAND,
                shell=True,
                cwd=clone,
                env=variables,
                stdout=stream,
                stderr=stream,
                start_new_session=True,
            )
        try:
            while not (address := re.search(r"respondent +(http://\S+)", output.read_text())):
                assert demo.poll() is None, output.read_text()
                assert time.monotonic() < begun + PATIENCE, output.read_text()
                time.sleep(0.05)
            urllib.request.urlopen(address[1]).close()
            seconds, taken = time.monotonic() - begun, received() - before
        finally:
            os.killpg(demo.pid, signal.SIGINT)
            demo.wait()
        packages = list((clone / ".venv").glob("lib/*/site-packages/*.dist-info"))
        return Minutes(seconds, taken, len(packages), size(clone / ".venv") / 1e6)


def size(folder: Path) -> int:
    """Return the bytes of the files in a folder, without what Python compiles of them."""
    files = (file for file in folder.rglob("*") if file.is_file() and file.suffix != ".pyc")
    return sum(file.stat().st_size for file in files if not file.is_symlink())


def main() -> int:
    """Print a line for each commit; return 1 if a bound is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("commit", nargs="?")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    commits = ["HEAD"] + ([options.commit] if options.commit else [])
    rounds = [[first_minutes(commit) for commit in commits] for _ in range(options.rounds)]
    print(f"{'commit':<12}{'seconds':>9}{'MB received':>13}{'packages':>10}{'MB installed':>14}")
    medians = [
        Minutes(*map(statistics.median, zip(*taken, strict=True))) for taken in zip(*rounds, strict=True)
    ]
    for commit, each in zip(commits, medians, strict=True):
        print(f"{commit:<12}{each.seconds:9.1f}{each.received:13.1f}{each.packages:10}{each.installed:14.1f}")
    here, *older = medians
    missed = here.packages > MOST_PACKAGES or here.installed > MOST_MEGABYTES
    for before in older:
        shares = here.seconds / before.seconds, here.received / before.received
        print(f"of the older: {shares[0]:.2f} of the seconds, {shares[1]:.2f} of the megabytes received")
        missed |= max(shares) > MOST_OF_OLDER
    print("MISSED" if missed else "kept")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
