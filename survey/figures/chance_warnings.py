"""The warnings about unlikely reports that remain when all questions of a survey are taken together.

A share or a mean at an end of its range is estimated beyond it about half the time, and among many questions
some estimate often lies far beyond. So each chance is multiplied by the number of shares and means that the
survey estimates independently (Bonferroni). Whatever the truth, a survey whose reports follow the rules then
shows such a warning less than 1 time in 100.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from survey.estimate.oddity import UNLIKELY, shares_apart
from survey.figures.columns import ColumnFigures
from survey.figures.numbers import NumberFigures
from survey.figures.shares import SharesFigures
from survey.notice import Notice

Estimates = TypeVar("Estimates", SharesFigures | None, NumberFigures | None)


def drop_chance_warnings(questions: Sequence[Sequence[ColumnFigures]]) -> list[tuple[ColumnFigures, ...]]:
    """Drop the warnings that chance explains, from the columns of all questions of a survey."""
    tests = sum(tests_of(column) for columns in questions for column in columns)
    return [tuple(drop_from_column(column, tests) for column in columns) for columns in questions]


def tests_of(column: ColumnFigures) -> int:
    """Count the estimates of a column that can lie beyond their range independently."""
    strata = [shares for shares in (column.shares, column.by_hand) if shares is not None]
    return (column.number is not None) + sum(shares_apart(len(each.shares)) for each in strata)


def drop_from_column(column: ColumnFigures, tests: int) -> ColumnFigures:
    """Drop the warnings of a column that chance explains among so many tests."""
    return replace(
        column,
        shares=drop_from_estimates(column.shares, tests),
        by_hand=drop_from_estimates(column.by_hand, tests),
        number=drop_from_estimates(column.number, tests),
    )


def drop_from_estimates(estimates: Estimates, tests: int) -> Estimates:
    """Drop such warnings from estimates; return the same object where there are none."""
    if estimates is None or all(is_unlikely(each, tests) for each in estimates.notices):
        return estimates
    return replace(estimates, notices=tuple(each for each in estimates.notices if is_unlikely(each, tests)))


def is_unlikely(notice: Notice, tests: int) -> bool:
    """Return whether a notice has no p-value, or one that is small among so many tests."""
    p_value = notice.values.get("p_value")
    return not isinstance(p_value, float) or p_value * tests < UNLIKELY
