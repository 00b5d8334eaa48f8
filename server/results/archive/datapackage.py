"""The description of the files for programs: a Data Package, https://specs.frictionlessdata.io."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from server.language.catalogue import written
from server.results.archive.hashed_file import HashedFile
from server.results.files import codebook
from server.results.files.material import Material
from survey.figures.table import header
from survey.picture import TYPES

MEDIA = {
    "csv": "text/csv",
    "toml": "application/toml",
    "json": "application/json",
    "html": "text/html",
    "md": "text/markdown",
    "bib": "application/x-bibtex",
    "png": "image/png",
    "jpeg": "image/jpeg",
    "webp": "image/webp",
}
"""Ending of a name -> its media type; any other name is one of plain text."""

NUMBERS = frozenset((
    "noisy_share", "unbiased", "value", "standard_error", "low", "high", "people",
    "probability", "radius", "epsilon", "delta", "box_epsilon", "limit", "shuffle_epsilon",
    "shuffle_delta", "confidence_level", "interval_level", "estimate", "stated_epsilon", "exact_epsilon",
    "band_low", "band_high",
))  # fmt: skip
WHOLE = frozenset((
    "respondents", "reported", "count", "waves", "shuffle_respondents", "asked", "asked_of", "code",
))  # fmt: skip
BOOLEANS = frozenset({"simultaneous", "shuffle_exact"})

SILENT = frozenset({"skip", "not_asked", "not_sampled"})
"""Meanings of codes that say nothing about an answer: missing values, each column its own."""

OF_LANGUAGE = re.compile("(label|wording)_.+")
"""Columns of the codebook that stand there once for each language."""

MOST_CATEGORIES = 60
"""Columns with more codes than this leave their words to the codebook."""


def text(material: Material, made: Mapping[str, HashedFile]) -> str:
    """Write the description of the files that were made."""
    return json.dumps(package(material, made), ensure_ascii=False, indent=1) + "\n"


def package(material: Material, made: Mapping[str, HashedFile]) -> dict[str, Any]:
    """Return the description: every file with its length and hash, every table with its columns."""
    definition, first = material.publication.definition, material.publication.definition.languages[0]
    schemas = {
        "estimates.csv": estimates_schema,
        "reports.csv": reports_schema,
        "codebook.csv": codebook_schema,
    }
    resources = []
    for name, file in made.items():
        stem, _, ending = name.rpartition(".")
        entry: dict[str, Any] = {
            "name": stem if name in schemas else name.lower().replace("/", "-"),
            "path": name,
            "mediatype": MEDIA.get(ending, "text/plain"),
            **({} if ending in TYPES else {"encoding": "utf-8"}),
            "bytes": file.length,
            "hash": f"sha256:{file.sha256}",
        }
        if name in schemas:
            entry |= {
                "description": description_of(material, "table", stem),
                "profile": "tabular-data-resource",
                "format": "csv",
                "schema": schemas[name](material),
            }
        resources.append(entry)
    return {
        "profile": "data-package",
        "name": material.folder,
        "id": material.publication.fingerprint,
        "title": definition.title[first],
        "description": definition.information[first],
        "candor": {
            "version": material.version,
            "fingerprint": material.publication.fingerprint,
            **({"counted_root": material.counted_root} if material.counted_root else {}),
            **({"audit_head": material.audit_head} if material.audit_head else {}),
        },
        "resources": resources,
    }


def estimates_schema(material: Material) -> dict[str, Any]:
    """Return the columns of the estimates, two of which refer to the codebook."""
    return {
        "fields": [
            {"name": name, "type": type_of(name), "description": description_of(material, "estimates", name)}
            for name in header(material.figures)
        ],
        "missingValues": [""],
        "foreignKeys": [codebook_reference("question"), codebook_reference("column")],
    }


def codebook_reference(name: str) -> dict[str, Any]:
    """Refer to a column of the codebook."""
    return {"fields": name, "reference": {"resource": "codebook", "fields": name}}


def description_of(material: Material, table: str, column: str) -> str:
    """Say what a column or a whole table holds, in the survey's first language if Candor speaks it."""
    return written(
        codebook.our_language(material.publication.definition.languages[0]), f"columns.{table}.{column}"
    )


def type_of(name: str) -> str:
    """Return what the cells of a column of estimates hold."""
    if name in BOOLEANS:
        return "boolean"
    return "number" if name in NUMBERS else "integer" if name in WHOLE else "string"


def codebook_schema(material: Material) -> dict[str, Any]:
    """Return the columns of the codebook: a row is named by its column and its code."""
    types = {"code": "integer", "answer": "integer"}
    types |= dict.fromkeys(("value", "low", "high", "adds_to_mean"), "number")
    fields = [
        {
            "name": name,
            "type": types.get(name, "string"),
            "description": description_of(material, "codebook", OF_LANGUAGE.sub(r"\1", name)),
        }
        for name in codebook.header(material.publication)
    ]
    return {"fields": fields, "missingValues": [""], "primaryKey": ["column", "code"]}


def reports_schema(material: Material) -> dict[str, Any]:
    """Return a column for each column of reports: its codes and what they mean."""
    return {"fields": list(report_fields(material)), "missingValues": [""]}


def report_fields(material: Material) -> Iterator[dict[str, Any]]:
    """Yield the columns of the reports, with the wording in the survey's first language."""
    publication = material.publication
    first = publication.definition.languages[0]
    for question in publication.definition.questions:
        for name in question.column_names:
            column = publication.columns[name]
            codes = list(codebook.codes(question, column, (first,)))
            silent = [each.number for each in codes if each.meaning in SILENT]
            field: dict[str, Any] = {
                "name": name,
                "type": "integer",
                "title": question.asks(first),
                "constraints": {"required": not silent, "minimum": 0, "maximum": column.codes - 1},
                "missingValues": [str(code) for code in silent],
            }
            if len(codes) <= MOST_CATEGORIES:
                field["categories"] = [{"value": each.number, "label": each.labels[first]} for each in codes]
            yield field
