"""The pages on which admins manage accounts: add, change rights, issue passwords, remove."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Concatenate

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user
from werkzeug.exceptions import NotFound

from server.forms.account import PersonForm, RightsForm
from server.forms.faults import fault
from server.runtime import offload
from server.services import services
from server.staff.audit_trail import Arguments, Result, by_me
from server.staff.guard import only
from server.store import surveys
from server.store.engine import Connection
from server.store.lifecycle import confirmations, second_admin_rule
from server.store.lifecycle.confirmations import OwnProposal
from server.store.lifecycle.proposals import ProposalGone
from server.store.lifecycle.second_admin_rule import OneAdmin
from server.store.staff import accounts, identities, leaving, links, rights, second_admin, second_factor
from server.store.staff.accounts import Account, AccountError
from server.store.staff.links import LinkGone
from server.store.staff.second_admin import SecondAdminRequired, by_operator_alone

blueprint = Blueprint("people", __name__, url_prefix="/admin/people")
blueprint.before_request(only("people"))


@blueprint.get("")
def people() -> ResponseReturnValue:
    """List the accounts."""
    return people_page(PersonForm())


@blueprint.post("")
def add() -> ResponseReturnValue:
    """Add an account, and show its first password this once."""
    need_local_accounts()
    known = services().storage.read(surveys.numbers)
    form = PersonForm(request.form, slugs=known)
    if not form.validate():
        return people_page(form), 422
    password = accounts.new_password()
    password_hash = offload.run_gently(accounts.hash_password, password)
    try:
        add = empowering(rights.add, form.role.data == "admin")
        store = by_me(add, "account_added", about=form.name.data)
        added = services().storage.write(store, form.name.data, password_hash, *rights_in(form, known))
    except AccountError as error:
        form.name.errors = [fault(f"account.error.{error.code}").args[0]]
        return people_page(form), 409
    return people_page(PersonForm(), issued=(added, password))


@blueprint.post("/invitations")
def invite() -> ResponseReturnValue:
    """Make a link with which somebody can create an account, and show it this once."""
    need_local_accounts()
    known = services().storage.read(surveys.numbers)
    form = RightsForm(request.form, slugs=known)
    if not form.validate():
        return people_page(PersonForm(), inviting=form), 422
    role, everything, survey_ids = rights_in(form, known)
    make = by_me(empowering(links.invite, role == "admin"), "invitation_made", about=role)
    mine, moment = current_user.account.id, services().clock().timestamp()
    token = services().storage.write(make, mine, role, everything, survey_ids, moment)
    return people_page(PersonForm(), link=url_for("joining.page", _external=True, _anchor=token))


@blueprint.post("/invitations/<int:link_id>/withdraw")
def withdraw(link_id: int) -> ResponseReturnValue:
    """Withdraw an unused invitation."""
    try:
        services().storage.write(by_me(links.revoke, "invitation_withdrawn"), link_id)
    except LinkGone:
        raise NotFound from None
    return redirect(url_for("people.people"))


@blueprint.post("/<int:account_id>/reset")
def allow_reset(account_id: int) -> ResponseReturnValue:
    """Make a link with which somebody can choose a new password, and show it this once."""
    account = local_account_numbered(account_id)
    allow = by_me(empowering(links.allow_reset, account.role == "admin"), "reset_allowed", about=account.name)
    moment = services().clock().timestamp()
    token = services().storage.write(allow, current_user.account.id, account.id, moment)
    return person_as_stored(account, link=url_for("joining.reset_page", _external=True, _anchor=token))


@blueprint.get("/<int:account_id>")
def person(account_id: int) -> ResponseReturnValue:
    """Show the rights of an account."""
    return person_as_stored(account_numbered(account_id))


@blueprint.post("/<int:account_id>")
def change(account_id: int) -> ResponseReturnValue:
    """Change the rights of an account."""
    account, known = account_numbered(account_id), services().storage.read(surveys.numbers)
    form = RightsForm(request.form, slugs=known)
    if not form.validate():
        return person_page(account, form), 422
    try:
        promotes = form.role.data == "admin" != account.role
        store = by_me(empowering(rights.set_rights, promotes), "rights_changed", about=account.name)
        services().storage.write(store, account.id, *rights_in(form, known))
    except AccountError as error:
        return person_page(account, form, refused=error.code), 409
    if account.id == current_user.account.id:  # an admin who is none any more may not see this page
        return redirect(url_for("accounts.account"))
    return redirect(url_for("people.person", account_id=account.id, changed=1))


@blueprint.post("/<int:account_id>/password")
def issue_password(account_id: int) -> ResponseReturnValue:
    """Set a new password for somebody, which ends their sessions, and show it this once."""
    person = local_account_numbered(account_id)
    password = accounts.new_password()
    password_hash = offload.run_gently(accounts.hash_password, password)
    issue = by_me(
        empowering(accounts.issue_password_hash, person.role == "admin"), "password_issued", about=person.name
    )
    services().storage.write(issue, person.id, password_hash)
    return people_page(PersonForm(), issued=(person, password))


@blueprint.post("/<int:account_id>/factor/remove")
def reset_factor(account_id: int) -> ResponseReturnValue:
    """Remove the second factor of somebody who has lost their phone: the password alone lets them in."""
    account = account_numbered(account_id)
    take = by_me(empowering(second_factor.reset, account.role == "admin"), "factor_reset", about=account.name)
    services().storage.write(take, account.id)
    return redirect(url_for("people.person", account_id=account.id, changed=1))


@blueprint.post("/requirement")
def require_factor() -> ResponseReturnValue:
    """Require a second factor of everybody, or no longer; whoever has none has to sign in again."""
    everybody = request.form.get("required") == "1"
    deed = "factor_required" if everybody else "factor_not_required"
    services().storage.write(by_me(second_factor.require, deed), everybody)
    return redirect(url_for("people.people"))


@blueprint.post("/second-admin")
def need_second_admin() -> ResponseReturnValue:
    """Let opening and deleting need a second admin, or propose that they do not any more."""
    mine, moment = current_user.account.id, services().clock().timestamp()
    change = (
        second_admin_rule.require if request.form.get("required") == "1" else second_admin_rule.propose_stop
    )
    try:
        services().storage.write(change, mine, moment)
    except OneAdmin:
        return people_page(PersonForm(), refused="one_admin"), 409
    return redirect(url_for("people.people", _anchor="second-admin"))


@blueprint.post("/second-admin/confirm")
def confirm_stop() -> ResponseReturnValue:
    """Confirm as another admin that opening and deleting need no second admin any more."""
    mine, moment = current_user.account.id, services().clock().timestamp()
    try:
        services().storage.write(second_admin_rule.stop, mine, moment)
    except (OwnProposal, ProposalGone) as error:
        own = isinstance(error, OwnProposal)
        return people_page(PersonForm(), refused="own_proposal" if own else "proposal"), 409
    services().scheduler.wake()
    return redirect(url_for("people.people", _anchor="second-admin"))


@blueprint.post("/second-admin/decline")
def decline_stop() -> ResponseReturnValue:
    """Decline that, or take one's own proposal back."""
    moment = services().clock().timestamp()
    try:
        services().storage.write(confirmations.decline, None, "stop", "", current_user.name, moment)
    except ProposalGone:
        return people_page(PersonForm(), refused="proposal"), 409
    return redirect(url_for("people.people", _anchor="second-admin"))


