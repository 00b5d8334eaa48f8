"""Survey files as commands take them, without what only the commands for surveys and databases import."""

from __future__ import annotations

from pathlib import Path

from server.cli.shared.progress_bar import progress_bar
from server.xlsform.survey_file import read_file
from survey.definition import Definition
from survey.fields import DefinitionError
from survey.publication import Publication, publish
from survey.read_definition import Prepare


def read(file: Path, prepare: Prepare | None = None) -> Definition:
    """Read a survey file or an XLSForm, and find the channels that have to be designed."""
    with progress_bar("Designing channels"):
        return read_file(file.read_bytes(), str(file), prepare=prepare).definition


def published(definition: Definition, source: str) -> Publication:
    """Publish a definition.

    Raises
    ------
    DefinitionError
        If it cannot be published, as when it exceeds its limit; the error names the source.
    """
    try:
        return publish(definition)
    except DefinitionError as error:
        raise DefinitionError(source, list(error.problems)) from None
