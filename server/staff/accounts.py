"""The pages on which staff sign in and out, and change their own password."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from flask import Blueprint, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user, logout_user
from werkzeug.exceptions import NotFound

from server.forms.account import PasswordForm, SignInForm
from server.runtime import offload
from server.services import services
from server.staff.audit_trail import by_me
from server.staff.backoff import FREE_FOR_A_NAME, Attempt, sign_in_attempt
from server.staff.guard import before_body, only
from server.staff.redirect_target import requested_page
from server.staff.sign_in import begin_session, home, proceed
from server.store.staff import accounts, audit, identities, second_factor, sessions
from server.store.staff.accounts import Account, AccountGone

blueprint = Blueprint("accounts", __name__)


ENTERING = only("enter")


@blueprint.before_request
@before_body
def need_an_account_beyond_login() -> ResponseReturnValue | None:
    """Admit everybody to the login page, and only signed-in staff to the rest."""
    return None if request.endpoint in ("accounts.login", "accounts.enter") else ENTERING()


@blueprint.get("/login")
def login() -> ResponseReturnValue:
    """Show the login page."""
    target = requested_page()
    if current_user.is_authenticated:
        return redirect(target or home(current_user.role))
    return login_page(SignInForm(), target)


@blueprint.post("/login")
def enter() -> ResponseReturnValue:
    """Sign somebody in whose name and password fit."""
    target = requested_page()
    if current_user.is_authenticated:
        return redirect(target or home(current_user.role))
    form = SignInForm(request.form)
    moment = services().clock().timestamp()
    guess = sign_in_attempt(form.name.data, request.remote_addr or "")
    wait = guess.begin(moment)
    if wait:
        page = login_page(form, target, error="wait", seconds=wait)
        return page, 429, {"Retry-After": str(wait)}
    account = services().storage.read(accounts.by_name, form.name.data)
    # The same page and the same work whether or not the name exists.
    matches = offload.run_gently(accounts.password_matches, account, form.password.data or "")
    rules = services().config.sign_in
    if account is None or not matches or not services().storage.read(identities.has_password, account, rules):
        return login_page(form, target, error="refused"), 403
    wrong = guess.wrong_before(moment)
    guess.succeeded(moment)
    if wrong >= FREE_FOR_A_NAME:  # a line for each of them would let strangers fill the log
        services().storage.write(audit.note, account.name, "password_after_wrong_ones", about=str(wrong))
    try:
        return proceed(account, moment, target)
    except AccountGone:
        return login_page(form, target, error="refused"), 403


def login_page(form: SignInForm, target: str | None, **more: Any) -> str:
    """Render the login page; the page to go to afterwards stands in the addresses that lead to providers."""
    return render_template("staff/login.html", form=form, target=target, **more)


@blueprint.post("/logout")
def logout() -> ResponseReturnValue:
    """End the session on the server, so that a copy of its cookie opens nothing."""
    services().storage.write(by_me(sessions.end, "signed_out"), current_user.token)
    logout_user()
    session.clear()
    return redirect(url_for("accounts.login"))


@blueprint.get("/account")
def account() -> ResponseReturnValue:
    """Show one's own account."""
    return account_page(form=PasswordForm(), changed="changed" in request.args)


@blueprint.post("/account")
def change_password() -> ResponseReturnValue:
    """Change one's own password, which ends one's other sessions."""
    form = PasswordForm(request.form)
    mine: Account = current_user.account
    fits = form.validate()
    moment = services().clock().timestamp()
    guess = Attempt(f"password {mine.id}")
    wait = guess.begin(moment)
    if wait:
        return account_page(form=form, wait=wait), 429, {"Retry-After": str(wait)}
    if not offload.run_gently(accounts.password_matches, mine, form.present.data or ""):
        return account_page(form=form, refused=True), 422
    guess.succeeded(moment)
    if not fits:
        return account_page(form=form), 422
    password_hash = offload.run_gently(accounts.hash_password, form.password.data)
    try:
        services().storage.write(
            by_me(accounts.set_password_hash, "password_changed"), mine.id, password_hash
        )
        begin_session(mine, moment)
    except AccountGone:
        return redirect(url_for("accounts.login"))
    return redirect(url_for("accounts.account", changed=1))


def account_page(form: PasswordForm, **more: Any) -> str:
    """Render one's own account with its open sessions."""
    now = services().clock().timestamp()
    return render_template(
        "staff/account.html",
        form=form,
        has_factor=services().storage.read(second_factor.is_on, current_user.account.id),
        sessions=services().storage.read(sessions.of_account, current_user.account.id, now),
        present=sessions.key_of(current_user.token),
        moment=moment_text,
        **more,
    )


def moment_text(seconds: int) -> str:
    """Write a moment to the minute, in UTC."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M}"


@blueprint.post("/account/sessions/<key>/end")
def end_session(key: str) -> ResponseReturnValue:
    """End one of one's own sessions, such as one left open on a shared computer."""
    mine = current_user.account
    end = by_me(sessions.end_named, "session_ended")
    if not key.isascii() or not key.isalnum():
        raise NotFound
    try:
        services().storage.write(end, mine.id, key)
    except sessions.SessionGone:
        raise NotFound from None
    return redirect(url_for("accounts.account"))


@blueprint.post("/account/sessions/end")
def end_sessions() -> ResponseReturnValue:
    """Sign out everywhere, here too."""
    services().storage.write(by_me(sessions.end_all, "signed_out_everywhere"), current_user.account.id)
    logout_user()
    session.clear()
    return redirect(url_for("accounts.login"))
