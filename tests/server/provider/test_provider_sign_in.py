"""Sign-in with an institution's account, at a provider that the tests start: who gets in, and who not."""

import base64
import hashlib
import json
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
from identity_provider import BACK, BEGIN, HOURS, account, deeds, new_key
from werkzeug.wrappers import Response

from server.providers import Provider, SignInRules
from server.staff.provider import client as provider_client
from server.store.staff import accounts, audit, identities, rights, tokens

ON_BOTH = pytest.mark.parametrize("engine", ["sqlite", "postgresql"], indirect=True)
FOREIGN = new_key("foreign")


@ON_BOTH
def test_somebody_in_a_group_gets_an_account_with_its_role_and_no_account_is_taken_over(
    browser, enter, storage
):
    assert enter(browser).location == "/admin"
    assert browser.get("/admin").status_code == 200
    assert account(storage, "ada").role == "admin"  # the local account, which has the same name
    mine = account(storage, "ada-2")
    assert mine.role == "editor"  # of two groups, the one that may do more
    assert deeds(storage)[:2] == [
        ("ada-2", "signed_in", "Hillside University"),
        (audit.BY_PROVIDER, "account_added", "ada-2"),
    ]
    browser.post("/logout", page="/account")
    assert enter(browser).location == "/admin"
    assert account(storage, "ada-3") is None  # the subject is known again
    assert storage.read(identities.issuers).keys() == {mine.id}


def test_the_page_that_was_asked_for_comes_back(browser, enter):
    assert "Sign in with Hillside University" in browser.get("/login?next=/account").text
    assert enter(browser, begin=f"{BEGIN}?next=/account").location == "/account"
    assert browser.get(f"{BEGIN}?next=https://evil.example").location == "/admin"


def test_the_request_holds_state_nonce_and_a_challenge_that_only_the_exchange_answers(
    browser, enter, provider
):
    asked = [parse_qs(urlsplit(browser.get(BEGIN).location).query) for _ in range(2)]
    for key in ("state", "nonce", "code_challenge"):
        assert asked[0][key] != asked[1][key]
    assert asked[0]["code_challenge_method"] == ["S256"]
    assert asked[0]["redirect_uri"] == [f"http://localhost{BACK}"]
    address = browser.get(BEGIN).location
    browser.get(provider.sign_in(address, "ada-7"))
    verifier = provider.forms[-1]["code_verifier"][0]
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    assert parse_qs(urlsplit(address).query)["code_challenge"] == [challenge]


def test_the_address_to_come_back_to_is_the_one_that_people_reach(app_with, rules, browser_of):
    browser = browser_of(app_with(rules, base_address="https://survey.example/research"))
    asked = parse_qs(urlsplit(browser.get(BEGIN).location).query)
    assert asked["redirect_uri"] == [f"https://survey.example/research{BACK}"]


def test_what_comes_back_answers_what_this_browser_began_once_and_in_time(
    browser, browser_of, provider, enter, clock
):
    address = browser.get(BEGIN).location
    back = provider.sign_in(address, "ada-7")
    stranger = browser_of(browser.client.application)
    assert stranger.get(back).status_code == 400  # somebody else's code, put into their browser
    assert browser.get(f"{BACK}?code=x&state=other").status_code == 400
    assert browser.get(back).status_code == 400  # the wrong answer has ended it
    back = provider.sign_in(browser.get(BEGIN).location, "ada-7")
    clock.forward(901)
    assert "start again" in browser.get(back).text
    clock.forward(-901)
    back = provider.sign_in(browser.get(BEGIN).location, "ada-7")
    assert browser.get(f"{back}&iss=https://other.example").status_code == 400
    assert browser.get("/account").location.startswith("/login")
    assert "/oauth2/token" not in provider.asked


def test_whoever_cancels_is_told_so(browser, provider):
    address = browser.get(BEGIN).location
    state = parse_qs(urlsplit(address).query)["state"][0]
    answer = browser.get(f"{BACK}?error=access_denied&state={state}")
    assert (answer.status_code, "did not sign you in" in answer.text) == (403, True)


