"""Noisy reports as they are downloaded: a heading that names the columns, then a row for each respondent.

Rows are read in blocks, so that a million of them take the memory of one block.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TextIO

import numpy as np
import numpy.typing as npt

from survey.analysis.archive import Unusable

BLOCK = 8192
"""The number of rows that are read at a time."""

LONGEST_LINE = 20_000
"""The most characters of a line: a thousand columns of long names."""

Codes = npt.NDArray[np.unsignedinteger]


def blocks(
    stream: TextIO, source: str, codes: Mapping[str, int], names: Sequence[str] = ()
) -> Iterator[Codes]:
    """Read rows of codes block by block.

    Parameters
    ----------
    stream : file of text
        Opened with ``newline=""``.
    source : str
        The name of the file, for messages.
    codes : Mapping[str, int]
        Column -> the number of its codes. Other columns of the file are ignored.
    names : sequence of str
        Other names for the codes of every column, in order.

    Yields
    ------
    ndarray of unsigned int, shape (rows, columns)
        In the order of `codes`.

    Raises
    ------
    Unusable
        At the first wrong cell, with the file, the row (the heading is row 1), the column, what is allowed
        and what the cell holds.
    """
    rows = csv.reader(lines(stream, source))
    kind = np.min_scalar_type(max(codes.values()) - 1)
    words = {name: code for code, name in enumerate(names)}
    known = {name: {str(code): code for code in range(size)} | words for name, size in codes.items()}
    try:
        heading = next(rows, [])
        places = places_of(heading, source, list(codes))
        first = 2
        while block := list(islice(rows, BLOCK)):
            require_width(block, len(heading), source, first)
            read = np.empty((len(block), len(codes)), kind)
            columns = list(zip(*block, strict=True))
            for index, (name, place) in enumerate(places.items()):
                try:
                    read_codes = map(known[name].__getitem__, columns[place])
                    read[:, index] = np.fromiter(read_codes, kind, len(block))
                except KeyError:
                    raise not_a_code(columns[place], known[name], names, source, first, name) from None
            yield read
            first += len(block)
    except UnicodeDecodeError as error:
        raise Unusable(f"{source} must be a CSV file in UTF-8, got {error.object[error.start]:#x}") from error
    except csv.Error as error:
        raise Unusable(f"{source}, line {rows.line_num} must be a row of a CSV file ({error})") from error


def lines(stream: TextIO, source: str) -> Iterator[str]:
    """Yield the lines of a file, and refuse an endless line before it fills the memory."""
    while line := stream.readline(LONGEST_LINE):
        if len(line) == LONGEST_LINE and not line.endswith(("\n", "\r")):
            raise Unusable(
                f"{source} must have lines of less than {LONGEST_LINE} characters, got a longer one"
            )
        yield line


def places_of(heading: Sequence[str], source: str, names: Sequence[str]) -> dict[str, int]:
    """Return the place of each column in a row."""
    for name in names:
        if (times := heading.count(name)) != 1:
            shown = ",".join(heading)
            raise Unusable(
                f"{source}, row 1 must name the column {name} once, got it {times} times in "
                f"{shown[:80]!r}{'…' if len(shown) > 80 else ''}"
            )
    return {name: heading.index(name) for name in names}


def require_width(block: list[list[str]], width: int, source: str, first: int) -> None:
    """Check that every row has as many cells as the heading."""
    if {len(row) for row in block} != {width}:
        at, row = next((at, row) for at, row in enumerate(block) if len(row) != width)
        raise Unusable(f"{source}, row {first + at} must have {width} cells like the heading, got {len(row)}")


def not_a_code(
    column: Sequence[str], known: Mapping[str, int], names: Sequence[str], source: str, first: int, name: str
) -> Unusable:
    """Describe the first cell of a column that holds no code."""
    at, text = next((at, text) for at, text in enumerate(column) if text not in known)
    allowed = f"a whole number from 0 to {max(known.values())}"
    if names and not set(names) <= set(map(str, known.values())):
        allowed += f", or one of {', '.join(names)}"
    return Unusable(f"{source}, row {first + at}, column {name} must be {allowed}, got {text[:80]!r}")
