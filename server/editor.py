"""Surveys as an admin makes them: draft, open, close, remove, import and export."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import tomli_w
from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from server import live, offload
from server.accounts import only
from server.advice import advice, amount, measure_chosen, of_budget, radius
from server.catalogue import LANGUAGES
from server.download import FINGERPRINT_DIGITS
from server.forms.arrangement import rearrange
from server.forms.editor import (
    EXPECTED,
    MOST_EXPECTED,
    ImportForm,
    NewSurveyForm,
    draft_form,
    table,
    typed,
)
from server.forms.faults import Fault
from server.forms.numbers import is_whole
from server.forms.question import MECHANISMS, MOST
from server.language import current, translate
from server.missing import missing, place
from server.preview import composed, draft_previews, publication_previews, total
from server.services import services
from server.store import drafts, readings, submissions, surveys
from server.store.drafts import DraftChangedError
from server.store.surveys import SlugTaken, Survey, WrongState
from survey.definition import FORMAT, MOST_QUESTIONS, parse
from survey.fields import DefinitionError, Problem

blueprint = Blueprint("editor", __name__, url_prefix="/admin")
blueprint.before_request(only("admin"))
blueprint.add_app_template_filter(missing)
blueprint.add_app_template_filter(place)
blueprint.add_app_template_global(total)
blueprint.add_app_template_global(of_budget)
blueprint.add_app_template_filter(advice)
blueprint.add_app_template_filter(amount)
blueprint.add_app_template_filter(radius)
blueprint.add_app_template_filter(measure_chosen, "measure")


@blueprint.get("")
def list_surveys() -> ResponseReturnValue:
    """List all surveys, the latest first."""
    return render_template("admin.html", rows=services().storage.read(readings.surveys_with_results))


@blueprint.route("/new", methods=["GET", "POST"])
def new() -> ResponseReturnValue:
    """Begin a draft in all languages of the product, that of the reader first."""
    form = NewSurveyForm(request.form)
    if request.method == "GET":
        return render_template("editor_new.html", form=form)
    if not form.validate():
        return render_template("editor_new.html", form=form), 422
    languages = sorted(LANGUAGES, key=lambda code: code != current())
    draft = {"candor": FORMAT, "slug": form.slug.data, "languages": languages, "questions": []}
    try:
        survey = services().storage.write(surveys.create_draft, draft)
    except SlugTaken:
        form.slug.errors = [taken(form.slug.data)]
        return render_template("editor_new.html", form=form), 409
    return redirect(url_for("editor.survey", slug=survey.slug))


@blueprint.route("/import", methods=["GET", "POST"])
def import_file() -> ResponseReturnValue:
    """Make a draft from a survey file, uploaded or pasted."""
    form = ImportForm(request.form)
    if request.method == "GET":
        return render_template("editor_import.html", form=form)
    upload = request.files.get("file")
    source = "the text"
    if upload and upload.filename:
        source = upload.filename
        form.text.data = upload.read().decode("utf-8", errors="replace")
    try:
        definition = parse(form.text.data, source)
        survey = services().storage.write(surveys.import_definition, definition)
    except DefinitionError as error:
        return render_template("editor_import.html", form=form, problems=error.problems), 422
    except SlugTaken:
        problem = Problem("slug", translate("editor.free_slug"), definition.slug)
        return render_template("editor_import.html", form=form, problems=[problem]), 409
    return redirect(url_for("editor.survey", slug=survey.slug))


@blueprint.get("/surveys/<slug>")
def survey(slug: str) -> ResponseReturnValue:
    """Show a draft to edit, or a published survey to read."""
    found = find(slug)
    if found.draft is None:
        return published_page(found)
    shown = {"basis": drafts.basis(found.draft), "respondents": str(expected())}
    form = draft_form(offered(found.draft))(data=typed(found.draft) | shown)
    return draft_page(found, form)


@blueprint.post("/surveys/<slug>")
def save(slug: str) -> ResponseReturnValue:
    """Save a draft; adding, moving and removing a question or an option are ways of saving it too."""
    found = find(slug)
    if found.draft is None:
        return conflict("frozen")
    form_class = draft_form(offered(found.draft))
    data = form_class(request.form).data
    anchor = rearrange(data["questions"], request.form.get("action", "save"), data["add_kind"])
    form = form_class(data=data)
    if not form.validate():
        return draft_page(found, form), 422
    try:
        saved = services().storage.write(
            drafts.save_unless_changed, found.id, form.basis.data, table(form.data)
        )
    except SlugTaken:
        form.slug.errors = [taken(form.slug.data)]
        return draft_page(found, form), 409
    except DraftChangedError:
        return draft_page(found, form, changed=True), 409
    target = url_for("editor.survey", slug=saved.slug, saved=1, respondents=asked(form), _anchor=anchor)
    return redirect(target)


@blueprint.post("/surveys/<slug>/preview")
def preview(slug: str) -> ResponseReturnValue:
    """Show what the form would mean as it stands; nothing is stored."""
    found = find(slug)
    if found.draft is None:
        return conflict("frozen")
    return live.page(request.form, request.form.get("changed", "all"))


def expected() -> int:
    """Give the number of respondents that the address asks margins of error for."""
    number = request.args.get("respondents", "")
    return int(number) if is_whole(number, 1, MOST_EXPECTED) else EXPECTED


def asked(form: Any) -> str | None:
    """Give that number as the next address carries it; None for the usual one."""
    number: str = form.respondents.data
    return None if number == str(EXPECTED) else number


@blueprint.get("/surveys/<slug>/open")
def confirm_opening(slug: str) -> ResponseReturnValue:
    """Show what opening would freeze."""
    found = find(slug)
    if found.draft is None:
        return conflict("frozen")
    publication, problems = offload.run(drafts.would_be, found.draft, slug)
    if publication is None:
        return render_template("editor_open.html", survey=found, problems=problems)
    return render_template(
        "editor_open.html",
        survey=found,
        publication=publication,
        previews=offload.run(draft_previews, found.draft, expected()),
    )


@blueprint.post("/surveys/<slug>/open")
def open_survey(slug: str) -> ResponseReturnValue:
    """Open a survey, if it still is what was confirmed."""
    found = find(slug)
    try:
        services().storage.write(drafts.open_as_confirmed, found.id, request.form.get("fingerprint", ""))
    except DraftChangedError:
        return make_response(confirm_opening(slug), 409)
    except WrongState:
        return conflict("frozen")
    return redirect(url_for("editor.survey", slug=slug, opened=1))


@blueprint.get("/surveys/<slug>/close")
def confirm_closing(slug: str) -> ResponseReturnValue:
    """Ask before a survey is closed."""
    found = find(slug)
    if found.state != "open":
        return conflict("not_open")
    return render_template("editor_close.html", survey=found)


@blueprint.post("/surveys/<slug>/close")
def close(slug: str) -> ResponseReturnValue:
    """Close a survey, for good."""
    try:
        services().storage.write(surveys.close_survey, find(slug).id)
    except WrongState:
        return conflict("not_open")
    return redirect(url_for("editor.survey", slug=slug))


@blueprint.get("/surveys/<slug>/delete")
def confirm_deletion(slug: str) -> ResponseReturnValue:
    """Ask for the survey's name before it goes."""
    return render_template("editor_delete.html", survey=find(slug))


