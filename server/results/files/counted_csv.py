"""The reports as a survey counted them, with the salts from which the root of its list follows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from server.results.files.csv_text import csv_text
from server.runtime import offload
from survey.counted_list import SALT
from survey.record import Layout

HEADING = "leaf-salt"
"""No column of a survey can have this name."""


def counted_blocks(layout: Layout, portions: Iterable[Sequence[bytes]]) -> Iterator[bytes]:
    """Write the reports portion by portion, each in a thread, so that others are answered in between.

    Parameters
    ----------
    layout : Layout
    portions : iterable of sequences of bytes
        Of each report its salt and its record, in the order of their leaves.
    """
    yield csv_text([HEADING, *(name for name, _ in layout.codes)], []).encode()
    for rows in portions:
        yield offload.compute(lines, layout, rows)


def lines(layout: Layout, rows: Sequence[bytes]) -> bytes:
    r"""Write some of the reports.

    Examples
    --------
    >>> lines(Layout((("copied", 2), ("hours", 300))), [bytes(16) + b"\1\1\2"])
    b'00000000000000000000000000000000,1,258\r\n'
    """
    table = layout.table(b"".join(row[SALT:] for row in rows)).tolist()
    written = (
        f"{row[:SALT].hex()},{','.join(map(str, codes))}\r\n" for row, codes in zip(rows, table, strict=True)
    )
    return "".join(written).encode()
