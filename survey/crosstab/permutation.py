"""A test of independence by permutation: the reports on one question are exchanged between people."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from survey.channel import Channel
from survey.crosstab.independence import margins, pearson, scores, two_questions
from survey.solvers import statistics

PERMUTATIONS = 999
"""The number of permutations, with which the p-value is a whole number of thousandths."""

MOST_AT_ONCE = 2**22
"""Cells of the tables that are held in memory together."""

TIED = 1e-9
"""Statistics that differ relatively by less than this are equal but for rounding."""


def permutation_p_value(
    channels: Sequence[Channel],
    table: npt.ArrayLike,
    rng: np.random.Generator,
    permutations: int = PERMUTATIONS,
) -> float:
    """Return the p-value of the test of independence from permutations of the reports.

    Parameters
    ----------
    channels : sequence of two Channel
    table : array_like of int, shape (reports of the one, reports of the other)
        How often each pair of reports was received, from respondents who all reported in the same way:
        reports from a browser and from real coins must not be exchanged.
    rng : numpy.random.Generator
        The same generator gives the same p-value.
    permutations : int
        The number of permutations, 1 or more.

    Returns
    -------
    float
        (1 + permuted tables with a statistic at least as large) / (1 + permutations). If the answers are
        independent, it is at most alpha with probability at most alpha, whatever the expected counts.

    Raises
    ------
    ValueError
        As `independence`.

    Notes
    -----
    If the answers are independent, so are the reports, and every assignment of the second reports to
    the people is equally likely. Counting the pairs of such an assignment gives a random table with the
    same margins, which `scipy.stats.random_table` draws without going through the people (Patefield 1981,
    Algorithm AS 159, Applied Statistics 30). The statistic is Pearson's, that of `independence`.

    References
    ----------
    Phipson & Smyth (2010), Permutation P-values Should Never Be Zero, Statistical Applications in Genetics
    and Molecular Biology 9(1), article 39.

    Examples
    --------
    >>> from survey.mechanisms import coin
    >>> permutation_p_value([coin(), coin()], [[9, 1], [1, 9]], np.random.default_rng(1))
    0.003
    """
    joint = two_questions(channels, table)
    if joint.reported == 0:
        return 1.0
    shares = margins(joint.counts)
    # A report that nobody sent has an empty row in every permutation.
    sent = [each > 0 for each in shares]
    received = joint.counts[np.ix_(*sent)]
    if min(received.shape) == 1:
        return 1.0  # all reports on a question are the same: every permutation gives this table
    left, right = (
        scores(channel, each)[some] for channel, each, some in zip(joint.channels, shares, sent, strict=True)
    )
    least = (1 - TIED) * pearson(received, left, right)
    draw = statistics().random_table(received.sum(axis=1), received.sum(axis=0), seed=rng)
    at_once = max(MOST_AT_ONCE // received.size, 1)
    sizes = [min(at_once, permutations - start) for start in range(0, permutations, at_once)]
    as_large = sum(np.count_nonzero(pearson(draw.rvs(size), left, right) >= least) for size in sizes)
    return float((1 + as_large) / (1 + permutations))
