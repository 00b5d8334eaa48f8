"""Survey files of either format, told apart by their first bytes."""

from __future__ import annotations

from server.xlsform.reader import ImportedSurvey, read_xlsform
from survey.read_definition import Prepare, parse

ZIP = b"PK\x03\x04"
"""Beginning of a workbook, which is a zip file, and of no survey file."""

OLD = b"\xd0\xcf\x11\xe0"
"""Beginning of an .xls file, and of a workbook with a password."""


def read_file(
    data: bytes, source: str, leave_out: bool = False, prepare: Prepare | None = None
) -> ImportedSurvey:
    """Read a survey file or an XLSForm.

    Parameters
    ----------
    data : bytes
        Text that is not UTF-8 is a problem of the file like any other.
    source : str
        Its name, for the messages.
    leave_out : bool
        Whether to leave out contents of a form that no survey can hold.
    prepare : Callable, optional
        As of `survey.read_definition.parse`.

    Raises
    ------
    DefinitionError
        If the file is not valid, with every problem.
    """
    if data.startswith((ZIP, OLD)) or source.lower().endswith((".xlsx", ".xlsm", ".xls")):
        return read_xlsform(data, source, leave_out, prepare)
    text = data.decode("utf-8", errors="backslashreplace")
    return ImportedSurvey(parse(text, source, prepare))
