"""The wiring of the application: its parts, and what each of them gets."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial

from flask import Flask

from server.api import mount
from server.config import Config
from server.language import request_language as language
from server.operations import health
from server.options import from_environment
from server.pictures import published
from server.respond import fast_path, process_memory, submission
from server.respond import page as respond
from server.respond.page_cache import PageCache
from server.runtime import offload
from server.services import Services
from server.staff import guard
from server.store.committer import Committer
from server.store.engine import Unavailable
from server.store.lifecycle.finisher import Finisher
from server.store.lifecycle.scheduler import Scheduler
from server.store.staff.accounts import AccountGone
from server.store.storage import storage_at
from server.store.surveys import SurveyGone
from server.store.upkeep import settings
from server.web import contacts, content_policy, errors, late_pages, markdown_html, template_cache
from server.web.files import assets
from server.web.limits import client_address, gate
from server.web.limits.processor_share import ProcessorShare

BLUEPRINTS = (health, respond, published, submission)
"""The pages that are there from the start: those of open surveys, and of load balancers."""

STATUSES = {Unavailable: 503, SurveyGone: 404, AccountGone: 404}
"""The statuses that answer a database that is away, or a survey or account that somebody has removed."""


def build(config: Config | None, clock: Callable[[], datetime], create: bool, late: bool) -> Flask:
    """Build the application; see `server.create_app`."""
    config = config or from_environment()
    storage = storage_at(config.database)
    if create:
        storage.create()
    templates = assets.folder("templates")
    app = late_pages.GrowingFlask(__package__, static_folder=None, template_folder=templates)
    template_cache.init_app(app, templates)
    app.secret_key = config.secret_key or storage.write(settings.secret_key)

    def moment() -> float:
        return clock().timestamp()

    def wake() -> None:
        scheduler.wake()  # only reports that stand in a plain table by now can be removed

    finisher = Finisher(storage, after=wake)
    scheduler = Scheduler(storage, moment, finisher)
    services = Services(
        config=config,
        storage=storage,
        committer=Committer(storage, moment, scheduler.wake),
        finisher=finisher,
        scheduler=scheduler,
        clock=clock,
    )
    app.extensions["candor"] = services
    process_memory.init_app(app, config.rate_limit, storage.shows_together)
    # Without an event loop nobody waits for anybody else.
    share = ProcessorShare(config.strangers_share if offload.patched() else 0)
    gate.init_app(app, partial(guard.visitor, app), share)
    for module in BLUEPRINTS:
        app.register_blueprint(module.blueprint)
    if config.metrics_token:
        from server.operations import metrics

        app.register_blueprint(metrics.blueprint)
    if late:
        late_pages.init_app(app, partial(load_late, config))
    fast_path.init_app(app)  # within `client_address`, which settles address, host and prefix
    mount.init_app(app)
    language.init_app(app)
    assets.init_app(app)
    client_address.init_app(app, config.proxy_hops)
    content_policy.init_app(app)
    errors.init_app(app, STATUSES)
    guard.init_app(app)
    app.jinja_env.globals["base_address"] = config.base_address
    markdown_html.init_app(app)
    contacts.init_app(app)
    guard.csrf.exempt(
        submission.blueprint
    )  # the respondents' page is the same for everybody and holds no token
    gate.check(app)
    if not late:
        load_rooms()(app)
    app.wsgi_app = PageCache(app.wsgi_app, services)  # type: ignore[method-assign]
    return app


def load_rooms() -> late_pages.Add:
    """Import the rooms of the pages that nobody needs in order to take part; return what adds the pages."""
    from server.rooms import add  # what it imports is slow

    return add


def load_late(config: Config) -> late_pages.Add:
    """Import what the late pages of a configuration need; return what adds them."""
    if config.sign_in.providers:  # only once workers are forked: this opens a socket
        from server.staff.provider import client  # noqa: F401
    return load_rooms()
