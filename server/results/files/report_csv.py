"""The noisy reports as CSV, block by block: the same bytes by themselves and in the zip."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from server.results.files.csv_text import csv_text
from server.runtime import offload
from server.store.results.sorted_reports import SortedReports

BLOCK = 5000
"""Rows written at a time, in a thread, so that others are answered between two blocks."""

MOST_CELLS = 50 * BLOCK
"""Of many columns fewer rows are written at a time: a block takes a few MB and ten milliseconds at most."""


def report_blocks(columns: Sequence[str], reports: SortedReports) -> Iterator[bytes]:
    """Write the reports block by block. Names of columns are plain ASCII: no byte order mark is needed.

    Parameters
    ----------
    columns : sequence of str
    reports : SortedReports
    """
    yield csv_text(columns, []).encode()
    for block in blocks(reports):
        yield offload.compute(lines, block)


def blocks(reports: SortedReports) -> Iterator[npt.NDArray[np.unsignedinteger]]:
    """Yield the reports, so many rows at a time that nobody waits long for them.

    Examples
    --------
    >>> [len(block) for block in blocks(SortedReports.of(np.zeros((600, 1000))))]
    [250, 250, 100]
    """
    return reports.blocks(min(BLOCK, max(1, MOST_CELLS // reports.columns)))


def lines(reports: npt.NDArray[np.unsignedinteger]) -> bytes:
    r"""Write some of the reports. Codes are looked up as bytes, in less than half the time of joining texts.

    Examples
    --------
    >>> lines(np.array([[0, 12], [1, 3]], np.uint8))
    b'0,12\r\n1,3\r\n'
    """
    most = int(reports.max())
    first, last = texts(most, ",")[reports[:, :-1]], texts(most, "\r\n")[reports[:, -1]]
    written = np.hstack([first.reshape(len(reports), -1), last]).ravel()
    return bytes(written[written != 0])


@lru_cache(maxsize=64)
def texts(most: int, end: str) -> npt.NDArray[np.uint8]:
    """Return every code with what follows it, shape (codes, width): shorter ones are filled up with zeros."""
    width = len(f"{most}{end}")
    padded = np.array([f"{code}{end}".encode() for code in range(most + 1)], f"S{width}")
    return padded.view(np.uint8).reshape(most + 1, width)
