"""Accounts of a provider beside those with a password: links, tokens, and a server without the latter."""

import time
from dataclasses import replace

import pytest
from click.testing import CliRunner
from identity_provider import BEGIN, HOURS, account, deeds
from test_second_factor import set_up

from server.cli import main
from server.cli.checks import sign_in
from server.config import Config
from server.store.staff import (
    accounts,
    audit,
    identities,
    links,
    rights,
    second_admin,
    second_factor,
    sessions,
    tokens,
)

PASSWORD = "a long enough password"
ON_BOTH = pytest.mark.parametrize("engine", ["sqlite", "postgresql"], indirect=True)


@pytest.fixture
def ada(browser):
    """The browser of the local admin, ada, at a server with a provider."""
    assert browser.sign_in().location == "/admin"
    return browser


@pytest.fixture
def link(provider):
    """Link whoever is signed in as the person of a subject; return the last answer."""

    def link(browser, subject="ada-7", password=PASSWORD):
        shown = browser.post("/account/link", present=password, provider="uni")
        assert ("within five minutes" in shown.text) == (password == PASSWORD)
        return browser.get(provider.sign_in(browser.get(BEGIN).location, subject))

    return link


@ON_BOTH
def test_a_local_account_is_linked_by_its_password_and_the_provider_together(
    ada, browser_of, provider, link, enter, storage, clock
):
    provider.person("ada-7", preferred_username="somebody", groups=["admins"])
    set_up(ada, clock)
    before = account(storage, "ada")
    storage.write(tokens.create, before.id, "script", True, None, None)
    assert "Link this account" in ada.get("/account").text
    assert link(ada).location == "/admin"
    me = account(storage, "ada")
    assert storage.read(identities.issuers).keys() == {me.id}
    assert not storage.read(second_factor.is_on, me.id)
    assert me.password_hash != before.password_hash
    assert storage.read(tokens.of_account, me.id) == []
    assert [deed for deed in deeds(storage) if deed[1] in ("provider_linked", "account_added")] == [
        ("ada", "provider_linked", "Hillside University")
    ]
    assert ada.get("/account/link").status_code == 404
    other = browser_of(ada.client.application)
    assert other.sign_in().status_code == 403  # nobody knows a password any more
    assert enter(other).location == "/admin"
    assert account(storage, "somebody") is None


def test_a_session_alone_links_nothing(ada, provider):
    answer = ada.post("/account/link", present="a wrong password", provider="uni")
    assert (answer.status_code, "password is wrong" in answer.text) == (422, True)
    assert ada.get(BEGIN).location == "/admin"
    assert ada.post("/account/link", present=PASSWORD, provider="other").status_code == 404


def test_a_link_is_made_with_whoever_signs_in_there_now_and_not_who_was_signed_in_before(
    ada, provider, storage
):
    ada.post("/account/link", present=PASSWORD, provider="uni")
    address = ada.get(BEGIN).location
    assert "prompt=login" in address
    back = provider.sign_in(address, "ada-7")
    provider.use(provider.any_key, auth_time=int(time.time()) - 3600)
    assert ada.get(back).status_code == 502
    assert storage.read(identities.issuers) == {}


def test_who_signs_out_in_between_or_waits_links_nothing(ada, browser_of, provider, storage, clock):
    ada.post("/account/link", present=PASSWORD, provider="uni")
    clock.forward(301)
    assert ada.get(BEGIN).location == "/admin"
    clock.forward(-301)
    ada.post("/account/link", present=PASSWORD, provider="uni")
    back = provider.sign_in(ada.get(BEGIN).location, "ada-7")
    storage.write(sessions.end_all, account(storage, "ada").id)
    assert ada.get(back).status_code == 400
    assert storage.read(identities.issuers) == {}


def test_an_identity_belongs_to_one_account_and_no_link_takes_the_last_admin_away(
    ada, browser_of, provider, enter, link, storage
):
    assert "Too few admins" in link(ada).text  # ada-7 is no admin there
    other = browser_of(ada.client.application)
    enter(other)
    provider.person("ada-7", preferred_username="ada", groups=["admins"])
    answer = link(ada)
    assert (answer.status_code, "linked already" in answer.text) == (409, True)
    provider.person("eve-1", preferred_username="eve")
    assert link(ada, "eve-1").status_code == 403
    assert ada.get("/admin/people").status_code == 200


