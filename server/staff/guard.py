"""Staff sessions, and the guard in front of every staff page."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import timedelta
from functools import cached_property, wraps
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from flask import Flask, Request, current_app, g, redirect, render_template, request, url_for
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from flask.typing import ResponseReturnValue
from flask_login import LoginManager, current_user
from flask_wtf.csrf import CSRFError, CSRFProtect, generate_csrf
from itsdangerous import Signer
from markupsafe import Markup
from werkzeug.exceptions import Forbidden, NotFound, Unauthorized

from server.language.request_language import PUBLIC, translate
from server.providers import Provider
from server.services import Services, services
from server.staff import rights
from server.staff.redirect_target import known_page
from server.staff.rights import Action, Answer, decide
from server.store.engine import Connection
from server.store.staff import identities, sessions
from server.store.staff.accounts import Account
from server.store.staff.rights import AccountRights, rights_of
from server.web.limits.costs import Visitor
from server.web.limits.gate import read_unread

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

csrf = CSRFProtect()

# Flask-WTF signs the tokens of forms with what its library takes by default, which is SHA-1.
Signer.default_digest_method = staticmethod(hashlib.sha256)

MEMBER = "candor.member"
"""Key of the WSGI environment that holds the token of a request's session, and the staff member it is of."""


class StaffMember:
    """A signed-in account; Flask-Login holds the token of its session in the signed cookie."""

    is_authenticated = True
    is_active = True
    is_anonymous = False

    def __init__(
        self,
        account: Account,
        token: str,
        *,
        lacks_factor: bool = False,
        provider: Provider | None = None,
    ) -> None:
        self.account = account
        self.lacks_factor = lacks_factor
        self.provider = provider
        self.token = token
        self.name = account.name
        self.role = account.role

    @cached_property
    def standing(self) -> AccountRights:
        """The account's relation to each survey, read once for a request."""
        return services().storage.read(rights_of, self.account)

    def get_id(self) -> str:
        """Return the token for the cookie, and not the account, so that signing out ends every copy of it."""
        return self.token


class StaffSessions(SecureCookieSessionInterface):
    """Sessions for staff pages only: what respondents are sent neither reads nor depends on a cookie."""

    digest_method = staticmethod(hashlib.sha256)

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """Return the session that the cookie holds, and none where respondents go."""
        return None if request.path.startswith(PUBLIC) else super().open_session(app, request)


def init_app(app: Flask) -> None:
    """Add staff sessions and CSRF protection to the application.

    Notes
    -----
    ``__Host-`` cookies need Secure. Chromium and Firefox keep them over http too where the address is
    127.0.0.1 or localhost, so the demo needs no exception; anywhere else staff need https.
    """
    app.config.update(
        SESSION_COOKIE_NAME="__Host-candor",
        SESSION_COOKIE_SECURE=True,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_PATH="/",
        PERMANENT_SESSION_LIFETIME=timedelta(seconds=sessions.SECONDS),
        # As long as the session: a draft that took all morning to write can still be saved.
        WTF_CSRF_TIME_LIMIT=None,
    )
    app.session_interface = StaffSessions()
    app.before_request(rights_before_body)
    csrf.init_app(app)
    manager = LoginManager()
    # Its own protection would put a hash of the address into the cookie; the token alone decides.
    manager.session_protection = None
    manager.user_loader(signed_in)
    # A proxy in place of its context processor, which would ask the database on every page, public ones too.
    manager.init_app(app, add_context_processor=False)
    app.jinja_env.globals.update(
        csrf_input=csrf_input, current_user=current_user, lacks_https=lacks_https, may=may
    )
    app.register_error_handler(CSRFError, not_from_our_page)
    app.register_error_handler(Unauthorized, ask_to_sign_in)


def csrf_input() -> Markup:
    """Write the hidden field by which a form of staff is known to come from our page."""
    return Markup('<input type="hidden" name="csrf_token" value="{}">').format(generate_csrf())


def lacks_https() -> bool:
    """Return whether browsers will drop the session: its cookie is Secure, and this page came by http."""
    try:
        host = urlsplit(request.url_root).hostname or ""
        here = host == "localhost" or host.endswith(".localhost") or ip_address(host).is_loopback
    except ValueError:  # a name, not an address
        here = False
    return not (here or request.is_secure)


def not_from_our_page(error: CSRFError) -> ResponseReturnValue:
    """Explain what to do about a form without the CSRF token of our page.

    A form that signs in passes if the same was done in another tab meanwhile.
    """
    if request.endpoint == "accounts.enter" and current_user.is_authenticated:
        return redirect(url_for("accounts.login", next=known_page(request.args.get("next"))))
    reason = "https" if lacks_https() else "token"
    title, text = translate(f"account.{reason}.title"), translate(f"account.{reason}.text")
    return render_template("staff/message.html", title=title, text=text), 400


