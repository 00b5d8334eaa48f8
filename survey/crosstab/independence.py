"""Pearson's test of independence of two questions, on the reports as they came."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc

from survey.channel import Channel
from survey.counts import informative_reports, speaking_reports
from survey.crosstab.joint import read_table
from survey.estimate import unbiased_inverse
from survey.notice import Notice

MINIMUM_EXPECTED = 5
"""Below this expected count the chi-square distribution is a rough guide (Cochran 1954)."""

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Independence:
    """Whether the answers to two questions can be unrelated.

    Attributes
    ----------
    statistic : float
        X^2; 0 where a question has one report only, which cannot be related to anything.
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
    The answers are independent exactly if the reports are, as either channel can be inverted, so Pearson's
    test of the reports has its level whatever the noise. Its X^2 is n times the squared length of
    S - s t', the shares of the table less the product of its margins, measured by the inverses of
    their covariances diag(s) - s s' and diag(t) - t t'. A channel with more reports than answers, such as
    subset selection, spreads the same difference over many reports; there S - s t' and the covariances are
    first multiplied by the unbiased inverses, which changes nothing for a square channel and leaves
    (k - 1)(l - 1) degrees of freedom for k and l answers.

    References
    ----------
    Gaboardi, Lim, Rogers & Vadhan (2016), Differentially Private Chi-Squared Hypothesis Testing, ICML; for
    local noise Gaboardi & Rogers (2018), Local Private Hypothesis Testing: Chi-Square Tests, ICML.
    """
    if len(channels) != 2:
        raise ValueError(f"channels must be two, got {len(channels)}")
    joint = read_table(channels, table)
    n = joint.reported
    if n == 0:
        return Independence(0.0, 0, 1.0, 0.0, (Notice("no_respondents"),))
    shares = joint.counts / n
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    left, right = (unbiased_inverse(channel)[informative_reports(channel)] for channel in joint.channels)
    difference = left.T @ (shares - np.outer(rows, columns)) @ right
    one, first = inverse_covariance(left, rows)
    other, second = inverse_covariance(right, columns)
    statistic = n * float((one @ difference @ other * difference).sum())
    freedom = first * second
    expected = n * smallest_share(joint.channels[0], rows) * smallest_share(joint.channels[1], columns)
    notices: tuple[Notice, ...] = ()
    if expected < MINIMUM_EXPECTED:
        notices = (Notice("few_expected", {"expected": expected, "minimum": MINIMUM_EXPECTED}),)
    p_value = float(chdtrc(freedom, max(statistic, 0.0))) if freedom else 1.0
    return Independence(max(statistic, 0.0), freedom, p_value, expected, notices)


def inverse_covariance(inverse: Array, shares: Array) -> tuple[Array, int]:
    """Give the pseudo-inverse of the covariance of the unbiased estimates, and its rank."""
    spread = inverse - shares @ inverse
    covariance = (spread.T * shares) @ spread
    sizes, directions = np.linalg.eigh(covariance)
    kept = sizes > 1e-9 * max(sizes.max(), 1e-300)
    pseudo: Array = (directions[:, kept] / sizes[kept]) @ directions[:, kept].T
    return pseudo, int(kept.sum())


def smallest_share(channel: Channel, shares: Array) -> float:
    """Give the share of the rarest report, or of the rarest set of reports that speak for an answer."""
    informative = informative_reports(channel)
    speaking = speaking_reports(channel, informative)
    return float(shares.min() if speaking is None else (speaking[:, informative] @ shares).min())