WRONG = {
    "audience": {"aud": "another"},
    "audience beside ours, and for the other": {"aud": ["candor", "another"], "azp": "another"},
    "audience, though the party is ours": {"aud": "another", "azp": "candor"},
    "issuer": {"iss": "https://other.example"},
    "nonce": {"nonce": "of another sign-in"},
    "no nonce": {"nonce": None},
    "expired": {"exp": 1_700_000_000},
    "never expires": {"exp": None},
    "issued in the future": {"iat": 4_000_000_000},
    "no subject": {"sub": None},
    "empty subject": {"sub": ""},
    "subject that PostgreSQL cannot store": {"sub": "ada\0"},
    "other access token": {"at_hash": "AAAAAAAAAAAAAAAAAAAAAA"},
    "a hash of another type": {"at_hash": [["x"]]},
}


@pytest.mark.parametrize("change", WRONG.values(), ids=WRONG.keys())
def test_a_token_with_one_claim_wrong_signs_nobody_in(browser, provider, enter, storage, change):
    provider.use(FOREIGN, **change)
    answer = enter(browser)
    assert (answer.status_code, "cannot be trusted" in answer.text) == (502, True)
    assert browser.get("/account").location.startswith("/login")
    assert deeds(storage) == [(audit.BY_PROVIDER, "provider_refused", "Hillside University")]
    assert enter(browser).status_code == 502
    assert len(deeds(storage)) == 1  # once a day


def test_the_same_token_without_a_wrong_claim_does(browser, provider, enter):
    provider.use(FOREIGN)
    assert enter(browser).status_code == 302


def test_a_new_key_is_fetched_and_one_that_was_dropped_is_refused_after_an_hour(
    browser, provider, enter, timer
):
    old, new = new_key("old"), new_key("new")
    provider.use(old)
    assert enter(browser).status_code == 302
    browser.post("/logout", page="/account")
    provider.use(new)
    timer[0] += 29
    assert enter(browser).status_code == 502  # fetched a moment ago
    timer[0] += 2
    assert enter(browser).status_code == 302
    browser.post("/logout", page="/account")
    provider.use(new, published=[old])
    timer[0] += 3601
    assert enter(browser).status_code == 502


@pytest.mark.parametrize("kid", ["foreign", "known"])
def test_a_foreign_key_signs_nobody_in_and_makes_the_server_fetch_keys_no_more_often(
    browser, provider, enter, kid
):
    provider.use(new_key(kid), published=[new_key("known")])
    assert {enter(browser).status_code for _ in range(4)} == {502}
    assert provider.asked.count("/jwks") == 1


@pytest.mark.parametrize("algorithm", ["none", "HS256"])
def test_a_token_signed_with_what_everybody_knows_signs_nobody_in(browser, provider, enter, algorithm):
    def unsigned(token):
        header = base64.urlsafe_b64encode(b'{"alg":"%s"}' % algorithm.encode()).rstrip(b"=").decode()
        return ".".join([header, token.split(".")[1], "" if algorithm == "none" else "AAAA"])

    signed, provider.key, provider.change = provider.signed, FOREIGN, {}

    def answer(response):
        tokens = signed(response).get_json(force=True)
        return Response(
            json.dumps(tokens | {"id_token": unsigned(tokens["id_token"])}),
            content_type="application/json",
        )

    provider.signed = answer
    try:
        assert enter(browser).status_code == 502
    finally:
        del provider.signed