def test_tokens_are_made_soon_after_the_provider_was_asked(browser, provider, enter, storage, clock):
    enter(browser)
    form = {"name": "script", "access": "read", "scope": "all"}
    assert browser.post("/account/tokens", **form).status_code == 200
    clock.forward(601)
    page = browser.get("/account/tokens")
    assert "has to make sure first" in page.text
    assert browser.client.post("/account/tokens", data=form).status_code == 400
    me = account(storage, "ada-2")
    assert len(storage.read(tokens.of_account, me.id)) == 1
    clock.forward(-601)
    begun = browser.get(f"{BEGIN}?again=1&next=/account/tokens")
    assert "prompt=login" in begun.location
    assert "max_age=0" in begun.location
    assert browser.get(provider.sign_in(begun.location, "ada-7")).location == "/account/tokens"
    assert len(storage.read(sessions.of_account, me.id, clock().timestamp())) == 1  # the former has ended


def test_a_sign_in_of_earlier_is_not_taken_for_a_new_one(browser, provider, enter):
    enter(browser)
    address = browser.get(f"{BEGIN}?again=1").location
    back = provider.sign_in(address, "ada-7")
    provider.use(provider.any_key, auth_time=int(time.time()) - 3600)
    assert browser.get(back).status_code == 502


def test_an_account_says_who_signs_it_in_and_asks_for_no_password(browser, ada, browser_of, enter, storage):
    other = browser_of(browser.client.application)
    enter(other)
    page = other.get("/account").text
    assert f"ends after {HOURS} hours" in page
    assert 'name="present"' not in page
    me = account(storage, "ada-2")
    assert "With Hillside University" in ada.get("/admin/people").text
    shown = ada.get(f"/admin/people/{me.id}").text
    assert "Signs in with Hillside University" in shown
    for what in ("reset", "password"):
        assert f"/admin/people/{me.id}/{what}" not in shown
        assert ada.post(f"/admin/people/{me.id}/{what}", page="/admin/people").status_code == 404


def test_whoever_is_removed_here_and_not_from_the_group_comes_back_with_nothing(
    browser, ada, browser_of, enter, storage
):
    other = browser_of(browser.client.application)
    enter(other)
    other.post("/admin/new", slug="health")
    me, heir = account(storage, "ada-2"), account(storage, "ada")
    remove = f"/admin/people/{me.id}/remove"
    assert "gets a new account here at the next sign-in" in ada.get(remove).text
    (number,) = storage.read(rights.owned_by, me.id).values()
    assert ada.post(remove, **{f"heir-{number}": heir.id}).status_code == 302
    assert other.get("/account").location.startswith("/login")
    assert enter(other).location == "/admin"
    assert account(storage, "ada-2").id != me.id
    assert other.get("/admin/surveys/health").status_code == 404


def test_a_second_factor_that_is_required_is_the_providers_business(ada, browser_of, enter, storage, clock):
    set_up(ada, clock)
    other = browser_of(ada.client.application)
    enter(other)
    ada.post("/admin/people/requirement", page="/admin/people", required="1")
    assert other.get("/admin").status_code == 200


@pytest.fixture
def locked(rules):
    """Rules without local accounts but ada's."""
    return replace(rules, local_accounts=False, break_glass="Ada")


@ON_BOTH
def test_without_local_accounts_only_the_one_for_emergencies_signs_in_and_needs_a_factor(
    app_with, locked, browser_of, storage, clock
):
    secret = storage.write(tokens.create, account(storage, "ben").id, "script", False, None, None)
    app = app_with(locked)
    ben, ada = browser_of(app), browser_of(app)
    assert "Emergency access" in ben.get("/login").text
    assert ben.sign_in("ben").status_code == 403
    assert ada.sign_in().status_code == 302
    assert deeds(storage)[0] == ("ada", "break_glass_used", None)
    assert ada.get("/admin").location == "/account/factor"
    set_up(ada, clock)
    assert ada.get("/admin").status_code == 200
    bearer = {"Authorization": f"Bearer {secret}"}
    assert ben.client.get("/api/v1/surveys", headers=bearer).status_code == 401
    assert ada.get("/account/link").status_code == 404


