"""The pages of one's own API tokens: make one, see it once, revoke it."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user
from werkzeug.exceptions import NotFound

from server.forms.account import TokenForm
from server.forms.faults import Fault
from server.runtime import offload
from server.services import services
from server.staff.audit_trail import by_me
from server.staff.backoff import Attempt
from server.staff.guard import may, only
from server.store import surveys
from server.store.staff import accounts, sessions, tokens
from server.store.surveys import Survey

blueprint = Blueprint("tokens", __name__, url_prefix="/account/tokens")
blueprint.before_request(only("enter"))

FRESH_SECONDS = 600
"""Seconds after a sign-in with a provider in which tokens can be made."""


@blueprint.get("")
def tokens_page() -> ResponseReturnValue:
    """List one's tokens."""
    return tokens_as_stored(TokenForm())


@blueprint.post("")
def make() -> ResponseReturnValue:
    """Make a token, and show it this once.

    It needs the present password, or that a provider was asked a moment ago: a stolen session ends within a
    day, and a token made with it would not.
    """
    form = TokenForm(request.form)
    fits = form.validate() and check_token(form)
    moment = services().clock().timestamp()
    if current_user.provider is not None:
        if asks_provider():
            return tokens_as_stored(form), 422
    else:
        guess = Attempt(f"password {current_user.account.id}")
        wait = guess.begin(moment)
        if wait:
            return tokens_as_stored(form, wait=wait), 429, {"Retry-After": str(wait)}
        if not offload.run_gently(accounts.password_matches, current_user.account, form.present.data or ""):
            return tokens_as_stored(form, refused=True), 422
        guess.succeeded(moment)
    if not fits:
        return tokens_as_stored(form), 422
    chosen = {survey.id for survey in surveys_to_cover() if survey.slug in form.surveys.data}
    try:
        secret = services().storage.write(
            by_me(tokens.create, "token_made", about=form.name.data),
            current_user.account.id,
            form.name.data,
            form.access.data == "write",
            chosen if form.scope.data == "chosen" else None,
            form.expires.data or None,
        )
    except tokens.TooManyTokens:
        return tokens_as_stored(form, full=tokens.MOST_TOKENS), 409
    return tokens_as_stored(TokenForm(), issued=(form.name.data, secret))


@blueprint.post("/<int:token_id>/revoke")
def revoke(token_id: int) -> ResponseReturnValue:
    """Revoke a token."""
    mine = services().storage.read(tokens.of_account, current_user.account.id)
    name = next((each.name for each in mine if each.id == token_id), None)
    if name is None:
        raise NotFound
    revoke = by_me(tokens.revoke, "token_revoked", about=name)
    services().storage.write(revoke, current_user.account.id, token_id)
    return redirect(url_for("tokens.tokens_page"))


def asks_provider() -> bool:
    """Return whether a provider has to make sure first that it is they who ask."""
    if current_user.provider is None:
        return False
    begun = services().storage.read(sessions.begun_at, current_user.token)
    return services().clock().timestamp() - begun > FRESH_SECONDS


def check_token(form: TokenForm) -> bool:
    """Check what depends on who asks and when."""
    if form.access.data == "write" and not may("create"):
        form.access.errors = [Fault("account.error.token_role", {})]
    known = {survey.slug for survey in surveys_to_cover()}
    unknown = [slug for slug in form.surveys.data if slug not in known]
    if form.scope.data == "chosen" and unknown:
        form.scope.errors = [Fault("account.error.token_survey", {"value": unknown[0][:80]})]
    if form.expires.data and form.expires.data < services().today:
        form.expires.errors = [
            Fault("account.error.token_past", {"today": services().today, "value": form.expires.data})
        ]
    return not (form.access.errors or form.scope.errors or form.expires.errors)


def surveys_to_cover() -> list[Survey]:
    """Return the surveys that a token of whoever is signed in can cover, the latest first."""
    stored = services().storage.read(surveys.all_surveys)
    return [survey for survey in reversed(stored) if may("read" if survey.publication else "look", survey.id)]


def tokens_as_stored(form: TokenForm, **more: object) -> str:
    """Render one's tokens, with the form for another one."""
    surveys_seen, mine = (
        surveys_to_cover(),
        services().storage.read(tokens.of_account, current_user.account.id),
    )
    return render_template(
        "staff/tokens.html",
        form=form,
        tokens=mine,
        surveys=surveys_seen,
        scopes={each.id: [survey.slug for survey in surveys_seen if each.covers(survey.id)] for each in mine},
        today=services().today,
        asks_provider=asks_provider(),
        **more,
    )
