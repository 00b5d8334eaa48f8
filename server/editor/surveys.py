"""Surveys as an admin makes them: draft, open, close, remove."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user
from flask_wtf.csrf import CSRFError
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import NotFound
from wtforms import Form

from server.editor import live
from server.editor.advice import advice, amount, measure_chosen, of_budget, radius
from server.editor.at_once import lacks_only_a_plan, plan_at_once
from server.editor.draft_page import asked, draft_page, expected, signed_out_page
from server.editor.inapplicable import add_inapplicable
from server.editor.keeping import filled, keep_with_others, stored_standing
from server.editor.languages import languages_of, offered
from server.editor.left import absent, left_over, state_typed, two_versions
from server.editor.lookup import conflict, past_its_end, survey_named
from server.editor.missing import missing, place
from server.editor.picturing import pictured, refuse
from server.editor.preview import composed, publication_previews, total
from server.editor.reading import draft_previews
from server.editor.standing import refused_in_words
from server.editor.starters import marks_left, starters
from server.editor.waves import total_with
from server.editor.wording import hints
from server.forms.arrangement import rearrange
from server.forms.editor import EXPECTED, draft_form
from server.forms.folded import FoldedError, unfolded
from server.forms.panels import CLOSED, panel_of
from server.forms.removal import Removed, removed, removed_before
from server.forms.shape import Misshapen
from server.forms.starting import BlanksForm
from server.language.rounding import rounded_up
from server.services import services
from server.staff.deeds import by_me
from server.staff.guard import ask_to_sign_in, decided, has_to_enter, may, needs, not_from_our_page, only
from server.store import drafts, edits, life, origins, readings, showing, surveys
from server.store.edits import DraftChangedError
from server.store.progress import progress
from server.store.surveys import Survey, SurveyGone, WrongState
from server.web import offload
from server.web.errors import error_page
from survey import direction

blueprint = Blueprint("editor", __name__, url_prefix="/admin")
blueprint.add_app_template_filter(missing)
blueprint.add_app_template_filter(place)
blueprint.add_app_template_filter(panel_of, "panel")
blueprint.add_app_template_global(total)
blueprint.add_app_template_global(of_budget)
blueprint.add_app_template_global(hints)
blueprint.add_app_template_filter(advice)
blueprint.add_app_template_filter(amount)
blueprint.add_app_template_filter(radius)
blueprint.add_app_template_filter(rounded_up)
blueprint.add_app_template_filter(measure_chosen, "measure")
blueprint.register_error_handler(NotFound, absent)


AFTER_SAVING = {"try": "trial.page", "open": "editor.confirm_opening", "plan": "planning.page"}
"""Buttons that save and go on to another page: what is typed is what is tried, planned and opened."""

ENDS = frozenset({"save", "plan-now", *AFTER_SAVING})
"""Buttons that lead to no place of the page: where something is wrong, they lead there."""


@blueprint.before_request
def guard() -> ResponseReturnValue | None:
    """Admit who may. Whoever loses a session, a right or the draft while they write keeps what they wrote."""
    slug = (request.view_args or {}).get("slug")
    writes = request.endpoint == "editor.save" and current_user.is_authenticated
    if writes and decided("edit", slug) == "hidden":
        return None  # the view shows what was typed, and nothing else
    refused = only("edit")()
    if refused is not None and request.endpoint == "editor.save" and has_to_enter():
        return signed_out_page()
    return refused


@blueprint.errorhandler(CSRFError)
def without_token(error: CSRFError) -> ResponseReturnValue:
    """Do nothing that comes without its token, but let nothing be lost that was written by hand."""
    # Only what our own page sends is shown again: another could put words into an admin's form.
    ours = request.headers.get("Sec-Fetch-Site", "same-origin") == "same-origin"
    if not current_user.is_authenticated and request.endpoint == "editor.preview":
        return ask_to_sign_in()
    if request.endpoint == "editor.save" and ours:
        if has_to_enter():
            return signed_out_page()
        slug = (request.view_args or {})["slug"]
        found = services().storage.read(surveys.by_slug, slug) if decided("edit", slug) == "yes" else None
        if found is not None and found.draft is not None:
            try:
                form = draft_form(offered(found.draft))(unfolded(request.form))
            except FoldedError as wrong:
                return not_ours(wrong)
            form.validate()
            return make_response(draft_page(found, form, expired=True, wanted=request.form.get("open")), 400)
    return not_from_our_page(error)


@blueprint.errorhandler(FoldedError)
def not_ours(_error: FoldedError) -> ResponseReturnValue:
    """Refuse a form that our page cannot have written: to read a part of it would lose the rest."""
    return error_page(400, {})


@blueprint.get("")
@needs("create")
def list_surveys() -> ResponseReturnValue:
    """List the surveys that the reader may look at, the latest first; the archive if it is asked for."""
    found = services().storage.read(readings.surveys_in_lists, archived="archived" in request.args)
    rows, away = ([each for each in part if may("look", each[0].id)] for part in found)
    offered_at_first = () if rows or away else offload.compute(starters)
    return render_template(
        "editor/list.html",
        rows=rows,
        lives=services().storage.read(life.of_all),
        away=len(away),
        starters=offered_at_first,
        blanks=BlanksForm(),
    )


@blueprint.get("/surveys/<slug>")
@needs("look")
def survey(slug: str) -> ResponseReturnValue:
    """Show a draft to edit, or a published survey to read."""
    found = survey_named(slug)
    if found.draft is None:
        return published_page(found)
    typed = services().storage.read(edits.find, found.id)
    return draft_page(found, filled(found, typed, str(expected() or EXPECTED)))


@blueprint.post("/surveys/<slug>")
def save(slug: str) -> ResponseReturnValue:
    """Save a draft; adding, moving and removing a question or an option are ways of saving it too."""
    found = services().storage.read(surveys.by_slug, slug) if decided("edit", slug) == "yes" else None
    sent = unfolded(request.form)
    stored = found.draft if found else None
    form_class = draft_form(offered(stored) if stored else languages_of(sent.getlist("languages")))
    data = form_class(sent).data
    action = request.form.get("action", "save")
    anchor, gone = rearranged(data, action, sent, form_class)
    pictured_at, refusal = pictured(found, data["questions"], action)
    anchor = pictured_at or anchor
    form = form_class(data=data)
    if found is None or found.draft is None:
        return left_over(state_typed(form), "frozen" if found else "gone", slug)
    try:
        kept, form, joined = keep_with_others(found, form)
    except Misshapen as refused:
        form.validate()
        return draft_page(found, form, refused=refused_in_words(refused), removed=gone, wanted=anchor), 422
    except (WrongState, SurveyGone) as error:
        return left_over(state_typed(form), "frozen" if isinstance(error, WrongState) else "gone", slug)
    except DraftChangedError:
        return two_versions(found, state_typed(form), form.basis.data or "")
    if form.errors:
        opened = None if action in ENDS else anchor
        return draft_page(kept.survey, form, removed=gone, joined=joined, wanted=opened), 422
    saved = kept.survey
    if refusal is not None:
        refuse(form, pictured_at, refusal)
        return draft_page(saved, form, wanted=pictured_at), 422
    if joined is not None:  # before anything else: what somebody else has written belongs to it now
        again = filled(saved, kept.edits, form.respondents.data)
        return make_response(draft_page(saved, again, removed=gone, joined=joined, wanted=anchor))
    if action == "plan-now":
        plan_for = (request.form.get("plan_total", ""), request.form.get("plan_respondents", ""))
        return redirect(plan_at_once(saved, *plan_for))
    if action in AFTER_SAVING:
        return redirect(url_for(AFTER_SAVING[action], slug=saved.slug, respondents=asked(form)))
    if gone is not None:
        again = filled(saved, kept.edits, form.respondents.data)
        return make_response(draft_page(saved, again, removed=gone, wanted=anchor))
    target = url_for(
        "editor.survey",
        slug=saved.slug,
        saved=1,
        respondents=asked(form),
        shown=request.form.get("shown"),
        open=panel_of(anchor) if anchor else None,
        _anchor=anchor or None,
    )
    return redirect(target)


def rearranged(
    data: dict[str, Any], action: str, sent: MultiDict[str, str], form_class: type[Form]
) -> tuple[str, Removed | None]:
    """Do what the pressed button says; give the place to look at next, and what was removed."""
    sections, questions = data["sections"], data["questions"]
    opened = sent.get("open", "")
    if gone := removed(sections, questions, action):
        return (gone.place if gone.what == "option" else CLOSED), gone
    if action == "undo":
        back = removed_before(sent.get("removed", ""), form_class)
        return (back.restore(sections, questions) if back else opened), None
    if added := add_inapplicable(data, action):
        return added, None
    if action.startswith("show-"):
        return action.removeprefix("show-"), None
    return rearrange(sections, questions, action, data["add_kind"], sent.get("to_place", "")) or opened, None


@blueprint.post("/surveys/<slug>/preview")
def preview(slug: str) -> ResponseReturnValue:
    """Show what the form would mean as it stands; nothing is stored."""
    found = survey_named(slug)
    if found.draft is None:
        return conflict("frozen")
    return live.live_parts(
        unfolded(request.form), request.form.get("changed", "all"), "in_full" in request.form
    )


@blueprint.get("/surveys/<slug>/open")
@needs("open")
def confirm_opening(slug: str) -> ResponseReturnValue:
    """Show what opening would freeze."""
    found = survey_named(slug)
    if found.draft is None:
        return conflict("frozen")
    publication, problems = drafts.ready(services().storage, found)
    typed = services().storage.read(edits.find, found.id)
    stands = stored_standing(found, typed, problems)
    if publication is None or not stands.ready:
        plannable = lacks_only_a_plan(problems) and not stands.faults
        return render_template(
            "editor/open.html",
            survey=found,
            stands=stands,
            basis=edits.basis(found.draft, typed) if plannable else None,
            asked=expected(),
        )
    respondents = expected() or EXPECTED
    return render_template(
        "editor/open.html",
        survey=found,
        publication=publication,
        over_waves=total_with(found),
        previews=offload.compute(draft_previews, found.draft, respondents),
        respondents=respondents,
        warnings=direction.warnings(publication.definition),
        marks=marks_left(publication.definition),
        asked=expected(),
    )


@blueprint.post("/surveys/<slug>/open")
@needs("open")
def open_survey(slug: str) -> ResponseReturnValue:
    """Open a survey, if it still is what was confirmed."""
    found = survey_named(slug)
    held = services().storage.read(life.of, found.id)
    if found.draft is not None and held.over(services().clock().timestamp()):
        return past_its_end()
    try:
        fingerprint = request.form.get("fingerprint", "")
        drafts.open_as_confirmed(services().storage, found.id, fingerprint, current_user.name)
    except DraftChangedError:
        return make_response(confirm_opening(slug), 409)
    except WrongState:
        return conflict("frozen")
    return redirect(url_for("editor.survey", slug=slug, opened=1))


@blueprint.get("/surveys/<slug>/close")
@needs("run")
def confirm_closing(slug: str) -> ResponseReturnValue:
    """Ask before a survey is closed."""
    found = survey_named(slug)
    return conflict("not_open") if found.state != "open" else make_response(closing_page(found))


@blueprint.post("/surveys/<slug>/close")
@needs("run")
def close(slug: str) -> ResponseReturnValue:
    """Close a survey, for good; where that removes its reports at once, only if the page said so."""
    found = survey_named(slug)
    if found.state == "open" and removes_at_once(found) and "removes" not in request.form:
        return make_response(closing_page(found), 409)
    try:
        services().storage.write(by_me(surveys.close_survey, "survey_closed", slug), found.id)
    except WrongState:
        return conflict("not_open")
    services().finisher.start()
    return redirect(url_for("editor.survey", slug=slug))


def closing_page(found: Survey) -> str:
    """Ask before a survey is closed, and say what becomes of its reports."""
    return render_template(
        "editor/close.html",
        survey=found,
        one_of_groups=services().storage.read(origins.one_of_groups, found.id),
        held=services().storage.read(life.of, found.id),
        removes=removes_at_once(found),
    )


def removes_at_once(found: Survey) -> bool:
    """Return whether the day has come on which the reports go, so that they go as soon as it is closed."""
    remove_at = services().storage.read(life.of, found.id).remove_at
    return remove_at is not None and remove_at <= services().clock().timestamp()


@blueprint.get("/surveys/<slug>/delete")
@needs("delete")
def confirm_deletion(slug: str) -> ResponseReturnValue:
    """Ask for the survey's name before it goes."""
    return render_template("editor/delete.html", survey=survey_named(slug))


@blueprint.post("/surveys/<slug>/delete")
@needs("delete")
def delete(slug: str) -> ResponseReturnValue:
    """Remove a whole survey, if its name was typed."""
    found = survey_named(slug)
    written = request.form.get("slug", "").strip()
    if written != found.slug:
        return render_template("editor/delete.html", survey=found, written=written, wrong=True), 422
    services().storage.write(by_me(surveys.delete_survey, "survey_deleted", slug), found.id)
    services().finisher.start()
    return redirect(url_for("editor.list_surveys"))


def published_page(found: Survey) -> str:
    """Show a published survey: nothing in it can change any more."""
    publication = found.publication
    return render_template(
        "editor/published.html",
        survey=found,
        publication=publication,
        definition=publication.definition if publication else None,
        previews=offload.compute(publication_previews, publication) if publication else [],
        composed=offload.compute(composed, publication) if publication else None,
        over_waves=total_with(found),
        results=services().storage.read(showing.results, found),
        held=services().storage.read(life.of, found.id),
        progress=services().storage.read(progress, found, services().today),
        address=url_for("respond.page", slug=found.slug, _external=True),
        opened="opened" in request.args,
    )
