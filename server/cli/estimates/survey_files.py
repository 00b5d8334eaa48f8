"""``candor estimate --survey``: estimate every question of a survey from its downloaded files."""

from __future__ import annotations

from pathlib import Path

import click

from server.cli.shared.output_formats import csv_lines, json_text
from survey.analysis import Unusable, read_files
from survey.fields import DefinitionError
from survey.figures import document, header, rows


def estimate_survey(
    definition: Path,
    reports: Path | None,
    counts: Path | None,
    state: str,
    kind: str,
    confidence_level: float,
    method: str,
    simultaneous: bool,
) -> None:
    """Print the estimates of a survey as its JSON or CSV download holds them.

    Raises
    ------
    click.ClickException
        If a file cannot be used.
    """
    try:
        analysis = read_files(definition, reports, counts, state)
    except (Unusable, DefinitionError) as error:
        raise click.ClickException(str(error)) from error
    figures = analysis.figures(confidence_level, method, simultaneous)
    if kind == "csv":
        click.echo(csv_lines(header(figures), rows(figures)), nl=False)
    else:
        click.echo(json_text(document(figures)))