def test_nobody_else_gets_the_name_for_emergencies_or_one_that_only_looks_like_it(
    app_with, rules, browser_of, provider, enter, storage, clock
):
    kept = replace(rules, break_glass="ops")
    storage.write(accounts.create, "op\u017f", PASSWORD, "admin")  # Unicode folds its last letter to an s
    token = storage.write(links.invite, account(storage, "ada").id, "editor", False, [], clock().timestamp())
    form = {"link": token, "name": "OPS", "password": PASSWORD}
    answer = browser_of(app_with(kept)).post("/join", **form)
    assert (answer.status_code, "already an account of that name" in answer.text) == (409, True)
    app = app_with(replace(kept, local_accounts=False))
    assert browser_of(app).sign_in("op\u017f").status_code == 403
    provider.person("eve-1", preferred_username="ops", groups=["staff"])
    assert enter(browser_of(app), "eve-1").status_code == 302
    assert (account(storage, "ops"), account(storage, "ops-2").role) == (None, "researcher")


@pytest.mark.parametrize(
    ("said", "name"), [("Ada <Byron>", "Ada.Byron"), ("x" * 80, "x" * 56), ("<>", "person")]
)
def test_what_a_provider_calls_somebody_becomes_a_name_that_an_account_may_have(storage, rules, said, name):
    assert storage.read(identities.free_name, rules, said) == name


def test_turning_local_accounts_off_ends_their_sessions_and_links(
    app_with, rules, locked, browser_of, storage, clock
):
    ben = browser_of(app_with(rules))
    assert ben.sign_in("ben").status_code == 302
    token = storage.write(links.invite, account(storage, "ada").id, "admin", False, [], clock().timestamp())
    app = app_with(locked)
    ben.client.application = app
    assert ben.get("/account").location.startswith("/login")
    stranger = browser_of(app)
    assert not stranger.post("/join/link", page="/join", link=token).json["usable"]
    form = {"link": token, "name": "eve", "password": PASSWORD}
    assert stranger.post("/join", **form).status_code == 410
    ada = browser_of(app)
    ada.sign_in()
    set_up(ada, clock)
    assert "get one here the first time" in ada.get("/admin/people").text
    for address in ("/admin/people", "/admin/people/invitations"):
        answer = ada.post(address, page="/admin/people", name="eve", role="admin", scope="chosen")
        assert answer.status_code == 404


def test_links_end_with_the_provider_that_let_their_maker_in(
    app_with, rules, browser_of, provider, enter, storage, clock
):
    provider.person("ada-7", preferred_username="ada", groups=["admins"])
    app = app_with(rules)
    enter(browser_of(app))
    me = account(storage, "ada-2")
    token = storage.write(links.invite, me.id, "admin", False, [], clock().timestamp())
    for each, usable in ((app, True), (app_with(replace(rules, providers=())), False)):
        asked = browser_of(each).post("/join/link", page="/join", link=token)
        assert asked.json["usable"] == usable


def told(storage, rules, now):
    return [
        (check.state, check.finding)
        for check in storage.read(lambda db: [*sign_in.emergency(db, rules, now)])
    ]


