"""Signing in and out: sessions that end, and guesses that get slower."""

import base64
import hashlib
import re

import pytest

from server.language.catalogue import say
from server.store.staff import accounts, sessions

COOKIE = "__Host-candor"
PRESENT = "a long enough password"


@pytest.fixture
def client(browse):
    """Give a browser in which nobody is signed in."""
    return browse()


def test_the_cookie_and_the_tokens_of_forms_are_signed_with_sha_256(client):
    for signed in (client.token("/login"), client.client.get_cookie(COOKIE).value):
        signature = base64.urlsafe_b64decode(signed.rpartition(".")[2] + "=")
        assert len(signature) == hashlib.sha256().digest_size


def test_an_admin_starts_at_the_surveys_and_a_researcher_at_the_results(browse):
    for name, home in (("ada", "/admin"), ("ben", "/results")):
        client = browse()
        answer = client.sign_in(name)
        assert (answer.status_code, answer.location) == (302, home)
        assert client.get(home).status_code == 200


def test_login_leads_back_to_the_page_that_was_asked_for_but_never_to_another_host(browse):
    asked = browse().get("/results/health?method=wald")
    assert asked.location == "/login?next=/results/health?method%3Dwald"
    assert browse().sign_in(address=asked.location).location == "/results/health?method=wald"
    for elsewhere in ("https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)"):
        assert browse().sign_in(address=f"/login?next={elsewhere}").location == "/admin"


def test_a_wrong_password_and_an_unknown_name_get_the_same_page(browse):
    wrong = browse().sign_in("ada", "not the password")
    unknown = browse().sign_in("eve", "not the password")
    assert wrong.status_code == unknown.status_code == 403
    hide = re.compile(r'name="csrf_token" value="[^"]+"')
    assert hide.sub("", wrong.text).replace("ada", "eve") == hide.sub("", unknown.text)


def test_an_unknown_name_costs_a_password_check_too(browse, client, monkeypatch):
    checked = []
    monkeypatch.setattr(
        accounts, "password_matches", lambda account, password: checked.append(account) or False
    )
    client.sign_in("eve")
    assert checked == [None]


def test_the_password_typed_is_not_sent_back(client):
    assert "not the password" not in client.sign_in("ada", "not the password").text


def test_the_cookie_is_bound_to_this_host_and_out_of_reach_of_scripts(client):
    header = client.sign_in().headers["Set-Cookie"]
    assert header.startswith(COOKIE + "=")
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=Lax"} <= {part.strip() for part in header.split(";")}
    assert "Domain" not in header


def test_login_starts_a_new_session_whatever_the_cookie_held_before(client):
    client.get("/login")
    with client.client.session_transaction() as session:
        session["planted"] = "by somebody else"
        before = session["csrf_token"]
    client.sign_in()
    with client.client.session_transaction() as session:
        assert "planted" not in session
        assert session.get("csrf_token") != before


def test_logout_ends_the_session_so_that_a_copied_cookie_opens_nothing(browse, client):
    client.sign_in()
    copied = client.client.get_cookie(COOKIE).value
    assert client.post("/logout", page="/admin").location == "/login"
    thief = browse()
    thief.client.set_cookie(COOKIE, copied)
    assert thief.get("/admin").location.startswith("/login")


def test_a_session_ends_after_a_working_day(client, clock):
    client.sign_in()
    clock.forward(10 * 3600 - 1)
    assert client.get("/admin").status_code == 200
    clock.forward(1)
    assert client.get("/admin").location.startswith("/login")


def test_a_form_that_is_sent_after_the_session_has_ended_leads_back_to_its_page(client, clock):
    client.sign_in()
    token = {"csrf_token": client.token("/account")}
    clock.forward(sessions.SECONDS)
    for form, page in (("/admin/people?x=1", "/admin/people"), ("/account/sessions/end", None)):
        answer = client.client.post(form, data=token)
        assert answer.location == ("/login" if page is None else f"/login?next={page}")
    assert client.sign_in(address="/login?next=/admin/people").location == "/admin/people"


def test_ones_own_new_password_ends_all_other_sessions(browse, client):
    other = browse()
    client.sign_in()
    other.sign_in()
    changed = client.post("/account", present=PRESENT, password="another long password")
    assert changed.location == "/account?changed=1"
    assert client.get("/admin").status_code == 200
    assert other.get("/admin").location.startswith("/login")
    assert browse().sign_in().status_code == 403
    assert browse().sign_in(password="another long password").status_code == 302


