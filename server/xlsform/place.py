"""Where something stands in a workbook, in the words of who has it open in front of them."""

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
        Counted from 1, as spreadsheets do; the type and the name of a row that is not there.
    column : str or None
        Its heading, or its letters where it has none.
    """

    sheet: str
    row: int | str | None = None
    column: str | None = None

    def __str__(self) -> str:
        """Return the place as a message names it.

        Examples
        --------
        >>> str(Place("survey", 5, "ldp::epsilon")), str(Place("settings"))
        ('sheet survey, row 5, column ldp::epsilon', 'sheet settings')
        """
        row = "" if self.row is None else f", row {self.row}"
        return f"sheet {self.sheet}{row}" + ("" if self.column is None else f", column {self.column}")

    def fault(self, rule: str, value: object, **limits: object) -> Problem:
        """Return that what stands here breaks a rule."""
        return Problem(str(self), rule, limits, value)
