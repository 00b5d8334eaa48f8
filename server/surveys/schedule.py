"""The page on which staff set when a survey opens and closes, pause it, put it away, or hold what it has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user
from werkzeug.exceptions import BadRequest

from server.forms.life import LifeForm, Now
from server.forms.texts import one_line
from server.language.moments import local, moment, zones
from server.runtime import offload
from server.services import services
from server.staff.audit_trail import by_me
from server.staff.guard import needs, only
from server.staff.survey_lookup import conflict, contents, survey_named
from server.store import surveys
from server.store.engine import Connection
from server.store.lifecycle import (
    dated_proposals,
    legal_hold,
    life,
    opening,
    opening_reasons,
    proposals,
    retention,
)
from server.store.lifecycle.legal_hold import LegalHold, NothingToHold, OnHoldAlready
from server.store.lifecycle.life import EndedAlready, Life, QuotaLowered, Schedule
from server.store.staff.accounts import Account
from server.store.surveys import State, Survey, WrongState
from survey.fields import as_date
from survey.plan.linking_cost import dearer_links
from survey.privacy.limits import LONGEST_REASON

blueprint = Blueprint("schedule", __name__, url_prefix="/admin")
blueprint.before_request(only("run"))
blueprint.add_app_template_filter(moment)

DEEDS: Mapping[str, tuple[Callable[[Connection, int], None], str, State | None]] = {
    "pause": (life.pause, "survey_paused", "open"),
    "resume": (life.resume, "survey_resumed", "open"),
    "archive": (partial(life.archive, archived=True), "survey_archived", None),
    "restore": (partial(life.archive, archived=False), "survey_restored", None),
}
"""Button -> what it does, how the audit log calls it, and the state that it needs."""


@blueprint.get("/surveys/<slug>/life")
def page(slug: str) -> ResponseReturnValue:
    """Show what is set and what has happened."""
    services().scheduler.look()
    survey = survey_named(slug)
    return shown(survey, form_of(survey))


@blueprint.post("/surveys/<slug>/life")
def change(slug: str) -> ResponseReturnValue:
    """Set dates and a quota, or do what another button of the page says."""
    services().scheduler.look()
    survey = survey_named(slug)
    action = request.form.get("action", "save")
    if action in DEEDS:
        return done(survey, action)
    if action != "save":
        raise BadRequest
    form = form_of(survey, typed=True)
    if not form.validate():
        return make_response(shown(survey, form), 422)
    now = services().clock().timestamp()
    planned = partial(
        plan_for_reason, wanted=form.plan(), now=now, who=current_user.account, reason=reason_of(form)
    )
    try:
        services().storage.write(by_me(in_state, "survey_planned", survey.slug), survey.id, None, planned)
    except (QuotaLowered, EndedAlready):  # another admin was quicker
        return conflict("frozen")
    services().scheduler.wake()
    return redirect(url_for("schedule.page", slug=slug, saved=1))


def reason_of(form: LifeForm) -> str:
    """Return the reason that a date to open needs; nothing where it needs none."""
    needs_one = form.now.little and form.now.state == "draft" and form.opens.data
    return str(form.reason.data) if needs_one else ""


def plan_for_reason(
    db: Connection, survey_id: int, wanted: Schedule, now: float, who: Account, reason: str
) -> None:
    """Set what was chosen, note the reason for it, and propose what needs a second admin."""
    if reason:
        opening_reasons.note(db, who.name, surveys.get(db, survey_id).slug, reason)
    dated_proposals.schedule(db, survey_id, wanted, who.id, now)


def done(survey: Survey, action: str) -> ResponseReturnValue:
    """Do what a button says, if the survey's state allows it."""
    deed, what, state = DEEDS[action]
    try:
        services().storage.write(by_me(in_state, what, survey.slug), survey.id, state, deed)
    except WrongState:
        return conflict("not_open")
    return redirect(url_for("schedule.page", slug=survey.slug))


@blueprint.post("/surveys/<slug>/hold")
@needs("oversee")
def hold(slug: str) -> ResponseReturnValue:
    """Set a legal hold on a survey for the reason that was typed."""
    survey, reason = survey_named(slug), one_line(request.form.get("reason"))
    if not 0 < len(reason) <= LONGEST_REASON:
        return make_response(shown(survey, form_of(survey), reason=reason), 422)
    wanted = LegalHold(current_user.name, int(services().clock().timestamp()), reason)
    try:
        services().storage.write(by_me(legal_hold.put, "hold_set", slug, reason), survey.id, wanted)
    except (NothingToHold, OnHoldAlready):
        return conflict("hold")
    return redirect(url_for("schedule.page", slug=slug, _anchor="hold"))


@blueprint.post("/surveys/<slug>/hold/lift")
@needs("oversee")
def lift(slug: str) -> ResponseReturnValue:
    """Lift the legal hold of a survey; what it kept past its day goes now."""
    survey = survey_named(slug)
    try:
        services().storage.write(by_me(legal_hold.lift, "hold_lifted", slug), survey.id)
    except NothingToHold:
        return conflict("hold")
    services().scheduler.wake()
    return redirect(url_for("schedule.page", slug=slug, _anchor="hold"))


def in_state(
    db: Connection, survey_id: int, state: State | None, deed: Callable[[Connection, int], None]
) -> None:
    """Do something to a survey in a state, or in any.

    Raises
    ------
    SurveyGone, WrongState
    """
    survey = surveys.get(db, survey_id)
    if state is not None:
        surveys.require(survey, state, f"only a survey that is {state}")
    deed(db, survey_id)


def form_of(survey: Survey, typed: bool = False) -> LifeForm:
    """Make the form of a survey: with what is stored, or with what was typed."""
    held, now = services().storage.read(life.of, survey.id), services().clock().timestamp()
    publication = None
    if survey.document is not None:
        undated = replace(held, closes_at=None)  # the form may hold another date, and checks it itself
        publication = opening.ready(services().storage, survey, undated, now)[0]
    fingerprint = publication.fingerprint if publication else None
    form = LifeForm(request.form) if typed else LifeForm(data=stored(held, fingerprint))
    little = publication is not None and offload.compute(opening_reasons.little, publication)
    dearer = offload.compute(dearer_links, publication.definition.sections) if publication else ()
    kept_until = as_date(str(contents(survey).get("kept_until")))
    form.now = Now(int(now), survey.state, held, fingerprint, little, dearer, kept_until)
    return form


def stored(held: Life, fingerprint: str | None) -> dict[str, str]:
    """Write what is stored as the form's fields hold it."""
    return {
        "zone": held.zone,
        "opens": local(held.opens_at, held.zone),
        "closes": local(held.closes_at, held.zone),
        "quota": str(held.quota or ""),
        "remove": local(held.remove_at, held.zone),
        "fingerprint": fingerprint or "",
    }


def shown(survey: Survey, form: LifeForm, reason: str | None = None) -> str:
    """Render the page; with the reason for a legal hold that was typed, where that will not do."""
    return render_template(
        "surveys/life.html",
        survey=survey,
        form=form,
        held=form.now.held,
        fingerprint=form.now.fingerprint,
        little=form.now.little,
        dearer=form.now.dearer,
        zones=sorted(zones()),
        saved="saved" in request.args,
        kept_until=form.now.kept_until,
        over=retention.is_over(survey, form.now.held, services().clock().date()),
        hold=services().storage.read(legal_hold.of, survey.id),
        unconfirmed=services().storage.read(dated_proposals.unconfirmed, survey.id),
        proposals=services().storage.read(proposals.of_survey, survey.id, form.now.instant),
        reason=reason,
        longest_reason=LONGEST_REASON,
    )
