"""The estimates and the codebook as a workbook for Excel and LibreOffice, in which nothing is a formula."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

from server.results.files import codebook
from survey.figures.questions import Figures
from survey.figures.table import Cell, header, rows

if TYPE_CHECKING:
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

NO_TIME = datetime(1980, 1, 1)  # what the format's own files say: the same estimates, the same bytes
LITERAL = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
WIDTH = 16


def write_workbook(figures: Figures, path: Path) -> None:
    """Write a sheet of estimates and a sheet that explains every code of the reports."""
    import xlsxwriter  # it would slow the start of the server down

    publication = figures.publication
    with xlsxwriter.Workbook(str(path), LITERAL | {"constant_memory": True}) as workbook:
        workbook.set_properties(
            {
                "title": publication.definition.title[publication.definition.languages[0]],
                "comments": publication.fingerprint,
                "created": NO_TIME,
            }
        )
        bold = workbook.add_format({"bold": True, "bottom": 1})
        write_sheet(workbook.add_worksheet("estimates"), header(figures), rows(figures), bold)
        names = codebook.header(publication)
        write_sheet(workbook.add_worksheet("codebook"), names, codebook.rows(publication), bold)


def write_sheet(
    sheet: Worksheet, names: Sequence[str], table: Iterable[Sequence[Cell]], bold: Format
) -> None:
    """Write a table under its headings, which stay in sight."""
    sheet.freeze_panes(1, 0)
    sheet.set_column(0, len(names) - 1, WIDTH)
    for place, name in enumerate(names):
        sheet.write_string(0, place, name, bold)
    for number, cells in enumerate(table, 1):
        for place, cell in enumerate(cells):
            write_cell(sheet, number, place, cell)


def write_cell(sheet: Worksheet, row: int, place: int, cell: Cell) -> None:
    """Write a cell as what it is: a text is never read as a formula, a number or a link."""
    if isinstance(cell, str):
        sheet.write_string(row, place, cell)
    elif isinstance(cell, bool):
        sheet.write_boolean(row, place, cell)
    elif cell is not None and isfinite(cell):
        sheet.write_number(row, place, cell)
