"""The zip file of a workbook: refused before it is unpacked if it is too large, and searched for used cells.

The library that reads spreadsheets passes over formulas, and over cells behind an empty stretch. They are
found here, so that they can be named.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from zipfile import BadZipFile, ZipFile, ZipInfo

from server.xlsform.place import Place
from survey.fields import DefinitionError, Problem

MOST_BYTES = 2 * 1024 * 1024
MOST_ENTRIES = 200
MOST_UNPACKED = 16 * 1024 * 1024
MOST_OF_AN_ENTRY = 100
"""Most times that an entry may exceed its packed size; the texts of a form exceed it 20 times."""

FREE = 256 * 1024
"""Bytes up to which an entry may have any ratio: empty styles repeat themselves."""

MOST_ROWS = 10_000
MOST_COLUMNS = 200
MOST_CELLS = 50_000
"""In all sheets together; so many take two or three seconds to read."""

FOREIGN_PARTS = {
    "xl/media/": "pictures",
    "xl/comments": "comments",
    "xl/threadedComments": "comments",
    "xl/vbaProject": "macros",
}
"""Beginning of an entry -> the contents that no survey has."""

UNREADABLE = (BadZipFile, OSError, EOFError, ValueError, LookupError, RuntimeError, zlib.error, SyntaxError)
"""Exceptions of Python's own readers for bytes that are damaged, encrypted or of another format."""


