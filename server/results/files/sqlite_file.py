"""The reports, and all that explains them, as a SQLite file."""

from __future__ import annotations

import json
from pathlib import Path

from server.results.files import codebook
from server.results.files.channel_tables import column_table
from server.results.files.material import Material
from server.results.files.report_csv import blocks
from server.runtime import offload
from server.store.results.reports_file import ReportsFile, reports_file
from server.store.results.sorted_reports import SortedReports
from survey.figures.table import header, rows
from survey.publication import question_columns

CHANNEL = ("column", "stratum", "first_code", "codes", "answers", "epsilon", "delta", "denominator")


def write_sqlite(material: Material, reports: SortedReports, path: Path) -> None:
    """Write the reports with all that explains them, block by block, each in a thread."""
    columns = list(material.publication.columns)
    with reports_file(path) as file:
        offload.compute(explain, file, material)
        offload.compute(file.add_reports, columns)
        for block in blocks(reports):
            offload.compute(file.fill_reports, block)
        for language in material.publication.definition.languages:
            offload.compute(file.add_view, f"reports_{language}", columns, f"label_{language}")


def explain(file: ReportsFile, material: Material) -> None:
    """Write the facts, the codebook, the channels and the estimates."""
    publication, figures = material.publication, material.figures
    file.add_facts(
        {
            "survey": figures.slug,
            "title": publication.definition.title[publication.definition.languages[0]],
            "fingerprint": publication.fingerprint,
            "state": figures.state,
            "respondents": figures.respondents,
            "candor": material.version,
        }
    )
    file.add_table(
        "codebook", codebook.header(publication), codebook.rows(publication), key=("column", "code")
    )
    file.add_table("channels", (*CHANNEL, "matrix", "generator"), channel_rows(material), CHANNEL[:2])
    file.add_table("estimates", header(figures), rows(figures))


def channel_rows(material: Material) -> list[list[str | int | float | None]]:
    """Return a row for each way of reporting of each column; what is no number is written as JSON."""
    rows_of_channels = []
    definition = material.publication.definition
    for question, columns in question_columns(material.publication):
        for name, column in columns.items():
            seen_first = definition.is_seen_first(question)
            for way, table in column_table(question, column, seen_first)["strata"].items():
                parts = (json.dumps(table[key]) if key in table else None for key in ("matrix", "generator"))
                rows_of_channels.append([name, way, *(table[key] for key in CHANNEL[2:]), *parts])
    return rows_of_channels
