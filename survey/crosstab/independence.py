"""Pearson's test of independence of two questions, on the reports as they came."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from survey import special
from survey.channel import Channel
from survey.counts import informative_reports, supporting_reports
from survey.crosstab.linked_pair import LinkedTable, likelihood_ratio, read_reports
from survey.crosstab.reports_table import JointTable
from survey.estimate import unbiased_inverse
from survey.notice import Notice

MINIMUM_EXPECTED = 5
"""Below this expected count the chi-square distribution is a rough guide (Cochran 1954)."""

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Independence:
    """The result of a test whether the answers to two questions are unrelated.

    Attributes
    ----------
    statistic : float
        X^2, or of linked questions the likelihood ratio G^2; 0 where all reports on a question are the same.
    degrees_of_freedom : int
    p_value : float
        The chance of a statistic this large if they are unrelated.
    smallest_expected : float
        The smallest count of the table of reports that is expected if they are.
    notices : tuple of Notice
    """

    statistic: float
    degrees_of_freedom: int
    p_value: float
    smallest_expected: float
    notices: tuple[Notice, ...]


def independence(channels: Sequence[Channel], table: npt.ArrayLike) -> Independence:
    """Test whether the answers to two questions are independent.

    Parameters
    ----------
    channels : sequence of two Channel
    table : array_like of int, shape (reports of the one, reports of the other)
        How often each pair of reports was received: the noisy table itself, never an estimate.

    Returns
    -------
    Independence

    Raises
    ------
    ValueError
        If there are not two channels, the table is not theirs, or a channel is too close to singular.

    Notes
    -----
    Both channels can be inverted, so the answers are independent exactly if the reports are, and Pearson's
    test of the reports has its level whatever the noise. Its X^2 is n times the squared length of S - s t',
    the shares of the table less the product of its margins, measured by the inverses of their covariances
    diag(s) - s s' and diag(t) - t t'. A channel with more reports than answers, such as subset selection,
    spreads the same difference over many reports. So S - s t' and the covariances are first multiplied by the
    unbiased inverses. That changes nothing for a square channel, and leaves (k - 1)(l - 1) degrees of freedom
    for k and l answers.

    References
    ----------
    Gaboardi, Lim, Rogers & Vadhan (2016), Differentially Private Chi-Squared Hypothesis Testing, ICML; for
    local noise Gaboardi & Rogers (2018), Local Private Hypothesis Testing: Chi-Square Tests, ICML.
    """
    joint = two_questions(channels, table)
    n = joint.reported
    if n == 0:
        return Independence(0.0, 0, 1.0, 0.0, (Notice("no_respondents"),))
    if isinstance(joint, LinkedTable):
        return Independence(*likelihood_ratio(joint), joint.least_expected(), ())
    shares = margins(joint.counts)
    row_scores, column_scores = map(scores, joint.channels, shares)
    statistic = float(pearson(joint.counts, row_scores, column_scores))
    freedom = row_scores.shape[1] * column_scores.shape[1]
    expected = n * math.prod(map(smallest_share, joint.channels, shares))
    notices: tuple[Notice, ...] = ()
    if expected < MINIMUM_EXPECTED:
        notices = (Notice("few_expected", {"expected": expected, "minimum": MINIMUM_EXPECTED}),)
    p_value = float(special.chdtrc(freedom, statistic)) if freedom else 1.0
    return Independence(statistic, freedom, p_value, expected, notices)


def two_questions(channels: Sequence[Channel], table: npt.ArrayLike) -> JointTable:
    """Check that a table is of two questions; otherwise as `read_reports`."""
    if len(channels) != 2:
        raise ValueError(f"channels must be two, got {len(channels)}")
    return read_reports(channels, table)


def margins(counts: npt.NDArray[np.int64]) -> tuple[Array, Array]:
    """Return the shares of the reports on the first question and on the second."""
    n = counts.sum()
    return counts.sum(axis=1) / n, counts.sum(axis=0) / n


def scores(channel: Channel, shares: Array) -> Array:
    """Return the unbiased estimates of one report, centred and scaled to uncorrelated numbers of variance 1.

    Parameters
    ----------
    channel : Channel
    shares : ndarray of float, shape (informative reports,)
        How often each report came, of sum 1.

    Returns
    -------
    ndarray of float, shape (informative reports, rank of the estimates' covariance)
        A, with A' s = 0 and A' diag(s) A the identity, s the shares.
    """
    inverse = unbiased_inverse(channel)[informative_reports(channel)]
    spread = inverse - shares @ inverse
    covariance = (spread.T * shares) @ spread
    sizes, directions = np.linalg.eigh(covariance)
    positive = sizes > 1e-9 * max(sizes.max(), 1e-300)
    scaled: Array = spread @ (directions[:, positive] / np.sqrt(sizes[positive]))
    return scaled


def pearson(counts: npt.NDArray[np.int64] | Array, row_scores: Array, column_scores: Array) -> Array:
    """Return X^2 = |A' N B|^2 / n of a table N, or of each of a stack of tables with the same margins.

    Parameters
    ----------
    counts : ndarray of int, shape (..., rows, columns)
    row_scores, column_scores : ndarray of float
        A and B, from `scores`.

    Returns
    -------
    ndarray of float, shape (...)
    """
    respondents = counts.sum(axis=(-2, -1))
    squares: Array = ((row_scores.T @ counts @ column_scores) ** 2).sum(axis=(-2, -1)) / respondents
    return squares


def smallest_share(channel: Channel, shares: Array) -> float:
    """Return the share of the rarest report, or of the rarest set of reports that support an answer."""
    informative = informative_reports(channel)
    supporting = supporting_reports(channel, informative)
    return float(shares.min() if supporting is None else (supporting[:, informative] @ shares).min())
