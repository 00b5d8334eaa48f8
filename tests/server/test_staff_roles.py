"""Who may do what: every role, address and method, against one written table."""

import re

import pytest

from server.store import surveys

PUBLIC, STAFF, ADMIN = "everybody", "admin and researcher", "admin"

TABLE = {
    "GET /": PUBLIC,
    "GET /api/v1/": PUBLIC,
    "GET /healthz": PUBLIC,
    "GET /readyz": PUBLIC,
    "GET /learn": PUBLIC,
    "GET /learn/<slug>": PUBLIC,
    "GET /login": PUBLIC,
    "GET /s/<slug>": PUBLIC,
    "GET /s/<slug>/pictures/<sha256>": PUBLIC,
    "GET /survey.schema.json": PUBLIC,
    "GET /static/<asked>/<path:path>": PUBLIC,
    "POST /login": PUBLIC,
    "POST /s/<slug>": PUBLIC,
    "GET /account": STAFF,
    "GET /account/tokens": STAFF,
    "GET /results": STAFF,
    "GET /results/<slug>": STAFF,
    "GET /results/<slug>/all.zip": STAFF,
    "GET /results/<slug>/channels.json": STAFF,
    "GET /results/<slug>/codebook.csv": STAFF,
    "GET /results/<slug>/codebook.html": STAFF,
    "GET /results/<slug>/cross": STAFF,
    "GET /results/<slug>/cross.csv": STAFF,
    "GET /results/<slug>/cross.svg": STAFF,
    "GET /results/<slug>/charts/<name>.svg": STAFF,
    "GET /results/<slug>/estimates.csv": STAFF,
    "GET /results/<slug>/ethics": STAFF,
    "GET /results/<slug>/estimates.json": STAFF,
    "GET /results/<slug>/estimates.xlsx": STAFF,
    "GET /results/<slug>/reports.csv": STAFF,
    "GET /results/<slug>/reports.parquet": STAFF,
    "GET /results/<slug>/reports.sqlite": STAFF,
    "GET /results/<slug>/survey.toml": STAFF,
    "POST /account": STAFF,
    "POST /account/tokens": STAFF,
    "POST /account/tokens/<int:token_id>/revoke": STAFF,
    "POST /logout": STAFF,
    "GET /admin": ADMIN,
    "GET /admin/audit": ADMIN,
    "GET /admin/audit.csv": ADMIN,
    "GET /admin/import": ADMIN,
    "GET /admin/import/example.xlsx": ADMIN,
    "GET /admin/new": ADMIN,
    "GET /admin/people": ADMIN,
    "GET /admin/people/<int:account_id>/remove": ADMIN,
    "GET /admin/surveys/<slug>": ADMIN,
    "GET /admin/surveys/<slug>/close": ADMIN,
    "GET /admin/surveys/<slug>/copy": ADMIN,
    "GET /admin/surveys/<slug>/delete": ADMIN,
    "GET /admin/surveys/<slug>/ethics": ADMIN,
    "GET /admin/surveys/<slug>/open": ADMIN,
    "GET /admin/surveys/<slug>/pictures/<sha256>": ADMIN,
    "GET /admin/surveys/<slug>/plan": ADMIN,
    "GET /admin/surveys/<slug>/survey.toml": ADMIN,
    "GET /admin/surveys/<slug>/survey.xlsx": ADMIN,
    "GET /admin/surveys/<slug>/try": ADMIN,
    "POST /admin/import": ADMIN,
    "POST /admin/new": ADMIN,
    "POST /admin/new/starter": ADMIN,
    "POST /admin/people": ADMIN,
    "POST /admin/people/<int:account_id>/password": ADMIN,
    "POST /admin/people/<int:account_id>/remove": ADMIN,
    "POST /admin/surveys/<slug>": ADMIN,
    "POST /admin/surveys/<slug>/autosave": ADMIN,
    "POST /admin/surveys/<slug>/close": ADMIN,
    "POST /admin/surveys/<slug>/copy": ADMIN,
    "POST /admin/surveys/<slug>/delete": ADMIN,
    "POST /admin/surveys/<slug>/open": ADMIN,
    "POST /admin/surveys/<slug>/pictures": ADMIN,
    "POST /admin/surveys/<slug>/plan": ADMIN,
    "POST /admin/surveys/<slug>/preview": ADMIN,
    "POST /admin/surveys/<slug>/try": ADMIN,
}

