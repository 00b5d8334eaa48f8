"""Tables as CSV whose cells and headers no spreadsheet can take for a formula."""

from __future__ import annotations

import csv
import io
import math
import unicodedata
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from survey.figures.table import Cell

FORMULA = frozenset("=+-@|%\t\r\n")
"""Characters that start a formula, or a call to another program, in some spreadsheet."""

BYTE_ORDER_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"
"""Put before tables that hold wordings: without it Excel reads UTF-8 as the machine's old code page and
Korean turns into rubbish. Tables of plain ASCII go without, because some readers (R's ``read.csv``, Python's
``csv``) make it part of the first column's name."""


def harmless(text: str) -> str:
    """Put an apostrophe before a text that a spreadsheet could run.

    Parameters
    ----------
    text : str
        Any text of a survey or an account.

    Returns
    -------
    str
        The same text, unless its first visible character starts a formula, or a tab or line break comes
        before that. Full-width forms count as the characters they stand for, and spaces and invisible
        characters are looked through, because spreadsheets do both.

    References
    ----------
    OWASP, CSV Injection, https://owasp.org/www-community/attacks/CSV_Injection

    Examples
    --------
    >>> harmless("=1+1"), harmless("  ＝1"), harmless("a=b")
    ("'=1+1", "'  ＝1", 'a=b')
    """
    for character in text:
        if unicodedata.normalize("NFKC", character)[0] in FORMULA:
            return "'" + text
        if not character.isspace() and unicodedata.category(character) not in {"Cc", "Cf"}:
            return text
    return text


def cell_text(cell: Cell) -> str:
    """Write one cell: text guarded, whole numbers and doubles so that they read back the same.

    A negative number starts with a minus sign and is left alone: it is a number. Infinity and NaN, which
    few readers agree on, become empty.
    """
    if cell is None:
        return ""
    if isinstance(cell, str):
        return harmless(cell)
    if isinstance(cell, bool | np.bool_):
        return "true" if cell else "false"
    if isinstance(cell, int | np.integer):
        return str(int(cell))
    return repr(float(cell)) if math.isfinite(cell) else ""


def csv_text(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Write a table as CSV (RFC 4180: lines end with CRLF, quotes are doubled).

    Parameters
    ----------
    header : sequence of str
        The columns' names, guarded like every other text.
    rows : iterable of sequences of Cell
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow([harmless(name) for name in header])
    writer.writerows([cell_text(cell) for cell in row] for row in rows)
    return text.getvalue()
