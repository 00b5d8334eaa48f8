"""Open downloaded results: a folder or a zip, or the survey file and the reports by their own paths."""

from __future__ import annotations

import csv
from os import PathLike
from pathlib import Path

from survey.analysis.analysis import Analysis
from survey.analysis.archive import DEFINITION, ESTIMATES, REPORTS, Files, Unusable, files_of
from survey.analysis.reports_file import blocks, lines
from survey.analysis.tally import Counts, count, read_counts_file, results_of
from survey.publication import Publication, publish
from survey.read_definition import parse

COUNTS = "counts"


def read(path: str | PathLike[str]) -> Analysis:
    """Open the results of a survey.

    Parameters
    ----------
    path : path
        The zip of a results page, or a folder with ``survey.toml`` and ``reports.csv``. They are compared
        with ``checksums.txt`` and ``estimates.csv`` if it has these too.

    Returns
    -------
    Analysis

    Raises
    ------
    Unusable
        If a file is missing, damaged, changed, too large or of another survey.
    DefinitionError
        If the survey file cannot be used.
    """
    files = files_of(Path(path))
    files.check()
    publication = read_survey(files)
    state = "closed"
    if ESTIMATES in files.members:
        state = state_of_estimates(files, publication)
    return analyse(files, publication, state)


def read_files(
    definition: Path, reports: Path | None = None, counts: Path | None = None, state: str = "closed"
) -> Analysis:
    """Open a survey file, and either its reports or a file of counts.

    Parameters
    ----------
    definition : Path
        A survey file.
    reports : Path, optional
        A CSV file with a heading and a row for each respondent.
    counts : Path, optional
        A CSV file with the heading ``column,code,count``.
    state : str
        ``open`` or ``closed``.

    Raises
    ------
    Unusable, DefinitionError
        As for `read`.
    """
    paths = {DEFINITION: definition, REPORTS: reports, COUNTS: counts}
    files = Files(Path(), {name: str(path) for name, path in paths.items() if path is not None})
    return analyse(files, read_survey(files), state)


def analyse(files: Files, publication: Publication, state: str) -> Analysis:
    """Count the reports, or read their counts."""
    codes = {name: column.codes for name, column in publication.columns.items()}
    name = REPORTS if REPORTS in files.members else COUNTS
    place, counts = files.place(name), Counts()
    if name == COUNTS:
        counts = read_counts_file(files.text(COUNTS), place, codes)
        return Analysis(publication, results_of(publication, counts, place), state)
    with files.lines(REPORTS) as text:
        counts = count(blocks(text, place, codes), codes)
    return Analysis(publication, results_of(publication, counts, place), state, files)


def read_survey(files: Files) -> Publication:
    """Read the survey file and build its channels."""
    return publish(parse(files.text(DEFINITION), files.place(DEFINITION)))


def state_of_estimates(files: Files, publication: Publication) -> str:
    """Compare the fingerprint of the estimates with the survey's, and return the state that they name.

    Raises
    ------
    Unusable
        If they are of another survey.
    """
    place = files.place(ESTIMATES)
    try:
        with files.lines(ESTIMATES) as text:
            first = next(csv.DictReader(lines(text, place)), {})
    except (csv.Error, UnicodeDecodeError) as error:
        raise Unusable(f"{place}, row 2 must be a row of a CSV file in UTF-8 ({error})") from error
    fingerprint, state = first.get("fingerprint"), first.get("state")
    if fingerprint != publication.fingerprint:
        raise Unusable(
            f"{place}, row 2, column fingerprint must be {publication.fingerprint}, that of {DEFINITION}, "
            f"got {fingerprint!r}"
        )
    if state not in ("open", "closed"):
        raise Unusable(f"{place}, row 2, column state must be open or closed, got {state!r}")
    return state
