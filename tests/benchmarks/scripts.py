"""Run the scripts of the zip, in Python, R and PSPP, on the demo's surveys and on one of every kind.

    python tests/benchmarks/scripts.py [RESPONDENTS]     2000 unless it is given, 1 min

Installs R and PSPP with apt where they are missing, and numpy and pandas alone into an environment of their
own; needs the network. Each script works the estimates out again from the reports and compares them with
estimates.csv; PSPP's means and standard errors are compared here. It is an error if they differ by more than
1e-9 where a formula gives them, and by more than 1e-6 where they are searched for.
"""

import io
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import numpy as np

TOP = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TOP), str(TOP / "tests" / "archive")]

import kinds  # noqa: E402
import people  # noqa: E402
import pspp  # noqa: E402

from server.results.archive.contents import files  # noqa: E402
from server.results.archive.zip_stream import zip_pieces  # noqa: E402
from server.results.files.material import Material  # noqa: E402
from server.store.results.sorted_reports import SortedReports  # noqa: E402
from survey.figures.shares import Precision  # noqa: E402
from survey.publication import publish  # noqa: E402
from survey.read_definition import parse  # noqa: E402

PROGRAMS = {"Rscript": "r-base-core", "pspp": "pspp"}
LARGEST = 1e-9
"""Of what PSPP prints; the scripts know their own."""


def main(respondents):
    """Install, run everything, print a table; return 1 if anything differs."""
    install([package for program, package in PROGRAMS.items() if shutil.which(program) is None])
    surveys = {
        file.stem: publish(parse(file.read_text(), file.name))
        for file in sorted((TOP / "server" / "examples").glob("*.toml"))
    } | {"every-kind": kinds.every_kind()}
    right = True
    print(f"{'survey':18}{'script':14}{'numbers':>8}{'by formula':>12}{'searched for':>14}{'seconds':>9}")
    with tempfile.TemporaryDirectory() as place:
        commands = {"analysis.py": environment(Path(place) / "venv"), "analysis.R": "Rscript"}
        for seed, (name, publication) in enumerate(surveys.items()):
            folder, figures = unpacked(Path(place), publication, respondents, seed)
            for script in (*commands, "analysis.sps"):
                begun = time.perf_counter()
                if script in commands:
                    fine, numbers, found = compared([commands[script], folder / script])
                else:
                    fine, numbers, found = compared_by_pspp(folder, figures)
                right &= fine
                seconds = time.perf_counter() - begun
                cells = f"{found.get('by formula', ''):>12}{found.get('searched for', ''):>14}"
                print(f"{name:18}{script:14}{numbers:8}{cells}{seconds:9.1f}{'' if fine else '  MISSED'}")
    return 0 if right else 1


def install(packages):
    """Install with apt."""
    if packages:
        print("Installing", *packages, flush=True)
        for command in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", *packages]):
            subprocess.run(["apt-get", *command], check=True, stdout=subprocess.DEVNULL)


def environment(folder):
    """Make an environment with numpy and pandas alone; return its Python."""
    python = str(folder / "bin" / "python")
    subprocess.run(["uv", "venv", "--quiet", "--python", sys.executable, folder], check=True)
    subprocess.run(["uv", "pip", "install", "--quiet", "--python", python, "numpy", "pandas"], check=True)
    return python


def unpacked(place, publication, respondents, seed):
    """Let people answer, and unpack the zip; return its folder and the figures in it."""
    reports = people.answer(publication, respondents, np.random.default_rng(seed))
    figures = people.figures(publication, reports, Precision(0.95, "exact"))
    material = Material(figures, SortedReports.of(reports), version="0")
    data = b"".join(zip_pieces(material.folder, files(material)))
    zipfile.ZipFile(io.BytesIO(data)).extractall(place)
    return place / material.folder, figures


def compared(command):
    """Run a script; return whether it found all right, how many numbers it compared, and what they differ."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode:
        print(done.stdout[-2000:], done.stderr[-2000:])
    numbers = re.search(r"(\d+) numbers compared", done.stdout)
    found = {kind: text for text, kind in re.findall(r"^(\S+) (by formula|searched for)", done.stdout, re.M)}
    return done.returncode == 0, int(numbers[1]) if numbers else 0, found


def compared_by_pspp(folder, figures):
    """Run PSPP and compare its means and standard errors, which it prints to ten decimals."""
    found, expected = np.array(pspp.run(folder)[1]), np.array(pspp.expected(figures))
    assert (np.isnan(found) == np.isnan(expected)).all()  # of nobody there is no mean
    difference = float(np.nanmax(abs(found - expected)))
    return difference <= LARGEST, found[:, 1:].size, {"by formula": f"{difference:.1e}"}


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000))
