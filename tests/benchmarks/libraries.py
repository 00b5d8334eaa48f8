"""Print how Candor compares with two libraries from PyPI, which get an environment of their own.

    python tests/benchmarks/libraries.py

Needs the network, and uv or pip. One choice out of ten and of twenty at epsilon 1, and three yes/no questions
at a total of 2, ten thousand respondents: the time of a whole survey (randomize, count, estimate) and the
summed squared error of its shares, each over Candor's best. Wherever Candor has several mechanisms for it,
each has a line.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import numpy as np

from survey.counts import tally
from survey.estimate import estimate_proportions
from survey.linked import Linked
from survey.mechanisms import cyclic, designed, exponential, spinner_coin, subset, wheel
from survey.randomize import randomize_many

PACKAGES = ("pure-ldp", "statsmodels", "scikit-learn", "multi-freq-ldpy", "xxhash<4")
"""With what they import and do not ask for."""
RESPONDENTS, REPEATS = 10_000, 300
MEASURED = Path(__file__).with_name("libraries_measured.py")
LIKELY = "maximum_likelihood"
"""The estimate that lies within [0, 1], as those of the libraries do."""
LEAST = 0.85
"""Of Candor's squared error: the ratio of two equal ones is known to 7 %, so that one in 60 is below it."""


def rising(options):
    """Shares of the options that rise evenly."""
    return (np.arange(1.0, options + 1) / sum(range(1, options + 1))).tolist()


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


def theirs(tasks):
    """What the libraries need and miss by."""
    with tempfile.TemporaryDirectory() as folder:
        command = [environment(folder), str(MEASURED), json.dumps([RESPONDENTS, REPEATS, tasks])]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return json.loads(printed.splitlines()[-1])


def drawn(channel, answers, rng):
    """Reports on answers."""
    return randomize_many(channel, answers, rng.integers(0, 2**32, len(answers), dtype=np.uint32))


def one(channel, name, answers, rng):
    """One survey of a choice: the estimate of that name."""
    return getattr(estimate_proportions(channel, tally(channel, drawn(channel, answers, rng))), name)


def linked(questions, epsilon, answers, rng):
    """One survey of yes/no questions on one wheel: the most likely shares of yes."""
    wheels = Linked.spun((2,) * questions, epsilon, questions)
    combinations = drawn(wheels.weakest, answers @ (1 << np.arange(questions)), rng)
    marginals = [(wheels.marginal(place), combinations >> place & 1) for place in range(questions)]
    return [yes(channel, reports) for channel, reports in marginals]


def split(questions, epsilon, answers, rng):
    """One survey of yes/no questions that share an epsilon: the same."""
    channel = spinner_coin(epsilon / questions)
    return [yes(channel, drawn(channel, answers[:, place], rng)) for place in range(questions)]


def one_of(questions, epsilon, answers, rng):
    """One survey in which each person is asked one of the questions: the same."""
    channel, asked = spinner_coin(epsilon), rng.integers(questions, size=len(answers))
    return [yes(channel, drawn(channel, answers[asked == place, place], rng)) for place in range(questions)]


def yes(channel, reports):
    """Return the most likely share of yes."""
    return getattr(estimate_proportions(channel, tally(channel, reports)), LIKELY)[1]


def choices(options, epsilon):
    """Candor's surveys of a choice, the one with the sharpest shares last."""
    sets, name = (subset, "subset") if options <= 12 else (cyclic, "cyclic")
    channels = {
        "wheel": wheel(options, epsilon),
        "exponential, made for a mean": exponential(options, epsilon),
        "designed for all": designed(options, epsilon),
        "designed for shares": designed(options, epsilon, {"shares": 1.0}),
        name: sets(options, epsilon),
    }
    surveys = {each: partial(one, channel, "proportions") for each, channel in channels.items()}
    return surveys | {f"{name}, most likely shares": partial(one, channels[name], LIKELY)}


def ours(survey, truth):
    """What a survey of Candor needs and misses by."""
    rng, truth = np.random.default_rng(1), np.array(truth)
    errors = []
    began = time.perf_counter()
    for _ in range(REPEATS):
        if abs(truth.sum() - 1) < 1e-9:
            answers = rng.choice(len(truth), RESPONDENTS, p=truth)
        else:
            answers = (rng.random((RESPONDENTS, len(truth))) < truth).astype(int)
        errors.append(((survey(answers, rng) - truth) ** 2).sum())
    return {"seconds": (time.perf_counter() - began) / REPEATS, "error": float(np.mean(errors))}


APART = {"split": split, "linked": linked, "one of them": one_of}
"""For shares alone; of what goes with what, one of them shows nothing."""

TASKS = {
    "one choice of 10, epsilon 1": (rising(10), 1.0, choices(10, 1.0)),
    "one choice of 20, epsilon 1": (rising(20), 1.0, choices(20, 1.0)),
    "3 yes/no questions, total 2": (
        [0.1, 0.2, 0.3], 2.0, {each: partial(survey, 3, 2.0) for each, survey in APART.items()},
    ),
}  # fmt: skip
"""What is asked -> the true shares, epsilon, and Candor's surveys, the best one last."""


def main():
    """Print the table; fail if Candor's best is slower or less sharp than a library."""
    missed = 0
    for (title, (truth, _, surveys)), found in zip(
        TASKS.items(), theirs([(truth, epsilon) for truth, epsilon, _ in TASKS.values()]), strict=True
    ):
        found |= {f"candor, {name}": ours(survey, truth) for name, survey in surveys.items()}
        best = [*found.values()][-1]
        print(f"\n{title:40}{'ms a survey':>12}{'error':>12}{'time ratio':>12}{'error ratio':>12}")
        for name, figures in found.items():
            ratios = {key: figures[key] / best[key] for key in best}
            missed += not name.startswith("candor") and (ratios["seconds"] < 1 or ratios["error"] < LEAST)
            print(f"{name:40}{1000 * figures['seconds']:>12.2f}{figures['error']:>12.5f}"
                  f"{ratios['seconds']:>12.2f}{ratios['error']:>12.2f}", flush=True)  # fmt: skip
    print(f"{missed} figures missed")
    return missed


if __name__ == "__main__":
    sys.exit(bool(main()))