ALLOWED = {
    PUBLIC: {None, "researcher", "admin"},
    STAFF: {"researcher", "admin"},
    ADMIN: {"admin"},
}


def cells(app):
    """Give every rule with every method but OPTIONS, which tells no more than the rule itself."""
    return {
        f"{method} {rule.rule}": (rule, method)
        for rule in app.url_map.iter_rules()
        for method in rule.methods - {"OPTIONS", "HEAD"}
    }


def test_the_table_names_every_address_of_the_application(staff_app):
    assert set(cells(staff_app)) == set(TABLE)


@pytest.fixture
def draft(storage):
    """A draft, so that no page is missing for want of a survey."""
    return storage.write(surveys.create_draft, {"candor": 1, "slug": "health", "languages": ["en"]})


def ask(app, browser, cell):
    """Send one request with a valid token, so that only the role decides; nothing else in it is right."""
    rule, method = cells(app)[cell]
    # Addresses of things that do not exist are no way around the guard, and change nothing when it lets pass.
    values = {
        "slug": "none",
        "account_id": 999,
        "token_id": 999,
        "asked": "none",
        "path": "none",
        "name": "none",
        "sha256": "none",
    }
    address = app.url_map.bind("localhost").build(
        rule.endpoint, {name: values[name] for name in rule.arguments}, method=method
    )
    if method == "GET":
        return browser.get(address)
    page = "/login" if browser.get("/account").status_code == 302 else "/account"
    return browser.post(address, page=page)


def refused(answer):
    sent_to_login = answer.status_code == 302 and answer.location.startswith("/login")
    return answer.status_code in (401, 403) or sent_to_login


@pytest.mark.parametrize("role", [None, "researcher", "admin"])
def test_every_role_gets_exactly_what_the_table_gives_it(staff_app, browse, role):
    for cell in TABLE:
        if cell in ("POST /logout", "POST /login", "POST /s/<slug>"):
            continue  # below: they end the session or have checks of their own
        allowed = role in ALLOWED[TABLE[cell]]
        answer = ask(staff_app, browse(role), cell)
        assert (cell, refused(answer), answer.status_code < 500) == (cell, not allowed, True)


def test_somebody_unknown_is_sent_to_the_login_page_and_a_researcher_is_told(browse):
    assert browse().get("/admin").location == "/login?next=/admin"
    told = browse("researcher").get("/admin")
    assert told.status_code == 403
    assert "Your role does not include this page." in told.text


def test_logging_out_needs_somebody_who_is_in(staff_app, browse):
    assert ask(staff_app, browse(), "POST /logout").location.startswith("/login")
    for role in ("researcher", "admin"):
        browser = browse(role)
        assert ask(staff_app, browser, "POST /logout").location == "/login"
        assert browser.get("/results").status_code == 302


def test_every_staff_form_is_refused_without_its_token(staff_app, browse, draft, storage):
    browser = browse("admin")
    posts = [rule for rule, method in cells(staff_app).values() if method == "POST"]
    # The respondent's page holds no token; what a test run of it sends is not looked at.
    staff_posts = [rule for rule in posts if rule.endpoint not in ("submission.send", "trial.send")]
    assert len(staff_posts) == len(posts) - 2
    for rule in staff_posts:
        values = {"slug": draft.slug, "account_id": 2, "token_id": 1}
        address = staff_app.url_map.bind("localhost").build(
            rule.endpoint, {name: values[name] for name in rule.arguments}, method="POST"
        )
        answer = browser.client.post(address, data={"slug": draft.slug}, headers={"Accept-Language": "en"})
        assert (rule.rule, answer.status_code) == (rule.rule, 400)
        assert re.search(r"nothing was (done|saved)", answer.text)
    assert storage.read(surveys.by_slug, draft.slug) == draft
    assert browser.get("/admin").status_code == 200


def test_a_token_of_another_session_is_refused(browse):
    browser = browse("admin")
    foreign = browse().token("/login")
    assert browser.client.post("/logout", data={"csrf_token": foreign}).status_code == 400
    assert browser.get("/admin").status_code == 200
