"""The joint table of two questions of a closed survey, worked out once and kept."""

from __future__ import annotations

import hashlib
from functools import partial

from server.results.reports import joint_table
from server.runtime.bounded_cache import BoundedCache
from server.store.engine import Storage
from server.store.surveys import Survey
from survey.figures import Precision
from survey.figures.cross import CrossAxis, CrossFigures, GroupChoice, cross_figures
from survey.results import Results

KEPT: BoundedCache[CrossFigures] = BoundedCache(16)
"""Each holds its table of reports, up to 8 MB."""


def kept_cross(
    storage: Storage,
    survey: Survey,
    results: Results,
    row: CrossAxis,
    column: CrossAxis,
    choice: GroupChoice,
    precision: Precision,
) -> CrossFigures:
    """Return what is known of two questions together.

    Raises
    ------
    ReportsWithheld
        If the survey is not closed.
    """
    assert survey.publication is not None  # noqa: S101  # a draft has no results
    counts = joint_table(storage, survey, results, row.name, column.name)
    asked = survey.publication.fingerprint, row, column, counts, choice, precision
    table = hashlib.sha256(counts.tobytes()).digest()
    key = survey.publication.fingerprint, row.name, column.name, table, choice, precision
    return KEPT.get(key, partial(cross_figures, *asked))
