"""Intervals for the shares of several answers whose counts are not binomial, from two tests.

The profile likelihood on the simplex is the sharper test where the reports hardly tell answers apart, as
it knows that no proportion is below 0. But where other proportions are 0 in truth, twice its
fall exceeds the chi-square quantile with 1 degree of freedom too often (coverage .85 was seen at 95 %). With
as many degrees of freedom as the reports tell directions apart it never does: the greatest likelihood on
the simplex is at most that of all affine combinations, for which Wilks' theorem holds without ends. The
saturated likelihood ignores the ends of the other proportions and needs 1 degree of freedom, and is the
sharper test where the reports tell answers well apart. Each test gets a part of 1 - confidence level, and the
interval holds what neither rejects. The saturated likelihood counts one more report; see `ONE_MORE`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from survey import special
from survey.interval.profile_likelihood import profile_likelihood
from survey.interval.saturated_likelihood import saturated_likelihood
from survey.inverse import condition_number, least_squares_inverse
from survey.likelihood import most_likely
from survey.limits import WORST_CONDITION

SPENT_ON_SATURATED = 0.8
"""The part of 1 - confidence level that is left to the saturated likelihood; the rest is the profile's."""

SMALLEST_SIGNAL = 0.1
"""A direction tells nothing if no two populations differ in it by more standard errors than this."""

ONE_MORE = 1.0
"""The number of reports of an end's own extreme value that are added to those received. The limits of a
binomial share count one more success, or one more failure, too (Clopper & Pearson 1934). Without it 3
intervals in 100 more than promised miss the share where 20 people report, and 12 where 5 do; with half a
report, still one (``tests/benchmarks/estimates.py coverage``)."""

Array = npt.NDArray[np.float64]


def likelihood_intervals(
    probabilities: Array,
    counts: npt.NDArray[np.int64],
    confidence_level: float,
) -> list[tuple[float, float]]:
    """Return the interval of each answer's share.

    Parameters
    ----------
    probabilities : ndarray, shape (answers, reports)
        P(report | answer), or in proportion to it; every report possible.
    counts : ndarray of int, shape (reports,)
        Not all 0.
    confidence_level : float
        In (0, 1).

    Returns
    -------
    list of (low, high)
        Never empty, and never without the most likely share.
    """
    probabilities = probabilities / probabilities.sum(axis=1, keepdims=True)
    alpha = 1 - confidence_level
    inverse = None
    if condition_number(probabilities) <= WORST_CONDITION:
        inverse = least_squares_inverse(probabilities)
    directions = telling_directions(probabilities, int(counts.sum()))
    left = alpha if inverse is None else (1 - SPENT_ON_SATURATED) * alpha
    drop = float(special.chdtri(directions, left)) / 2
    top = most_likely(probabilities, counts)
    intervals = []
    for chosen in np.eye(len(probabilities), dtype=np.bool_):
        within = 0.0, 1.0
        if inverse is not None:
            one_degree = float(special.chdtri(1, SPENT_ON_SATURATED * alpha)) / 2
            within = saturated_likelihood(inverse[:, chosen].sum(axis=1), counts, one_degree, ONE_MORE)
        intervals.append(profile_likelihood(probabilities, counts, chosen, drop, top, within))
    return intervals


def telling_directions(probabilities: Array, respondents: int) -> int:
    """Count the directions in which two populations can differ by more than the noise hides.

    Scale the channel by the standard deviations of the reports at equal shares. Its singular values are then
    the greatest distances of two populations, in standard errors of one respondent; for n respondents they
    are sqrt(n) times as large.
    """
    scaled = probabilities - probabilities.mean(axis=0)
    scaled = scaled / np.sqrt(probabilities.mean(axis=0))
    sizes = np.linalg.svd(scaled, compute_uv=False) * np.sqrt(respondents)
    return max(int((sizes > SMALLEST_SIGNAL).sum()), 1)