@pytest.mark.parametrize(
    ("present", "password", "words"),
    [
        ("not the password", "another long password", "current password is wrong"),
        (PRESENT, "short", "12 to 1000 characters. This one has 5"),
    ],
)
def test_a_password_is_changed_only_with_the_present_one_and_to_a_long_one(client, present, password, words):
    client.sign_in()
    answer = client.post("/account", present=present, password=password)
    assert answer.status_code == 422
    assert words in answer.text


def test_the_fifth_wrong_guess_in_a_row_has_to_wait_and_the_wait_doubles(client, clock):
    statuses = [client.sign_in(password="guess number one").status_code for _ in range(5)]
    assert statuses == [403, 403, 403, 403, 429]
    waits = []
    for _ in range(8):
        answer = client.sign_in(password="guess number two")
        waits.append(int(answer.headers["Retry-After"]))
        clock.forward(waits[-1])
        assert client.sign_in(password="guess number two").status_code == 403
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60]


def test_the_owner_gets_in_as_soon_as_the_wait_is_over(client, clock):
    for _ in range(4):
        client.sign_in(password="guess number one")
    assert client.sign_in().status_code == 429
    clock.forward(1)
    assert client.sign_in().status_code == 302


def test_many_names_from_one_address_have_to_wait_too_and_other_addresses_do_not(browse, client):
    statuses = [client.sign_in(f"name{number}", "guess number one").status_code for number in range(21)]
    assert statuses == [403] * 20 + [429]
    assert browse(address="192.0.2.7").sign_in().status_code == 302


def test_an_address_to_go_back_to_that_is_none_is_passed_over(browse):
    for target in ("//[", "/[", "//[::1", "http://[", "//"):
        assert browse().sign_in(address=f"/login?next={target}").status_code == 302


def test_nobody_elsewhere_can_keep_the_owner_of_an_account_out(browse, clock):
    attacker = browse(address="192.0.2.9")
    token = attacker.token("/login")
    for _ in range(40):
        fields = {"csrf_token": token, "name": "ada", "password": "guess number one"}
        assert attacker.client.post("/login", data=fields).status_code in (403, 429)
        clock.forward(1)
    assert browse(address="192.0.2.7").sign_in().status_code == 302
    assert attacker.client.post("/login", data=fields).status_code == 429


def test_neighbours_in_one_ipv6_network_count_as_one_address(browse):
    token = browse().token("/login")
    statuses = []
    for number in range(5):
        neighbour = browse(address=f"2001:db8::{number}")
        token = neighbour.token("/login")
        fields = {"csrf_token": token, "name": "ada", "password": "guess number one"}
        statuses.append(neighbour.client.post("/login", data=fields).status_code)
    assert statuses == [403] * 4 + [429]


def test_what_is_remembered_names_neither_the_address_nor_the_name_and_is_short(browse, storage):
    browse(address="192.0.2.77").sign_in("a" * 10_000, "guess number one")
    kept = storage.read(lambda db: db.execute('SELECT "key" FROM attempts').fetchall())
    assert len(kept) == 2
    assert all(re.fullmatch("[0-9a-f]{64}", key) for (key,) in kept)
    held = storage.path.read_bytes()
    assert b"192.0.2.77" not in held
    assert b"aaaaaaaa" not in held
    plain = {hashlib.sha256(text.encode()).hexdigest() for text in ("192.0.2.77", "address 192.0.2.77")}
    assert plain.isdisjoint(key for (key,) in kept)


def test_an_account_that_is_removed_while_it_signs_in_is_told_like_a_wrong_password(
    browse, storage, monkeypatch
):
    def matches(account, password):
        storage.write(lambda db: db.execute("DELETE FROM accounts WHERE id = ?", [account.id]))
        return True

    browser = browse()
    monkeypatch.setattr(accounts, "password_matches", matches)
    answer = browser.sign_in("ben")
    assert answer.status_code == 403
    assert "The name or the password is wrong." in answer.text


