"""The wiring of the application: its parts, and what each of them gets."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial

from flask import Flask

from server.api import documentation, mount
from server.config import Config
from server.drafts import routes as editing
from server.drafts import trial
from server.drafts.planning import plan_page
from server.ethics import page as ethics
from server.language import request_language as language
from server.lessons import pages as lessons
from server.operations import audit, health, metrics
from server.options import from_environment
from server.pictures import of_drafts, published
from server.public import home, practice, schema, style
from server.respond import counted, fast_path, process_memory, submission
from server.respond import page as respond
from server.respond.page_cache import PageCache
from server.results import compare, cross, number_text, question_chart
from server.results import page as results
from server.results.downloads import all_zip, refusals, single_files, tables
from server.runtime import offload
from server.services import Services
from server.staff import account_links, accounts, guard, people, second_factor, tokens
from server.staff.provider import linking
from server.staff.provider import sign_in as provider_sign_in
from server.store.committer import Committer
from server.store.engine import Unavailable
from server.store.lifecycle.finisher import Finisher
from server.store.lifecycle.scheduler import Scheduler
from server.store.staff.accounts import AccountGone
from server.store.storage import storage_at
from server.store.surveys import SurveyGone
from server.store.upkeep import settings
from server.surveys import (
    begin,
    invitations,
    lifecycle,
    overview,
    relatives,
    schedule,
    second_admin,
    share,
    survey_files,
)
from server.surveys import ethics as draft_ethics
from server.web import contacts, content_policy, errors, markdown_html
from server.web.files import assets
from server.web.limits import client_address, gate
from server.web.limits.processor_share import ProcessorShare

BLUEPRINTS = (
    health,
    home,
    documentation,
    schema,
    respond,
    counted,
    published,
    submission,
    accounts,
    provider_sign_in,
    linking,
    second_factor,
    account_links,
    people,
    tokens,
    audit,
    overview,
    lifecycle,
    share,
    begin,
    relatives,
    survey_files,
    of_drafts,
    draft_ethics,
    ethics,
    results,
    cross,
    compare,
    question_chart,
    tables,
    single_files,
    all_zip,
    lessons,
    practice,
    schedule,
    second_admin,
    plan_page,
    editing,
    trial,
    invitations,
)

STATUSES = {Unavailable: 503, SurveyGone: 404, AccountGone: 404}
"""The statuses that answer a database that is away, or a survey or account that somebody has removed."""


def build(config: Config | None, clock: Callable[[], datetime], create: bool) -> Flask:
    """Build the application; see `server.create_app`."""
    config = config or from_environment()
    storage = storage_at(config.database)
    if create:
        storage.create()
    app = Flask(__package__, static_folder=None, template_folder=assets.folder("templates"))
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
    fast_path.init_app(app)  # within `client_address`, which settles address, host and prefix
    mount.init_app(app)
    language.init_app(app)
    assets.init_app(app)
    client_address.init_app(app, config.proxy_hops)
    content_policy.init_app(app)
    errors.init_app(app, STATUSES)
    guard.init_app(app)
    provider_sign_in.init_app(app, config)
    app.jinja_env.globals["base_address"] = config.base_address
    number_text.init_app(app)
    markdown_html.init_app(app)
    contacts.init_app(app)
    refusals.init_app(app)
    guard.csrf.exempt(
        submission.blueprint
    )  # the respondents' page is the same for everybody and holds no token
    for module in BLUEPRINTS:
        app.register_blueprint(module.blueprint)
    if config.metrics_token:
        app.register_blueprint(metrics.blueprint)
    if config.style:
        app.register_blueprint(style.blueprint)
    gate.check(app)
    app.wsgi_app = PageCache(app.wsgi_app, services)  # type: ignore[method-assign]
    return app
