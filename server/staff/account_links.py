"""The pages behind links that admins make: for a new account, or for a new password. Both are public."""

from __future__ import annotations

import re

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from server.forms.account import JoinForm, ResetForm
from server.forms.faults import fault
from server.providers import SignInRules
from server.runtime import offload
from server.services import services
from server.staff.sign_in import proceed
from server.store.engine import Connection
from server.store.staff import accounts, audit, identities, links
from server.store.staff.accounts import Account, AccountError, AccountGone
from server.store.staff.links import Link, LinkGone

blueprint = Blueprint("joining", __name__)

TOKEN = re.compile(r"[\w-]{43}", re.ASCII)


@blueprint.get("/join")
def page() -> ResponseReturnValue:
    """Show the form for an invited person; the token stands behind the # of the link, unseen here."""
    return render_template("staff/join.html", form=JoinForm())


@blueprint.post("/join")
def join() -> ResponseReturnValue:
    """Create the account, and sign its owner in."""
    form = JoinForm(request.form)
    token, moment = token_in(form.link.data), services().clock().timestamp()
    fits = form.validate()
    try:
        link = link_for("join", token, moment)
        if not fits:
            return render_template("staff/join.html", form=form), 422
        if services().config.sign_in.is_break_glass(form.name.data):
            raise AccountError("name_taken", "the name is kept for the account for emergencies")
        password_hash = offload.run_gently(accounts.hash_password, form.password.data)
        account = services().storage.write(
            create_account, token, form.name.data, password_hash, moment, link.made_by
        )
    except LinkGone:
        return render_template("staff/join.html", form=form, gone=True), 410
    except AccountError as error:
        form.name.errors = [fault(f"account.error.{error.code}").args[0]]
        return render_template("staff/join.html", form=form), 409
    return welcome(account, moment)


@blueprint.get("/reset")
def reset_page() -> ResponseReturnValue:
    """Show the form for a new password."""
    return render_template("staff/reset.html", form=ResetForm())


@blueprint.post("/reset")
def reset() -> ResponseReturnValue:
    """Set the new password, and sign its owner in."""
    form = ResetForm(request.form)
    token, moment = token_in(form.link.data), services().clock().timestamp()
    fits = form.validate()
    try:
        link_for("reset", token, moment)
        if not fits:
            return render_template("staff/reset.html", form=form), 422
        password_hash = offload.run_gently(accounts.hash_password, form.password.data)
        account = services().storage.write(set_password, token, password_hash, moment)
    except LinkGone:
        return render_template("staff/reset.html", form=form, gone=True), 410
    return welcome(account, moment)


@blueprint.post("/join/link")
def can_join() -> ResponseReturnValue:
    """Tell the page of an invitation whether its link can still be used."""
    return usability("join")


@blueprint.post("/reset/link")
def can_reset() -> ResponseReturnValue:
    """Tell the page of a reset whether its link can still be used."""
    return usability("reset")


def usability(purpose: str) -> ResponseReturnValue:
    """Return whether the link in the request can be used for this purpose."""
    try:
        link_for(purpose, token_in(request.form.get("link")), services().clock().timestamp())
    except LinkGone:
        return {"usable": False}
    return {"usable": True}


def link_for(purpose: str, token: str, moment: float) -> Link:
    """Return the link of a token; raise LinkGone if it has another purpose, or its maker is kept out."""
    if not services().config.sign_in.local_accounts:
        raise LinkGone("accounts with a password cannot sign in")
    link = services().storage.read(links.link_of, token, moment)
    if (link.role is None) != (purpose == "reset"):
        raise LinkGone(f"the link is not made to {purpose}")
    if not services().storage.read(maker_may_enter, link, services().config.sign_in, services().today):
        raise LinkGone(f"{link.made_by} cannot sign in any more")
    return link


def maker_may_enter(db: Connection, link: Link, rules: SignInRules, today: str) -> bool:
    """Return whether the maker of a link may still do anything: their provider may no longer be set up."""
    maker = accounts.by_name(db, link.made_by)
    return maker is not None and identities.may_enter(db, maker, rules, today)


def create_account(
    db: Connection, token: str, name: str, password_hash: str, moment: float, made_by: str
) -> Account:
    """Create an account, and note in the audit log who was invited by whom."""
    account = links.join(db, token, name, password_hash, moment)
    audit.note(db, account.name, "invitation_used", about=made_by)
    return account


def set_password(db: Connection, token: str, password_hash: str, moment: float) -> Account:
    """Set a password, and note it in the audit log."""
    account = links.reset(db, token, password_hash, moment)
    audit.note(db, account.name, "reset_used")
    return account


def welcome(account: Account, moment: float) -> ResponseReturnValue:
    """Sign somebody in, and lead them to the page on which their role starts."""
    try:
        return proceed(account, moment)
    except AccountGone:
        return redirect(url_for("accounts.login"))


def token_in(text: str | None) -> str:
    """Return the token in a pasted link, or in the part of it that was pasted.

    Examples
    --------
    >>> token_in(f" https://candor.example/join#{'a' * 43} ") == token_in("a" * 43) == "a" * 43
    True
    >>> token_in("https://candor.example/join")
    ''
    """
    last = (text or "").strip().rpartition("#")[2]
    return last if TOKEN.fullmatch(last) else ""
