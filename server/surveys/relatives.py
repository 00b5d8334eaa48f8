"""Surveys that ask the same: waves for the same people again, groups for other people."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from server.forms.new_survey import NewSurveyForm
from server.services import services
from server.staff.audit_trail import made_by_me
from server.staff.guard import may, only
from server.staff.survey_lookup import contents, survey_named, taken
from server.store import free_slugs, origins
from server.store.origins import RELATIONS
from server.store.surveys import SlugTaken, Survey
from server.surveys.waves import publications, total_of

blueprint = Blueprint("relatives", __name__, url_prefix="/admin/surveys/<slug>/relatives")
blueprint.before_request(only("look"))


@blueprint.get("")
def show(slug: str) -> ResponseReturnValue:
    """Show the waves and groups of a survey, and offer one more."""
    return page(survey_named(slug), {})


@blueprint.post("/<relation>")
def add(slug: str, relation: str) -> ResponseReturnValue:
    """Make a draft that asks the same as a survey and is linked to it."""
    survey = survey_named(slug)
    if relation not in RELATIONS:
        raise NotFound
    form = NewSurveyForm(request.form)
    if not form.validate():
        return page(survey, {relation: form}), 422
    create = made_by_me(origins.create_related, "draft_begun", form.slug.data)
    try:
        made = services().storage.write(
            create, {**contents(survey), "slug": form.slug.data}, survey.id, relation
        )
    except SlugTaken:
        form.slug.errors = [taken(form.slug.data)]
        return page(survey, {relation: form}), 409
    return redirect(url_for("surveys.show", slug=made.slug))


def page(survey: Survey, typed: dict[str, NewSurveyForm]) -> str:
    """Show the page; `typed` holds the form that was refused."""
    family = services().storage.read(origins.family, survey.id)
    relatives = [each for each in family if may("look", each.survey.id)]
    suggested = services().storage.read(free_slugs.suggest, survey.slug)
    published = publications(relatives)
    return render_template(
        "surveys/relatives.html",
        survey=survey,
        relatives=relatives,
        first=family[0].survey.id if family else None,
        published=published,
        # Without the waves that the reader may not see the sum would be too small.
        total=total_of(survey, relatives, published) if len(relatives) == len(family) else None,
        forms={
            name: apart(typed.get(name) or NewSurveyForm(data={"slug": suggested}), name)
            for name in RELATIONS
        },
    )


def apart(form: NewSurveyForm, relation: str) -> NewSurveyForm:
    """Let the field of one of two forms on a page have an id of its own."""
    form.slug.id = f"{relation}-slug"
    return form
