"""Checks of sign-in with an institution's account: the providers answer, and one account needs none."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from server.cli.checks import Check
from server.config import Config
from server.providers import SignInRules
from server.store.engine import Connection
from server.store.staff import accounts, audit, identities, second_factor
from server.store.staff.audit import LineFilter

ANNOUNCED_DAYS = 30
"""The days for which the use of the account for emergencies is announced."""

ADD = "candor user add {name} --role admin adds it"


def providers(config: Config) -> Iterator[Check]:
    """Ask each provider what it says about itself, and look who may read its secret."""
    if not config.sign_in.providers:
        return
    from server.staff.provider.client import ProviderAway, ProviderClient

    for provider in config.sign_in.providers:
        name = f"provider {provider.name}"
        try:
            _, keys = ProviderClient(provider).known()
        except ProviderAway as error:
            remedy = "nobody can sign in with it: compare issuer, network and certificate"
            yield Check(name, "fault", f"{provider.issuer} does not answer: {error}", remedy)
        else:
            yield Check(name, "ok", f"{provider.issuer} answers, and signs with {len(keys)} keys")
    for file in config.sign_in.files:
        if file.stat().st_mode & stat.S_IROTH:
            yield Check("providers", "warning", f"everybody on this machine can read {file}", "chmod o= it")


def emergency(db: Connection, rules: SignInRules, now: float) -> Iterator[Check]:
    """Check the local account that is kept for when no provider answers, and tell when it was used."""
    name = rules.break_glass
    if name is None:
        return
    account = accounts.by_name(db, name)
    if account is None:
        yield Check("break-glass", "warning", f"there is no account {name!r}", ADD.format(name=name))
    elif account.role != "admin":
        yield Check("break-glass", "warning", f"{name} is no admin", "make it one: it could mend little")
    elif identities.issuer_of(db, account.id) is not None:
        yield Check("break-glass", "warning", f"{name} signs in with a provider", "name a local account")
    elif not second_factor.is_on(db, account.id):
        yield Check("break-glass", "warning", f"{name} has no second factor", "sign in once, and set it up")
    else:
        yield Check("break-glass", "ok", f"{name} can sign in without a provider, with its second factor")
    since = f"{datetime.fromtimestamp(now, UTC) - timedelta(days=ANNOUNCED_DAYS):%Y-%m-%d}"
    used = audit.lines(db, LineFilter(who=name, what="break_glass_used"), most=1)
    if used and used[0].moment >= since:
        finding = f"{name} signed in at {used[0].moment}"
        yield Check("break-glass", "warning", finding, "find out who it was, and why: see the audit log")
