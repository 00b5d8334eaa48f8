"""The requests of the editor, all in JSON: load a draft, save what was changed in it, preview it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from flask import Blueprint, Response, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user
from flask_wtf.csrf import CSRFError, generate_csrf
from werkzeug.exceptions import (
    Forbidden,
    HTTPException,
    RequestEntityTooLarge,
    Unauthorized,
    UnsupportedMediaType,
)

from server.drafts.conflicts import choices
from server.drafts.draft_problems import problems_as_stored
from server.drafts.preview import preview
from server.drafts.unit_names import unit_name
from server.language.problems import allowed_in
from server.language.request_language import current, translate
from server.runtime import offload
from server.services import services
from server.staff.audit_trail import edited_by_me
from server.staff.guard import before_body, decided
from server.store import drafts, surveys
from server.store.drafts import Author, ConflictError, LateSaveError, SaveResult
from server.store.surveys import Survey, SurveyGone, WrongState
from server.web.json_body import read_object
from server.web.limits.costs import MOST_BYTES_OF_A_SURVEY
from survey.draft import Change, require_document, require_unit
from survey.draft.units import LISTS, UID
from survey.fields import Problem
from survey.rules import Refusal

blueprint = Blueprint("editing", __name__, url_prefix="/admin")

PAGE = re.compile(r"[0-9a-f]{16}")
"""The name that a page draws for itself."""

MOST_SAVES = 10**9
"""The highest number of a save of one page."""


@blueprint.before_request
@before_body
def guard() -> ResponseReturnValue | None:
    """Admit whoever may edit the draft; say what others have to do first, or that it is not there."""
    if not current_user.is_authenticated:
        raise Unauthorized
    if current_user.lacks_factor:
        return answer(403, "second_factor")
    slug = (request.view_args or {})["slug"]
    decision = decided("edit", slug)
    if decision == "hidden":
        return answer(404, "gone")
    if decision == "no":
        raise Forbidden
    return None


@blueprint.errorhandler(CSRFError)
def without_token(error: CSRFError) -> ResponseReturnValue:
    """Do nothing without a token. Whoever has signed in again gets another, which no other site can read."""
    return answer(400, "expired", token=generate_csrf(), text=translate("editor.expired.text"))


@blueprint.errorhandler(RequestEntityTooLarge)
@blueprint.errorhandler(UnsupportedMediaType)
@blueprint.errorhandler(Refusal)
def refused(error: HTTPException | Refusal) -> ResponseReturnValue:
    """Say what is wrong with a body, and where."""
    if isinstance(error, Refusal):
        problem = Problem(error.parameter, error.rule, error.limits, None)
        survey = services().storage.read(surveys.by_slug, (request.view_args or {})["slug"])
        place = unit_name((survey and survey.document) or {}, error.parameter)
        text = translate("saving.refused", place=place, allowed=allowed_in(current(), problem))
        return answer(422, "refused", text=text, unit=error.parameter)
    if isinstance(error, UnsupportedMediaType):
        return answer(415, "refused", text=translate("saving.refused_type"))
    return answer(413, "refused", text=translate("saving.refused_large", most=MOST_BYTES_OF_A_SURVEY))


@blueprint.get("/surveys/<slug>/draft")
def load(slug: str) -> ResponseReturnValue:
    """Send a draft."""
    survey = services().storage.read(surveys.by_slug, slug)
    if survey is None:
        return answer(404, "gone")
    if survey.document is None:
        return answer(409, "frozen")
    return answer(200, "loaded", **as_loaded(survey), document=survey.document)


@blueprint.post("/surveys/<slug>/draft")
def save(slug: str) -> ResponseReturnValue:
    """Put what a page has changed into the draft, or say what somebody else has changed as well."""
    body = json_body()
    survey = services().storage.read(surveys.by_slug, slug)
    if survey is None:
        return answer(404, "gone")
    if survey.document is None:
        return answer(409, "frozen")
    changes, author, seen = changes_in(body, survey.document), author_of(body), str(body.get("seen"))
    try:
        result = write(slug, survey.id, seen, changes, author)
    except ConflictError as error:
        return answer(409, "changed", **others(error.since), **both_versions(error))
    except LateSaveError:
        return answer(409, "late")
    except WrongState:
        return answer(409, "frozen")
    except SurveyGone:
        return answer(404, "gone")
    stored = result.survey
    more = {} if seen == result.before else {**others(result.since), "document": stored.document}
    return answer(200, "saved", **as_loaded(stored), **more)


def write(slug: str, survey_id: int, seen: str, changes: list[Change], author: Author) -> SaveResult:
    """Store changes. Without any, only tell what others have saved meanwhile."""
    if not changes:
        return services().storage.read(drafts.look, survey_id, seen, author)
    return services().storage.write(edited_by_me(drafts.save, slug), survey_id, seen, changes, author)


@blueprint.post("/surveys/<slug>/preview")
def show_figures(slug: str) -> ResponseReturnValue:
    """Work out what a draft would mean as it stands in the page; list what is wrong with the stored one."""
    body = json_body()
    survey = services().storage.read(surveys.by_slug, slug)
    if survey is None or survey.document is None:
        return answer(404, "gone")
    document, changed, opened = body.get("document"), body.get("changed", "all"), body.get("open")
    if not isinstance(document, dict):
        raise Refusal("document", "json_object", document)
    require_document(document)
    wanted = None if changed == "all" else list(map(str, list_of("changed", changed)))
    figures = offload.draw(preview, document, opened, wanted, body.get("in_full") is True)
    problems = problems_as_stored(survey) if body.get("problems") is True else {}
    return answer(200, "shown", **figures, **problems)


def json_body() -> dict[str, Any]:
    """Return the object in the body.

    Raises
    ------
    UnsupportedMediaType, Refusal
    """
    if request.mimetype != "application/json":
        raise UnsupportedMediaType
    return offload.compute(read_object, request.get_data())


def author_of(body: Mapping[str, Any]) -> Author:
    """Return who saves, and from which page."""
    page, number = body.get("page"), body.get("number")
    if not (isinstance(page, str) and PAGE.fullmatch(page)):
        raise Refusal("page", "page", page)
    if type(number) is not int or not 1 <= number <= MOST_SAVES:
        raise Refusal("number", "whole", number, low=1, high=MOST_SAVES)
    return Author(current_user.name, page, number)


def changes_in(body: Mapping[str, Any], document: Mapping[str, Any]) -> list[Change]:
    """Read the changes that a page sends, whose units and values fit a draft."""
    sent = list_of("changes", body.get("changes"))
    for place, change in enumerate(sent):
        if not isinstance(change, dict) or not isinstance(change.get("unit"), str):
            raise Refusal(f"changes.{place}.unit", "any_text")
    kinds = {change["unit"]: str(change.get("now")) for change in sent if UID.fullmatch(change["unit"])}
    kinds |= {node["uid"]: name for name in LISTS for node in document.get(name, [])}
    changes = []
    for place, change in enumerate(sent):
        unit, was, now, after = (change.get(key) for key in ("unit", "was", "now", "after"))
        require_unit(unit, now, kinds.get(unit.partition(".")[0]))
        if not isinstance(was, str) or not isinstance(after, str | None):
            raise Refusal(f"changes.{place}.was", "any_text")
        changes.append(Change(unit, was, now, after))
    return changes


def list_of(name: str, value: Any) -> list[Any]:
    """Return a list that a body holds as it is.

    Raises
    ------
    Refusal
        If it is something else.
    """
    if not isinstance(value, list):
        raise Refusal(name, "json_list")
    return value


def as_loaded(survey: Survey) -> dict[str, Any]:
    """Return the hash of a stored draft, and where it is to be saved next."""
    address = url_for("editing.save", slug=survey.slug)
    return {"hash": survey.tag, "slug": survey.slug, "address": address}


def others(since: tuple[str, ...]) -> dict[str, Any]:
    """Say who else has saved; whether that was the same person, in another window."""
    names = [name for name in since if name != current_user.name]
    return {"by": ", ".join(names) or None, "own": bool(since) and not names}


def both_versions(error: ConflictError) -> dict[str, Any]:
    """Return the draft as it is stored, and what of it somebody must choose."""
    document = error.draft.document or {}
    return {
        "hash": error.draft.tag,
        "document": document,
        "conflicts": [asdict(choice) for choice in choices(document, error.conflicts)],
    }


@blueprint.errorhandler(Unauthorized)
def signed_out(error: Unauthorized) -> Response:
    """Answer whoever is not signed in: the same whatever they ask, and whatever they sent."""
    return answer(401, "signed_out")


def answer(status: int, state: str, **more: object) -> Response:
    """Answer with JSON."""
    body = json.dumps({"state": state, **more}, ensure_ascii=False)
    return Response(body, status, content_type="application/json")
