"""A draft from a survey file that may be incomplete, but not wrong."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from survey import toml
from survey.draft.check import blank_texts, is_missing
from survey.draft.document import document_of
from survey.draft.units import Document
from survey.fields import DefinitionError
from survey.read_definition import from_dict


def read_draft(text: str, source: str, before: Mapping[str, Any]) -> Document:
    """Read the survey file of a draft.

    Parameters
    ----------
    text : str
        The file, in TOML.
    source : str
        Its name, for the messages.
    before : Mapping[str, Any]
        The document whose place it takes.

    Raises
    ------
    DefinitionError
        With all that is wrong; what is missing is not, unless nothing is there.
    """
    try:
        table = toml.read(text)
    except toml.Unreadable as error:
        raise DefinitionError(source, [error.problem]) from error
    try:
        from_dict(table | blank_texts(table), source)
    except DefinitionError as error:
        if wrong := [problem for problem in error.problems if not (table and is_missing(problem))]:
            raise DefinitionError(source, wrong) from error
    written = {key: str(value) if isinstance(value, date) else value for key, value in table.items()}
    return document_of(written, before)
