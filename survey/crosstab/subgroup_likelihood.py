"""The likelihood of a share within a subgroup that is itself known from noisy reports alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from survey import special
from survey.channel import Channel, require_whole
from survey.crosstab.collapse_answers import collapse
from survey.crosstab.linked_pair import LinkedTable, read_reports
from survey.crosstab.reports_table import JointTable
from survey.likelihood import most_likely
from survey.notice import Notice
from survey.solvers import brentq

FINENESS = 1e-6
"""The tolerance to which the ends of an interval are solved for."""

SMALLEST_SHARE = 1e-9
"""A group below this share of everybody counts as empty; in an odds ratio this replaces a share of 0."""


class SubgroupLikelihood:
    """The likelihood of a table of two questions, with the share of one answer fixed within groups.

    The share p of answer a among those of group b fixes the mixture of each other answer with it: the
    proportions of the group are those of the mixtures p P[a, b] + (1 - p) P[a', b]. So the greatest
    likelihood is again one on a simplex.
    """

    def __init__(
        self, channels: Sequence[Channel], table: npt.ArrayLike, answer: int, groups: Sequence[int]
    ) -> None:
        if len(channels) != 2:
            raise ValueError(f"channels must be two, got {len(channels)}")
        joint = read_reports(channels, table)
        self.answer = require_whole("answer", answer, 0, channels[0].answers - 1)
        self.groups = [require_whole("group", group, 0, channels[1].answers - 1) for group in groups]
        if len(set(self.groups)) < len(self.groups):
            raise ValueError(f"groups must differ, got {self.groups}")
        # From here on the answer and the groups are places among the answers that are left.
        self.joint, ((self.place,), self.places), self.merged = merge(joint, ([self.answer], self.groups))
        if joint.reported:
            self.chances, self.counts = self.joint.received()
            self.top = most_likely(self.chances.reshape(-1, len(self.counts)), self.counts)

    def shares(self) -> tuple[list[float], list[float]]:
        """Return the most likely share of the answer within each group, and each group's share of all."""
        proportions = self.top.proportions.reshape(self.joint.shape)
        sizes = [float(proportions[:, group].sum()) for group in self.places]
        everybody = float(proportions[self.place].sum())
        return [
            float(proportions[self.place, group]) / size if size > SMALLEST_SHARE else everybody
            for group, size in zip(self.places, sizes, strict=True)
        ], sizes

    def log_likelihood(self, *fixed: float) -> float:
        """Return the greatest log-likelihood with these shares of the answer within the groups, in order."""
        shares = dict(zip(self.places, fixed, strict=True))
        rows = []
        for group in range(self.joint.shape[1]):
            chances = self.chances[:, group]
            if group in shares:
                others = np.delete(chances, self.place, axis=0)
                chances = shares[group] * chances[self.place] + (1 - shares[group]) * others
            rows.append(chances)
        return most_likely(np.concatenate(rows), self.counts).log_likelihood

    def interval(
        self, profile: Callable[[float], float], value: float, lowest: float, highest: float, level: float
    ) -> tuple[float, float]:
        """Return the values from `lowest` to `highest` whose profile is not far below the top."""
        degrees = len(self.groups) + (0 if self.merged else 1)
        least = self.top.log_likelihood - mixed_quantile(degrees, 1 - level) / 2

        def shortfall(at: float) -> float:
            return min(least - profile(at), 1e300)

        low = lowest
        if value > lowest and shortfall(lowest) > 0:
            low = min(brentq(shortfall, lowest, value, xtol=FINENESS), value)
        high = highest
        if value < highest and shortfall(highest) > 0:
            high = max(brentq(shortfall, value, highest, xtol=FINENESS), value)
        return low, high

    def notices(self, minimum: float) -> tuple[Notice, ...]:
        """Return the groups whose estimated size is below the minimum."""
        if self.joint.reported == 0:
            return (Notice("no_respondents"),)
        sizes = (self.joint.respondents * size for size in self.shares()[1])
        return tuple(
            Notice("few", {"group": group, "people": people, "minimum": minimum})
            for group, people in zip(self.groups, sizes, strict=True)
            if people < minimum
        )


def merge(
    joint: JointTable, apart: tuple[Sequence[int], Sequence[int]]
) -> tuple[JointTable, tuple[list[int], list[int]], bool]:
    """Merge the answers of both questions that need not be apart, where the reports allow it.

    Returns
    -------
    joint : JointTable
    places : tuple of two lists of int
        The places of the answers kept apart among those left.
    merged : bool
        True if the reports of the first question allowed it.
    """
    if isinstance(joint, LinkedTable):
        linked, (rows, columns) = joint.merged(apart)
        return linked, (rows, columns), linked.shape[0] == 2
    counts, probabilities, places = joint.counts, [], []
    for axis, answers in enumerate(apart):
        left, reports, where = collapse(joint.channels[axis], joint.probabilities[axis], answers)
        counts = np.moveaxis(counts, axis, 0)
        sums = np.zeros((left.shape[1], *counts.shape[1:]), np.int64)
        np.add.at(sums, reports, counts)
        counts = np.moveaxis(sums, 0, axis)
        probabilities.append(left)
        places.append(where)
    table = JointTable(joint.channels, joint.respondents, counts, tuple(probabilities))
    return table, (places[0], places[1]), len(probabilities[0]) == 2


def mixed_quantile(degrees: int, alpha: float) -> float:
    """Return the quantile of an even mixture of chi-square with that many degrees of freedom and one fewer.

    With 1 degree of freedom it is that of chi-square. A second share that the comparison leaves free adds
    part of a degree where it lies at an end of [0, 1] (Self & Liang 1987, JASA 82, cases 5 to 8). So do
    answers that could not be merged.
    """
    if degrees == 1:
        return float(special.chdtri(1, alpha))
    return brentq(
        lambda at: float(special.chdtrc(degrees, at) + special.chdtrc(degrees - 1, at)) / 2 - alpha,
        0.0,
        float(special.chdtri(degrees, alpha)),
    )
