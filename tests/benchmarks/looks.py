"""Print how often intervals that are looked at while a survey is open miss the truth at least once.

    python tests/benchmarks/looks.py     2000 surveys a design, 2 min

Forty looks, one at every step of 50 respondents, at the `exact` interval of yes at 95 %, with spinner
and coin. Each look by itself misses in 5 % of surveys at most. That one of the forty misses is far more
likely: chance has forty tries.
"""

import sys
from functools import cache

import numpy as np

from survey.interval import proportion_intervals
from survey.mechanisms import spinner_coin

LOOKS, STEP, SURVEYS = 40, 50, 2000
FEWEST, MOST = 1 / 4, 1 / 3
"""The results page says that a quarter to a third of surveys are missed; the standard error is .01."""

SINGLE = 0.05 + 3 * (0.05 * 0.95 / SURVEYS) ** 0.5


def misses(channel, truth, rng):
    """Whether each look missed, shape (surveys, looks)."""

    @cache
    def missed(n, yes):
        interval = proportion_intervals(channel, [n - yes, yes], 0.95, "exact")[1]
        return not interval.low <= truth <= interval.high

    chance = channel.probabilities[0, 1] + truth * (channel.probabilities[1, 1] - channel.probabilities[0, 1])
    counts = rng.binomial(STEP, chance, size=(SURVEYS, LOOKS)).cumsum(axis=1)
    respondents = STEP * np.arange(1, LOOKS + 1)
    return np.array(
        [
            [missed(n, yes) for n, yes in zip(respondents.tolist(), each, strict=True)]
            for each in counts.tolist()
        ]
    )


def main():
    """Print the table and count the figures missed."""
    wrong = 0
    print(f"{'truth':>6}{'epsilon':>9}{'last look misses':>18}{'a look misses':>15}")
    for truth in (0.1, 0.3, 0.5):
        for epsilon in (1.0, 2.0):
            found = misses(spinner_coin(epsilon), truth, np.random.default_rng(14))
            last, once = found[:, -1].mean(), found.any(axis=1).mean()
            failed = last > SINGLE or not FEWEST <= once <= MOST
            wrong += failed
            print(
                f"{truth:>6}{epsilon:>9g}{last:>18.3f}{once:>15.3f}{'  MISSED' if failed else ''}", flush=True
            )
    print(f"{wrong} figures missed")
    return wrong


if __name__ == "__main__":
    sys.exit(bool(main()))
