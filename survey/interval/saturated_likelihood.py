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

CONTINUITY = 0.5
"""Reports of an end's own extreme value that are added to those received: counts are whole numbers, which the
chi-square distribution of a likelihood ratio leaves out of account (Yates 1934). Where 1.92 people of n are
expected and none comes, once in 7 surveys, the upper limit would be just below their share, and miss it."""


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
    low, high = continued(-values, counts, continuity), continued(values, counts, continuity)
    return low_end(values, low, drop), 1 - low_end(1 - values, high, drop)


def continued(values: Array, counts: npt.NDArray[np.int64], continuity: float = CONTINUITY) -> Array:
    """Return the counts with some of the report of the highest value added."""
    more: Array = counts + continuity * (np.arange(len(values)) == values.argmax())
    return more


def low_end(values: Array, counts: Array, drop: float) -> float:
    """Return the smallest mean in [0, 1] whose log-likelihood is at most `drop` below the greatest there."""
    mean = float(counts @ values / counts.sum())
    top = min(max(mean, 0.0), 1.0)
    allowed = drop + (shortfall(values, counts, top) if top != mean else 0.0)

    def excess(at: float) -> float:
        # At the top itself rounding may hide that nothing is missing.
        return -drop if at == top else min(shortfall(values, counts, at), 1e300) - allowed

    if top == 0 or excess(0.0) <= 0:
        return 0.0
    return brentq(excess, 0.0, top, xtol=FINENESS)


def highest_mean(values: Array, counts: Array, drop: float) -> float:
    """Return the highest mean of the values whose log-likelihood is at most `drop` below the greatest of all.

    Parameters
    ----------
    values, counts, drop
        As for `saturated_likelihood`; here counts may have fractions, and the mean may be any.
    """
    mean, top = float(counts @ values / counts.sum()), float(values.max())
    if top - mean <= FINENESS:
        return top

    def excess(at: float) -> float:
        return -drop if at == mean else min(shortfall(values, counts, at), 1e300) - drop

    return brentq(excess, mean, top, xtol=FINENESS)


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
    received = counts > 0
    apart_received, weights = apart[received], counts[received]
    largest = -1 / float(apart.min())
    # Where the lowest value was not received it may take up any chance, and m stops where that begins.
    if apart_received.min() == apart.min():
        largest *= 1 - 1e-12

    def slope(multiplier: float) -> float:
        return float(weights @ (apart_received / (1 + multiplier * apart_received)))

    if slope(0.0) <= 0:
        return 0.0
    best = largest if slope(largest) >= 0 else brentq(slope, 0.0, largest, xtol=1e-14 * largest)
    return float(weights @ np.log1p(best * apart_received))
