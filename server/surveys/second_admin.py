"""The page on which an admin confirms or declines what another has proposed for a survey."""

from __future__ import annotations

from functools import partial

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user
from werkzeug.exceptions import Forbidden, NotFound

from server.runtime import offload
from server.services import services
from server.staff.guard import may, needs, only
from server.staff.survey_lookup import conflict, past_its_end, survey_named
from server.store.drafts import DraftChangedError
from server.store.lifecycle import (
    confirmations,
    deletion,
    legal_hold,
    life,
    opening,
    opening_reasons,
    proposals,
)
from server.store.lifecycle.confirmations import OwnProposal
from server.store.lifecycle.legal_hold import OnHold
from server.store.lifecycle.opening import PastItsEnd
from server.store.lifecycle.proposals import ProposalGone, SecondAdminNeeded
from server.store.surveys import Survey, WrongState
from survey.fields import DefinitionError

blueprint = Blueprint("proposals", __name__, url_prefix="/admin/surveys/<slug>/proposals")
blueprint.before_request(only("look"))


@blueprint.get("")
def show(slug: str) -> ResponseReturnValue:
    """Show what is proposed for a survey, by whom, and what exactly it is about."""
    return offload.draw(page, survey_named(slug))


def page(survey: Survey) -> str:
    """Render what is proposed, with what a draft would be by now."""
    storage, now = services().storage, services().clock().timestamp()
    held = storage.read(life.of, survey.id)
    publication = survey.publication or opening.ready(storage, survey, held, now)[0]
    proposed = storage.read(proposals.of_survey, survey.id, now)
    return render_template(
        "surveys/proposals.html",
        survey=survey,
        proposals=proposed,
        first={each.what for each in proposed if not storage.read(confirmations.is_of_admin, each)},
        held=held,
        hold=storage.read(legal_hold.of, survey.id),
        publication=publication,
        fingerprint=publication.fingerprint if publication else None,
        reason=storage.read(opening_reasons.of, survey.slug),
    )


@blueprint.post("/<what>/confirm")
@needs("oversee")
def confirm(slug: str, what: str) -> ResponseReturnValue:
    """Confirm a proposal, and carry it out unless a date does that."""
    survey, subject = survey_named(slug), request.form.get("subject", "")
    try:
        if not carry_out(survey, what, subject, request.form.get("made", type=int)):
            return redirect(url_for("proposals.show", slug=slug))
    except PastItsEnd:
        return past_its_end()
    except OnHold:
        return redirect(url_for("lifecycle.confirm_deletion", slug=slug))
    except OwnProposal:
        return conflict("own_proposal")
    except (ProposalGone, SecondAdminNeeded, DraftChangedError, DefinitionError, WrongState):
        return conflict("proposal")
    services().scheduler.look()
    if what == "delete":
        services().finisher.start()
        return redirect(url_for("surveys.list_surveys"))
    opened = what == "open" and survey_named(slug).state == "open"
    return redirect(url_for("surveys.show", slug=slug, opened=1 if opened else None))


def carry_out(survey: Survey, what: str, subject: str, made: int | None) -> bool:
    """Confirm a proposal and do at once what no date will do; return whether it was confirmed.

    One that is of no admin is taken on instead.

    Raises
    ------
    ProposalGone, OwnProposal, SecondAdminNeeded, DraftChangedError, WrongState, PastItsEnd, OnHold
        If it cannot be confirmed, or not be done.
    """
    storage, now, me = services().storage, services().clock().timestamp(), current_user.account
    held = storage.read(life.of, survey.id)
    if storage.write(confirmations.take_on, survey.id, what, subject, me.id, now):
        return False
    if what == "delete":
        storage.write(deletion.confirm, survey.id, subject, me, now)
    elif what == "open" and held.opens_as != subject:
        consent = partial(
            confirmations.confirm,
            survey_id=survey.id,
            what=what,
            subject=subject,
            account_id=me.id,
            now=now,
            made=made,
        )
        opening.open_as_confirmed(storage, survey.id, subject, me.name, now, consent=consent)
    else:
        storage.write(confirmations.confirm, survey.id, what, subject, me.id, now, made)
    return True


@blueprint.post("/<what>/decline")
def decline(slug: str, what: str) -> ResponseReturnValue:
    """Decline a proposal, or take one's own back."""
    survey, now = survey_named(slug), services().clock().timestamp()
    held = services().storage.read(proposals.of_survey, survey.id, now)
    proposal = next((each for each in held if each.what == what), None)
    if proposal is None:
        raise NotFound
    if proposal.account_id != current_user.account.id and not may("oversee", survey.id):
        raise Forbidden
    try:
        subject = request.form.get("subject", "")
        services().storage.write(confirmations.decline, survey.id, what, subject, current_user.name, now)
    except ProposalGone:
        return make_response(conflict("proposal"))
    return redirect(url_for("surveys.show", slug=slug))
