"""Estimates from files: of every question of a survey, and of one question."""

from __future__ import annotations

from pathlib import Path

import click

from server.cli.shared.mechanism_options import Mechanism
from server.cli.shared.output_formats import csv_lines, json_text
from survey.analysis import Unusable, read_files
from survey.analysis.count_column import count_column
from survey.fields import DefinitionError
from survey.figures.document import document
from survey.figures.table import header, rows


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


def counted(chosen: Mechanism, reports: Path, column: str | None, counts: object) -> tuple[int, ...]:
    """Count the reports of one question in a file.

    Raises
    ------
    click.UsageError
        If counts are given too.
    click.ClickException
        If the file cannot be used.
    """
    if counts is not None:
        raise click.UsageError("--counts must be absent where --reports is given")
    names = chosen.reports()
    try:
        return tuple(count_column(reports, column, chosen.channel.reports, names))
    except Unusable as error:
        raise click.ClickException(str(error)) from error
