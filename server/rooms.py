"""The pages that nobody needs in order to take part. The first request for one imports their rooms."""

from __future__ import annotations

from flask import Flask

from server.api import documentation
from server.drafts import routes as editing
from server.drafts import trial
from server.drafts.planning import plan_page
from server.ethics import page as ethics
from server.lessons import pages as lessons
from server.operations import audit
from server.pictures import of_drafts
from server.public import home, practice, schema, style
from server.respond import counted
from server.results import compare, cross, number_text, question_chart
from server.results import page as results
from server.results.downloads import all_zip, refusals, single_files, tables
from server.services import Services
from server.staff import account_links, accounts, people, second_factor, tokens
from server.staff.provider import linking
from server.staff.provider import sign_in as provider_sign_in
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
from server.web.limits import gate

BLUEPRINTS = (
    counted,
    home,
    documentation,
    schema,
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


def add(app: Flask) -> None:
    """Add their pages to an application."""
    services: Services = app.extensions["candor"]
    provider_sign_in.init_app(app, services.config)
    number_text.init_app(app)
    refusals.init_app(app)
    for module in BLUEPRINTS:
        app.register_blueprint(module.blueprint)
    if services.config.style:
        app.register_blueprint(style.blueprint)
    gate.check(app)
