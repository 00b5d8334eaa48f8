"""The likelihood-ratio test of one share where no count is binomial, turned into an interval.

The share is of one answer, or of several together; all other proportions are whatever suits it best.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from survey.likelihood import Maximum, most_likely
from survey.solvers import brentq

Array = npt.NDArray[np.float64]

FINENESS = 1e-9
"""The tolerance to which the ends of an interval are solved for."""


def profile_likelihood(
    probabilities: Array,
    counts: npt.NDArray[np.int64],
    chosen: npt.NDArray[np.bool_],
    drop: float,
    maximum: Maximum | None = None,
    within: tuple[float, float] = (0.0, 1.0),
) -> tuple[float, float]:
    """Return the shares whose best likelihood is not far below the greatest of all.

    The set {t : l_max - l(t) <= drop}, l(t) the greatest log-likelihood of the proportions whose sum over
    the chosen answers is t. As l is concave, so is its profile; the set is an interval, and it holds the
    most likely share.

    Parameters
    ----------
    probabilities : ndarray, shape (answers, reports)
        P(report | answer).
    counts : ndarray of int, shape (reports,)
        Not all 0.
    chosen : ndarray of bool, shape (answers,)
        The answers whose share is meant; neither none nor all.
    drop : float
        Half a chi-square quantile, usually.
    maximum : Maximum, optional
        ``most_likely(probabilities, counts)``, where the caller has it.
    within : tuple of two floats
        Shares outside of these are left out, except the most likely one.

    Returns
    -------
    low, high : float

    References
    ----------
    Venzon & Moolgavkar (1988), A Method for Computing Profile-Likelihood-Based Confidence Intervals.
    """
    top = most_likely(probabilities, counts) if maximum is None else maximum
    share = min(float(top.proportions[chosen].sum()), 1.0)
    low = low_end(probabilities, counts, chosen, (within[0], share), drop, top)
    high = 1 - low_end(probabilities, counts, ~chosen, (1 - within[1], 1 - share), drop, top)
    return low, max(high, share)


def low_end(
    probabilities: Array,
    counts: npt.NDArray[np.int64],
    chosen: npt.NDArray[np.bool_],
    shares: tuple[float, float],
    drop: float,
    top: Maximum,
) -> float:
    """Return the smallest share of the chosen answers, from the first to that of the most likely proportions.

    Its log-likelihood lies at most `drop` below theirs. The search for each maximum begins where the last one
    ended.
    """
    start, share = shares
    near = top.proportions

    def shortfall(mass: float) -> float:
        nonlocal near
        if mass == share:
            return -drop  # what is worked out anew may be less by rounding, and than a small drop allows
        best = most_likely(probabilities, counts, chosen, mass, near)
        near = best.proportions if 0 < mass < 1 else near
        return min(top.log_likelihood - drop - best.log_likelihood, FARTHEST)

    if share <= start or shortfall(start) <= 0:
        return min(start, share)
    return brentq(shortfall, start, share, xtol=FINENESS)


FARTHEST = 1e300
"""The shortfall of a share that cannot give the reports received."""
