"""The joint table of two questions, worked out once and remembered."""

from __future__ import annotations

import hashlib
from functools import partial

import numpy as np
import numpy.typing as npt

from server.results.reports import reports_of
from server.runtime import offload
from server.runtime.bounded_cache import BoundedCache
from server.store.engine import Storage
from server.store.results.visible_results import ReportsWithheld
from server.store.surveys import Survey
from survey.block import linked_block, pair_codes
from survey.figures.cross_figures import CrossAxis, CrossFigures, GroupChoice, cross_figures
from survey.figures.shares import Precision
from survey.results import Results

JOINT_TABLES: BoundedCache[CrossFigures] = BoundedCache(16)
"""Estimates of two questions; each holds its table of reports, up to 8 MB."""


def cross_estimates(
    storage: Storage,
    survey: Survey,
    results: Results,
    row: CrossAxis,
    column: CrossAxis,
    choice: GroupChoice,
    precision: Precision,
) -> CrossFigures:
    """Estimate two questions together, unless the same table was estimated before.

    Raises
    ------
    ReportsWithheld
        If the survey is not closed, and the columns are not linked.
    """
    assert survey.publication is not None  # noqa: S101  # a draft has no results
    counts = joint_table(storage, survey, results, row.name, column.name)
    asked = survey.publication.fingerprint, row, column, counts, choice, precision
    table = hashlib.sha256(counts.tobytes()).digest()
    key = survey.publication.fingerprint, row.name, column.name, table, choice, precision
    return JOINT_TABLES.get(key, partial(cross_figures, *asked))


def joint_table(
    storage: Storage, survey: Survey, results: Results, row: str, column: str
) -> npt.NDArray[np.int64]:
    """Count how often each pair of codes was reported in two columns, in one pass.

    Linked columns are counted together, so that their table advances in the steps of an open survey.

    Returns
    -------
    ndarray of int, shape (codes of the row, codes of the column)

    Raises
    ------
    ReportsWithheld
        If the columns are not linked, and the survey is not closed: the table would move with every
        respondent, and not in steps.
    LookupError
        If it has no such column.
    """
    linked = survey.publication and linked_block(survey.publication, row, column)
    if linked:
        section, block = linked
        return pair_codes(block, results.blocks[section], row, column)
    if survey.publication is None or survey.state != "closed":
        raise ReportsWithheld(f"{survey.slug} is not closed; its tables can be had when it is")
    columns = survey.publication.columns
    places = {name: place for place, name in enumerate(columns)}
    reports = reports_of(storage, survey, results)
    shape = columns[row].codes, columns[column].codes
    return offload.compute(reports.pairs, places[row], places[column], shape)
