"""The ways to begin a draft: from nothing, from one of Candor's own surveys, or as the copy of another."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user
from werkzeug.exceptions import NotFound

from server.forms.new_survey import BlanksForm, NewSurveyForm
from server.language.catalogue import LANGUAGES
from server.language.request_language import current, translate
from server.runtime import offload
from server.services import services
from server.staff.audit_trail import made_by_me
from server.staff.guard import needs, only
from server.staff.survey_lookup import contents, survey_named, taken
from server.store import free_slugs, surveys
from server.store.engine import Connection
from server.store.staff import audit, rights
from server.store.surveys import SlugTaken, Survey
from server.surveys.starters import filled, starters
from server.web.json_body import read_object
from survey.draft import require_document
from survey.read_definition import SLUG
from survey.rules import Refusal
from survey.version import FORMAT

blueprint = Blueprint("begin", __name__, url_prefix="/admin")
blueprint.before_request(only("create"))

SUGGESTED = "survey"
"""The address of an empty draft, unless the admin wants another."""


@blueprint.get("/new")
def new() -> ResponseReturnValue:
    """Offer the ways to begin."""
    return page()


@blueprint.post("/new")
def begin() -> ResponseReturnValue:
    """Begin a draft in all languages of the product, that of the reader first."""
    languages = sorted(LANGUAGES, key=lambda code: code != current())
    return made({"candor": FORMAT, "languages": languages, "questions": []}, page)


@blueprint.post("/new/starter")
def begin_from_starter() -> ResponseReturnValue:
    """Begin a draft from one of Candor's own surveys, at a free address."""
    ways = offload.compute(starters)
    chosen = next((starter for starter in ways if starter.name == request.form.get("starter")), None)
    if chosen is None:
        raise NotFound
    blanks = BlanksForm(request.form)
    if not blanks.validate():
        return page(blanks=blanks), 422
    table = filled(chosen.definition, current(), blanks.data)
    create = rights.owned(create_at_free_address, current_user.account.id)
    survey = services().storage.write(create, current_user.name, table)
    return redirect(url_for("surveys.show", slug=survey.slug))


def create_at_free_address(db: Connection, who: str, table: dict[str, Any]) -> Survey:
    """Store a draft at the first free address like its own, and note who began it."""
    survey = surveys.create_draft(db, {**table, "slug": free_slugs.suggest(db, table["slug"])})
    audit.note(db, who, "draft_begun", survey.slug)
    return survey


@blueprint.post("/left")
def begin_from_left() -> ResponseReturnValue:
    """Begin a draft from what a browser kept of one that is gone, or published, at a free address."""
    try:
        document = offload.compute(read_object, request.form.get("draft", "").encode("utf-8", "replace"))
        require_document(document)
    except Refusal as refusal:
        text = translate("saving.refused", place=refusal.parameter, allowed=str(refusal))
        return render_template("staff/message.html", title=translate("error.400.title"), text=text), 422
    create = rights.owned(create_from_document, current_user.account.id)
    survey = services().storage.write(create, current_user.name, document)
    return redirect(url_for("surveys.show", slug=survey.slug))


def create_from_document(db: Connection, who: str, document: dict[str, Any]) -> Survey:
    """Store a document as a new draft, at the first free address like its own, and note who began it."""
    slug = str(document.get("slug", ""))
    free = free_slugs.suggest(db, slug if SLUG.fullmatch(slug) else SUGGESTED)
    survey = surveys.create_from_document(db, {**document, "slug": free})
    audit.note(db, who, "draft_begun", survey.slug)
    return survey


@blueprint.get("/surveys/<slug>/copy")
@needs("look")
def ask_for_copy(slug: str) -> ResponseReturnValue:
    """Ask for the address of the copy; suggest a free one."""
    survey = survey_named(slug)
    suggested = services().storage.read(free_slugs.suggest, survey.slug)
    return render_template("surveys/copy.html", survey=survey, form=NewSurveyForm(data={"slug": suggested}))


@blueprint.post("/surveys/<slug>/copy")
@needs("look")
def copy(slug: str) -> ResponseReturnValue:
    """Make a new draft that holds all that a survey holds but its address."""
    survey = survey_named(slug)
    return made(contents(survey), partial(render_template, "surveys/copy.html", survey=survey))


def page(form: Any = None, blanks: Any = None) -> str:
    """Show the ways to begin: with a free address, and what was typed."""
    if form is None:
        form = NewSurveyForm(data={"slug": services().storage.read(free_slugs.suggest, SUGGESTED)})
    ways = offload.compute(starters)
    return render_template("surveys/new.html", form=form, starters=ways, blanks=blanks or BlanksForm())


def made(table: dict[str, Any], shown: Callable[..., str]) -> ResponseReturnValue:
    """Store a draft at the address that was typed, or show the page again with what is wrong with it."""
    form = NewSurveyForm(request.form)
    if not form.validate():
        return shown(form=form), 422
    try:
        create = made_by_me(surveys.create_draft, "draft_begun", form.slug.data)
        survey = services().storage.write(create, {**table, "slug": form.slug.data})
    except SlugTaken:
        form.slug.errors = [taken(form.slug.data)]
        return shown(form=form), 409
    return redirect(url_for("surveys.show", slug=survey.slug))
