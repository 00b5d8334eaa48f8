"""Operations that read results: estimates, reports, cross-tables, channels and the codebook."""

from __future__ import annotations

from typing import Any

from flask import Response

from server.api.access import need, note_rows, published, with_results
from server.api.operations import SLUG, blueprint, documented
from server.api.problems import Refused
from server.api.responses import answer, as_objects, link_pages
from server.api.schemas import (
    ChannelsSchema,
    CodebookSchema,
    CrossQuery,
    CrossSchema,
    EstimatesQuery,
    EstimatesSchema,
    QuantitiesSchema,
    ReportsQuery,
    ReportsSchema,
)
from server.results.cross_estimates import cross_estimates
from server.results.estimates import estimate_survey
from server.results.files import codebook as codes
from server.results.files.channel_tables import channels as all_channels
from server.results.reports import reports_of
from server.runtime import offload
from server.services import services
from server.store.results.visible_results import ReportsWithheld
from survey.fields import Problem
from survey.figures.cross_figures import (
    CrossAxis,
    GroupChoice,
    answers_compared,
    cross_axes,
    default_choice,
    too_large,
)
from survey.figures.cross_table import cross_header, cross_rows
from survey.figures.document import document
from survey.figures.shares import Precision
from survey.figures.table import header, rows


@blueprint.get("/surveys/<slug>/estimates", parameters=[SLUG])
@documented(200, EstimatesSchema, 404, 409, 422)
@blueprint.arguments(EstimatesQuery, location="query")
def estimates(query: dict[str, Any], slug: str) -> Response:
    """Show every estimate with its interval and its channel."""
    survey, _, results = with_results(slug)
    figures = estimate_survey(survey, results, precision(query))
    return offload.compute(answer, offload.compute(document, figures))


@blueprint.get("/surveys/<slug>/quantities", parameters=[SLUG])
@documented(200, QuantitiesSchema, 404, 409, 422)
@blueprint.arguments(EstimatesQuery, location="query")
def quantities(query: dict[str, Any], slug: str) -> Response:
    """Show the estimates as a flat table."""
    survey, publication, results = with_results(slug)
    figures = estimate_survey(survey, results, precision(query))
    table = offload.compute(lambda: as_objects(header(figures), rows(figures)))
    return offload.compute(answer, {"fingerprint": publication.fingerprint, "quantities": table})


@blueprint.get("/surveys/<slug>/reports", parameters=[SLUG])
@documented(200, ReportsSchema, 404, 409, 410, 422)
@blueprint.arguments(ReportsQuery, location="query")
def reports(query: dict[str, Any], slug: str) -> Response:
    """Show a page of the reports of a closed survey, sorted by their own values.

    Reports of an open survey are refused even if its definition publishes them: they would change between
    two pages.
    """
    survey, publication, results = with_results(slug)
    if survey.state != "closed":
        raise ReportsWithheld(f"{slug} is not closed")
    all_reports = reports_of(services().storage, survey, results)
    need("rows", survey)
    note_rows(slug)
    page, per_page = query["page"], query["per_page"]
    body = {
        "fingerprint": publication.fingerprint,
        "columns": list(publication.columns),
        "reports": all_reports.between((page - 1) * per_page, page * per_page).tolist(),
        "total": len(all_reports),
        "page": page,
        "per_page": per_page,
    }
    return link_pages(offload.compute(answer, body), page, per_page, len(all_reports))


@blueprint.get("/surveys/<slug>/cross", parameters=[SLUG])
@documented(200, CrossSchema, 404, 409, 410, 422)
@blueprint.arguments(CrossQuery, location="query")
def cross(query: dict[str, Any], slug: str) -> Response:
    """Show the cross-table of two questions of a closed survey."""
    survey, publication, results = with_results(slug)
    axes = cross_axes(publication)
    names = ("row", "column")
    row, column = (axes[one_of(query, name, tuple(axes))] for name in names)
    if row.name == column.name:
        raise Refused(422, "parameters", [Problem("column", "other_column", {}, column.name)])
    if too_large(row, column):
        raise Refused(422, "table")
    asked = precision(query)
    figures = cross_estimates(
        services().storage, survey, results, row, column, compared(query, row, column), asked
    )
    table = cross_rows(slug, publication.fingerprint, figures, asked)
    return answer(
        {
            "survey": slug,
            "fingerprint": publication.fingerprint,
            "row": row.name,
            "column": column.name,
            "quantities": as_objects(cross_header(figures), table),
        }
    )


@blueprint.get("/surveys/<slug>/channels", parameters=[SLUG])
@documented(200, ChannelsSchema, 404, 409)
def channels(slug: str) -> Response:
    """Show every channel as exact integers."""
    return offload.compute(answer, offload.compute(all_channels, published(slug)))


@blueprint.get("/surveys/<slug>/codebook", parameters=[SLUG])
@documented(200, CodebookSchema, 404, 409)
def codebook(slug: str) -> Response:
    """Show the meaning of every code of every column."""
    publication = published(slug)
    table = offload.compute(as_objects, codes.header(publication), codes.rows(publication))
    return offload.compute(answer, {"fingerprint": publication.fingerprint, "codes": table})


def precision(query: dict[str, Any]) -> Precision:
    """Return how the request wants intervals computed."""
    return Precision(query["confidence_level"], query["method"], query["simultaneous"])


def one_of(query: dict[str, Any], name: str, choices: tuple[str, ...]) -> str:
    """Return a parameter that must be one of the survey's own names."""
    value: str = query[name]
    if value not in choices:
        rule, limits = ("one_of", {"choices": choices}) if choices else ("no_column", {})
        raise Refused(422, "parameters", [Problem(name, rule, limits, value)])
    return value


def compared(query: dict[str, Any], row: CrossAxis, column: CrossAxis) -> GroupChoice:
    """Return the answer and the two groups to compare; each is the default unless the request names it."""
    default = default_choice(row, column)
    answers, groups = answers_compared(row, column)

    def position(name: str, choices: tuple[str, ...], otherwise: int) -> int:
        return otherwise if query[name] is None else choices.index(one_of(query, name, choices))

    return GroupChoice(
        answer=position("answer", answers, default.answer),
        group=position("group", groups, default.group),
        other=position("other_group", groups, default.other),
    )