def test_doctor_looks_after_the_account_for_emergencies(storage, locked, provider):
    now = time.time()
    assert told(storage, replace(locked, break_glass=None), now) == []
    assert told(storage, replace(locked, break_glass="ops"), now) == [
        ("warning", "there is no account 'ops'")
    ]
    assert told(storage, replace(locked, break_glass="ben"), now) == [("warning", "ben is no admin")]
    assert told(storage, locked, now) == [("warning", "Ada has no second factor")]
    ada = account(storage, "ada")
    storage.write(second_factor.begin, ada.id)
    storage.write(lambda db: db.execute("UPDATE second_factors SET confirmed = 1"))
    (ok,) = told(storage, locked, now)
    assert ok[0] == "ok"
    storage.write(audit.note, "ada", "break_glass_used")
    assert told(storage, locked, now)[1][1].startswith("Ada signed in at ")
    assert told(storage, locked, now + 31 * 86400) == [ok]
    storage.write(
        identities.attach, ada.id, identities.Person("https://a.example", "1", "", frozenset()), "2026-01-01"
    )
    assert told(storage, locked, now + 31 * 86400) == [("warning", "Ada signs in with a provider")]


def test_doctor_asks_each_provider_and_looks_who_may_read_the_secrets(rules, provider, tmp_path):
    (answers,) = sign_in.providers(Config(oidc=rules))
    assert (answers.name, answers.state) == ("provider uni", "ok")
    secret = tmp_path / "uni.secret"
    secret.write_text("secret")
    secret.chmod(0o644)
    provider.answers = {"/jwks": provider.broken}
    away, open_to_all = sign_in.providers(Config(oidc=replace(rules, files=(secret,))))
    assert (away.state, "does not answer" in away.finding) == ("fault", True)
    assert open_to_all.finding == f"everybody on this machine can read {secret}"


def test_a_password_from_the_command_line_takes_an_account_back_from_the_provider(
    browser, browser_of, enter, storage
):
    enter(browser)
    command = ["user", "password", "ada-2", "--database", str(storage.path), "--password-stdin"]
    assert CliRunner().invoke(main, command, input=f"{PASSWORD}\n").exit_code == 0
    assert browser.get("/account").location.startswith("/login")
    local = browser_of(browser.client.application)
    assert local.sign_in("ada-2").status_code == 302
    assert enter(browser).location == "/admin"
    assert account(storage, "ada-3") is not None


def test_the_command_line_says_who_can_come_back(browser, enter, storage, provider):
    enter(browser)
    command = ["user", "remove", "ada-2", "--database", str(storage.path)]
    assert f"in a group of {provider.issuer} still" in CliRunner().invoke(main, command).output
    assert "still" not in CliRunner().invoke(main, [*command[:2], "ben", *command[3:]]).output
    assert [each.name for each in storage.read(accounts.all_accounts)] == ["ada"]


def test_while_two_admins_are_needed_no_group_makes_one(browser, browser_of, provider, enter, link, storage):
    """An admin with an account of each kind could confirm what they proposed."""
    provider.person("ada-7", preferred_username="ada", groups=["admins"])
    provider.person("ann-1", preferred_username="ann", groups=["admins"])
    enter(browser, "ann-1")
    storage.write(second_admin.store, True)
    for _ in range(2):
        enter(browser_of(browser.client.application))
        assert account(storage, "ada-2").role == "editor"
    browser.post("/logout", page="/account")
    assert enter(browser, "ann-1").location == "/admin"
    assert account(storage, "ann").role == "admin"  # and who was one before is one
    storage.write(accounts.delete, account(storage, "ada-2").id)
    local = browser_of(browser.client.application)
    local.sign_in()
    assert link(local).location == "/admin"
    assert account(storage, "ada").role == "admin"


def test_an_admin_whom_no_group_makes_one_any_more_is_signed_out_though_two_have_to_stay(
    browser, browser_of, provider, enter, storage
):
    provider.person("ann-1", preferred_username="ann", groups=["admins"])
    enter(browser, "ann-1")
    ann = account(storage, "ann")
    storage.write(tokens.create, ann.id, "script", True, None, None)
    storage.write(links.invite, ann.id, "editor", False, [], 0)
    storage.write(second_admin.store, True)
    provider.person("ann-1", preferred_username="ann", groups=["staff"])
    assert enter(browser_of(browser.client.application), "ann-1").status_code == 409
    assert browser.get("/admin/people").location.startswith("/login")
    assert storage.read(tokens.of_account, ann.id) == []
    assert storage.read(links.invitations, 0) == []
    assert account(storage, "ann").role == "admin"  # until there is another
