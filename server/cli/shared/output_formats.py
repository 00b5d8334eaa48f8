"""Estimates as text on standard output: JSON, or a table in CSV."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from server.results.files.csv_text import csv_text

if TYPE_CHECKING:
    from survey.figures.table import Cell

FORMAT = click.option(
    "--format",
    "kind",
    type=click.Choice(["json", "csv"]),
    default="json",
    show_default=True,
    help="How the estimates are printed.",
)


def json_text(table: Mapping[str, Any]) -> str:
    """Write JSON with all characters unescaped."""
    return json.dumps(table, indent=2, allow_nan=False, ensure_ascii=False)


def csv_lines(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Write a table as the downloads do, but with line feeds alone."""
    return csv_text(header, rows).replace("\r\n", "\n")
