"""Accounts as an admin manages them: add, say what they may do, issue a password, remove."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user
from werkzeug.exceptions import NotFound

from server.forms.account import PersonForm, RightsForm
from server.forms.faults import fault
from server.services import services
from server.staff.deeds import by_me
from server.staff.guard import only
from server.store import accounts, rights, surveys
from server.store.accounts import Account, AccountError
from server.web import offload

blueprint = Blueprint("people", __name__, url_prefix="/admin/people")
blueprint.before_request(only("people"))


@blueprint.get("")
def people() -> ResponseReturnValue:
    """List the accounts."""
    return people_page(PersonForm())


@blueprint.post("")
def add() -> ResponseReturnValue:
    """Add an account and show its first password, this once."""
    known = services().storage.read(surveys.numbers)
    form = PersonForm(request.form, slugs=known)
    if not form.validate():
        return people_page(form), 422
    password = accounts.new_password()
    password_hash = offload.run(accounts.hash_password, password)
    try:
        store = by_me(rights.add, "account_added", about=form.name.data)
        added = services().storage.write(store, form.name.data, password_hash, *asked_for(form, known))
    except AccountError as error:
        form.name.errors = [fault(f"account.error.{error.code}", value=form.name.data).args[0]]
        return people_page(form), 409
    return people_page(PersonForm(), issued=(added, password))


@blueprint.get("/<int:account_id>")
def person(account_id: int) -> ResponseReturnValue:
    """Show what an account may do."""
    found = account_numbered(account_id)
    standing = services().storage.read(rights.standing, found)
    scope = "all" if standing.all_surveys else "chosen"
    held = {"role": found.role, "scope": scope, "surveys": list(standing.slugs)}
    return person_page(found, RightsForm(data=held))


@blueprint.post("/<int:account_id>")
def change(account_id: int) -> ResponseReturnValue:
    """Change what an account may do."""
    found, known = account_numbered(account_id), services().storage.read(surveys.numbers)
    form = RightsForm(request.form, slugs=known)
    if not form.validate():
        return person_page(found, form), 422
    try:
        store = by_me(rights.set_rights, "rights_changed", about=found.name)
        services().storage.write(store, found.id, *asked_for(form, known))
    except AccountError as error:
        return person_page(found, form, refused=error.code), 409
    if found.id == current_user.account.id:  # an admin who is none any more may not see this page
        return redirect(url_for("accounts.account"))
    return redirect(url_for("people.person", account_id=found.id, changed=1))


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
    """Remove an account; its sessions end, and its surveys stay with the admins."""
    person = account_numbered(account_id)
    try:
        services().storage.write(by_me(accounts.delete, "account_removed", about=person.name), person.id)
    except AccountError as error:
        return people_page(PersonForm(), refused=error.code), 409
    if person.id == current_user.account.id:
        return redirect(url_for("accounts.login"))
    return redirect(url_for("people.people"))


def asked_for(form: RightsForm, known: dict[str, int]) -> tuple[accounts.Role, bool, list[int]]:
    """Return what a form gives: the role, whether all surveys, and the numbers of those that are chosen."""
    everything = form.role.data == "researcher" and form.scope.data == "all"
    return form.role.data, everything, [known[slug] for slug in form.surveys.data or ()]


def people_page(form: PersonForm, **more: Any) -> str:
    """Show the list, with the form for one more."""
    everybody = services().storage.read(rights.everybody)
    slugs = services().storage.read(surveys.numbers)
    return render_template(
        "staff/people.html", people=everybody, form=form, roles=accounts.ROLES, slugs=slugs, **more
    )


def person_page(found: Account, form: RightsForm, **more: Any) -> str:
    """Show what an account may do, to be changed."""
    return render_template(
        "staff/person.html",
        person=found,
        form=form,
        roles=accounts.ROLES,
        slugs=services().storage.read(surveys.numbers),
        changed="changed" in request.args,
        **more,
    )


def account_numbered(account_id: int) -> Account:
    """Find an account or say that there is none."""
    person = services().storage.read(accounts.by_id, account_id)
    if person is None:
        raise NotFound
    return person
