"""Intervals for the shares of several answers whose counts are not binomial: two tests, each spent part.

The profile likelihood on the simplex is the sharper test where the reports hardly tell answers apart, as
it knows that no proportion is below 0. But where other proportions are 0 in truth, twice its
fall exceeds the chi-square quantile with 1 degree of freedom too often (coverage .85 was seen at 95 %). With
as many degrees of freedom as the reports tell directions apart it never does: the greatest likelihood on
the simplex is at most that of all affine combinations, for which Wilks' theorem holds without ends. The
saturated likelihood ignores the ends of the other proportions and needs 1 degree of freedom, and is the
sharper test where the reports tell answers well apart. An interval is what neither rejects. For few
respondents the saturated likelihood counts one more report, as `ONE_MORE` says.
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
"""A direction in which no two populations differ by more standard errors than this tells nothing."""

ONE_MORE = 1.0
"""Reports of an end's own extreme value that are added to those received: the limits of a binomial share are
those of one more success, or one more failure, too (Clopper & Pearson 1934). With none, three respondents in
a hundred more than promised are missed where 20 report, 12 where 5 do; with a half, still one
(``tests/benchmarks/estimates.py coverage``)."""

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
    """Count in how many directions two populations can differ by more than the noise hides.

    The singular values of the channel, scaled by the standard deviations of the reports at equal shares,
    are how many standard errors of one respondent apart populations can be; sqrt(n) times that of n.
    """
    scaled = probabilities - probabilities.mean(axis=0)
    scaled = scaled / np.sqrt(probabilities.mean(axis=0))
    sizes = np.linalg.svd(scaled, compute_uv=False) * np.sqrt(respondents)
    return max(int((sizes > SMALLEST_SIGNAL).sum()), 1)