def test_an_account_that_is_removed_while_its_password_changes_is_signed_out(browse, storage, monkeypatch):
    def hashed(password):
        storage.write(lambda db: db.execute("DELETE FROM accounts WHERE name = 'ben'"))
        return "$argon2id$"

    browser = browse("researcher")
    monkeypatch.setattr(accounts, "hash_password", hashed)
    answer = browser.post("/account", present=PRESENT, password="another long password")
    assert (answer.status_code, answer.location) == (302, "/login")


def test_the_sign_in_in_another_language_keeps_the_page_that_was_asked_for(browse):
    page = browse().get("/login?next=/results/a%26b&language=en&x=1&x=2").text
    assert '<a href="?next=%2Fresults%2Fa%26b&amp;language=ko" lang="ko"' in page
    assert ">한국어</a>" in page
    assert ">English</a>" in page


def test_the_answer_to_a_form_offers_no_language_since_a_link_would_lose_it(client):
    answer = client.sign_in(password="guess number one")
    assert answer.status_code == 403
    assert 'class="languages"' not in answer.text


@pytest.mark.parametrize(
    ("address", "warned"),
    [
        ("http://survey.example", True),
        ("http://192.168.1.7:8000", True),
        ("https://survey.example", False),
        ("http://localhost:8000", False),
        ("http://candor.localhost", False),
        ("http://127.0.0.1:8000", False),
        ("http://[::1]:8000", False),
    ],
)
@pytest.mark.parametrize("language", ["en", "ko"])
def test_plain_http_away_from_the_servers_own_computer_is_said_to_keep_nobody_signed_in(
    staff_app, address, warned, language
):
    client = staff_app.test_client()
    page = client.get("/login", base_url=address, headers={"Accept-Language": language})
    assert (say(language, "account.https.text") in page.text) == warned
    sent = client.post(
        "/login", base_url=address, headers={"Accept-Language": language}
    )  # without the cookie
    assert (sent.status_code, say(language, "account.https.title") in sent.text) == (400, warned)


def sessions_shown(page):
    """The sessions on one's page: when each began, and what ends it, or that it is this one."""
    rows = re.findall(r'<th scope="row">(2026[^<]+)</th>(.*?)</tr>', page, re.DOTALL)
    return [
        (began, "this" if "This session" in rest else re.search(r'action="([^"]+)"', rest)[1])
        for began, rest in rows
    ]


def test_sessions_are_listed_without_where_they_are(browse, clock):
    first, second = browse(address="192.0.2.7"), browse(address="198.51.100.9")
    assert first.sign_in().status_code == 302
    clock.forward(3600)
    assert second.sign_in().status_code == 302
    page = second.get("/account").text
    (now, this), (before, other) = sessions_shown(page)
    assert (now, this, before) == ("2026-05-04 10:00", "this", "2026-05-04 09:00")
    assert "192.0.2.7" not in page
    assert "198.51.100.9" not in page
    assert second.post(other, page="/account").location == "/account"
    assert first.get("/account").status_code == 302
    assert len(sessions_shown(second.get("/account").text)) == 1
    clock.forward(10 * 3600)
    assert second.get("/account").status_code == 302


def test_nobody_ends_the_session_of_somebody_else(browse):
    ada, ben = browse("admin"), browse("researcher")
    browse("admin")
    ((_, other),) = [each for each in sessions_shown(ada.get("/account").text) if each[1] != "this"]
    assert ben.post(other, page="/account").status_code == 404
    assert ben.post("/account/sessions/%00/end", page="/account").status_code == 404
    assert len(sessions_shown(ada.get("/account").text)) == 2


def test_signing_out_everywhere_ends_every_session_of_ones_own(browse):
    ada, again, ben = browse("admin"), browse("admin"), browse("researcher")
    assert ada.post("/account/sessions/end", page="/account").location == "/login"
    assert ada.get("/admin").status_code == again.get("/admin").status_code == 302
    assert ben.get("/results").status_code == 200


def test_every_staff_page_offers_to_sign_out_in_its_header(browse):
    ada = browse("admin")
    for page in ("/admin", "/admin/new", "/admin/people", "/admin/audit", "/results", "/account"):
        header = ada.get(page).text.partition("</header>")[0]
        assert (page, '<form class="sign-out" method="post" action="/logout">' in header) == (page, True)
    assert "sign-out" not in browse().get("/login").text
