"""How often the interval of a share pooled over waves of the same people holds the truth, by enumeration.

    python tests/benchmarks/waves.py     1 min

First 2, 4 and 10 waves of the same 5, 20 and 100 people at epsilon 1, 2 and 4, then two waves of different
sizes and epsilons, all of the smaller also in the larger. Worst coverage at 95 % over 51 shares from 0 to one
half: where everybody answers the same in all waves, and where answers are independent. The last column says
how many times as wide as for different people the interval is at a share of one in five. A coverage below .94
is an error.
"""

import itertools
import sys
from pathlib import Path

import numpy as np
from scipy.stats import binom

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from survey.crosstab import pooled_interval
from survey.mechanisms import spinner_coin

PEOPLE, EPSILONS, WAVES = (5, 20, 100), (1.0, 2.0, 4.0), (2, 4, 10)
UNEQUAL = [((10, 40), (1.0, 4.0)), ((10, 40), (4.0, 1.0)), ((10, 40), (4.0, 4.0)), ((30, 40), (2.0, 4.0))]
SHARES = np.linspace(0, 0.5, 51)
ONE_IN_FIVE = 20
LOWEST = 0.94
TINY = 1e-14


def main():
    """Print both tables; return 1 if a coverage is too low."""
    print(f"{'people':>10}{'epsilon':>10}{'waves':>7}{'unchanged':>11}{'independent':>13}{'width':>8}")
    lowest = 1.0
    for n, epsilon, waves in itertools.product(PEOPLE, EPSILONS, WAVES):
        lowest = min(lowest, row(f"{n:>10}{epsilon:>10g}{waves:>7}", *equal_waves(n, epsilon, waves)))
    for sizes, epsilons in UNEQUAL:
        names = f"{'+'.join(map(str, sizes)):>10}{'+'.join(f'{each:g}' for each in epsilons):>10}{2:>7}"
        lowest = min(lowest, row(names, *unequal_waves(sizes, epsilons)))
    print(f"worst {lowest:.4f} (at least {LOWEST:g})")
    return int(lowest < LOWEST)


def row(names, ends, apart, chances):
    """Print a row; return its lowest coverage.

    `ends` and `apart` are the intervals of every count for the same people and for different ones, of shape
    (counts, 2); `chances` are those of every count at every share, unchanged and independent.
    """
    held = (ends[:, :1] <= SHARES + TINY) & (ends[:, 1:] >= SHARES - TINY)
    unchanged, independent = ((kind.T * held).sum(axis=0).min() for kind in chances)
    common = chances[1][ONE_IN_FIVE]
    width = common @ np.ptp(ends, axis=1) / (common @ np.ptp(apart, axis=1))
    print(f"{names}{unchanged:>11.4f}{independent:>13.4f}{width:>8.2f}", flush=True)
    return min(unchanged, independent)


def equal_waves(n, epsilon, waves):
    """Enumerate how many of all reports of n people in some waves say Yes: only their sum matters."""
    channel = spinner_coin(epsilon)
    no, yes = channel.probabilities[:, 1]
    ends, apart = np.empty((2, n * waves + 1, 2))
    for total in range(n * waves + 1):
        strata = [[(channel, [n - k, k])] for k in np.diff(np.arange(waves + 1) * total // waves)]
        ends[total] = pooled_interval(strata, [0] * waves, 1)
        apart[total] = pooled_interval(strata, range(waves), 1)
    # [people with a Yes, Yes reports]
    of_people = [
        np.convolve(
            binom.pmf(np.arange(waves * k + 1), waves * k, yes),
            binom.pmf(np.arange(waves * (n - k) + 1), waves * (n - k), no),
        )
        for k in range(n + 1)
    ]
    unchanged = binom.pmf(np.arange(n + 1), n, SHARES[:, np.newaxis]) @ np.array(of_people)
    chances = no + (yes - no) * SHARES[:, np.newaxis]
    return ends, apart, (unchanged, binom.pmf(np.arange(n * waves + 1), n * waves, chances))


def unequal_waves(sizes, epsilons):
    """Enumerate the Yes reports of two waves, all people of the smaller one being in the larger."""
    channels = [spinner_coin(epsilon) for epsilon in epsilons]
    (few, many), shape = sizes, (sizes[0] + 1, sizes[1] + 1)
    ends, apart = np.empty((2, *shape, 2))
    for pair in np.ndindex(shape):
        strata = [[(channel, [n - k, k])] for channel, n, k in zip(channels, sizes, pair, strict=True)]
        ends[pair] = pooled_interval(strata, [0, 0], 1)
        apart[pair] = pooled_interval(strata, [0, 1], 1)
    (no, yes), (no_later, yes_later) = (channel.probabilities[:, 1] for channel in channels)
    once, again = np.arange(few + 1), np.arange(many + 1)
    unchanged, independent = [], []
    for share in SHARES:
        chances = no + (yes - no) * share, no_later + (yes_later - no_later) * share
        rest = binom.pmf(np.arange(many - few + 1), many - few, chances[1])
        pairs = np.zeros(shape)
        for k, chance in enumerate(binom.pmf(once, few, share)):
            first = np.convolve(
                binom.pmf(np.arange(k + 1), k, yes), binom.pmf(np.arange(few - k + 1), few - k, no)
            )
            later = np.convolve(
                binom.pmf(np.arange(k + 1), k, yes_later),
                binom.pmf(np.arange(few - k + 1), few - k, no_later),
            )
            pairs += chance * np.outer(first, np.convolve(later, rest))
        unchanged.append(pairs.ravel())
        independent.append(
            np.outer(binom.pmf(once, few, chances[0]), binom.pmf(again, many, chances[1])).ravel()
        )
    return ends.reshape(-1, 2), apart.reshape(-1, 2), (np.array(unchanged), np.array(independent))


if __name__ == "__main__":
    sys.exit(main())
