"""Operations that read surveys: their list, one in short, and its definition."""

from __future__ import annotations

from typing import Any

from flask import Response

from server.api.access import caller, survey_named
from server.api.operations import SLUG, blueprint, documented
from server.api.responses import answer, link_pages
from server.api.schemas import DefinitionSchema, SurveySchema, SurveysQuery, SurveysSchema, TokenSchema
from server.api.survey_summary import summary, summary_response
from server.runtime import offload
from server.services import services
from server.store.lifecycle import legal_hold, life, proposals
from server.store.lifecycle.life import Life
from server.store.results import survey_results


@blueprint.get("/token")
@documented(200, TokenSchema)
def token() -> Response:
    """Show the rights of the request's token."""
    asking = caller()
    return answer(
        {
            "account": asking.account.name,
            "role": asking.account.role,
            "token": asking.token.name,
            "writes": asking.writes,
            "all_surveys": asking.token.surveys is None,
            "expires": asking.token.expires,
        }
    )


@blueprint.get("/surveys")
@documented(200, SurveysSchema, 422)
@blueprint.arguments(SurveysQuery, location="query")
def surveys(query: dict[str, Any]) -> Response:
    """List the surveys that the caller may see, the latest first."""
    page, per_page = query["page"], query["per_page"]
    storage, now = services().storage, services().clock().timestamp()
    lives, holds = storage.read(life.of_all), storage.read(legal_hold.of_all)
    proposed = storage.read(proposals.by_survey, now)
    summaries = [
        summary(
            survey, results, lives.get(survey.id, Life()), holds.get(survey.id), proposed.get(survey.id, [])
        )
        for survey, results in services().storage.read(survey_results.surveys_with_results)
        if caller().sees(survey) and query["state"] in (None, survey.state)
    ]
    part = summaries[(page - 1) * per_page : page * per_page]
    body = {"surveys": part, "total": len(summaries), "page": page, "per_page": per_page}
    return link_pages(answer(body), page, per_page, len(summaries))


@blueprint.get("/surveys/<slug>", parameters=[SLUG])
@documented(200, SurveySchema, 404)
def survey(slug: str) -> Response:
    """Show a survey in short."""
    return summary_response(survey_named(slug))


@blueprint.get("/surveys/<slug>/definition", parameters=[SLUG])
@documented(200, DefinitionSchema, 404)
def definition(slug: str) -> Response:
    """Show the tables of a survey's file, with their state as ETag."""
    stored = survey_named(slug)
    if stored.publication is None:
        return offload.compute(answer, stored.draft or {}, etag=stored.tag)
    return offload.compute(answer, stored.publication.definition.as_dict(), etag=stored.tag)
