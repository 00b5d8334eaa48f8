"""The likelihood-ratio test of one mean of the reports' values, whatever their chances otherwise.

The values are those whose mean is an answer's proportion. As nothing else is demanded of the chances, not
even that other proportions be 0 or more, the test has its level wherever the truth lies.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from survey.solvers import brentq

Array = npt.NDArray[np.float64]

FINENESS = 1e-10
NEAR = 1e-13
MOST_STEPS = 100

CONTINUITY = 0.5
"""The number of reports of an end's own extreme value that are added to those received (Yates 1934). Counts
are whole numbers, and the chi-square distribution of a likelihood ratio ignores that. Where 1.92 people of n
are expected and none comes, once in 7 surveys, the upper limit would otherwise lie just below their share."""


def saturated_likelihood(
    values: Array, counts: npt.NDArray[np.int64], drop: float, continuity: float = 0.0
) -> tuple[float, float]:
    """Return the means in [0, 1] whose log-likelihood is at most `drop` below the greatest in [0, 1].

    Parameters
    ----------
    values : ndarray, shape (reports,)
        What each report adds to the mean.
    counts : ndarray of int, shape (reports,)
        Not all 0.
    drop : float
        Half a chi-square quantile.
    continuity : float
        How many reports of the lowest value are added for the low end, of the highest for the high end.

    Returns
    -------
    low, high : float

    References
    ----------
    Owen (1988), Empirical Likelihood Ratio Confidence Intervals for a Single Functional, Biometrika 75; here
    the reports that can be sent are known, so that one not received may have a chance too.
    """
    # The low end of a mean is the high end of 1 minus it.
    sides = np.array([1 - values, values])
    added = np.array([with_continuity(side, counts, continuity) for side in sides])
    means = (added * sides).sum(axis=1) / added.sum(axis=1)
    tops = means.clip(0, 1)
    fallen = [
        shortfall(side, each, top) if top != mean else 0.0
        for side, each, top, mean in zip(sides, added, tops.tolist(), means.tolist(), strict=True)
    ]
    ends = np.maximum(highest_means(sides, added, drop + np.array(fallen)).clip(0, 1), tops)
    return 1 - float(ends[0]), float(ends[1])


def unbounded_likelihood(
    values: Array, counts: npt.NDArray[np.int64], drop: float, continuity: float = 0.0
) -> tuple[float, float]:
    """Return the ends of the interval of a mean that may lie anywhere between the least and largest value.

    Sums of several means need it: the ends of a mean that is cut at 0 or 1 show too little of its error.
    The parameters are those of `saturated_likelihood`.
    """
    sides = np.array([-values, values])
    added = np.array([with_continuity(side, counts, continuity) for side in sides])
    ends = highest_means(sides, added, drop)
    return -float(ends[0]), float(ends[1])


def with_continuity(values: Array, counts: npt.NDArray[np.int64], continuity: float = CONTINUITY) -> Array:
    """Add `continuity` reports of the highest value to the counts."""
    more: Array = counts + continuity * (np.arange(len(values)) == values.argmax())
    return more


def highest_means(values: Array, counts: Array, drop: float | Array) -> Array:
    """Return the highest means of values whose log-likelihood is at most `drop` below the greatest of all.

    Parameters
    ----------
    values : ndarray, shape (sets, reports)
        What each report adds to each mean.
    counts : ndarray, shape (sets, reports)
        How often each report was received, for each mean; they may have fractions.
    drop : float, or ndarray of shape (sets,)
        As for `saturated_likelihood`.

    Returns
    -------
    ndarray, shape (sets,)
        To about 1e-12 of the range of the values.

    Notes
    -----
    By Lagrange, the chances q of the highest mean that a likelihood allows are in proportion to c / (1 + e),
    with e = m (average - u) for some m from 0 to 1 / (top - average). Their log-likelihood lies below the
    greatest by

        sum of c log(1 + e) + n log(1 + s), s = (sum of c e^2 / (1 + e)) / n,

    which rises with m, and their mean is average + s / (m (1 + s)). Newton steps find the m of all sets at
    once; one that would leave the bracket is replaced by its middle. Where the report of the highest value
    was not received and more may fall than at the largest m, that report takes up some chance, and q falls by
    the same factor for all others.
    """
    n = counts.sum(axis=1)
    average, top = (counts * values).sum(axis=1) / n, values.max(axis=1)
    room = top - average
    highest: Array = top.copy()
    free = room > FINENESS
    # In units of the room m goes from 0 to 1, where the factor of the highest value becomes 0.
    apart = ((average - values.T) / np.where(free, room, 1)).T
    with np.errstate(divide="ignore", invalid="ignore"):
        logarithms = np.where(counts > 0, counts * np.log1p(apart), 0.0).sum(axis=1)
        last = logarithms + n * np.log(np.where(counts > 0, counts / (1 + apart), 0.0).sum(axis=1) / n)
    taken_up = free & (last < drop)
    highest[taken_up] -= (room * np.exp((logarithms - drop) / n))[taken_up]
    solved = free & ~taken_up
    if solved.any():
        drops = np.broadcast_to(drop, n.shape)[solved]
        moved = moved_up(apart[solved], counts[solved], drops)
        highest[solved] = average[solved] + room[solved] * moved
    return highest


def moved_up(apart: Array, counts: Array, drop: Array) -> Array:
    """Return the share of its room by which each mean can rise, by the formulas of `highest_means`."""
    n = counts.sum(axis=1)
    low, high = np.zeros(len(n)), np.ones(len(n))
    # Where m is small the fall is m^2 / 2 times the sum of c apart^2.
    m = np.minimum(np.sqrt(2 * drop / (counts * apart**2).sum(axis=1)), 0.5)
    done = False
    for _ in range(MOST_STEPS):
        factors = 1 + m[:, np.newaxis] * apart
        pulls = counts * apart / factors
        s = m**2 * (pulls * apart).sum(axis=1) / n
        if done:
            break
        fall = (counts * np.log1p(m[:, np.newaxis] * apart)).sum(axis=1) + n * np.log1p(s)
        low, high = np.where(fall < drop, m, low), np.where(fall < drop, high, m)
        slope = pulls.sum(axis=1) - (pulls / factors).sum(axis=1) / (1 + s)
        with np.errstate(divide="ignore", invalid="ignore"):
            # The square root of the fall is nearly straight: a Newton step of that.
            target = m - 2 * (fall - np.sqrt(fall * drop)) / slope
        # At the solution rounding may give back an end of the bracket, which then is the solution.
        inside = (low <= target) & (target <= high)
        target = np.where(inside, target, (low + high) / 2)
        change, m = np.abs(target - m), target
        done = bool((change <= NEAR * m).all())
    moved: Array = s / (m * (1 + s))
    return moved


def shortfall(values: Array, counts: Array | npt.NDArray[np.int64], mean: float) -> float:
    """Return by how much the log-likelihood falls when the chances must have that mean.

    The most likely chances are counts_y / (n (1 + m (u_y - mean))), with the m that gives the mean; so the
    log-likelihood falls by the greatest value over m of sum over y of counts_y log(1 + m (u_y - mean)).
    """
    apart = values - mean
    if counts @ apart < 0:
        apart = -apart  # from here on the mean lies below that of the reports, and m above 0
    if apart.min() >= 0:
        return np.inf if counts[apart > 0].sum() else 0.0
    # The largest m for which 1 + m apart is above 0: a lowest value not received may have any chance there.
    largest = (1 - 1e-12) / -float(apart.min())

    def slope(multiplier: float) -> float:
        return float(counts @ (apart / (1 + multiplier * apart)))

    best = largest if slope(largest) >= 0 else brentq(slope, 0.0, largest, xtol=1e-14 * largest)
    return float(counts @ np.log1p(best * apart))
