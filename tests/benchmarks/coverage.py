"""Print how often each interval covers the true proportion, by exact enumeration; fail if too rarely.

    python tests/benchmarks/coverage.py            the whole campaign, a minute or so
    python tests/benchmarks/coverage.py 20 100     only these numbers of respondents

No simulation: the coverage at a proportion is the sum of the binomial probabilities of the counts whose
interval holds it. Worst and mean are over 201 proportions from 0 to 1. For ``exact`` the column "at ends" is
the worst coverage at the points where it is least, namely at every end of an interval and just beside it.
"""

import math
import sys

import numpy as np
from scipy.stats import binom

from survey.interval import METHODS, proportion_intervals
from survey.mechanisms import spinner_coin

RESPONDENTS = (20, 50, 100, 1000)
EPSILONS = {"0.5": 0.5, "1": 1.0, "ln 3": math.log(3), "2": 2.0, "4": 4.0}
GRID = np.linspace(0, 1, 201)
BESIDE = 1e-7
ROUNDING = 1e-9  # of the sum of a thousand probabilities


def intervals(channel, n, method):
    """The interval of the yes answer for every count from 0 to n, shape (n + 1, 2)."""
    found = [proportion_intervals(channel, [n - yes, yes], 0.95, method)[1] for yes in range(n + 1)]
    return np.array([(interval.low, interval.high) for interval in found])


def coverage(channel, n, ends, proportions):
    """The chance that the interval holds the true proportion, for each proportion."""
    no, yes = channel.probabilities[:, 1]
    counts = np.arange(n + 1)
    result = np.empty(len(proportions))
    for index, proportion in enumerate(proportions):
        held = (ends[:, 0] <= proportion) & (proportion <= ends[:, 1])
        result[index] = binom.pmf(counts[held], n, no + (yes - no) * proportion).sum()
    return result


def required(method, n):
    """The least coverage promised for a method, and the greatest mean."""
    if method == "exact":
        return 0.95, 0.975
    if method == "likelihood_ratio" and n >= 100:
        return (0.94 if n >= 1000 else 0.92), 1.0
    return 0.0, 1.0


def broken(channel, n, ends):
    """How many intervals are empty, leave [0, 1] or miss the most likely proportion."""
    no, yes = channel.probabilities[:, 1]
    most_likely = ((np.arange(n + 1) / n).clip(no, yes) - no) / (yes - no)
    low, high = ends.T
    return int((~((low >= 0) & (low <= most_likely) & (most_likely <= high) & (high <= 1))).sum())


def main(respondents):
    """Print the table and count the figures missed."""
    missed = 0
    print(f"{'method':18}{'n':>6}{'epsilon':>9}{'worst':>9}{'mean':>9}{'at ends':>9}{'broken':>8}")
    for method in METHODS:
        for n in respondents:
            for name, epsilon in EPSILONS.items():
                channel = spinner_coin(epsilon)
                ends = intervals(channel, n, method)
                covered = coverage(channel, n, ends, GRID)
                least, most = required(method, n)
                worst, mean, at_ends, wrong = covered.min(), covered.mean(), math.nan, 0
                if method in ("exact", "likelihood_ratio"):
                    wrong = broken(channel, n, ends)
                if method == "exact":
                    points = np.unique(ends)
                    points = np.unique(np.concatenate([points - BESIDE, points, points + BESIDE]).clip(0, 1))
                    at_ends = coverage(channel, n, ends, points).min()
                failed = worst < least - ROUNDING or mean > most or at_ends < least - ROUNDING or wrong
                missed += bool(failed)
                print(
                    f"{method:18}{n:>6}{name:>9}{worst:>9.4f}{mean:>9.4f}"
                    f"{'' if math.isnan(at_ends) else f'{at_ends:.4f}':>9}{wrong:>8}"
                    f"{'  MISSED' if failed else ''}"
                )
    print(f"{missed} figures missed")
    return missed


if __name__ == "__main__":
    sys.exit(bool(main([int(n) for n in sys.argv[1:]] or RESPONDENTS)))
