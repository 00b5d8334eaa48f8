"""How a draft begins: from nothing, or as the copy of another survey."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from server.editor.lookup import survey_named, taken
from server.forms.editor import NewSurveyForm
from server.language.catalogue import LANGUAGES
from server.language.chosen import current
from server.services import services
from server.staff.deeds import by_me
from server.staff.guard import only
from server.store import free_names, surveys
from server.store.surveys import SlugTaken, Survey
from survey.version import FORMAT

blueprint = Blueprint("starting", __name__, url_prefix="/admin")
blueprint.before_request(only("admin"))


@blueprint.get("/new")
def new() -> ResponseReturnValue:
    """Ask for the address of a new draft."""
    return render_template("editor/new.html", form=NewSurveyForm())


@blueprint.post("/new")
def begin() -> ResponseReturnValue:
    """Begin a draft in all languages of the product, that of the reader first."""
    languages = sorted(LANGUAGES, key=lambda code: code != current())
    return made({"candor": FORMAT, "languages": languages, "questions": []}, "editor/new.html")


@blueprint.get("/surveys/<slug>/copy")
def ask_for_copy(slug: str) -> ResponseReturnValue:
    """Ask for the address of the copy; suggest a free one."""
    found = survey_named(slug)
    suggested = services().storage.read(free_names.suggest, found.slug)
    return render_template("editor/copy.html", survey=found, form=NewSurveyForm(data={"slug": suggested}))


@blueprint.post("/surveys/<slug>/copy")
def copy(slug: str) -> ResponseReturnValue:
    """Make a new draft that holds all that a survey holds but its address."""
    found = survey_named(slug)
    return made(contents(found), "editor/copy.html", survey=found)


def contents(found: Survey) -> dict[str, Any]:
    """Return the tables of the survey file, of a draft or of what was published."""
    return found.publication.definition.as_dict() if found.publication else found.draft or {}


def made(table: dict[str, Any], page: str, **shown: Any) -> ResponseReturnValue:
    """Store a draft at the address that was typed, or show the page again with what is wrong with it."""
    form = NewSurveyForm(request.form)
    if not form.validate():
        return render_template(page, form=form, **shown), 422
    try:
        create = by_me(surveys.create_draft, "draft_begun", form.slug.data)
        survey = services().storage.write(create, {**table, "slug": form.slug.data})
    except SlugTaken:
        form.slug.errors = [taken(form.slug.data)]
        return render_template(page, form=form, **shown), 409
    return redirect(url_for("editor.survey", slug=survey.slug))
