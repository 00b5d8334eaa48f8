"""Sign-in: a password, a code where the account has a second factor, and then a session."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from flask import redirect, session, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_user

from server.services import services
from server.staff.guard import StaffMember
from server.staff.rights import decide
from server.store.engine import Connection
from server.store.staff import accounts, audit, second_factor, sessions
from server.store.staff.accounts import Account, Role
from server.store.staff.second_factor import CodeNeeded

HALFWAY = "halfway"
"""Key in the signed cookie of somebody who gave the right password and still has to give a code."""

HALFWAY_SECONDS = 300

LINKING = "linking"
"""Key in the signed cookie of somebody whose password was right, and who signs in with a provider next."""

LINKING_SECONDS = 300

Start = Callable[[Connection, int, float], str]
"""Starts a session of an account at a moment, in a transaction, and returns its token."""


def proceed(account: Account, moment: float, target: str | None = None) -> ResponseReturnValue:
    """Sign somebody in whose password is right, or ask for a code first.

    Parameters
    ----------
    account : Account
    moment : float
        Seconds since 1970.
    target : str, optional
        Address to go to; by default, the page on which the role starts.

    Raises
    ------
    AccountGone
        If the account was removed meanwhile.
    """
    try:
        let_in(account, moment, second_factor.start_session)
    except CodeNeeded:
        session.clear()
        session[HALFWAY] = [account.id, int(moment), password_mark(account)]
        return redirect(url_for("factor.ask_code", next=target))
    return redirect(target or home(account.role))


def halfway(moment: float) -> Account | None:
    """Return the account whose password was right in this browser, and whose code is still awaited."""
    number, since, mark = session.get(HALFWAY) or (0, 0, "")
    if not 0 <= moment - since < HALFWAY_SECONDS:
        return None
    account = services().storage.read(accounts.by_id, number)
    return account if account is not None and password_mark(account) == mark else None


def password_mark(account: Account) -> str:
    """Return a mark that changes with an account's password and reveals nothing of it: its hash is salted."""
    return hashlib.sha256(account.password_hash.encode()).hexdigest()[:32]


def is_linking(moment: float) -> bool:
    """Return, once, whether whoever is signed in has just shown their password to be linked."""
    number, since = session.pop(LINKING, None) or (0, 0)
    return number == current_user.account.id and 0 <= moment - since < LINKING_SECONDS


def let_in(account: Account, moment: float, start: Start) -> None:
    """Sign somebody in, and note it in the audit log."""
    emergency = services().config.sign_in.is_break_glass(account.name)
    deed = "break_glass_used" if emergency else "signed_in"
    begin_session(account, moment, audit.noted(start, account.name, deed))


def begin_session(account: Account, moment: float, start: Start = sessions.start) -> None:
    """Start a new session in an emptied cookie, so that nothing from before the sign-in remains."""
    enter(account, services().storage.write(start, account.id, moment))


def enter(account: Account, token: str) -> None:
    """Put the token of a new session into an emptied cookie."""
    session.clear()
    login_user(StaffMember(account, token))


def home(role: Role) -> str:
    """Return the address on which a role starts."""
    creates = decide(role, "create", "none") == "yes"
    return url_for("surveys.list_surveys" if creates else "results.list_surveys")
