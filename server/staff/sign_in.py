"""How somebody gets in: with a password, and with a code where they have a second factor."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from flask import redirect, session, url_for
from flask.typing import ResponseReturnValue
from flask_login import login_user

from server.services import services
from server.staff.guard import StaffMember
from server.staff.rights import decide
from server.store.engine import Connection
from server.store.staff import accounts, audit, second_factor, sessions
from server.store.staff.accounts import Account, Role

HALFWAY = "halfway"
"""What the signed cookie calls it that somebody gave the right password and has to give a code."""

HALFWAY_SECONDS = 300


def proceed(account: Account, moment: float, target: str | None = None) -> ResponseReturnValue:
    """Let in whoever gave the right password, or ask for a code first.

    Parameters
    ----------
    account : Account
    moment : float
        Seconds since 1970.
    target : str, optional
        Where to go; the page on which the role starts unless it is given.

    Raises
    ------
    AccountGone
        If the account was removed meanwhile.
    """
    if services().storage.read(second_factor.is_on, account.id):
        session.clear()
        session[HALFWAY] = [account.id, int(moment), password_mark(account)]
        return redirect(url_for("factor.ask_code", next=target))
    let_in(account, moment)
    return redirect(target or home(account.role))


def halfway(moment: float) -> Account | None:
    """Return who gave the right password in this browser a moment ago, and has to give a code."""
    number, since, mark = session.get(HALFWAY) or (0, 0, "")
    if not 0 <= moment - since < HALFWAY_SECONDS:
        return None
    account = services().storage.read(accounts.by_id, number)
    return account if account is not None and password_mark(account) == mark else None


def password_mark(account: Account) -> str:
    """Return what changes with an account's password and tells nothing of it: its hash is salted."""
    return hashlib.sha256(account.password_hash.encode()).hexdigest()[:32]


def let_in(account: Account, moment: float) -> None:
    """Sign somebody in, and note it."""
    begin_session(account, moment, audit.noted(sessions.start, account.name, "signed_in"))


def begin_session(
    account: Account, moment: float, start: Callable[[Connection, int, float], str] = sessions.start
) -> None:
    """Start a new session in an emptied cookie: nothing from before the login lives on."""
    token = services().storage.write(start, account.id, moment)
    session.clear()
    login_user(StaffMember(account, token))


def home(role: Role) -> str:
    """Return the address on which a role starts."""
    creates = decide(role, "create", "none") == "yes"
    return url_for("editor.list_surveys" if creates else "results.list_surveys")
