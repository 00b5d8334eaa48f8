"""Operations that change surveys: drafts are made, replaced and opened, surveys closed and removed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from flask import Response, request, url_for

from server.api.access import by_caller, caller, made_by_caller, survey_named
from server.api.operations import SLUG, blueprint, documented
from server.api.problems import Refused, fault, in_words
from server.api.request_parameters import json_body
from server.api.responses import answer
from server.api.schemas import CheckSchema, DefinitionSchema, OpeningSchema, SurveySchema
from server.api.survey_summary import summary_response
from server.language.catalogue import FIRST, say
from server.runtime import offload
from server.services import services
from server.store import drafts, surveys
from server.store.drafts import DraftChangedError
from server.store.lifecycle import deletion, life, opening
from server.store.lifecycle.opening import PastItsEnd
from server.store.staff import audit
from server.store.surveys import Survey, WrongState
from survey.definition import Definition
from survey.plan.linking_cost import dearer_links
from survey.read_definition import from_dict
from survey.review import warnings

TABLES = {
    "required": True,
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/SurveyFile"}}},
}
"""The body of a request that brings a survey file."""

IF_MATCH = {
    "name": "If-Match",
    "in": "header",
    "required": True,
    "description": say(FIRST, "api.parameter.if_match"),
    "schema": {"type": "string"},
}


@blueprint.post("/check")
@documented(200, CheckSchema, 400, 413, 415, requestBody=TABLES)
def check() -> Response:
    """Check a survey file: list its faults, or describe the survey it would publish. Nothing is stored."""
    table = tables_sent()
    publication, problems = offload.compute(opening.would_be, table, "the body")
    lacks = opening.lacks(table, services().clock().date()) if publication else ()
    return answer(
        {
            "usable": publication is not None,
            "faults": [asdict(fault(problem)) for problem in problems],
            "lacks": [asdict(fault(problem)) for problem in lacks],
            "warnings": list(warnings(publication)) if publication else [],
            "fingerprint": publication.fingerprint if publication else None,
            "epsilon": publication.budget.epsilon if publication else None,
            "guess": publication.guess.as_dict() if publication else None,
            "columns": list(publication.columns) if publication else [],
        }
    )


@blueprint.post("/surveys")
@documented(201, DefinitionSchema, 400, 403, 409, 413, 415, 422, requestBody=TABLES)
def create() -> Response:
    """Make a draft from a valid survey file."""
    definition = definition_sent()
    create = made_by_caller(surveys.import_definition, "draft_imported", definition.slug)
    made = services().storage.write(create, definition)
    response = answer(made.draft or {}, 201, etag=made.tag)
    response.headers["Location"] = url_for("v1.survey", slug=made.slug)
    return response


@blueprint.put("/surveys/<slug>/definition", parameters=[SLUG])
@documented(
    200, DefinitionSchema, 400, 403, 404, 409, 412, 413, 415, 422, 428,
    requestBody=TABLES, parameters=[IF_MATCH],
)  # fmt: skip
def replace(slug: str) -> Response:
    """Replace a draft by what the program has made of the one it read; a new slug moves it.

    What others have changed since then stays, unless the program has changed it too.
    """
    survey, definition = survey_named(slug), definition_sent()
    if survey.document is None:
        raise Refused(409, "frozen", **in_words(survey))
    if not request.if_match:
        raise Refused(428, "unconditional", slug=slug)
    seen = {survey.tag} if request.if_match.star_tag else request.if_match.as_set()
    who = caller().account.name
    save = audit.noted_once_a_day(drafts.replace_at_address, who, "draft_edited", slug, services().today)
    saved = services().storage.write(save, survey.id, seen, definition.as_dict(), who)
    response = answer(saved.draft or {}, etag=saved.tag)
    response.headers["Content-Location"] = url_for("v1.definition", slug=saved.slug)
    return response


@blueprint.post("/surveys/<slug>/open", parameters=[SLUG])
@documented(200, SurveySchema, 400, 403, 404, 409, 413, 415, 422, accepted=SurveySchema)
@blueprint.arguments(OpeningSchema, location="json")
def open_survey(body: dict[str, Any], slug: str) -> Response:
    """Open a draft if its fingerprint is the one that the program has checked, or propose it."""
    survey = survey_named(slug)
    storage, now, me = services().storage, services().clock().timestamp(), caller().account
    if not body["linking"]:
        refuse_dear_linking(survey)
    try:
        opened = opening.open_or_propose(storage, survey.id, body["fingerprint"], me, now, body["reason"])
    except PastItsEnd:
        raise Refused(409, "past", slug=slug) from None
    except DraftChangedError:
        publication, faults = opening.ready(storage, survey, storage.read(life.of, survey.id), now)
        if publication is None:
            raise Refused(422, "definition", faults) from None
        raise Refused(409, "fingerprint", value=publication.fingerprint) from None
    return summary_response(survey_named(slug), 200 if opened else 202)


def refuse_dear_linking(survey: Survey) -> None:
    """Refuse to open a draft of which linking takes more people, as that has to be confirmed."""
    publication = offload.compute(lambda: survey.complete)
    dearer = offload.compute(dearer_links, publication.definition.sections) if publication else ()
    for section, cost in dearer:
        linked, apart = (f"{people.shares:,}" for people in (cost.linked, cost.same_total))
        raise Refused(409, "linking", section=section.id, linked=linked, apart=apart)


@blueprint.post("/surveys/<slug>/close", parameters=[SLUG])
@documented(200, SurveySchema, 403, 404, 409)
def close_survey(slug: str) -> Response:
    """Close an open survey, for good."""
    survey = survey_named(slug)
    try:
        services().storage.write(by_caller(surveys.close_survey, "survey_closed", slug), survey.id)
    except WrongState as error:
        raise Refused(409, "not-open", **in_words(error.survey)) from None
    services().finisher.start()
    return summary_response(survey_named(slug))


@blueprint.delete("/surveys/<slug>", parameters=[SLUG])
@documented(204, None, 403, 404, 409, 412, 428, accepted=SurveySchema, parameters=[IF_MATCH])
def delete_survey(slug: str) -> Response:
    """Remove a survey with everything that belongs to it, or propose it; its ETag confirms which."""
    survey, now = survey_named(slug), services().clock().timestamp()
    require_match(survey)
    if not deletion.delete_or_propose(services().storage, survey.id, caller().account, now):
        return summary_response(survey, 202)
    services().finisher.start()
    return Response(status=204)


def tables_sent() -> dict[str, Any]:
    """Return the tables of the survey file in the request."""
    return json_body()


def definition_sent() -> Definition:
    """Return the definition in the request, checked as every survey file is."""
    table: Mapping[str, Any] = tables_sent()
    return offload.compute(from_dict, table, "the body")


def require_match(survey: Survey) -> None:
    """Refuse to change a definition that the program has not read in its present state."""
    if not request.if_match:
        raise Refused(428, "unconditional", slug=survey.slug)
    if not request.if_match.contains(survey.tag):
        raise Refused(412, "changed")