@dataclass
class UsedCells:
    """The cells of a sheet that hold something: row -> numbers of its columns, all counted from 1.

    `total` counts all cells that the file writes for this sheet, also empty ones.
    """

    name: str
    cells: dict[int, list[int]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    total: int = 0

    @property
    def last(self) -> int:
        """The last row that holds something, 0 where none does."""
        return max(self.cells, default=0)


def open_workbook(data: bytes, source: str) -> ZipFile:
    """Open a workbook whose parts are few and small enough to be read.

    Raises
    ------
    DefinitionError
        If they are not, with the range and the value.
    """
    if len(data) > MOST_BYTES:
        raise refusal(source, "workbook_bytes", len(data), most=MOST_BYTES)
    try:
        archive = ZipFile(BytesIO(data))
        entries = archive.infolist()
    except UNREADABLE as error:
        raise refusal(source, "workbook", "another one, or one that is damaged") from error
    if len(entries) > MOST_ENTRIES:
        raise refusal(source, "workbook_parts", len(entries), most=MOST_ENTRIES)
    if len({entry.filename for entry in entries}) < len(entries):
        raise refusal(source, "workbook_names", "two of the same")
    if any(entry.flag_bits & 1 for entry in entries):
        raise refusal(source, "workbook_password", "an encrypted one")
    # No more is ever unpacked than an entry states: zipfile stops there.
    unpacked = sum(entry.file_size for entry in entries)
    if unpacked > MOST_UNPACKED:
        raise refusal(source, "workbook_unpacked", unpacked, most=MOST_UNPACKED)
    for entry in entries:
        if entry.file_size > max(FREE, MOST_OF_AN_ENTRY * entry.compress_size):
            value = f"{entry.filename}: {ratio(entry)}"
            raise refusal(source, "workbook_packed", value, most=MOST_OF_AN_ENTRY)
    if "xl/workbook.xml" not in archive.namelist():
        raise refusal(source, "workbook", ", ".join(sorted(archive.namelist())[:3]))
    return archive


def ratio(entry: ZipInfo) -> str:
    """Write the sizes of an entry, unpacked and packed."""
    return f"{entry.file_size} bytes from {entry.compress_size}"


def refusal(source: str, rule: str, value: object, **limits: object) -> DefinitionError:
    """Return the error of a file that cannot be read at all."""
    return DefinitionError(source, [Problem("the file", rule, limits, value)])


def foreign_parts(archive: ZipFile) -> Iterator[Problem]:
    """Yield a problem for each sort of content that no survey has."""
    sorts = {
        what for name in archive.namelist() for start, what in FOREIGN_PARTS.items() if name.startswith(start)
    }
    for what in sorted(sorts):
        yield Problem("the workbook", f"workbook_{what}", {}, what)


def look_through(archive: ZipFile, source: str) -> list[UsedCells]:
    """Find the used cells of each sheet; note formulas and errors.

    Raises
    ------
    DefinitionError
        If a sheet is too large or damaged.
    """
    try:
        sheets: list[UsedCells] = []
        for name, path in sheet_paths(archive):
            sheets.append(used_cells(archive, path, name, source, sum(sheet.total for sheet in sheets)))
        return sheets
    except DefinitionError:
        raise
    except UNREADABLE as error:
        raise refusal(source, "workbook_damaged", "a damaged one", reason=str(error)) from error


def sheet_paths(archive: ZipFile) -> Iterator[tuple[str, str]]:
    """Yield the name and the entry of each sheet, as the workbook lists them (ECMA-376, part 1, 18.2.19)."""
    from defusedxml.ElementTree import fromstring  # reads no entities: a billion laughs are refused

    targets = {
        element.get("Id"): element.get("Target", "")
        for element in fromstring(archive.read("xl/_rels/workbook.xml.rels"))
    }
    for element in fromstring(archive.read("xl/workbook.xml")).iter():
        if local(element.tag) == "sheet":
            number = next(value for name, value in element.items() if local(name) == "id")
            target = targets[number]
            yield element.get("name", ""), target.lstrip("/") if target.startswith("/") else f"xl/{target}"


def used_cells(archive: ZipFile, path: str, name: str, source: str, before: int) -> UsedCells:
    """Find the used cells of one sheet as a stream; `before` counts the cells of the sheets before it."""
    from defusedxml.ElementTree import iterparse

    sheet, row, column = UsedCells(name), 0, 0
    with archive.open(path) as stream:
        for event, element in iterparse(stream, events=("start", "end")):
            tag = local(element.tag)
            if event == "start" and tag == "row":
                row, column = int(element.get("r", row + 1)), 0
            elif event == "end" and tag == "c":
                letters = (element.get("r") or "").rstrip("0123456789")
                column = number_of(letters) if letters else column + 1
                sheet.total += 1
                if row > MOST_ROWS or column > MOST_COLUMNS or before + sheet.total > MOST_CELLS:
                    most = {"rows": MOST_ROWS, "columns": MOST_COLUMNS, "cells": MOST_CELLS}
                    raise refusal(source, "workbook_cells", f"{name}: row {row}", **most)
                note_cell(sheet, element, row, column)
            if event == "end" and tag in ("row", "c"):
                element.clear()
    return sheet


def note_cell(sheet: UsedCells, cell: object, row: int, column: int) -> None:
    """Note a cell that holds something, and the problem of one with a formula or an error."""
    parts = {local(part.tag): part for part in cell}  # type: ignore[attr-defined]
    place = Place(sheet.name, row, letters_of(column))
    if "f" in parts:
        sheet.problems.append(place.fault("cell_formula", f"={parts['f'].text or '…'}"))
    elif cell.get("t") == "e":  # type: ignore[attr-defined]
        sheet.problems.append(place.fault("cell_value", parts["v"].text if "v" in parts else "an error"))
    if ("v" in parts and parts["v"].text) or "is" in parts:
        sheet.cells.setdefault(row, []).append(column)


def local(tag: str) -> str:
    """Return the name of an element without its namespace."""
    return tag.rpartition("}")[2]


def number_of(letters: str) -> int:
    """Return the number of a column.

    Examples
    --------
    >>> number_of("A"), number_of("AB"), letters_of(28)
    (1, 28, 'AB')
    """
    number = 0
    for letter in letters[:4].upper():
        number = 26 * number + ord(letter) - ord("A") + 1
    return number


def letters_of(number: int) -> str:
    """Return the letters of a column."""
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