@ON_BOTH
def test_the_role_follows_the_groups_at_the_next_sign_in_and_surveys_stay(browser, provider, enter, storage):
    provider.person("ben-8", preferred_username="ben.b", groups="methods")
    enter(browser, "ben-8")
    browser.post("/admin/new", slug="health")
    me = account(storage, "ben.b")
    secret = storage.write(tokens.create, me.id, "script", True, None, None)
    browser.post("/logout", page="/account")
    provider.person("ben-8", preferred_username="ben.b", groups=["staff"])
    assert enter(browser, "ben-8").location == "/results"
    now = account(storage, "ben.b")
    assert now.role == "researcher"
    assert not storage.read(rights.rights_of, now).all_surveys
    assert (audit.BY_PROVIDER, "rights_changed", "ben.b") in deeds(storage)
    assert storage.read(tokens.holder, secret, "2026-01-01") is None
    browser.post("/logout", page="/account")
    provider.person("ben-8", preferred_username="ben.b", groups=["methods"])
    assert enter(browser, "ben-8").location == "/admin"
    assert browser.get("/admin/surveys/health").status_code == 200


@ON_BOTH
def test_somebody_in_no_group_gets_a_page_and_no_account_and_loses_what_they_had(
    browser, browser_of, provider, enter, storage
):
    provider.person("eve-9", preferred_username="eve <b>", groups=["guests"])
    answer = enter(browser, "eve-9")
    assert (answer.status_code, "in no group" in answer.text) == (403, True)
    assert "eve &lt;b&gt;" in answer.text
    assert storage.read(identities.issuers) == {}
    assert deeds(storage) == [(audit.BY_PROVIDER, "provider_refused", "Hillside University")]
    provider.person("eve-9", preferred_username="eve", groups=["staff"])
    assert enter(browser, "eve-9").status_code == 302
    secret = storage.write(tokens.create, account(storage, "eve").id, "script", False, None, None)
    provider.person("eve-9", preferred_username="eve")
    other = browser_of(browser.client.application)
    assert enter(other, "eve-9").status_code == 403
    assert deeds(storage)[0] == (audit.BY_PROVIDER, "provider_refused", "Hillside University: eve")
    assert browser.get("/account").location.startswith("/login")
    assert storage.read(tokens.holder, secret, "2026-01-01") is None


def test_groups_come_from_claims_within_claims_and_from_the_page_about_the_person(
    app_with, browser_of, provider, enter, rules
):
    nested = Provider(**{**vars(rules.providers[0]), "groups_claim": "realm.roles", "name_claim": "nick"})
    provider.person("kim-1", nick="김 영희", realm={"roles": ["staff"]})
    browser = browser_of(app_with(SignInRules((nested,))))
    provider.use(FOREIGN, realm=None)
    assert enter(browser, "kim-1").location == "/results"
    assert "/userinfo" in provider.asked
    assert "김.영희" in browser.get("/account").text


def test_a_session_ends_when_the_provider_has_to_be_asked_again(browser, provider, enter, clock):
    enter(browser)
    clock.forward(HOURS * 3600 - 1)
    assert browser.get("/account").status_code == 200
    clock.forward(1)
    assert browser.get("/account").location.startswith("/login")


def test_tokens_of_somebody_who_does_not_come_back_stop_after_thirty_days(
    app_with, rules, browser_of, program_of, enter, clock, storage
):
    app = app_with(rules)
    enter(browser_of(app))
    program = program_of(app, "ada-2")
    clock.forward(30 * 86400)
    assert program.get("/surveys").status_code == 200
    clock.forward(86400)
    assert program.get("/surveys").status_code == 401
    clock.forward(-31 * 86400)  # as tokens of the provider are dated, nobody signs in there later than now
    storage.write(lambda db: db.execute("UPDATE identities SET confirmed = '2000-01-01'") and None)
    assert program.get("/surveys").status_code == 401
    enter(browser_of(app))
    assert program.get("/surveys").status_code == 200


def test_a_provider_that_is_no_longer_named_lets_nobody_stay(app_with, rules, browser_of, enter):
    browser = browser_of(app_with(rules))
    enter(browser)
    browser.client.application = app_with(None)
    assert browser.get("/account").location.startswith("/login")
    assert browser.get(BEGIN).status_code == 404


