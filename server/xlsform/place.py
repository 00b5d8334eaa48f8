"""Places in a workbook, named as its readers see them."""

from __future__ import annotations

from dataclasses import dataclass

from survey.fields import Problem


@dataclass(frozen=True)
class Place:
    """A sheet, a row or a cell of a workbook.

    Attributes
    ----------
    sheet : str
    row : int or str or None
        Counted from 1, as in spreadsheets; the type and the name of a row that is missing.
    column : str or None
        Its heading, or its letters where it has none.
    """

    sheet: str
    row: int | str | None = None
    column: str | None = None

    def __str__(self) -> str:
        """Return the place in words.

        Examples
        --------
        >>> str(Place("survey", 5, "ldp::epsilon")), str(Place("settings"))
        ('sheet survey, row 5, column ldp::epsilon', 'sheet settings')
        """
        row = "" if self.row is None else f", row {self.row}"
        return f"sheet {self.sheet}{row}" + ("" if self.column is None else f", column {self.column}")

    def fault(self, rule: str, value: object, **limits: object) -> Problem:
        """Return the problem of a value here that breaks a rule."""
        return Problem(str(self), rule, limits, value)
