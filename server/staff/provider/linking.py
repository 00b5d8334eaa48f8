"""The page on which somebody lets a provider sign them in from now on, in place of their password."""

from __future__ import annotations

from flask import Blueprint, render_template, request, session
from flask.typing import ResponseReturnValue
from flask_login import current_user
from werkzeug.exceptions import NotFound

from server.forms.account import PresentForm
from server.runtime import offload
from server.services import services
from server.staff.backoff import Attempt
from server.staff.guard import only
from server.staff.sign_in import LINKING
from server.store.staff import accounts

blueprint = Blueprint("linking", __name__, url_prefix="/account/link")
blueprint.before_request(only("enter"))


@blueprint.get("")
def page() -> ResponseReturnValue:
    """Ask for the present password: a session alone must not be enough."""
    need_a_password()
    return render_template("staff/linking.html", form=PresentForm())


@blueprint.post("")
def check() -> ResponseReturnValue:
    """Lead whoever knows the password to the provider."""
    need_a_password()
    rules = services().config.sign_in
    chosen = next((each for each in rules.providers if each.name == request.form.get("provider")), None)
    if chosen is None:
        raise NotFound
    form, moment = PresentForm(request.form), services().clock().timestamp()
    guess = Attempt(f"password {current_user.account.id}")
    wait = guess.begin(moment)
    if wait:
        page = render_template("staff/linking.html", form=form, wait=wait)
        return page, 429, {"Retry-After": str(wait)}
    if not offload.run_gently(accounts.password_matches, current_user.account, form.present.data or ""):
        return render_template("staff/linking.html", form=form, refused=True), 422
    guess.succeeded(moment)
    session[LINKING] = [current_user.account.id, int(moment)]
    return render_template("staff/linking.html", ready=chosen)


def need_a_password() -> None:
    """Answer 404 to whom a provider signs in already, and to the account that must do without one."""
    rules = services().config.sign_in
    if not rules.providers or current_user.provider or rules.is_break_glass(current_user.name):
        raise NotFound
