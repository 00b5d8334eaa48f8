"""Any design at all, given by its matrix of chances."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from survey.paper.design import Design, require_chance

MOST_ANSWERS, MOST_REPORTS = 50, 200


def matrix(rows: Sequence[Sequence[object]]) -> Design:
    """Build a design from P(report | answer).

    Parameters
    ----------
    rows : sequence of sequences of chances, shape (answers, reports)
        A row for each of 2 to 50 answers, a chance for each of up to 200 reports; rows add up to 1.

    Raises
    ------
    ValueError
        If there are too many rows or chances, one is no chance, or a row does not add up to 1.

    References
    ----------
    Chaudhuri & Mukerjee (1988), Randomized Response: Theory and Techniques, chapter 3.

    Examples
    --------
    >>> matrix([["3/4", "1/4"], ["1/4", "3/4"]]).epsilon
    1.0986122886681098
    """
    if not 2 <= len(rows) <= MOST_ANSWERS:
        raise ValueError(
            f"matrix must have a row for each of 2 to {MOST_ANSWERS} answers, got {len(rows)} rows"
        )
    if not 2 <= len(rows[0]) <= MOST_REPORTS:
        raise ValueError(f"matrix must have 2 to {MOST_REPORTS} chances in a row, got {len(rows[0])}")
    chances = []
    for answer, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise ValueError(
                f"matrix, row {answer} must have {len(rows[0])} chances like row 1, got {len(row)}"
            )
        chances.append(
            tuple(
                require_chance(f"matrix, row {answer}, column {at}", each) for at, each in enumerate(row, 1)
            )
        )
    return Design(
        "matrix",
        tuple(chances),
        tuple(str(answer) for answer in range(len(chances))),
        tuple(str(report) for report in range(len(chances[0]))),
    )


def read_matrix(text: str) -> Design:
    r"""Read a matrix from CSV without a heading: a line for each answer, a chance for each report.

    Raises
    ------
    ValueError
        As `matrix`, or if the text is no CSV.

    Examples
    --------
    >>> read_matrix("0.9,0.1\n1/10,9/10\n") == matrix([[0.9, 0.1], ["10%", "90%"]])
    True
    """
    try:
        rows = [row for row in csv.reader(io.StringIO(text.removeprefix("\ufeff"))) if row]
    except csv.Error as error:
        raise ValueError(f"matrix must be a CSV file ({error})") from error
    return matrix(rows)
