"""The setting by which one admin alone neither opens nor deletes: see `server.store.lifecycle.proposals`.

Whoever could make a second admin could confirm what they proposed. So while it is on, no admin gives anybody
the powers of one; whoever runs the server can, on the command line.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from server.store.engine import Connection

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

SETTING = "second_admin_required"


class SecondAdminRequired(ValueError):
    """Raised when an admin would make another, or let somebody in as one, while that takes the operator."""


def is_required(db: Connection) -> bool:
    """Return whether opening and deleting need a second admin."""
    return bool(db.execute("SELECT 1 FROM settings WHERE name = ? AND value = '1'", [SETTING]).fetchall())


def store(db: Connection, required: bool) -> None:
    """Store whether opening and deleting need a second admin."""
    db.execute(
        "INSERT INTO settings (name, value) VALUES (?, ?) "
        "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        [SETTING, str(int(required))],
    )


def by_operator_alone(
    function: Callable[Concatenate[Connection, Arguments], Result],
) -> Callable[Concatenate[Connection, Arguments], Result]:
    """Wrap a function of a transaction that gives somebody the powers of an admin: it is refused to admins.

    The function that comes out raises `SecondAdminRequired` while the setting is on.
    """

    def both(db: Connection, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        if is_required(db):
            raise SecondAdminRequired
        return function(db, *args, **kwargs)

    return both
