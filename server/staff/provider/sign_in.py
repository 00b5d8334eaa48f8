"""Sign in with an institution's account: to the provider, and back with its word on who somebody is."""

from __future__ import annotations

import hmac
import logging
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

from flask import Blueprint, Flask, current_app, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user
from werkzeug.exceptions import NotFound

from server.config import Config
from server.language.request_language import translate
from server.providers import Provider
from server.runtime import offload
from server.services import services
from server.staff.backoff import code_attempt
from server.staff.redirect_target import known_page, requested_page
from server.staff.sign_in import enter, home, is_linking
from server.store.staff import accounts, audit, identities, sessions
from server.store.staff.accounts import AccountError
from server.store.staff.identities import InNoGroup

if TYPE_CHECKING:
    from server.staff.provider.client import Pending, ProviderClient

log = logging.getLogger(__name__)

blueprint = Blueprint("provider", __name__)

PENDING = "provider"
"""Key in the signed cookie of somebody who was sent to a provider, and has not come back yet."""

PENDING_SECONDS = 900

STATUSES = {
    "state": 400,
    "cancelled": 403,
    "group": 403,
    "last_admin": 409,
    "linked": 409,
    "wrong": 502,
    "away": 504,
}
"""Reasons for which nobody is signed in; the catalogue has a title and a text for each."""


def init_app(app: Flask, config: Config) -> None:
    """Make a client for each provider; without one, nothing of what they need is imported."""
    clients: dict[str, ProviderClient] = {}
    if config.sign_in.providers:
        from server.staff.provider.client import ProviderClient

        clients = {provider.name: ProviderClient(provider) for provider in config.sign_in.providers}
    app.extensions["candor.providers"] = clients
    app.jinja_env.globals.update(sign_in_rules=config.sign_in, title_of=title_of)


def title_of(issuer: str) -> str:
    """Return what people call the provider of an issuer, or the issuer if it is no longer set up."""
    provider = services().config.sign_in.of_issuer(issuer)
    return issuer if provider is None else provider.title


@blueprint.get("/login/with/<name>")
def begin(name: str) -> ResponseReturnValue:
    """Lead somebody to the provider."""
    client, target = client_named(name), requested_page()
    from server.staff.provider.client import ProviderAway

    moment, links, again = services().clock().timestamp(), False, False
    if current_user.is_authenticated:
        again = current_user.provider is client.provider and "again" in request.args
        links = current_user.provider is None and is_linking(moment)
        if not (again or links):
            return redirect(target or home(current_user.role))
    try:
        # A link lasts: so it is not made with whoever happens to be signed in there in this browser.
        address, pending = client.begin(callback(name), moment, fresh=again or links)
    except ProviderAway:
        return refused("away", client.provider)
    session[PENDING] = {
        **asdict(pending),
        "next": target,
        "links": current_user.account.id if links else None,
    }
    return redirect(address)


@blueprint.get("/login/with/<name>/back")
def back(name: str) -> ResponseReturnValue:
    """Sign in whoever the provider vouches for, and gives a role by their groups."""
    client, moment = client_named(name), services().clock().timestamp()
    from server.staff.provider.client import CodeRefused, ProviderAway, ProviderRefused

    provider, begun = client.provider, session.pop(PENDING, None) or {}
    target, links = known_page(begun.pop("next", None)), begun.pop("links", None)
    pending = answer_to(begun, name, moment)
    if pending is None or request.args.get("iss", provider.issuer) != provider.issuer:
        return refused("state", provider)
    code = request.args.get("code", "")
    if not code:
        return refused("cancelled", provider)
    attempt = code_attempt(name, request.remote_addr or "")
    wait = attempt.begin(moment)
    if wait:
        return too_many(wait)
    try:
        person = client.finish(code, pending, moment)
    except CodeRefused:
        return refused("cancelled", provider)
    except ProviderAway:
        attempt.succeeded(moment)
        return refused("away", provider)
    except ProviderRefused as error:
        attempt.succeeded(moment)
        log.warning("nobody is signed in by the provider %s: %s", name, error)
        note = (audit.BY_PROVIDER, "provider_refused", None, services().today, provider.title)
        services().storage.write(audit.note_once_a_day, *note)
        return refused("wrong", provider)
    attempt.succeeded(moment)
    unknown, rules = offload.run_gently(accounts.nobody), services().config.sign_in
    write, today, former = services().storage.write, services().today, current_user
    try:
        if links is not None:
            if not former.is_authenticated or former.account.id != links:
                return refused("state", provider)
            write(identities.link, former.account, provider, person, unknown, today)
        account, token = write(identities.sign_in, rules, provider, person, unknown, moment, today)
        if former.is_authenticated:
            write(sessions.end, former.token)
    except InNoGroup:
        write(identities.turn_away, provider, person, today)
        return refused("group", provider, person=person.name)
    except AccountError as error:
        if error.code == "linked":
            return refused("linked", provider)
        write(identities.turn_away, provider, person, today)
        return refused("last_admin", provider)
    enter(account, token)
    return redirect(target or home(account.role))


def client_named(name: str) -> ProviderClient:
    """Return the client of a provider, or answer 404."""
    clients: Mapping[str, ProviderClient] = current_app.extensions["candor.providers"]
    if name not in clients:
        raise NotFound
    return clients[name]


def callback(name: str) -> str:
    """Return the address to which a provider leads people back, as it must be registered there."""
    base = services().config.base_address
    if base is None:
        return url_for("provider.back", name=name, _external=True)
    return base + url_for("provider.back", name=name).removeprefix(request.script_root)


def answer_to(begun: Mapping[str, object], name: str, moment: float) -> Pending | None:
    """Return the sign-in that this browser began with a provider and that this request answers."""
    from server.staff.provider.client import Pending

    try:
        pending = Pending(**begun)  # type: ignore[arg-type]  # signed by this server
    except TypeError:
        return None
    state = request.args.get("state", "")
    same = pending.provider == name and hmac.compare_digest(pending.state.encode(), state.encode())
    return pending if same and 0 <= moment - pending.since < PENDING_SECONDS else None


def too_many(seconds: int) -> ResponseReturnValue:
    """Refuse another code from where several were made up, for so many seconds."""
    title, text = translate("account.wait.title"), translate("account.wait.text", n=seconds)
    page = render_template("web/message.html", title=title, text=text)
    return page, 429, {"Retry-After": str(seconds)}


def refused(reason: str, provider: Provider, person: str = "") -> ResponseReturnValue:
    """Say why nobody is signed in, and what to do."""
    page = render_template("staff/provider.html", reason=reason, provider=provider, person=person)
    return page, STATUSES[reason]
