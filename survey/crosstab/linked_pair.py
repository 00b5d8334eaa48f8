"""Two linked questions: their joint table comes through one wheel, not through two channels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from survey import special
from survey.channel import Channel
from survey.crosstab.reports_table import Array, JointTable, Table, all_the_same, read_table
from survey.estimate import Estimate
from survey.estimate.proportions import nothing_known
from survey.likelihood import most_likely
from survey.linked import MarginalChannel

MOST_ROUNDS = 20_000
CLOSE = 1e-12
"""The likelihood of independent answers has converged where a round adds less, per respondent."""


@dataclass(frozen=True, eq=False)
class LinkedTable(JointTable):
    """A table of reports on two linked questions.

    Report R comes from the answers A with the chance base_R, and with `bright` more where R says A. Where
    both can be left out together, that is the last answer of either, and it comes with no other.

    Attributes
    ----------
    base : ndarray of float, shape (reports of the one, reports of the other)
    bright : float
    """

    base: Array
    bright: float

    def received(self) -> tuple[Array, Table]:
        """Return P(reports | answers) of the cells received, and their counts; 0 for what nobody answers."""
        rows, columns = cells = np.nonzero(self.counts)
        chances = np.broadcast_to(self.base[cells], (*self.shape, len(rows))).copy()
        chances[rows, columns, np.arange(len(rows))] += self.bright
        chances[self.base == 0] = 0
        return chances, self.counts[cells]

    def least_expected(self) -> float:
        """Return the smallest count of the table of reports that is expected, whatever the answers."""
        return self.reported * float(self.base[self.base > 0].min())

    def merged(self, apart: Sequence[Sequence[int]]) -> tuple[LinkedTable, list[list[int]]]:
        """Merge the answers of both questions that need not be apart: the wheel keeps its form."""
        counts, base, places = self.counts, self.base, []
        for axis, answers in enumerate(apart):
            others = np.setdiff1d(np.arange(self.shape[axis]), answers)
            groups = [[answer] for answer in answers] + ([others.tolist()] if others.size else [])
            sums = np.array([[answer in group for answer in range(self.shape[axis])] for group in groups])
            counts = np.moveaxis(np.tensordot(sums.astype(np.int64), counts, (1, axis)), 0, axis)
            base = np.moveaxis(np.tensordot(sums.astype(np.float64), base, (1, axis)), 0, axis)
            places.append(list(range(len(answers))))
        margins = tuple(np.eye(length) for length in counts.shape)  # of these only the lengths matter
        return LinkedTable(self.channels, self.respondents, counts, margins, base, self.bright), places


def pair_channel(channels: Sequence[Channel]) -> MarginalChannel | None:
    """Return the channel of two linked questions together; None where they are not linked."""
    if len(channels) != 2 or not all(isinstance(channel, MarginalChannel) for channel in channels):
        return None
    first, second = channels
    assert isinstance(first, MarginalChannel)  # noqa: S101  # as just checked
    assert isinstance(second, MarginalChannel)  # noqa: S101
    if first.linked != second.linked or first.places == second.places:
        return None
    return first.linked.marginal(*first.places, *second.places)


def read_reports(channels: Sequence[Channel], table: npt.ArrayLike) -> JointTable:
    """Check a table of reports against its channels, as `read_table`; two linked questions have one wheel."""
    joint = read_table(channels, table)
    pair = pair_channel(channels)
    if pair is None:
        return joint
    skip = pair.linked.skip
    sizes = [channel.answers - skip for channel in channels]
    base = np.zeros([channel.answers for channel in channels])
    weights = pair.probabilities
    base[: sizes[0], : sizes[1]] = weights[0, 1]
    if skip:
        base[-1, -1] = weights[0, -1]
    return LinkedTable(
        joint.channels, joint.respondents, joint.counts, joint.probabilities, base, pair.bright
    )


def estimate_linked(joint: LinkedTable) -> Estimate:
    """Estimate the proportion of every combination of answers to two linked questions.

    Notes
    -----
    The share q of a report is base + bright theta, theta being the share of these answers. So the unbiased
    estimate is (q - base)/bright, and its covariance (diag(q) - q q')/(n bright^2).
    """
    n = joint.reported
    if n == 0:
        return nothing_known(joint.shape, joint.respondents, joint.base + joint.bright / joint.base.size)
    shares = joint.counts / n
    allowed = joint.base > 0
    proportions = np.where(allowed, (shares - joint.base) / joint.bright, 0.0)
    flat = shares.ravel()
    covariance = (np.diag(flat) - np.outer(flat, flat)) / (n * joint.bright**2)
    chances, counts = joint.received()
    maximum = most_likely(chances.reshape(joint.base.size, -1), counts).proportions.reshape(joint.shape)
    return Estimate(
        respondents=joint.respondents,
        reported=n,
        noisy_shares=shares,
        proportions=proportions,
        standard_errors=np.sqrt(np.diag(covariance)).reshape(joint.shape),
        covariance=covariance.reshape(joint.shape * 2),
        maximum_likelihood=maximum,
        people=joint.respondents * proportions,
        notices=all_the_same(joint),
    )


def likelihood_ratio(joint: LinkedTable) -> tuple[float, int, float]:
    """Test whether the answers to two linked questions are independent among those who answer.

    Returns
    -------
    statistic : float
        Twice what the greatest log-likelihood loses where the answers are independent.
    degrees_of_freedom : int
    p_value : float

    Notes
    -----
    Reports on linked questions depend on each other even where the answers do not, so Pearson's test of the
    reports does not serve. The likelihood of independent answers s_a t_b is climbed by expectation-
    maximization: of n_R reports R, the answers (a, b) take theta_ab P(R | a, b)/q_R each.
    """
    chances, counts = joint.received()
    top = most_likely(chances.reshape(joint.base.size, -1), counts).log_likelihood
    skip = bool(joint.base[-1, 0] == 0)
    rows, columns = (length - skip for length in joint.shape)
    shares = np.where(joint.base > 0, 1.0, 0.0)
    shares /= shares.sum()
    before = -math.inf
    for _ in range(MOST_ROUNDS):
        chance = joint.base + joint.bright * shares
        ratio = np.divide(joint.counts, chance, out=np.zeros_like(chance), where=chance > 0)
        received = joint.counts > 0
        here = float(joint.counts[received] @ np.log(chance[received]))
        if here - before < CLOSE * joint.reported:
            break
        before = here
        people = shares * (float((ratio * joint.base).sum()) + joint.bright * ratio)
        answered = people[:rows, :columns]
        shares = np.zeros_like(people)
        total = answered.sum()
        if total > 0:
            shares[:rows, :columns] = np.outer(answered.sum(axis=1), answered.sum(axis=0)) / total
        if skip:
            shares[-1, -1] = people[-1, -1]
        shares /= shares.sum()
    statistic = max(0.0, 2 * (top - here))
    freedom = (rows - 1) * (columns - 1)
    return statistic, freedom, float(special.chdtrc(freedom, statistic))
