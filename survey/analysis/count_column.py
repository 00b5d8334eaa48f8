"""The reports of one question, collected on paper or elsewhere: a column of a CSV file."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from survey.analysis.archive import REPORTS, Files, Unusable
from survey.analysis.reports_file import blocks, lines
from survey.analysis.tally import count


def count_column(path: Path, column: str | None, reports: int, names: Sequence[str] = ()) -> list[int]:
    """Count the reports in one column of a file.

    Parameters
    ----------
    path : Path
        A CSV file with a heading.
    column : str, optional
        The name of the column; it may be left out where the file has no other.
    reports : int
        The number of different reports, which are numbered from 0.
    names : sequence of str
        Other names for them, in order, such as ``no`` and ``yes``.

    Returns
    -------
    list of int, of length `reports`

    Raises
    ------
    Unusable
        If the file does not have the column exactly once, or a cell holds no report.
    """
    files = Files(Path(), {REPORTS: str(path)})
    if column is None:
        column = only_column(files)
    with files.lines(REPORTS) as text:
        counts = count(blocks(text, files.place(REPORTS), {column: reports}, names), {column: reports})
    return counts[column]


def only_column(files: Files) -> str:
    """Return the name of the only column of a file."""
    place = files.place(REPORTS)
    with files.lines(REPORTS) as text:
        try:
            heading = next(csv.reader(lines(text, place)), [])
        except (csv.Error, UnicodeDecodeError) as error:
            raise Unusable(f"{place}, row 1 must be the heading of a CSV file in UTF-8 ({error})") from error
    if len(heading) != 1:
        shown = ",".join(heading)[:80]
        raise Unusable(f"{place}, row 1 must name one column where none is chosen, got {shown!r}")
    return heading[0]
