"""Opening, closing and deleting a survey. Each asks first, and says what comes of it."""

from __future__ import annotations

from functools import partial

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user

from server.drafts.draft_problems import draft_problems, overstatements
from server.drafts.draft_reading import draft_previews
from server.runtime import offload
from server.services import services
from server.staff.audit_trail import by_me
from server.staff.guard import needs, only
from server.staff.progress_page import answer_after, search_and_tell
from server.staff.survey_lookup import conflict, past_its_end, survey_named
from server.store import origins, surveys
from server.store.drafts import DraftChangedError
from server.store.lifecycle import dated_proposals, deletion, legal_hold, life, opening, opening_reasons
from server.store.lifecycle.legal_hold import OnHold
from server.store.lifecycle.opening import PastItsEnd
from server.store.staff import second_admin
from server.store.surveys import Survey, WrongState
from server.surveys.waves import total_with
from survey import text_direction
from survey.draft import expected_of
from survey.fields import DefinitionError
from survey.plan.linking_cost import dearer_links
from survey.privacy import Guess
from survey.privacy.limits import LONGEST_REASON
from survey.publication import Publication

blueprint = Blueprint("lifecycle", __name__, url_prefix="/admin")
blueprint.before_request(only("edit"))


@blueprint.get("/surveys/<slug>/open")
@needs("open")
def confirm_opening(slug: str) -> ResponseReturnValue:
    """Show what opening would freeze."""
    survey = survey_named(slug)
    return answer_after(
        partial(search_and_tell, lambda: survey.checked), partial(offload.draw, opening_page, slug)
    )


def opening_page(slug: str, reason: str | None = None, unconfirmed: bool = False) -> ResponseReturnValue:
    """Show what opening would freeze; with what was typed or not ticked, where that will not do."""
    survey = survey_named(slug)
    if survey.document is None:
        return conflict("frozen")
    problems = draft_problems(survey)
    if problems.publication is None:
        return render_template("surveys/open.html", survey=survey, problems=problems)
    return render_template(
        "surveys/open.html",
        survey=survey,
        publication=problems.publication,
        over_waves=total_with(survey),
        previews=offload.compute(draft_previews, survey.document),
        respondents=expected_of(survey.document),
        warnings=text_direction.warnings(problems.publication.definition),
        little=offload.compute(weak_figures, problems.publication),
        reason=reason,
        dearer=offload.compute(dearer_links, problems.publication.definition.sections),
        unconfirmed=unconfirmed,
        overstated=overstatements(survey),
        longest_reason=LONGEST_REASON,
        needs_two=services().storage.read(second_admin.is_required),
        held=services().storage.read(life.of, survey.id),
    )


def weak_figures(publication: Publication) -> Guess | None:
    """Return both figures of a survey that protects little, None of any other."""
    return opening_reasons.figures(publication) if opening_reasons.little(publication) else None


def links_dearly(survey: Survey) -> bool:
    """Return whether linking takes more people somewhere in a draft than asking apart would."""
    publication = offload.compute(lambda: survey.complete)
    return bool(publication and offload.compute(dearer_links, publication.definition.sections))


@blueprint.post("/surveys/<slug>/open")
@needs("open")
def open_survey(slug: str) -> ResponseReturnValue:
    """Open a survey, if it still is what was confirmed."""
    survey = survey_named(slug)
    fingerprint, reason = request.form.get("fingerprint", ""), request.form.get("reason", "")
    now = services().clock().timestamp()
    if "linking" not in request.form and links_dearly(survey):
        return make_response(opening_page(slug, unconfirmed=True), 422)
    try:
        opened = opening.open_or_propose(
            services().storage, survey.id, fingerprint, current_user.account, now, reason
        )
    except PastItsEnd:
        return past_its_end()
    except DraftChangedError:
        return make_response(offload.draw(opening_page, slug), 409)
    except DefinitionError:
        return make_response(offload.draw(opening_page, slug, reason), 422)
    except WrongState:
        return conflict("frozen")
    if opened is None:
        return redirect(url_for("proposals.show", slug=slug))
    return redirect(url_for("surveys.show", slug=slug, opened=1))


@blueprint.get("/surveys/<slug>/close")
@needs("run")
def confirm_closing(slug: str) -> ResponseReturnValue:
    """Ask before a survey is closed."""
    survey = survey_named(slug)
    return conflict("not_open") if survey.state != "open" else make_response(closing_page(survey))


@blueprint.post("/surveys/<slug>/close")
@needs("run")
def close(slug: str) -> ResponseReturnValue:
    """Close a survey, for good; where that removes its reports at once, only if the page said so."""
    survey = survey_named(slug)
    if survey.state == "open" and removes_at_once(survey) and "removes" not in request.form:
        return make_response(closing_page(survey), 409)
    try:
        services().storage.write(by_me(surveys.close_survey, "survey_closed", slug), survey.id)
    except WrongState:
        return conflict("not_open")
    services().finisher.start()
    return redirect(url_for("surveys.show", slug=slug))


def closing_page(survey: Survey) -> str:
    """Ask before a survey is closed, and say what becomes of its reports."""
    return render_template(
        "surveys/close.html",
        survey=survey,
        one_of_groups=services().storage.read(origins.one_of_groups, survey.id),
        held=services().storage.read(life.of, survey.id),
        removes=removes_at_once(survey),
    )


def removes_at_once(survey: Survey) -> bool:
    """Return whether the reports go as soon as the survey is closed: their day has come, without a hold."""
    storage = services().storage
    remove_at = storage.read(life.of, survey.id).remove_at
    if remove_at is None or remove_at > services().clock().timestamp():
        return False
    held = storage.read(legal_hold.of, survey.id) is not None
    return not held and "remove" not in storage.read(dated_proposals.unconfirmed, survey.id)


@blueprint.get("/surveys/<slug>/delete")
@needs("delete")
def confirm_deletion(slug: str) -> ResponseReturnValue:
    """Ask for the survey's name before it goes, or say what keeps it."""
    return deletion_page(survey_named(slug))


@blueprint.post("/surveys/<slug>/delete")
@needs("delete")
def delete(slug: str) -> ResponseReturnValue:
    """Remove a whole survey, if its name was typed."""
    survey = survey_named(slug)
    written = request.form.get("slug", "").strip()
    if written != survey.slug:
        return deletion_page(survey, written=written, wrong=True), 422
    now = services().clock().timestamp()
    try:
        deleted = deletion.delete_or_propose(services().storage, survey.id, current_user.account, now)
    except OnHold:
        return deletion_page(survey), 409
    if not deleted:
        return redirect(url_for("proposals.show", slug=slug))
    services().finisher.start()
    return redirect(url_for("surveys.list_surveys"))


def deletion_page(survey: Survey, **more: object) -> str:
    """Ask before a survey is deleted, unless a legal hold keeps it."""
    storage = services().storage
    hold, held = storage.read(legal_hold.of, survey.id), storage.read(life.of, survey.id)
    needs_two = storage.read(second_admin.is_required)
    return render_template(
        "surveys/delete.html", survey=survey, hold=hold, held=held, needs_two=needs_two, **more
    )