def test_the_last_admin_stays_one_and_is_told_why(app_with, rules, browser_of, provider, enter, storage):
    browser = browser_of(app_with(rules))
    provider.person("ann-1", preferred_username="ann", groups=["admins"])
    enter(browser, "ann-1")
    storage.write(accounts.delete, account(storage, "ada").id)
    browser.post("/logout", page="/account")
    provider.person("ann-1", preferred_username="ann", groups=["staff"])
    assert "Too few admins" in enter(browser, "ann-1").text
    assert account(storage, "ann").role == "admin"


AWAY = {
    "500": Response("broken", 500),
    "no JSON": Response("<html>"),
    "no object": Response("[]"),
    "huge": Response(b'{"a":"' + b"x" * provider_client.MOST_BYTES + b'"}'),
    "elsewhere": Response("", 302, {"Location": "https://other.example/"}),
    "empty": Response("{}"),
}


@pytest.mark.parametrize("answer", AWAY.values(), ids=AWAY.keys())
@pytest.mark.parametrize("path", ["/.well-known/openid-configuration", "/jwks"])
def test_a_provider_that_describes_itself_wrongly_is_said_to_be_away_and_asked_no_more_for_a_while(
    browser, provider, timer, path, answer
):
    provider.answers = {path: answer}
    page = browser.get(BEGIN)
    assert (page.status_code, "Hillside University is not answering" in page.text) == (504, True)
    for _ in range(3):
        assert browser.get(BEGIN).status_code == 504
    assert provider.asked.count(path) == 1
    provider.answers = {}
    timer[0] += 31
    assert browser.get(BEGIN).status_code == 302


@pytest.mark.parametrize("answer", AWAY.values(), ids=AWAY.keys())
def test_a_wrong_answer_to_the_code_signs_nobody_in(browser, provider, enter, answer):
    provider.answers = {"/oauth2/token": answer}
    assert enter(browser).status_code in (502, 504)
    assert browser.get("/account").location.startswith("/login")


def test_a_description_that_names_another_issuer_or_leads_off_https_is_not_believed(browser, provider, timer):
    told = requests.get(f"{provider.issuer}/.well-known/openid-configuration", timeout=10).json()
    for change in (
        {"issuer": "https://other.example"},
        {"authorization_endpoint": "http://other.example/"},
        {"token_endpoint": "file:///etc/passwd"},
        {"jwks_uri": None},
        {"userinfo_endpoint": "https://[::1"},
        {"token_endpoint_auth_methods_supported": 1},
    ):
        answer = Response(json.dumps(told | change))
        provider.answers = {"/.well-known/openid-configuration": answer}
        timer[0] += 31
        assert browser.get(BEGIN).status_code == 504


def test_what_is_fetched_is_remembered_for_an_hour(browser, provider, timer):
    for _ in range(5):
        assert browser.get(BEGIN).status_code == 302
    assert provider.asked.count("/jwks") == 1
    timer[0] += 3601
    browser.get(BEGIN)
    assert provider.asked.count("/jwks") == 2


def test_no_policy_of_a_page_lets_a_form_or_a_script_reach_the_provider(browser, provider):
    policy = browser.get("/login").headers["Content-Security-Policy"]
    assert provider.issuer not in policy
    assert "form-action 'self'" in policy


def test_codes_that_somebody_made_up_leave_no_line_and_ask_the_provider_less_and_less_often(
    browser, provider, enter, storage, clock
):
    def back():
        state = parse_qs(urlsplit(browser.get(BEGIN).location).query)["state"][0]
        return browser.get(f"{BACK}?code=made-up&state={state}")

    answers = [back() for _ in range(8)]
    assert [answer.status_code for answer in answers] == [403] * 4 + [429] * 4
    assert "Please wait a moment" in answers[-1].text
    assert answers[-1].headers["Retry-After"] == "1"
    assert provider.asked.count("/oauth2/token") == 4
    assert deeds(storage) == []
    clock.forward(2)
    assert enter(browser).status_code == 302
    browser.post("/logout", page="/account")
    assert back().status_code == 403
