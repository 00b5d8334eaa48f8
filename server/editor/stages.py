"""What ends a stage of a survey: opening, closing, deleting. Each asks first, and says what comes of it."""

from __future__ import annotations

from flask import make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user

from server.editor.at_once import lacks_only_a_plan
from server.editor.draft_page import expected
from server.editor.entrance import blueprint
from server.editor.keeping import stored_standing
from server.editor.lookup import conflict, past_its_end, survey_named
from server.editor.overstatements import overstatements
from server.editor.reading import draft_previews
from server.editor.waves import total_with
from server.forms.editor import EXPECTED
from server.runtime import offload
from server.services import services
from server.staff.audit_trail import by_me
from server.staff.guard import needs
from server.store import drafts, edits, origins, surveys
from server.store.drafts import PastItsEnd
from server.store.edits import DraftChangedError
from server.store.lifecycle import life, opening_reasons
from server.store.surveys import Survey, WrongState
from survey import text_direction
from survey.fields import DefinitionError
from survey.privacy import Guess
from survey.privacy.limits import LONGEST_REASON
from survey.publication import Publication


@blueprint.get("/surveys/<slug>/open")
@needs("open")
def confirm_opening(slug: str) -> ResponseReturnValue:
    """Show what opening would freeze."""
    return opening_page(slug)


def opening_page(slug: str, reason: str | None = None) -> ResponseReturnValue:
    """Show what opening would freeze; with what was typed as the reason, where that will not do."""
    found = survey_named(slug)
    if found.draft is None:
        return conflict("frozen")
    held = services().storage.read(life.of, found.id)
    publication, problems = drafts.ready(services().storage, found, held, services().clock().timestamp())
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
        warnings=text_direction.warnings(publication.definition),
        little=offload.compute(weak_figures, publication),
        reason=reason,
        overstated=list(overstatements(found.draft)),
        longest_reason=LONGEST_REASON,
        asked=expected(),
    )


def weak_figures(publication: Publication) -> Guess | None:
    """Return both figures of a survey that protects little, None of any other."""
    return opening_reasons.figures(publication) if opening_reasons.little(publication) else None


@blueprint.post("/surveys/<slug>/open")
@needs("open")
def open_survey(slug: str) -> ResponseReturnValue:
    """Open a survey, if it still is what was confirmed."""
    found = survey_named(slug)
    fingerprint, reason = request.form.get("fingerprint", ""), request.form.get("reason", "")
    now = services().clock().timestamp()
    try:
        drafts.open_as_confirmed(services().storage, found.id, fingerprint, current_user.name, now, reason)
    except PastItsEnd:
        return past_its_end()
    except DraftChangedError:
        return make_response(opening_page(slug), 409)
    except DefinitionError:
        return make_response(opening_page(slug, reason), 422)
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
