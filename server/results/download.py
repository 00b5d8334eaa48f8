"""Results as files: estimates with all they came from, and noisy reports in an order that tells nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from server.language.chosen import translate
from server.results.figures import document, header, rows
from server.results.request import read_figures
from server.results.spreadsheet import BYTE_ORDER_MARK, csv_text
from server.services import services
from server.staff.guard import only
from server.store import readings
from server.store.accounts import ROLES
from server.store.submissions import ReportsWithheld
from server.web.attachment import FINGERPRINT_DIGITS, attachment

blueprint = Blueprint("download", __name__, url_prefix="/results/<slug>")
blueprint.before_request(only(*ROLES))

BLOCK = 5000
"""Rows written at a time: short enough to leave the event loop free, long enough to be quick."""


@blueprint.get("/estimates.csv")
def estimates_csv(slug: str) -> ResponseReturnValue:
    """Send the estimates as a table, one row for each."""
    figures = read_figures(slug, request.args)
    text = BYTE_ORDER_MARK + csv_text(header(figures), rows(figures))
    return attachment(text, "text/csv; charset=utf-8", f"{slug}-estimates.csv")


@blueprint.get("/estimates.json")
def estimates_json(slug: str) -> ResponseReturnValue:
    """Send the estimates as JSON, with the whole channel of each column in its exact form."""
    figures = read_figures(slug, request.args)
    text = json.dumps(document(figures), ensure_ascii=False, allow_nan=False, indent=1)
    return attachment(text + "\n", "application/json", f"{slug}-estimates.json")


@blueprint.get("/reports.csv")
def reports_csv(slug: str) -> ResponseReturnValue:
    """Send the noisy reports, one row for each respondent, once the survey is closed.

    Notes
    -----
    Everything is read in one short transaction and streamed from memory: a download over a slow line
    must not lock out respondents.
    """
    try:
        found = services().storage.read(readings.publication_with_reports, slug)
    except ReportsWithheld:
        title, text = translate("download.withheld.title"), translate("download.withheld.text")
        return render_template("web/message.html", title=title, text=text), 409
    if found is None:
        raise NotFound
    publication, reports = found
    name = f"{slug}-{publication.fingerprint[:FINGERPRINT_DIGITS]}-reports.csv"
    return attachment(report_lines(list(publication.columns), reports), "text/csv; charset=utf-8", name)


def report_lines(columns: list[str], reports: npt.NDArray[np.int64]) -> Iterator[str]:
    """Write the reports block by block. Names of columns are plain ASCII: no byte order mark is needed."""
    yield csv_text(columns, [])
    for start in range(0, len(reports), BLOCK):
        lines = (",".join(map(str, row)) for row in reports[start : start + BLOCK].tolist())
        yield "\r\n".join([*lines, ""])
