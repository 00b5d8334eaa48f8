"""Two questions together: a joint table, shares within groups, comparisons and a test."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from survey.channel import Channel
from survey.column import Column
from survey.crosstab import (
    Comparison,
    Independence,
    difference_within,
    estimate_joint,
    independence,
    joint_radius,
    odds_ratio_within,
    permutation_p_value,
    share_within,
)
from survey.crosstab.comparison import MINIMUM_PEOPLE
from survey.crosstab.linked_pair import pair_channel
from survey.crosstab.reports_table import MOST_CELLS, MOST_NOISY_CELLS
from survey.estimate import Estimate
from survey.fields import Texts
from survey.figures.questions import answer_names
from survey.figures.shares import Precision
from survey.mechanisms import NumberChannel
from survey.publication import Publication, question_columns
from survey.question import Boxes, Question

MOST_WORK = 200_000
"""The most combinations of answers times kinds of reports received for which a page works out intervals."""

Table = npt.NDArray[np.int64]


@dataclass(frozen=True)
class CrossAxis:
    """A column whose answers can be one side of a table.

    Attributes
    ----------
    question : Question
    column : Column
    box : Texts or None
        The text of the column's box.
    answers : tuple of str
        The names of the answers in downloads.
    """

    question: Question
    column: Column
    box: Texts | None
    answers: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name of the column."""
        return self.column.name

    def title(self, language: str) -> str:
        """Return the wording of the question, with the text of the box if it has boxes."""
        wording = self.question.asks(language)
        return f"{wording} – {self.box[language]}" if self.box else wording


@dataclass(frozen=True)
class GroupChoice:
    """The share that is estimated and the two groups that are compared, by the positions of answers."""

    answer: int
    group: int
    other: int


@dataclass(frozen=True, eq=False)
class CrossFigures:
    """The estimates from two questions together.

    Attributes
    ----------
    row, column : CrossAxis
        Of the question whose share is estimated, and of the one that makes the groups.
    table : ndarray of int, shape (reports of the row, reports of the column)
        The noisy table: reports that browsers made for both.
    asked_both, not_asked : int
        The number of people who were asked both questions, and of those who were not.
    left_out : int
        The number of those asked both who skipped either question, or used real coins for it.
    joint : Estimate
        Of every combination of answers, in the table's shape.
    radius : ndarray of float or None
        The most by which one forged report moves the share of each combination; None without reports.
    test : Independence
    permuted : float or None
        The p-value from permutations of the reports; None where enough are expected in every cell.
    choice : GroupChoice
    precision : Precision
        Of each interval by itself.
    within : tuple of Comparison or None
        The share within each group; None for a group that is too small. Empty where there are too many
        combinations for intervals.
    difference, odds_ratio : Comparison or None
        None where either group is too small, or there are too many combinations.
    """

    row: CrossAxis
    column: CrossAxis
    table: Table
    asked_both: int
    not_asked: int
    left_out: int
    joint: Estimate
    radius: npt.NDArray[np.float64] | None
    test: Independence
    permuted: float | None
    choice: GroupChoice
    precision: Precision
    within: tuple[Comparison | None, ...]
    difference: Comparison | None
    odds_ratio: Comparison | None

    @property
    def linked(self) -> bool:
        """True if one wheel decided for both answers."""
        return pair_channel((self.row.column.channel, self.column.column.channel)) is not None

    @property
    def is_left_out_together(self) -> bool:
        """True if both can only be left out together: then a skip of one goes with no answer to the other."""
        return is_left_out_together(self.row, self.column)

    @property
    def group_sizes(self) -> list[float]:
        """The estimated number of people in each group, from the most likely joint table."""
        sizes: list[float] = (self.joint.respondents * self.joint.maximum_likelihood.sum(axis=0)).tolist()
        return sizes


@lru_cache(maxsize=256)
def cross_axes(publication: Publication) -> Mapping[str, CrossAxis]:
    """Return the columns that can be one side of a table, by name: all but numbers."""
    axes = {}
    for question, columns in question_columns(publication):
        for index, (name, column) in enumerate(columns.items()):
            if not isinstance(column.channel, NumberChannel):
                box = question.options[index] if isinstance(question, Boxes) else None
                axes[name] = CrossAxis(question, column, box, answer_names(question))
    return axes


def crossed_now(publication: Publication, state: str) -> Mapping[str, CrossAxis]:
    """Return the columns of which two can be read together: of an open survey, those of linked questions."""
    axes = cross_axes(publication)
    if state != "open":
        return axes
    return {name: each for name, each in axes.items() if each.question.linked}


def too_large(row: CrossAxis, column: CrossAxis) -> bool:
    """Return whether a table of the two would have too many cells to be estimated."""
    answers = len(row.answers) * len(column.answers)
    reports = row.column.channel.reports * column.column.channel.reports
    return answers > MOST_CELLS or reports > MOST_NOISY_CELLS


