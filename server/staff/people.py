"""Accounts as an admin manages them: add, issue a password, remove."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user
from werkzeug.exceptions import NotFound

from server.forms.account import PersonForm
from server.forms.faults import fault
from server.services import services
from server.staff.deeds import by_me
from server.staff.guard import only
from server.store import accounts
from server.store.accounts import Account, AccountError
from server.web import offload

blueprint = Blueprint("people", __name__, url_prefix="/admin/people")
blueprint.before_request(only("admin"))


@blueprint.get("")
def people() -> ResponseReturnValue:
    """List the accounts."""
    return people_page(PersonForm())


@blueprint.post("")
def add() -> ResponseReturnValue:
    """Add an account and show its first password, this once."""
    form = PersonForm(request.form)
    if not form.validate():
        return people_page(form), 422
    password = accounts.new_password()
    password_hash = offload.run(accounts.hash_password, password)
    try:
        insert = by_me(accounts.insert, "account_added", about=form.name.data)
        added = services().storage.write(insert, form.name.data, password_hash, form.role.data)
    except AccountError as error:
        form.name.errors = [fault(f"account.error.{error.code}", value=form.name.data).args[0]]
        return people_page(form), 409
    return people_page(PersonForm(), issued=(added, password))


@blueprint.post("/<int:account_id>/password")
def issue_password(account_id: int) -> ResponseReturnValue:
    """Set a new password for somebody, show it this once and end their sessions."""
    person = account_numbered(account_id)
    password = accounts.new_password()
    password_hash = offload.run(accounts.hash_password, password)
    issue = by_me(accounts.issue_password_hash, "password_issued", about=person.name)
    services().storage.write(issue, person.id, password_hash)
    return people_page(PersonForm(), issued=(person, password))


@blueprint.get("/<int:account_id>/remove")
def confirm_removal(account_id: int) -> ResponseReturnValue:
    """Ask before an account goes."""
    return render_template("staff/remove.html", person=account_numbered(account_id))


@blueprint.post("/<int:account_id>/remove")
def remove(account_id: int) -> ResponseReturnValue:
    """Remove an account; its sessions end."""
    person = account_numbered(account_id)
    try:
        services().storage.write(by_me(accounts.delete, "account_removed", about=person.name), person.id)
    except AccountError as error:
        return people_page(PersonForm(), refused=error.code), 409
    if person.id == current_user.account.id:
        return redirect(url_for("accounts.login"))
    return redirect(url_for("people.people"))


def people_page(form: PersonForm, **more: Any) -> str:
    """Show the list, with the form for one more."""
    everybody = services().storage.read(accounts.all_accounts)
    return render_template("staff/people.html", people=everybody, form=form, roles=accounts.ROLES, **more)


def account_numbered(account_id: int) -> Account:
    """Find an account or say that there is none."""
    person = services().storage.read(accounts.by_id, account_id)
    if person is None:
        raise NotFound
    return person
