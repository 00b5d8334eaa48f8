"""Print how often the test of independence finds a relation where there is none, at 5 %; fail if too often.

    python tests/benchmarks/independence.py          every design with 10 000 tables, about 25 min
    python tests/benchmarks/independence.py 500      with fewer tables, for a first look: rates scatter more

Columns: the smallest count expected in the noisy table; in how many tables it is below 5, so that the results
page tells its readers to use the p-value from permutations; how often each p-value is at most .05, and how
often the one to use is. `even`: all answers are equally common. `rare`: the last one has a share of .01, the
others are equal. `common`: all but the first have .01 each. The standard error of a rate is .0022, and half
of that where 10 or more are expected: there chi-square is enough, and four times as many tables are drawn.
"""

import math
import sys
from functools import cache
from itertools import count

import numpy as np

from survey.crosstab import independence, permutation_p_value
from survey.crosstab.independence import MINIMUM_EXPECTED, smallest_share
from survey.mechanisms import exponential, spinner_coin, subset, wheel

PAIRS = {
    "yes/no x yes/no": (spinner_coin, spinner_coin),
    "3 options x yes/no": (lambda epsilon: wheel(3, epsilon), spinner_coin),
    "5 x 5 options": (lambda epsilon: wheel(5, epsilon), lambda epsilon: wheel(5, epsilon)),
    "sets of 3 of 6 x yes/no": (lambda epsilon: subset(6, epsilon, 3), spinner_coin),
    "5 ordered x 3 options": (lambda epsilon: exponential(5, epsilon), lambda epsilon: wheel(3, epsilon)),
}
EPSILONS = (1.0, 4.0, 8.0)
RESPONDENTS = (100, 1000)
TABLES = 10_000
ALPHA = 0.05
MOST, LEAST = 0.055, 0.03


def shares(shape, answers):
    """The shares of the answers."""
    rare = 0.01
    if shape == "even":
        return np.full(answers, 1 / answers)
    if shape == "rare":
        return np.array([*[(1 - rare) / (answers - 1)] * (answers - 1), rare])
    return np.array([1 - rare * (answers - 1), *[rare] * (answers - 1)])


def distinct(shape, epsilon, channels):
    """Whether no other design is the same: even shares stay even under a wheel."""
    if shape == "even":
        return epsilon == EPSILONS[0]
    return shape == "rare" or any(channel.answers > 2 for channel in channels)


def rates(channels, truth, n, tables, rng):
    """How often the page names permutations; rejections by chi-square, by permutations, by what it names."""

    @cache
    def p_values(data):
        table = np.frombuffer(data, np.int64).reshape([channel.reports for channel in channels])
        found = independence(channels, table)
        few = found.smallest_expected < MINIMUM_EXPECTED
        return found.p_value, permutation_p_value(channels, table, rng) if few else math.nan

    chances = np.outer(*truth).ravel()
    found = np.array([p_values(table.tobytes()) for table in rng.multinomial(n, chances, size=tables)])
    chi_square, permuted = found.T
    few = ~np.isnan(permuted)
    use = np.where(few, permuted, chi_square)
    return (
        few.mean(),
        (chi_square <= ALPHA).mean(),
        (permuted[few] <= ALPHA).mean() if few.any() else math.nan,
        (use <= ALPHA).mean(),
    )


def main(tables):
    """Print the table and count the figures missed."""
    missed, generators = 0, map(np.random.default_rng, count(14))
    print(f"{'questions':24}{'shares':8}{'epsilon':>8}{'n':>6}{'expected':>10}{'few':>7}"
          f"{'chi-square':>12}{'permuted':>10}{'to use':>8}")  # fmt: skip
    for name, pair in PAIRS.items():
        for shape in ("even", "rare", "common"):
            for epsilon in EPSILONS:
                channels = [make(epsilon) for make in pair]
                if not distinct(shape, epsilon, channels):
                    continue
                truth = [shares(shape, each.answers) @ each.probabilities for each in channels]
                for n in RESPONDENTS:
                    expected = n * math.prod(map(smallest_share, channels, truth))
                    drawn = 4 * tables if expected >= 2 * MINIMUM_EXPECTED else tables
                    few, chi_square, permuted, use = rates(channels, truth, n, drawn, next(generators))
                    failed = use > MOST or (expected >= MINIMUM_EXPECTED and use < LEAST)
                    missed += failed
                    print(f"{name:24}{shape:8}{epsilon:>8g}{n:>6}{expected:>10.3g}{few:>7.2f}"
                          f"{chi_square:>12.4f}{permuted:>10.4f}{use:>8.4f}{'  MISSED' if failed else ''}",
                          flush=True)  # fmt: skip
    print(f"{missed} figures missed")
    return missed


if __name__ == "__main__":
    sys.exit(bool(main(int(sys.argv[1]) if sys.argv[1:] else TABLES)))
