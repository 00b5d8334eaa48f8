"""The web application: stores noisy reports, shows estimates; never holds a true answer."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask

    from server.config import Config


UTC_CLOCK = partial(datetime.now, UTC)


def create_app(
    config: Config | None = None,
    clock: Callable[[], datetime] = UTC_CLOCK,
    create: bool = True,
    late: bool = False,
) -> Flask:
    """Build the application.

    Parameters
    ----------
    config : Config, optional
        Read from the environment by default.
    clock : callable, optional
        Returns the present moment, in UTC.
    create : bool, optional
        Whether to make a missing database and to bring an old one up to date. ``candor serve`` does so once:
        a worker that restarts must not replace a vanished database by an empty one.
    late : bool, optional
        Whether the pages that nobody needs in order to take part wait until somebody asks for one.

    Raises
    ------
    ConfigError
        If a variable of the environment cannot be used.
    Unavailable
        If the database cannot be opened or brought up to date.
    """
    # Not above: the command lives in this package too, and gevent must patch the standard library before
    # anything of the application is imported.
    from server.application import build

    return build(config, clock, create, late)
