"""Print how Candor compares with two libraries from PyPI, which get an environment of their own.

    python tests/benchmarks/libraries.py

Needs the network, and uv or pip. One choice out of ten, epsilon 1, ten thousand respondents: the time of a
whole survey (randomize, count, estimate) and the summed squared error of its shares, each over Candor's.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from survey.counts import tally
from survey.estimate import estimate_proportions
from survey.mechanisms import subset, wheel
from survey.randomize import randomize_many

PACKAGES = ("pure-ldp", "statsmodels", "scikit-learn", "multi-freq-ldpy", "xxhash<4")
"""With what they import and do not ask for."""
SETTINGS = OPTIONS, EPSILON, RESPONDENTS, REPEATS = 10, 1.0, 10_000, 50
MEASURED = Path(__file__).with_name("libraries_measured.py")


def environment(folder):
    """An environment with the libraries; its Python."""
    python = str(Path(folder) / "bin" / "python")
    if shutil.which("uv"):
        subprocess.run(["uv", "venv", "--quiet", "--python", sys.executable, folder], check=True)
        subprocess.run(["uv", "pip", "install", "--quiet", "--python", python, *PACKAGES], check=True)
    else:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    return python


def theirs():
    """What the libraries need and miss by."""
    with tempfile.TemporaryDirectory() as folder:
        command = [environment(folder), str(MEASURED), json.dumps(SETTINGS)]
        found = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(found.stdout.splitlines()[-1])


def ours(make, name="proportions"):
    """What Candor needs, and what its estimate of that name misses by."""
    channel = make(OPTIONS, EPSILON)
    rng = np.random.default_rng(1)
    truth = np.arange(1.0, OPTIONS + 1) / sum(range(1, OPTIONS + 1))
    errors = []
    began = time.perf_counter()
    for _ in range(REPEATS):
        answers = rng.choice(OPTIONS, RESPONDENTS, p=truth)
        words = np.frombuffer(os.urandom(4 * RESPONDENTS), np.uint32)
        counts = tally(channel, randomize_many(channel, answers, words))
        errors.append(((getattr(estimate_proportions(channel, counts), name) - truth) ** 2).sum())
    return {"seconds": (time.perf_counter() - began) / REPEATS, "error": float(np.mean(errors))}


def main():
    """Print the table; fail if Candor's best is slower or less sharp than a library."""
    found = theirs() | {
        "candor, wheel": ours(wheel),
        "candor, subset": ours(subset),
        "candor, subset, most likely shares": ours(subset, "maximum_likelihood"),
    }
    best = found["candor, subset, most likely shares"]  # theirs too are brought into [0, 1]
    print(f"{'':40}{'ms a survey':>12}{'error':>12}{'time ratio':>12}{'error ratio':>12}")
    missed = 0
    for name, figures in found.items():
        ratios = {key: figures[key] / best[key] for key in best}
        missed += not name.startswith("candor") and (ratios["seconds"] < 1 or ratios["error"] < 0.9)
        print(f"{name:40}{1000 * figures['seconds']:>12.2f}{figures['error']:>12.5f}"
              f"{ratios['seconds']:>12.2f}{ratios['error']:>12.2f}")  # fmt: skip
    print(f"{missed} figures missed")
    return missed


if __name__ == "__main__":
    sys.exit(bool(main()))
