"""Two questions together as a table that is downloaded: a row for each estimated quantity."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from survey.crosstab import Comparison
from survey.crosstab.permutation import PERMUTATIONS
from survey.figures.cross_figures import CrossFigures
from survey.figures.shares import Precision, finite
from survey.figures.table import Cell

CROSS_HEADER = (
    "survey", "fingerprint", "row", "column", "quantity", "row_answer", "column_answer", "other_answer",
    "respondents", "reported", "count", "value", "standard_error", "low", "high", "unbiased",
    "people", "radius", "degrees_of_freedom", "p_value", "smallest_expected", "confidence_level",
    "simultaneous", "interval_level", "method", "warnings", "permutation_p_value", "permutations",
)  # fmt: skip


def cross_header(figures: CrossFigures) -> tuple[str, ...]:
    """Return the columns of the table, with one more where some people were not asked both questions."""
    return (*CROSS_HEADER, "asked_both") if figures.not_asked else CROSS_HEADER


Row = dict[str, Cell]


def cross_rows(slug: str, fingerprint: str, figures: CrossFigures, asked: Precision) -> list[list[Cell]]:
    """Return all quantities, each with its origin.

    Parameters
    ----------
    slug, fingerprint : str
        Of the survey.
    figures : CrossFigures
    asked : Precision
        The level that was asked for.
    """
    shared: Row = {
        "survey": slug,
        "fingerprint": fingerprint,
        "row": figures.row.name,
        "column": figures.column.name,
        "respondents": figures.joint.respondents,
        "reported": figures.joint.reported,
        "asked_both": figures.asked_both,
        "confidence_level": asked.confidence_level,
        "simultaneous": asked.simultaneous,
    }
    rows = (*noisy_rows(figures), *joint_rows(figures), *comparison_rows(figures), test_row(figures))
    names = cross_header(figures)
    return [[(shared | row).get(name) for name in names] for row in rows]


def noisy_rows(figures: CrossFigures) -> Iterator[Row]:
    """Yield the noisy table: the pairs of reports that occur."""
    for row, column in np.argwhere(figures.table).tolist():
        yield {
            "quantity": "reports",
            "row_answer": str(row),
            "column_answer": str(column),
            "count": int(figures.table[row, column]),
        }


def joint_rows(figures: CrossFigures) -> Iterator[Row]:
    """Yield the most likely share of every combination of answers, and the unbiased one."""
    joint, radius, both = figures.joint, figures.radius, figures.is_left_out_together
    for row, row_answer in enumerate(figures.row.answers):
        for column, column_answer in enumerate(figures.column.answers):
            if both and (row_answer == "skip") != (column_answer == "skip"):
                continue
            yield {
                "quantity": "joint",
                "row_answer": row_answer,
                "column_answer": column_answer,
                "value": float(joint.maximum_likelihood[row, column]),
                "unbiased": float(joint.proportions[row, column]),
                "standard_error": finite(float(joint.standard_errors[row, column])),
                "people": joint.respondents * float(joint.maximum_likelihood[row, column]),
                "radius": None if radius is None else float(radius[row, column]),
                "warnings": " ".join(map(str, joint.notices)),
            }


def comparison_rows(figures: CrossFigures) -> Iterator[Row]:
    """Yield the shares within groups, their difference and the odds ratio."""
    choice, groups = figures.choice, figures.column.answers
    answer: Row = {"row_answer": figures.row.answers[choice.answer]}
    for group, share in zip(groups, figures.within, strict=False):
        if share is not None:
            yield answer | {"quantity": "within", "column_answer": group} | comparison_row(share)
    pair: Row = {"column_answer": groups[choice.group], "other_answer": groups[choice.other]}
    for quantity, comparison in (("difference", figures.difference), ("odds_ratio", figures.odds_ratio)):
        if comparison is not None:
            yield answer | pair | {"quantity": quantity} | comparison_row(comparison)


def comparison_row(comparison: Comparison) -> Row:
    """Return the numbers of one comparison. An infinite upper end of an odds ratio is left empty."""
    return {
        "value": comparison.value if math.isfinite(comparison.value) else None,
        "low": comparison.low,
        "high": finite(comparison.high),
        "interval_level": comparison.confidence_level,
        "method": "likelihood_ratio",
        "warnings": " ".join(map(str, comparison.notices)),
    }


def test_row(figures: CrossFigures) -> Row:
    """Return the test of independence on the noisy table, with permutations where few are expected."""
    test = figures.test
    return {
        "quantity": "independence",
        "value": test.statistic,
        "degrees_of_freedom": test.degrees_of_freedom,
        "p_value": test.p_value,
        "smallest_expected": test.smallest_expected,
        "warnings": " ".join(map(str, test.notices)),
        "permutation_p_value": figures.permuted,
        "permutations": None if figures.permuted is None else PERMUTATIONS,
    }