@blueprint.errorhandler(SecondAdminRequired)
def refused_to_admins(_error: SecondAdminRequired) -> ResponseReturnValue:
    """Answer that only whoever runs the server makes admins, and lets them in, while each needs another."""
    return people_page(PersonForm(), refused="by_operator"), 409


def empowering(
    function: Callable[Concatenate[Connection, Arguments], Result], to_admin: bool
) -> Callable[Concatenate[Connection, Arguments], Result]:
    """Wrap a function of a transaction that gives somebody the powers of an admin; leave another as it is."""
    return by_operator_alone(function) if to_admin else function


@blueprint.get("/<int:account_id>/remove")
def confirm_removal(account_id: int) -> ResponseReturnValue:
    """Ask before an account goes, and to whom each survey goes that it owns."""
    return removal_page(account_numbered(account_id))


@blueprint.post("/<int:account_id>/remove")
def remove(account_id: int) -> ResponseReturnValue:
    """Remove an account; its sessions, tokens and links end, and its surveys go to those who were chosen."""
    person = account_numbered(account_id)
    chosen = heirs_in(request.form)
    try:
        services().storage.write(leaving.remove, person.id, chosen, current_user.name)
    except AccountError as error:
        if error.code == "owner":
            return removal_page(person, refused=True), 422
        return people_page(PersonForm(), refused=error.code), 409
    if person.id == current_user.account.id:
        return redirect(url_for("accounts.login"))
    return redirect(url_for("people.people"))


