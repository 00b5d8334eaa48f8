"""The noisy reports as CSV, block by block: the same bytes by themselves and in the zip."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from server.results.spreadsheet import csv_text
from server.web import offload

Reports = npt.NDArray[np.unsignedinteger]

BLOCK = 5000
"""Rows written at a time, in a thread, so that others are answered between two blocks."""


def report_blocks(columns: Sequence[str], reports: Reports) -> Iterator[bytes]:
    """Write the reports block by block. Names of columns are plain ASCII: no byte order mark is needed.

    Parameters
    ----------
    columns : sequence of str
    reports : ndarray of int, shape (respondents, columns)
    """
    yield csv_text(columns, []).encode()
    for start in range(0, len(reports), BLOCK):
        yield offload.run(lines, reports[start : start + BLOCK])


def lines(reports: Reports) -> bytes:
    r"""Write some of the reports.

    Examples
    --------
    >>> lines(np.array([[0, 12], [1, 3]], np.uint8))
    b'0,12\r\n1,3\r\n'
    """
    texts = [str(code) for code in range(int(reports.max()) + 1)]  # a row costs less than to write each code
    columns = ([texts[code] for code in column] for column in reports.T.tolist())
    return "\r\n".join([*map(",".join, zip(*columns, strict=True)), ""]).encode()
