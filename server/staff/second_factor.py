"""The pages of one's own second factor: set it up, sign in with it, draw recovery codes."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user
from markupsafe import Markup

from server.forms.account import CodeForm, PresentForm
from server.runtime import offload
from server.services import services
from server.staff.audit_trail import by_me
from server.staff.backoff import Attempt
from server.staff.guard import before_body, only
from server.staff.redirect_target import requested_page
from server.staff.sign_in import halfway, home, let_in
from server.store.staff import accounts, audit, second_factor, sessions
from server.store.staff.accounts import AccountGone

blueprint = Blueprint("factor", __name__)
PUBLIC = ("factor.ask_code", "factor.enter_code")


ENTERING = only("enter")


@blueprint.before_request
@before_body
def need_an_account_beyond_the_code() -> ResponseReturnValue | None:
    """Admit everybody to the page that asks for a code, and only signed-in staff to the rest."""
    return None if request.endpoint in PUBLIC else ENTERING()


@blueprint.get("/login/code")
def ask_code() -> ResponseReturnValue:
    """Ask whoever gave the right password for a code."""
    if halfway(services().clock().timestamp()) is None:
        return redirect(url_for("accounts.login"))
    requested_page()
    return render_template("staff/code.html", form=CodeForm())


@blueprint.post("/login/code")
def enter_code() -> ResponseReturnValue:
    """Sign in, if the code is right and was not used before."""
    form, moment = CodeForm(request.form), services().clock().timestamp()
    account = halfway(moment)
    if account is None:
        return redirect(url_for("accounts.login"))
    guess = Attempt(f"code {account.id}")
    wait = guess.begin(moment)
    if wait:
        return render_template("staff/code.html", form=form, wait=wait), 429, {"Retry-After": str(wait)}
    taken = services().storage.write(second_factor.check, account.id, form.code.data, moment)
    if taken is None:
        services().storage.write(audit.note, account.name, "code_refused")
        return render_template("staff/code.html", form=form, refused=True), 403
    guess.succeeded(moment)
    if taken == "recovery":
        services().storage.write(audit.note, account.name, "recovery_code_used")
    try:
        let_in(account, moment, sessions.start)
    except AccountGone:
        return redirect(url_for("accounts.login"))
    return redirect(requested_page() or home(account.role))


@blueprint.get("/account/factor")
def page() -> ResponseReturnValue:
    """Show one's second factor, or how to set it up."""
    return factor_page()


@blueprint.post("/account/factor/begin")
def begin() -> ResponseReturnValue:
    """Show a new secret to whoever knows the password, until a code confirms it."""
    if refused := password_refused():
        return refused
    secret = services().storage.write(second_factor.begin, current_user.account.id)
    if secret is None:
        return redirect(url_for("factor.page"))
    return factor_page(**key_shown(secret))


@blueprint.post("/account/factor/confirm")
def confirm() -> ResponseReturnValue:
    """Turn the factor on once a code shows that the device has it; show the recovery codes this once.

    Other sessions of the account end: they began with the password alone.
    """
    form, moment = CodeForm(request.form), services().clock().timestamp()
    guess = Attempt(f"code {current_user.account.id}")
    wait = guess.begin(moment)
    if wait:
        page = factor_page(code_form=form, wait=wait, asks_code=True, **key_again())
        return page, 429, {"Retry-After": str(wait)}
    mine = current_user.account
    codes = services().storage.write(
        second_factor.confirm, mine.id, form.code.data, moment, current_user.token
    )
    if codes is None and services().storage.read(second_factor.is_on, mine.id):
        return redirect(url_for("factor.page"))  # sent twice: the first has turned it on
    if codes is None:
        return factor_page(code_form=form, wrong=True, asks_code=True, **key_again()), 422
    guess.succeeded(moment)
    services().storage.write(audit.note, mine.name, "factor_added")
    return factor_page(codes=codes)


@blueprint.post("/account/factor/codes")
def new_codes() -> ResponseReturnValue:
    """Replace the recovery codes, and show the new ones this once."""
    if refused := password_refused():
        return refused
    if not services().storage.read(second_factor.is_on, current_user.account.id):
        return redirect(url_for("factor.page"))
    draw = by_me(second_factor.new_recovery_codes, "recovery_codes_drawn")
    return factor_page(codes=services().storage.write(draw, current_user.account.id))


@blueprint.post("/account/factor/remove")
def remove() -> ResponseReturnValue:
    """Remove one's second factor; where everybody must have one, a new one is asked for at once."""
    if refused := password_refused():
        return refused
    services().storage.write(by_me(second_factor.remove, "factor_removed"), current_user.account.id)
    return redirect(url_for("factor.page"))


def password_refused() -> ResponseReturnValue | None:
    """Refuse unless the present password is right: a stolen session must not be enough."""
    moment = services().clock().timestamp()
    guess = Attempt(f"password {current_user.account.id}")
    wait = guess.begin(moment)
    if wait:
        return factor_page(wait=wait), 429, {"Retry-After": str(wait)}
    password = PresentForm(request.form).present.data or ""
    if not offload.run_gently(accounts.password_matches, current_user.account, password):
        return factor_page(refused=True), 422
    guess.succeeded(moment)
    return None


def factor_page(code_form: CodeForm | None = None, **more: Any) -> str:
    """Render one's second factor."""
    number = current_user.account.id
    return render_template(
        "staff/factor.html",
        is_on=services().storage.read(second_factor.is_on, number),
        left=services().storage.read(second_factor.recovery_codes_left, number),
        form=PresentForm(),
        code_form=code_form or CodeForm(),
        **more,
    )


def key_shown(secret: str) -> dict[str, Any]:
    """Return a secret as the page shows it: as text, as the address that an app reads, and as a QR code."""
    address = second_factor.address_of(secret, current_user.name, request.host)
    return {"secret": secret, "address": address, "picture": qr_code(address)}


def key_again() -> dict[str, Any]:
    """Return the secret that the form sends along, for a page that shows it once more."""
    secret = request.form.get("secret", "")
    waits = services().storage.read(second_factor.waits_for_code, current_user.account.id, secret)
    return key_shown(secret) if waits else {}


def qr_code(address: str) -> Markup:
    """Draw the QR code of an address, black on white whatever the page's colours are."""
    import segno  # only this page needs it here, and the start of the server is measured

    drawn = BytesIO()
    segno.make(address, error="m", micro=False).save(
        drawn, kind="svg", border=4, light="#fff", xmldecl=False, omitsize=True
    )
    return Markup(drawn.getvalue().decode())  # noqa: S704  # segno's own; the address is in its shapes only