def heirs_in(form: Mapping[str, str]) -> dict[int, int]:
    """Return who was chosen for each survey: for one, or for all that nobody was chosen for alone.

    Examples
    --------
    >>> heirs_in({"heir": "3", "heir-7": "", "heir-8": "4", "heir-9": "me"})
    {7: 3, 8: 4, 9: 0}
    """
    return {
        whole_number(name.removeprefix("heir-")): whole_number(value or form.get("heir", ""))
        for name, value in form.items()
        if name.startswith("heir-")
    }


def whole_number(text: str) -> int:
    """Read the number of an account or a survey; 0, which none has, for what is no number."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0


def removal_page(person: Account, **more: Any) -> str:
    """Ask before an account goes, with what it owns and who could take that over."""
    storage = services().storage
    return render_template(
        "staff/remove.html",
        person=person,
        owned=storage.read(rights.owned_by, person.id),
        heirs=storage.read(leaving.heirs, person.id),
        alone=storage.read(leaving.given_to_nobody_else, person.id),
        issuer=storage.read(identities.issuer_of, person.id),
        typed=request.form,
        **more,
    )


def person_as_stored(account: Account, **more: Any) -> str:
    """Render the stored rights of an account."""
    standing = services().storage.read(rights.rights_of, account)
    scope = "all" if standing.all_surveys else "chosen"
    held = {"role": account.role, "scope": scope, "surveys": list(standing.slugs)}
    return person_page(account, RightsForm(data=held), **more)


def rights_in(form: RightsForm, known: dict[str, int]) -> tuple[accounts.Role, bool, list[int]]:
    """Return the rights in a form: the role, whether for all surveys, and the ids of the chosen ones."""
    everything = form.role.data == "researcher" and form.scope.data == "all"
    return form.role.data, everything, [known[slug] for slug in form.surveys.data or ()]


def people_page(form: PersonForm, inviting: RightsForm | None = None, **more: Any) -> str:
    """Render the list of accounts, with the form for another one."""
    moment = services().clock().timestamp()
    return render_template(
        "staff/people.html",
        people=services().storage.read(rights.everybody),
        invitations=services().storage.read(links.invitations, moment),
        form=form,
        inviting=inviting or RightsForm(),
        roles=accounts.ROLES,
        slugs=services().storage.read(surveys.numbers),
        day=day,
        factors=services().storage.read(second_factor.with_one),
        providers=services().storage.read(identities.issuers),
        required=services().storage.read(second_factor.is_required),
        needs_two=services().storage.read(second_admin.is_required),
        stop=services().storage.read(second_admin_rule.to_stop, moment),
        **more,
    )


def day(seconds: int) -> str:
    """Write the UTC day of a moment."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d}"


def person_page(account: Account, form: RightsForm, **more: Any) -> str:
    """Render the rights of an account, with the form that changes them."""
    return render_template(
        "staff/person.html",
        person=account,
        form=form,
        roles=accounts.ROLES,
        slugs=services().storage.read(surveys.numbers),
        changed="changed" in request.args,
        has_factor=services().storage.read(second_factor.is_on, account.id),
        issuer=services().storage.read(identities.issuer_of, account.id),
        **more,
    )


def account_numbered(account_id: int) -> Account:
    """Return an account, or answer 404."""
    person = services().storage.read(accounts.by_id, account_id)
    if person is None:
        raise NotFound
    return person


def local_account_numbered(account_id: int) -> Account:
    """Return an account that may have a password, or answer 404."""
    person = account_numbered(account_id)
    if services().storage.read(identities.issuer_of, person.id) is not None:
        raise NotFound
    return person


def need_local_accounts() -> None:
    """Answer 404 where accounts with a password of their own cannot sign in."""
    if not services().config.sign_in.local_accounts:
        raise NotFound
