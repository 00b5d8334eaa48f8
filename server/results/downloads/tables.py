"""Results as files: estimates with all they came from, and noisy reports in an order that tells nothing."""

from __future__ import annotations

import json

from flask import Blueprint, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from server.results.estimates import read_figures
from server.results.files.report_csv import report_blocks
from server.results.files.table_texts import estimates_text
from server.results.reports import reports_of
from server.runtime import offload
from server.services import services
from server.staff.audit_trail import note_mine
from server.staff.guard import needs, only
from server.store.results import survey_results
from server.web.attachment import FINGERPRINT_DIGITS, attachment
from survey.figures.document import document
from survey.figures.questions import Figures

blueprint = Blueprint("download", __name__, url_prefix="/results/<slug>")
blueprint.before_request(only("read"))


@blueprint.get("/estimates.csv")
def estimates_csv(slug: str) -> ResponseReturnValue:
    """Send the estimates as a table, one row for each."""
    figures = read_figures(slug, request.args)
    text = offload.compute(estimates_text, figures)
    return attachment(text, "text/csv; charset=utf-8", f"{slug}-estimates.csv")


@blueprint.get("/estimates.json")
def estimates_json(slug: str) -> ResponseReturnValue:
    """Send the estimates as JSON, with the whole channel of each column in its exact form."""
    figures = read_figures(slug, request.args)
    text = offload.compute(json_text, figures)
    return attachment(text, "application/json", f"{slug}-estimates.json")


def json_text(figures: Figures) -> str:
    """Write the estimates as JSON."""
    return json.dumps(document(figures), ensure_ascii=False, allow_nan=False, indent=1) + "\n"


@blueprint.get("/reports.csv")
@needs("rows")
def reports_csv(slug: str) -> ResponseReturnValue:
    """Send the noisy reports, one row for each respondent, once the survey is closed.

    Notes
    -----
    They are in memory before the first is sent, and no transaction is open: a download over a slow line must
    not lock out respondents.
    """
    found = services().storage.read(survey_results.survey_with_results, slug)
    if found is None:
        raise NotFound
    survey, results = found
    assert survey.publication is not None  # noqa: S101  # a draft is not found
    reports = reports_of(services().storage, survey, results)
    note_mine("rows_downloaded", slug)
    name = f"{slug}-{survey.publication.fingerprint[:FINGERPRINT_DIGITS]}-reports.csv"
    return attachment(
        report_blocks(list(survey.publication.columns), reports), "text/csv; charset=utf-8", name
    )
