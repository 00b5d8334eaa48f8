"""Counts for the estimates, from noisy reports or from a file of counts."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt

from survey.analysis.archive import Unusable
from survey.analysis.reports_file import Codes
from survey.limits import MOST_RESPONDENTS
from survey.publication import Publication, section_columns
from survey.results import Reached, Results

Counts = dict[str, list[int]]


def count(blocks: Iterable[Codes], codes: Mapping[str, int]) -> Counts:
    """Count how often each code of each column comes: column -> counts, indexed by code."""
    totals = [np.zeros(size, np.int64) for size in codes.values()]
    for block in blocks:
        for column, counts in zip(block.T, totals, strict=True):
            counts += np.bincount(column, minlength=len(counts))
    return {name: counts.tolist() for name, counts in zip(codes, totals, strict=True)}


def count_pairs(
    blocks: Iterable[Codes], places: tuple[int, int], shape: tuple[int, int]
) -> npt.NDArray[np.int64]:
    """Count pairs of codes in two columns.

    Returns
    -------
    ndarray of int, of the shape given: (codes of the one, codes of the other)
    """
    pair_counts = np.zeros(shape[0] * shape[1], np.int64)
    for block in blocks:
        pairs = block[:, places[0]].astype(np.int64) * shape[1] + block[:, places[1]]
        pair_counts += np.bincount(pairs, minlength=len(pair_counts))
    return pair_counts.reshape(shape)


def read_counts_file(text: str, source: str, codes: Mapping[str, int]) -> Counts:
    r"""Read counts from a CSV file with the heading ``column,code,count``; a code that is not listed has 0.

    Raises
    ------
    Unusable
        If a row is not a code of a column with a count, or repeats a code.

    Examples
    --------
    >>> read_counts_file("column,code,count\ntired,0,60\ntired,1,40\n", "counts.csv", {"tired": 2})
    {'tired': [60, 40]}
    """
    rows = list(csv.reader(io.StringIO(text)))
    if not rows or rows[0] != ["column", "code", "count"]:
        raise Unusable(
            f"{source}, row 1 must be column,code,count, got {','.join(rows[0] if rows else [])!r}"
        )
    counts = {name: [0] * size for name, size in codes.items()}
    seen: set[tuple[str, int]] = set()
    for number, row in enumerate(rows[1:], 2):
        place = f"{source}, row {number}"
        if len(row) != 3:
            raise Unusable(f"{place} must have 3 cells, got {len(row)}")
        name, code, times = row
        if name not in codes:
            raise Unusable(f"{place}, column must be one of {', '.join(codes)}, got {name[:80]!r}")
        index = whole(code, codes[name] - 1, f"{place}, code of {name}")
        if (name, index) in seen:
            raise Unusable(f"{place} must list each code once, got code {index} of {name} again")
        seen.add((name, index))
        counts[name][index] = whole(times, MOST_RESPONDENTS, f"{place}, count")
    return counts


def whole(text: str, most: int, place: str) -> int:
    """Read a whole number from 0 to `most`."""
    digits = text.isascii() and text.isdecimal() and len(text) <= 16
    if not digits or int(text) > most:
        raise Unusable(f"{place} must be a whole number from 0 to {most}, got {text[:80]!r}")
    return int(text)


def results_of(publication: Publication, counts: Counts, source: str) -> Results:
    """Compare the columns with each other, and return their counts as the results of a survey.

    Raises
    ------
    Unusable
        If two columns hold different numbers of people, or two of a section different numbers who were not
        asked it.
    """
    people = {name: sum(of_codes) for name, of_codes in counts.items()}
    respondents = alike(people, source, "people")
    reached = {}
    for section, columns in section_columns(publication):
        asked = {name: column.split(counts[name]).asked for name, column in columns.items()}
        number = alike(asked, source, f"people who were asked the section {section.id}")
        reached[section.id] = Reached(number, respondents)
    return Results(respondents, counts, final=True, prepared=True, sections=reached)


def alike(people: Mapping[str, int], source: str, whom: str) -> int:
    """Return the number of people that all columns hold."""
    first, number = next(iter(people.items()))
    for name, other in people.items():
        if other != number:
            raise Unusable(f"{source}, column {name} must hold {number} {whom}, like {first}, got {other}")
    return number