def is_left_out_together(row: CrossAxis, column: CrossAxis) -> bool:
    """Return whether two columns share a wheel on which all answers are left out as one."""
    pair = pair_channel((row.column.channel, column.column.channel))
    return pair is not None and pair.linked.skip


def answers_compared(row: CrossAxis, column: CrossAxis) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the answers of which shares within groups are known, and those that make the groups."""
    both = is_left_out_together(row, column)
    return row.answers[: len(row.answers) - both], column.answers[: len(column.answers) - both]


def default_choice(row: CrossAxis, column: CrossAxis) -> GroupChoice:
    """Choose the share of yes, or of the first option, among yes and no, or the first two options."""
    answer = row.answers.index("yes") if "yes" in row.answers else 0
    group, other = (1, 0) if "yes" in column.answers else (0, 1)
    return GroupChoice(answer, group, other)


def cross_figures(
    fingerprint: str,
    row: CrossAxis,
    column: CrossAxis,
    table: Table,
    choice: GroupChoice,
    precision: Precision,
) -> CrossFigures:
    """Estimate from two questions together.

    Parameters
    ----------
    fingerprint : str
        Of the survey; the permutations follow from it and from the table.
    row, column : CrossAxis
    table : ndarray of int, shape (codes of the row, codes of the column)
        How often each pair of codes is stored.
    choice : GroupChoice
    precision : Precision
        The intervals are those of the profile likelihood, whatever method it names.

    Raises
    ------
    ValueError
        If the table is too large (`too_large`), or a channel cannot be inverted.
    """
    channels = row.column.channel, column.column.channel
    device = table[: channels[0].reports, : channels[1].reports]
    asked_both = int(table[: row.column.asked_codes, : column.column.asked_codes].sum())
    _, groups = answers_compared(row, column)
    interval_precision = precision.each_of(len(groups))
    joint, test = estimate_joint(channels, device), independence(channels, device)
    permuted = None
    if few_expected(test) and pair_channel(channels) is None:  # one wheel's reports are never exchangeable
        permuted = permuted_p_value(fingerprint, row, column, device)
    within, difference, odds_ratio = NOTHING
    if joint.reported and work(channels, device) <= MOST_WORK:
        within, difference, odds_ratio = comparisons(
            channels, device, choice, interval_precision.confidence_level, len(groups)
        )
    return CrossFigures(
        row=row,
        column=column,
        table=device,
        asked_both=asked_both,
        not_asked=int(table.sum()) - asked_both,
        left_out=asked_both - int(device.sum()),
        joint=joint,
        radius=joint_radius(channels, joint.reported) if joint.reported else None,
        test=test,
        permuted=permuted,
        choice=choice,
        precision=replace(interval_precision, method="likelihood_ratio"),
        within=within,
        difference=difference,
        odds_ratio=odds_ratio,
    )


def few_expected(test: Independence) -> bool:
    """Return whether Cochran's rule calls the chi-square distribution a rough guide; see `independence`."""
    return any(notice.code == "few_expected" for notice in test.notices)


def permuted_p_value(fingerprint: str, row: CrossAxis, column: CrossAxis, table: Table) -> float:
    """Return the p-value from permutations of the reports, the same for a survey and a table every time.

    Notes
    -----
    The table holds the reports of browsers alone, as these must not be exchanged for reports of real coins.
    The question whose name comes first is taken first, so that the p-value does not depend on the sides.
    """
    sides = [row, column]
    if row.name > column.name:
        sides, table = [column, row], np.ascontiguousarray(table.T)
    seed = hashlib.sha256(" ".join([fingerprint, *(side.name for side in sides)]).encode() + table.tobytes())
    rng = np.random.default_rng(int.from_bytes(seed.digest()))
    return permutation_p_value([side.column.channel for side in sides], table, rng)


Compared = tuple[tuple[Comparison | None, ...], Comparison | None, Comparison | None]

NOTHING: Compared = ((), None, None)


def comparisons(
    channels: tuple[Channel, Channel], table: Table, choice: GroupChoice, level: float, groups: int
) -> Compared:
    """Estimate the shares within groups, and compare two of them unless a group is too small."""
    shares = [share_within(channels, table, choice.answer, group, level) for group in range(groups)]
    within = tuple(None if too_few(share) else share for share in shares)
    if choice.group == choice.other or within[choice.group] is None or within[choice.other] is None:
        return within, None, None
    pair = channels, table, choice.answer, choice.group, choice.other, level
    return within, difference_within(*pair), odds_ratio_within(*pair)


def work(channels: tuple[Channel, Channel], table: Table) -> int:
    """Return the cost of one likelihood of the table: its answers times the kinds of reports received."""
    return math.prod(channel.answers for channel in channels) * int(np.count_nonzero(table))


def too_few(comparison: Comparison) -> bool:
    """Return whether a group is estimated below the minimum cell count, `MINIMUM_PEOPLE`."""
    return any(notice.code == "few" for notice in comparison.notices)


MINIMUM_CELL = MINIMUM_PEOPLE
"""Shares of a group estimated at fewer people are not shown."""
