"""The sheets of an XLSForm as rows of texts, read with pyxform, which ODK and KoboToolbox use too."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from io import BytesIO

from server.xlsform.container import (
    UNREADABLE,
    UsedCells,
    foreign_parts,
    letters_of,
    look_through,
    open_workbook,
    refusal,
)
from server.xlsform.headings import DEFAULT, Heading, language_of, read_heading
from server.xlsform.place import Place
from survey.fields import Problem

SHEETS = ("survey", "choices", "settings")
"""The sheets of a form that a survey can hold."""

EMPTY_ROWS, EMPTY_COLUMNS = 60, 20
"""More empty rows or headings than this end a sheet for pyxform."""


@dataclass
class SheetRow:
    """A row of a sheet: its cells, and the headings of those that were read."""

    place: Place
    cells: Mapping[Heading, str]
    titles: Mapping[Heading, str]
    read: set[Heading] = field(default_factory=set)

    def take(self, name: str) -> str | None:
        """Return the text of a cell, or None if it is empty."""
        self.read.add(Heading(name))
        return self.cells.get(Heading(name))

    def texts(self, name: str) -> dict[str, str]:
        """Return a text in all its languages."""
        cells = {
            heading: text for heading, text in self.cells.items() if heading.name == name and heading.language
        }
        self.read.update(cells)
        return {str(heading.language): text for heading, text in cells.items()}

    def at(self, column: Heading | str) -> Place:
        """Return the place of a cell."""
        title = column if isinstance(column, str) else self.titles.get(column, column.name)
        return Place(self.place.sheet, self.place.row, title)

    def rest(self) -> Iterator[tuple[Heading, str]]:
        """Yield the cells that nothing has read."""
        yield from ((heading, text) for heading, text in self.cells.items() if heading not in self.read)


@dataclass
class Workbook:
    """A form: its rows by sheet, its first language, and its problems.

    Attributes
    ----------
    rows : dict
        Sheet -> its rows that hold something, below the headings.
    headings : dict
        Sheet -> its columns, in order.
    default : str or None
        The language of headings that name none; it is the first of the survey.
    faults : list of Problem
        Errors, which must be mended.
    foreign : list of Problem
        Contents that a survey cannot hold.
    """

    rows: dict[str, list[SheetRow]] = field(default_factory=dict)
    headings: dict[str, list[Heading | None]] = field(default_factory=dict)
    default: str | None = None
    faults: list[Problem] = field(default_factory=list)
    foreign: list[Problem] = field(default_factory=list)


def read_workbook(data: bytes, source: str) -> Workbook:
    """Read the sheets of a form.

    Parameters
    ----------
    data : bytes
        An XLSX file.
    source : str
        Its name, for the messages.

    Raises
    ------
    DefinitionError
        If the file is too large, damaged, or no workbook.
    """
    with open_workbook(data, source) as archive:
        sheets = look_through(archive, source)
        book = Workbook(foreign=list(foreign_parts(archive)))
    tables = cell_texts(data, source)
    # The settings come first: they name the language of every heading that names none.
    for sheet in sorted(sheets, key=lambda candidate: candidate.name.lower() != "settings"):
        name = sheet.name.lower()
        role = "survey" if len(sheets) == 1 and name not in tables else name
        if role not in SHEETS:
            if sheet.last:
                book.foreign.append(Place(sheet.name).fault("sheets", "a sheet", sheets=tuple(SHEETS)))
            continue
        if role in book.rows:
            book.faults.append(Place(sheet.name).fault("sheet_twice", sheet.name))
            continue
        book.faults += sheet.problems
        take_sheet(book, role, sheet, tables)
    return book


def cell_texts(data: bytes, source: str) -> dict[str, list[dict[str, str]]]:
    """Let pyxform read every cell as text; it reads no formulas and no XML entities."""
    from pyxform.errors import PyXFormError
    from pyxform.xls2json_backends import xlsx_to_dict

    # What its reader of workbooks warns of is about their looks: a form has none that matter.
    warnings.filterwarnings("ignore", module=r"openpyxl\.")
    try:
        tables: dict[str, list[dict[str, str]]] = xlsx_to_dict(BytesIO(data))
    except PyXFormError as error:
        raise refusal(source, "xlsform", str(error)) from error
    except (*UNREADABLE, AttributeError, TypeError) as error:
        raise refusal(source, "workbook_damaged", "a damaged one", reason=str(error)) from error
    return tables


def take_sheet(
    book: Workbook, name: str, sheet: UsedCells, tables: Mapping[str, list[dict[str, str]]]
) -> None:
    """Add the rows of one sheet to the book, and note what pyxform has not read."""
    titles = [title for heading in tables[f"{name}_header"] for title in heading]
    rows = tables[name]
    book.faults += unread_by_pyxform(sheet, len(titles), len(rows) + 1)
    if name == "settings":
        book.default = default_language(book, sheet.name, titles, rows)
    read = [read_heading(title, book.default) for title in titles]
    book.headings[name] = read
    for title, heading in zip(titles, read, strict=True):
        if heading is None:
            book.faults.append(Place(sheet.name, 1).fault("heading", title, default=DEFAULT))
        elif read.count(heading) > 1:
            book.faults.append(Place(sheet.name, 1).fault("heading_twice", title))
    columns = {title: heading for title, heading in zip(titles, read, strict=True) if heading is not None}
    shown = {heading: title for title, heading in columns.items()}
    book.rows[name] = [
        SheetRow(
            Place(sheet.name, number),
            {columns[title]: text for title, text in cells.items() if title in columns},
            shown,
        )
        for number, cells in enumerate(rows, start=2)
        if cells
    ]


def default_language(book: Workbook, sheet: str, titles: list[str], rows: list[dict[str, str]]) -> str | None:
    """Read the default language of the form from its settings."""
    written = rows[0].get(DEFAULT) if rows else None
    if written is None:
        return None
    code = language_of(written)
    if code is None:
        book.faults.append(Place(sheet, 2, DEFAULT).fault("heading_language", written))
    return code


def unread_by_pyxform(sheet: UsedCells, titles: int, rows: int) -> Iterator[Problem]:
    """Yield a problem for every cell where pyxform does not look.

    Parameters
    ----------
    sheet : Used
    titles, rows : int
        Numbers of headings, and of rows with the headings, that it has read.
    """
    headed = sheet.cells.get(1, [])
    if (sheet.last and titles < len(headed)) or (sheet.last > 1 and not headed):
        value = f"{titles} headings that can be read"
        yield Place(sheet.name, 1).fault("heading_above", value, most=EMPTY_COLUMNS)
    for row, columns in sheet.cells.items():
        for column in columns:
            if row > 1 and column not in headed:
                yield Place(sheet.name, row, letters_of(column)).fault("cell_headless", "something")
    if sheet.last > rows + EMPTY_ROWS:
        yield Place(sheet.name, sheet.last).fault("sheet_end", "something", most=EMPTY_ROWS)
