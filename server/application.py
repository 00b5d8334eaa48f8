"""The wiring: which parts the application has, and what they are given."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from flask import Flask

from server import (
    accounts,
    assets,
    cross,
    download,
    editor,
    home,
    language,
    learn,
    people,
    respond,
    results,
    security,
    style,
    trial,
)
from server.committer import Committer
from server.config import Config, from_environment
from server.database import Storage
from server.rate import RateLimit
from server.services import Services
from server.store import settings

BLUEPRINTS = (home, respond, people, editor, results, cross, download, learn, style, trial)


def build(config: Config | None, clock: Callable[[], datetime]) -> Flask:
    """Make the application; see `server.create_app`."""
    config = config or from_environment()
    storage = Storage(config.database)
    storage.migrate()
    app = Flask("server", static_folder=None, template_folder=assets.folder("templates"))
    app.secret_key = config.secret_key or storage.write(settings.secret_key)
    app.extensions["candor"] = Services(
        config=config,
        storage=storage,
        committer=Committer(storage),
        rate_limit=RateLimit(config.rate_limit),
        clock=clock,
    )
    language.init_app(app)
    assets.init_app(app)
    security.init_app(app, config.proxy_hops)
    accounts.init_app(app)
    accounts.csrf.exempt(respond.blueprint)  # its page is the same for everybody and holds no token
    for module in BLUEPRINTS:
        app.register_blueprint(module.blueprint)
    return app