@blueprint.post("/surveys/<slug>/delete")
def delete(slug: str) -> ResponseReturnValue:
    """Remove a whole survey, if its name was typed."""
    found = find(slug)
    written = request.form.get("slug", "").strip()
    if written != found.slug:
        return render_template("editor_delete.html", survey=found, written=written, wrong=True), 422
    services().storage.write(surveys.delete_survey, found.id)
    return redirect(url_for("editor.list_surveys"))


@blueprint.get("/surveys/<slug>/survey.toml")
def export(slug: str) -> ResponseReturnValue:
    """Give the survey file; that of a draft may be incomplete."""
    found = find(slug)
    name = found.slug
    if found.publication is not None:
        text = found.publication.definition.as_toml()
        name += f"-{found.publication.fingerprint[:FINGERPRINT_DIGITS]}"
    else:
        text = tomli_w.dumps(found.draft or {}, multiline_strings=True)
    headers = {"Content-Disposition": f'attachment; filename="{name}.toml"'}
    return Response(text, content_type="application/toml; charset=utf-8", headers=headers)


def draft_page(found: Survey, form: Any, changed: bool = False) -> str:
    """Show a draft with what was typed and, where that is what is stored, what it means and still lacks."""
    draft = found.draft or {}
    publication, problems = offload.run(drafts.would_be, draft, found.slug)
    stored = not changed and not form.errors
    previews = offload.run(draft_previews, draft, int(form.respondents.data)) if stored else []
    return render_template(
        "editor.html",
        survey=found,
        form=form,
        stored=stored,
        problems=problems if stored else (),
        ready=stored and publication is not None,
        previews=previews,
        messages=live.messages(),
        **live.budget_of(form, previews),
        asked=asked(form),
        languages=offered(draft),
        most_questions=MOST_QUESTIONS,
        mechanisms=MECHANISMS,
        most_options=MOST,
        changed=changed,
        saved="saved" in request.args,
    )


def published_page(found: Survey) -> str:
    """Show a published survey: nothing in it can change any more."""
    publication = found.publication
    return render_template(
        "editor_published.html",
        survey=found,
        publication=publication,
        definition=publication.definition if publication else None,
        previews=offload.run(publication_previews, publication) if publication else [],
        composed=offload.run(composed, publication) if publication else None,
        results=services().storage.read(submissions.results, found),
        address=url_for("respond.page", slug=found.slug, _external=True),
        opened="opened" in request.args,
    )


def offered(draft: Mapping[str, Any]) -> tuple[str, ...]:
    """Give the languages that have fields: the draft's in its order, then the others that Candor speaks."""
    return tuple(dict.fromkeys([*draft.get("languages", []), *LANGUAGES]))


def find(slug: str) -> Survey:
    """Find a survey or say that there is none."""
    found = services().storage.read(surveys.find, slug)
    if found is None:
        raise NotFound
    return found


def taken(slug: str) -> Fault:
    """Say that another survey has the name."""
    return Fault("editor.error.slug_taken", {"value": slug})


def conflict(what: str) -> ResponseReturnValue:
    """Say that the survey's state does not allow what was asked for."""
    title, text = translate(f"editor.conflict.{what}.title"), translate(f"editor.conflict.{what}.text")
    return make_response(render_template("message.html", title=title, text=text), 409)