def visitor(app: Flask, environ: WSGIEnvironment) -> Visitor:
    """Return who sends a request, from its cookie; note the staff member, so that nobody asks again."""
    session = app.session_interface.open_session(app, app.request_class(environ))
    if not session:
        return "nobody"
    token = session.get("_user_id")  # where Flask-Login keeps it
    services: Services = app.extensions["candor"]
    person = services.storage.read(member, token, services) if token else None
    environ[MEMBER] = token, person
    return "visitor" if person is None else "staff"


def signed_in(token: str) -> StaffMember | None:
    """Return the staff member whose session a token stands for."""
    known: tuple[str | None, StaffMember | None] = request.environ.get(MEMBER, (None, None))
    if known[0] == token:
        return known[1]
    return services().storage.read(member, token, services())


def member(db: Connection, token: str, services: Services) -> StaffMember | None:
    """Return the staff member of a session, marked if they have to set up a second factor first."""
    account, rules = sessions.account_of(db, token, services.clock().timestamp()), services.config.sign_in
    if account is None or not identities.may_enter(db, account, rules, services.today):
        return None
    return StaffMember(
        account,
        token,
        lacks_factor=identities.lacks_factor(db, account, rules),
        provider=rules.of_issuer(identities.issuer_of(db, account.id) or ""),
    )


def ask_to_sign_in(error: Unauthorized) -> ResponseReturnValue:
    """Lead somebody who is not signed in to the login page, and from there back to this one."""
    path = request.path if request.method != "GET" else request.full_path.rstrip("?")
    return redirect(url_for("accounts.login", next=known_page(request.script_root + path)))


WITHOUT_FACTOR = ("factor.page", "factor.begin", "factor.confirm", "accounts.logout")
"""Endpoints for somebody who still has to set up a second factor."""

Guard = Callable[[], ResponseReturnValue | None]

GUARDS: set[Guard] = set()
"""The guards of all blueprints."""

View = TypeVar("View", bound=Callable[..., Any])


def needs(action: Action) -> Callable[[View], View]:
    """Mark a view that needs another right than the rest of its blueprint; it stands below the route."""

    def marked(view: View) -> View:
        view.action = action  # type: ignore[attr-defined]
        return view

    return marked


def only(action: Action) -> Guard:
    """Make the guard of a blueprint, which lets a request pass if its sender has the right to it.

    Parameters
    ----------
    action : Action
        The right that the views need, unless `needs` marks them with another. Where the address has a
        ``<slug>``, it is the right to do so to this survey.
    """

    def guard() -> ResponseReturnValue | None:
        """Ask to sign in, refuse, hide the survey, or let pass."""
        if not current_user.is_authenticated:
            raise Unauthorized
        if current_user.lacks_factor and request.endpoint not in WITHOUT_FACTOR:
            return redirect(url_for("factor.page"))
        view = current_app.view_functions[request.endpoint or ""]
        answer = decided(getattr(view, "action", action), (request.view_args or {}).get("slug"))
        if answer == "hidden":
            raise NotFound
        if answer == "no":
            raise Forbidden
        return None

    return before_body(guard)


def before_body(check: Guard) -> Guard:
    """Make a guard of a blueprint that is asked before a body is read, and not again."""

    @wraps(check)
    def guard() -> ResponseReturnValue | None:
        return None if guard in g.get("passed", ()) else check()

    GUARDS.add(guard)
    return guard


def rights_before_body() -> ResponseReturnValue | None:
    """Ask the guards of an address first, and read the body of staff only after they have let it pass."""
    for blueprint in request.blueprints:
        for guard in GUARDS.intersection(current_app.before_request_funcs.get(blueprint, ())):
            if (refusal := guard()) is not None:
                return refusal
            g.setdefault("passed", []).append(guard)
    read_unread()
    return None


def decided(action: Action, slug: str | None) -> Answer:
    """Decide whether whoever is signed in may do something, to the survey of this name or to none.

    Until they have set up a second factor that they need, staff may only enter.
    """
    if current_user.lacks_factor and action != "enter":
        return "no"
    standing = current_user.standing
    return decide(standing.role, action, "none" if slug is None else standing.relation_named(slug))


def may(action: Action, survey_id: int | None = None) -> bool:
    """Return whether whoever is signed in may do something, to a survey or to none: ``may`` in templates."""
    return rights.may(current_user.standing, action, survey_id)
