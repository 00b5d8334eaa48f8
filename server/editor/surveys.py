"""Surveys as staff write them: the list, a draft, what it means, and what was published."""

from __future__ import annotations

from typing import Any

from flask import make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict
from wtforms import Form

from server.editor import live
from server.editor.at_once import plan_at_once
from server.editor.draft_page import asked, draft_page, expected
from server.editor.entrance import blueprint
from server.editor.inapplicable import add_inapplicable
from server.editor.keeping import filled, keep_with_others
from server.editor.languages import languages_of, offered
from server.editor.left import left_over, state_typed, two_versions
from server.editor.lookup import conflict, survey_named
from server.editor.picturing import pictured, refuse
from server.editor.preview import composed, publication_previews
from server.editor.standing import refused_in_words
from server.editor.starters import starters
from server.editor.waves import total_with
from server.forms.arrangement import rearrange
from server.forms.editor import EXPECTED, draft_form
from server.forms.folded import unfolded
from server.forms.panels import CLOSED, panel_of
from server.forms.removal import Removed, removed, removed_before
from server.forms.shape import Misshapen
from server.forms.starting import BlanksForm
from server.runtime import offload
from server.services import services
from server.staff.guard import decided, may, needs
from server.store import edits, surveys
from server.store.edits import DraftChangedError
from server.store.lifecycle import life
from server.store.results import survey_results, visible_results
from server.store.results.progress import progress
from server.store.surveys import Survey, SurveyGone, WrongState

AFTER_SAVING = {"try": "trial.page", "open": "editor.confirm_opening", "plan": "planning.page"}
"""Buttons that save and go on to another page: what is typed is what is tried, planned and opened."""

ENDS = frozenset({"save", "plan-now", *AFTER_SAVING})
"""Buttons that lead to no place of the page: where something is wrong, they lead there."""


@blueprint.get("")
@needs("create")
def list_surveys() -> ResponseReturnValue:
    """List the surveys that the reader may look at, the latest first; the archive if it is asked for."""
    found = services().storage.read(survey_results.surveys_in_lists, archived="archived" in request.args)
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
        results=services().storage.read(visible_results.results, found),
        held=services().storage.read(life.of, found.id),
        progress=services().storage.read(progress, found, services().today),
        address=url_for("respond.page", slug=found.slug, _external=True),
        opened="opened" in request.args,
    )
