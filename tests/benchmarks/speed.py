"""Print how long intervals, estimates and randomizing take; fail if longer than promised.

    python tests/benchmarks/speed.py

Every figure is the worst over the cases named; each case is timed several times and its fastest run counts,
as the others measure what else the machine does. Intervals: respondents from 20 to 10^12, epsilon from
0.001 to 10, noisy shares inside and outside of what the channel can give; and of 10^12 everything that is
estimated from one question of each kind. Randomizing: a million yes/no
answers with words from the operating system, against a plain draw and comparison in numpy in the same run.
"""

import math
import os
import sys
import timeit

import numpy as np
import scipy.optimize  # noqa: F401  # or the first question that needs it is timed with its import

from survey.channel import TOTAL, Channel
from survey.estimate import estimate_mean, estimate_proportions, estimate_quantiles
from survey.interval import METHODS, proportion_intervals
from survey.mechanisms import (
    NumberChannel,
    coin,
    exponential,
    gaussian,
    hybrid,
    laplace,
    one_bit,
    sampled_box,
    spinner_coin,
    subset,
    wheel,
)
from survey.randomize import randomize_many

RESPONDENTS = (20, 1000, 100_000, 1_000_000, 10**12)
EPSILONS = (0.001, 0.01, 0.1, 0.5, 1.0, math.log(3), 2.0, 4.0, 10.0)
SHARES = (0, 0.01, 0.1, 0.3, 0.4, 0.499, 0.5, 0.501, 0.503, 0.6, 0.9, 1)
MOST_MILLISECONDS = {"exact": 50, "likelihood_ratio": 10}
MOST_OF_A_QUESTION = 1000
KINDS = {
    "yes/no": coin(),
    "wheel of 50": wheel(50, 1.0),
    "subset of 10": subset(10, 1.0),
    "a sampled box of 10": sampled_box(10, 1.0),
    "exponential of 50": exponential(50, 4.0),
    "hybrid": hybrid(0, 100, 1, 1.0),
    "one bit": one_bit(0, 100, 1, 1.0),
    "laplace": laplace(0, 100, 1, 1.0),
    "gaussian": gaussian(0, 100, 1, 1.0, 1e-6),
}
ANSWERS = 1_000_000
MOST_RATIO = 8


def milliseconds(function, runs=5):
    return 1000 * min(timeit.repeat(function, number=1, repeat=runs))


def line(name, figure, most=None, unit="ms"):
    """Print a figure and whether it is missed."""
    missed = most is not None and figure > most
    bound = "" if most is None else f"at most {most:g}{'  MISSED' if missed else ''}"
    print(f"{name:62}{figure:>10.2f} {unit:5} {bound}")
    return missed


def intervals():
    """The slowest interval of each method, for each number of respondents."""
    missed = 0
    for method in METHODS:
        for n in RESPONDENTS:
            slowest = 0.0, ""
            for epsilon in EPSILONS:
                channel = spinner_coin(epsilon)
                for share in SHARES:
                    counts = [n - round(n * share), round(n * share)]
                    took = milliseconds(lambda: proportion_intervals(channel, counts, 0.95, method), 3)  # noqa: B023
                    slowest = max(slowest, (took, f"epsilon {epsilon:.3g}, share {share:g}"))
            missed += line(
                f"{method}, n = {n}, slowest at {slowest[1]}", slowest[0], MOST_MILLISECONDS.get(method)
            )
    return missed


def estimates():
    """One estimate, whose cost does not depend on the number of respondents; and all of a question."""
    channel = coin()
    took = milliseconds(lambda: estimate_proportions(channel, [400_000, 600_000]), 20)
    missed = line("estimate from the counts of a million", took, 1)
    rng = np.random.default_rng(1)
    for name, channel in KINDS.items():
        counts = rng.multinomial(10**12, channel.probabilities.mean(axis=0))
        took = milliseconds(lambda: everything(channel, counts), 1)  # noqa: B023
        missed += line(f"estimates and intervals of 10^12, {name}", took, MOST_OF_A_QUESTION)
    return missed


def everything(channel, counts):
    """Estimate what is shown of a question, with its intervals."""
    if isinstance(channel, NumberChannel):
        estimate_mean(channel, counts)
        if channel.reports > 2:
            estimate_quantiles(channel, counts)
        return
    estimate_proportions(channel, counts)
    proportion_intervals(channel, counts)


def many_options(answers, reports):
    """A channel cut at random places; how sharp it is does not matter for the time."""
    cuts = np.sort(np.random.default_rng(1).integers(0, TOTAL + 1, (answers, reports - 1)))
    edges = np.column_stack([np.zeros(answers, np.int64), cuts, np.full(answers, TOTAL)])
    return Channel(np.diff(edges))


def randomizing():
    """A million answers, beside a plain draw; and larger alphabets, for which nothing is promised."""
    rng = np.random.default_rng(1)
    channel = coin()
    answers = rng.integers(0, 2, ANSWERS)
    probability = channel.probabilities[:, 1]

    def words():
        return np.frombuffer(os.urandom(4 * ANSWERS), np.uint32)

    drawn = words()
    plain = milliseconds(lambda: rng.random(ANSWERS) < probability[answers], 15)
    line("plain draw and comparison", plain)
    line("reading a million words", milliseconds(words, 15))
    line("randomize_many, words given", milliseconds(lambda: randomize_many(channel, answers, drawn), 15))
    whole = milliseconds(lambda: randomize_many(channel, answers, words()), 15)
    line("randomize_many, words read", whole)
    for options, reports in ((10, 10), (1001, 110)):
        wide, told = many_options(options, reports), rng.integers(0, options, ANSWERS)
        took = milliseconds(lambda: randomize_many(wide, told, drawn), 3)  # noqa: B023
        line(f"randomize_many, {options} answers and {reports} reports, words given", took)
    return line("randomize_many, words read, against the plain draw", whole / plain, MOST_RATIO, "times")


if __name__ == "__main__":
    failed = intervals() + estimates() + randomizing()
    print(f"{failed} figures missed")
    sys.exit(bool(failed))
