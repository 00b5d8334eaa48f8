"""The chances of a binomial count, without what SciPy's distributions take to import."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
import numpy.typing as npt

from survey import special

Array = npt.NDArray[np.float64]

CUT = 1e-20
"""Binomial tails below this chance are left out: added to 1 they vanish in a double."""


def binomial(trials: int, chance: float) -> Array:
    """Return the chances of the counts of a binomial, from the first end of `ends` at `CUT` to the last.

    Notes
    -----
    From one count to the next they grow by (n - c) / (c + 1) p / (1 - p). Multiplied up from the likeliest
    count they lose less to rounding than the logarithms of factorials do, and their sum is 1.

    Examples
    --------
    >>> binomial(2, 0.5).tolist()
    [0.25, 0.5, 0.25]
    """
    low, high = ends(CUT, trials, chance)
    if low == high:
        return np.ones(1)
    counts = np.arange(low, high)
    growth = (trials - counts) / (counts + 1) * (chance / (1 - chance))
    peak = int((growth >= 1).sum())
    falling = np.cumprod(growth[peak:])
    rising = np.cumprod(1 / growth[:peak][::-1])[::-1]
    chances = np.concatenate([rising, [1.0], falling])
    return np.asarray(chances / chances.sum())


def ends(tail: float, trials: int, chance: float) -> tuple[int, int]:
    """Return two counts of a binomial such that at most so small a tail lies beyond either.

    Examples
    --------
    >>> ends(0.3, 2, 0.5)
    (1, 1)
    """

    def lowest(share: float) -> int:
        # P(X <= c); the upper end is a lower one of the failures: 1 - 1e-20 is no double.
        return bisect_left(
            range(trials), tail, key=lambda c: float(special.betaincc(c + 1, trials - c, share))
        )

    return lowest(chance), trials - lowest(1 - chance)


def above(counts: npt.ArrayLike, trials: npt.ArrayLike, chance: float) -> Array:
    """Return P(X > count): all chance of a negative count, and none of the number of trials or more.

    Examples
    --------
    >>> above([-1, 0, 2], 2, 0.5).tolist()
    [1.0, 0.75, 0.0]
    """
    counts, trials = np.asarray(counts, np.float64), np.asarray(trials, np.float64)
    # DLMF 8.17.5: P(X > c) is the incomplete beta function at c + 1 and n - c.
    inside = special.betainc(np.maximum(counts, 0) + 1, np.maximum(trials - counts, 1), chance)
    return np.where(counts < 0, 1.0, np.where(counts >= trials, 0.0, inside))
