"""Results as files: estimates with all they came from, and noisy reports in an order that tells nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from server.language.chosen import translate
from server.results.reports import Reports, reports_of
from server.results.request import read_figures
from server.results.spreadsheet import BYTE_ORDER_MARK, csv_text
from server.services import services
from server.staff.guard import only
from server.store import readings
from server.store.accounts import ROLES
from server.store.submissions import ReportsWithheld
from server.web import offload
from server.web.attachment import FINGERPRINT_DIGITS, attachment
from survey.figures import document, header, rows

blueprint = Blueprint("download", __name__, url_prefix="/results/<slug>")
blueprint.before_request(only(*ROLES))

BLOCK = 5000
"""Rows written at a time, in a thread, so that others are answered between two blocks."""


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
    They are in memory before the first is sent, and no transaction is open: a download over a slow line must
    not lock out respondents.
    """
    found = services().storage.read(readings.survey_with_results, slug)
    if found is None:
        raise NotFound
    survey, results = found
    assert survey.publication is not None  # noqa: S101  # a draft is not found
    try:
        reports = reports_of(services().storage, survey, results)
    except ReportsWithheld:
        title, text = translate("download.withheld.title"), translate("download.withheld.text")
        estimates = url_for("results.show", slug=slug)
        return render_template("web/message.html", title=title, text=text, estimates=estimates), 409
    name = f"{slug}-{survey.publication.fingerprint[:FINGERPRINT_DIGITS]}-reports.csv"
    return attachment(
        report_lines(list(survey.publication.columns), reports), "text/csv; charset=utf-8", name
    )


def report_lines(columns: list[str], reports: Reports) -> Iterator[str]:
    """Write the reports block by block. Names of columns are plain ASCII: no byte order mark is needed."""
    yield csv_text(columns, [])
    for start in range(0, len(reports), BLOCK):
        yield offload.run(lines, reports[start : start + BLOCK])


def lines(reports: Reports) -> str:
    r"""Write some of the reports.

    Examples
    --------
    >>> import numpy as np
    >>> lines(np.array([[0, 12], [1, 3]], np.uint8))
    '0,12\r\n1,3\r\n'
    """
    texts = [str(code) for code in range(int(reports.max()) + 1)]  # a row costs less than to write each code
    columns = ([texts[code] for code in column] for column in reports.T.tolist())
    return "\r\n".join([*map(",".join, zip(*columns, strict=True)), ""])
