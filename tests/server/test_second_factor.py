"""The second factor of staff: codes that work once, recovery codes, and what an admin can ask and undo."""

import random
import re
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pyotp
import pytest
from draft_editor import Editor

from server.store import surveys
from server.store.staff import accounts, audit, second_factor
from server.store.staff.audit import LineFilter

PASSWORD = "a long enough password"
BOTH = pytest.mark.parametrize("engine", ["sqlite", "postgresql"], indirect=True)


@pytest.fixture(autouse=True)
def secrets_are_the_same_in_every_run(monkeypatch):
    """Of drawn secrets, one in a million would give two moments the same code."""
    monkeypatch.setattr(second_factor, "secrets", SimpleNamespace(token_bytes=random.Random(6).randbytes))


class Device:
    """A phone with an authenticator app whose clock is that of the test."""

    def __init__(self, secret, clock):
        self.device, self.clock = pyotp.TOTP(secret), clock

    def code(self, ahead=0):
        return self.device.at(int(self.clock().timestamp()) + ahead)


def set_up(browser, clock):
    """Set a second factor up on the page, as its owner does; return the device and the recovery codes."""
    begun = browser.post("/account/factor/begin", page="/account/factor", present=PASSWORD)
    device = Device(re.search(r'id="secret">(\w+)<', begun.text)[1], clock)
    done = browser.post("/account/factor/confirm", page="/account/factor", code=device.code())
    codes = re.findall(r"<li><code>(\w{4}(?:-\w{4}){3})</code></li>", done.text)
    clock.forward(30)
    return device, codes


@pytest.fixture
def phone(browse, clock):
    """The device of ada, and her recovery codes."""
    return set_up(browse("admin"), clock)


def sign_in(browse, code, name="ada"):
    """Sign in with a password and then a code; return the browser and the last answer."""
    browser = browse()
    assert browser.sign_in(name).location.startswith("/login/code")
    return browser, browser.post("/login/code", code=code)


@BOTH
def test_signing_in_takes_the_password_and_a_code(browse, phone):
    device, codes = phone
    assert len(set(codes)) == 10
    browser = browse()
    assert browser.sign_in().location.startswith("/login/code")
    assert browser.get("/admin").location.startswith("/login")  # halfway is not in
    assert 'href="?next=%2Fresults&amp;language=ko"' in browser.get("/login/code?next=/results").text
    assert browser.post("/login/code?next=/results", code=device.code()).location == "/results"
    assert browser.get("/admin").status_code == 200
    assert browser.get("/login/code").location == "/login"  # no longer halfway


@BOTH
def test_a_code_works_once_and_then_no_earlier_one(browse, phone, clock):
    device, _ = phone
    used = device.code()
    assert sign_in(browse, used)[1].status_code == 302
    assert sign_in(browse, used)[1].status_code == 403
    assert sign_in(browse, device.code(ahead=-30))[1].status_code == 403
    assert sign_in(browse, device.code(ahead=30))[1].status_code == 302


def test_a_clock_may_be_half_a_minute_out_and_no_more(browse, phone, clock):
    device, _ = phone
    clock.forward(20)  # at any moment of the 30 seconds of a code
    assert sign_in(browse, device.code(ahead=60))[1].status_code == 403
    assert sign_in(browse, device.code(ahead=-60))[1].status_code == 403
    assert sign_in(browse, device.code(ahead=30))[1].status_code == 302


@BOTH
def test_a_recovery_code_works_once_however_it_is_typed_and_is_noted(browse, phone, storage):
    _, codes = phone
    assert sign_in(browse, codes[0].upper().replace("-", " "))[1].status_code == 302
    assert sign_in(browse, codes[0])[1].status_code == 403
    for code in codes[1:5]:  # what is right slows nobody down
        browser, _ = sign_in(browse, code)
    assert "You have 5 recovery codes left." in browser.get("/account/factor").text
    assert len(storage.read(audit.lines, LineFilter(what="recovery_code_used"))) == 5
    held = str(storage.read(lambda db: db.execute("SELECT * FROM recovery_codes").fetchall()))
    assert not any(code.replace("-", "") in held or code in held for code in codes)


def test_new_recovery_codes_end_the_old_ones(browse, phone):
    device, old = phone
    browser, _ = sign_in(browse, device.code())
    for _ in range(4):  # with the right password, as often as they like
        shown = browser.post("/account/factor/codes", page="/account/factor", present=PASSWORD)
    new = re.findall(r"<li><code>([\w-]+)</code></li>", shown.text)
    assert len(new) == 10
    assert sign_in(browse, old[0])[1].status_code == 403
    assert sign_in(browse, new[0])[1].status_code == 302


def test_guessing_codes_gets_slower_wherever_it_comes_from_and_is_noted(browse, phone, storage, clock):
    device, _ = phone
    for _ in range(4):
        assert sign_in(browse, "000000")[1].status_code == 403
    browser = browse(address="198.51.100.7")
    browser.sign_in()
    clock.forward(0.5)
    slowed = browser.post("/login/code", code=device.code())
    assert (slowed.status_code, slowed.headers["Retry-After"]) == (429, "1")
    assert len(storage.read(audit.lines, LineFilter(what="code_refused"))) == 4
    clock.forward(60)
    assert sign_in(browse, device.code())[1].status_code == 302


def test_halfway_ends_after_five_minutes_and_with_the_password(browse, phone, storage, clock):
    device, _ = phone
    late, changed = browse(), browse()
    late.sign_in()
    clock.forward(299)
    assert late.get("/login/code").status_code == 200
    token = late.token("/login/code")
    clock.forward(1)
    assert late.get("/login/code").location == "/login"
    again = late.client.post("/login/code", data={"csrf_token": token, "code": device.code()})
    assert again.location == "/login"
    changed.sign_in()
    storage.write(accounts.set_password, 1, "another long password")
    assert changed.get("/login/code").location == "/login"


def test_a_code_is_asked_for_after_a_link_for_a_new_password_too(browse, phone, storage):
    device, _ = phone
    admin, _ = sign_in(browse, device.code())
    answer = admin.post("/admin/people/1/reset", page="/admin/people/1")
    link = re.search(r'id="issued-link"[^>]* value="([^"]+)"', answer.text)[1]
    ada = browse()
    assert ada.post("/reset", link=link, password="four unrelated words").location.startswith("/login/code")
    assert ada.get("/admin").status_code == 302


@pytest.mark.parametrize("path", ["begin", "codes", "remove"])
def test_a_session_alone_is_not_enough_to_change_it(browse, phone, path):
    device, _ = phone
    browser, _ = sign_in(browse, device.code())
    answer = browser.post(f"/account/factor/{path}", page="/account/factor", present="guessed password")
    assert answer.status_code == 422
    assert "The current password is wrong." in answer.text
    assert 'id="secret"' not in answer.text
    guesses = [browser.post(f"/account/factor/{path}", page="/account/factor") for _ in range(4)]
    assert [guess.status_code for guess in guesses] == [422, 422, 422, 429]


def test_a_secret_counts_only_when_a_code_has_shown_that_the_device_has_it(browse, storage):
    ben = browse("researcher")
    begun = ben.post("/account/factor/begin", page="/account/factor", present=PASSWORD)
    # As large as its place, with a margin of four modules about 41 of them.
    assert '"><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 49 49"' in begun.text
    assert begun.headers["Cache-Control"] == "no-store"
    secret = re.search(r'id="secret">(\w+)<', begun.text)[1]
    wrong = ben.post("/account/factor/confirm", page="/account/factor", code="12345x")
    assert wrong.status_code == 422
    assert secret not in wrong.text + ben.get("/account/factor").text
    assert browse().sign_in("ben").location == "/results"
    assert not storage.read(second_factor.is_on, 2)


@BOTH
def test_after_a_wrong_code_the_picture_and_the_key_are_still_there(browse, clock):
    ben, page = browse("researcher"), "/account/factor"
    begun = ben.post("/account/factor/begin", page=page, present=PASSWORD)
    secret = re.search(r'name="secret" value="(\w+)"', begun.text)[1]
    for _ in range(4):
        wrong = ben.post("/account/factor/confirm", page=page, code="12345x", secret=secret)
        assert wrong.status_code == 422
        assert all(part in wrong.text for part in ("<svg", f'id="secret">{secret}<', "otpauth://totp/"))
    slowed = ben.post("/account/factor/confirm", page=page, code="12345x", secret=secret)
    assert (slowed.status_code, f'id="secret">{secret}<' in slowed.text) == (429, True)
    clock.forward(60)
    code = Device(secret, clock).code()
    assert "recovery-codes" in ben.post("/account/factor/confirm", page=page, code=code, secret=secret).text


def test_a_key_is_shown_again_only_to_a_page_that_has_shown_it(browse):
    ben, page = browse("researcher"), "/account/factor"
    secrets = []
    for _ in range(2):
        begun = ben.post("/account/factor/begin", page=page, present=PASSWORD)
        secrets.append(re.search(r'name="secret" value="(\w+)"', begun.text)[1])
    for known in ({}, {"secret": ""}, {"secret": secrets[0]}, {"secret": "é" * 32}):
        wrong = ben.post("/account/factor/confirm", page=page, code="12345x", **known)
        assert (wrong.status_code, "<code id=" in wrong.text, "otpauth" in wrong.text) == (422, False, False)
        assert "The code is wrong." in wrong.text
        assert 'name="code"' in wrong.text
    slowed = ben.post("/account/factor/confirm", page=page, code="12345x")
    assert (slowed.status_code, 'name="code"' in slowed.text) == (429, True)


def test_whoever_sends_the_right_code_twice_reads_that_it_is_on(browse, clock, storage):
    ben, page = browse("researcher"), "/account/factor"
    begun = ben.post("/account/factor/begin", page=page, present=PASSWORD)
    secret = re.search(r'name="secret" value="(\w+)"', begun.text)[1]
    fields = {"csrf_token": ben.token(page), "code": Device(secret, clock).code(), "secret": secret}
    assert ben.client.post("/account/factor/confirm", data=fields).status_code == 200
    assert ben.client.post("/account/factor/confirm", data=fields).location == page
    assert "Your second factor is on. You have 10 recovery codes left." in re.sub(
        "<[^>]+>", "", ben.get(page).text
    )
    assert len(storage.read(audit.lines, LineFilter(what="factor_added"))) == 1


def test_whoever_has_one_gives_it_up_to_change_phones(browse, phone, clock):
    device, _ = phone
    browser, _ = sign_in(browse, device.code())
    again = browser.post("/account/factor/begin", page="/account/factor", present=PASSWORD)
    assert again.status_code == 302  # not while one counts
    browser.post("/account/factor/remove", page="/account/factor", present=PASSWORD)
    assert browse().sign_in().location == "/admin"
    new, _ = set_up(browser, clock)
    assert sign_in(browse, new.code())[1].status_code == 302


def test_an_admin_requires_it_and_everybody_sets_one_up_first(browse, clock, storage):
    ada, ben = browse("admin"), browse("researcher")
    ada.post("/admin/people/requirement", page="/admin/people", required="1")
    for browser, name, page in ((ada, "ada", "/admin/people"), (ben, "ben", "/results")):
        assert browser.get(page).location == f"/login?next={page}"
        browser.sign_in(name)
        assert browser.get(page).location == browser.get("/account").location == "/account/factor"
    assert "Everybody here needs a second factor." in ben.get("/account/factor").text
    set_up(ben, clock)
    assert ben.get("/results").status_code == 200
    assert ada.get("/admin").location == "/account/factor"
    set_up(ada, clock)
    ada.post("/admin/people/requirement", page="/admin/people", required="0")
    deeds = {line.what for line in storage.read(audit.lines, LineFilter())}
    assert {"factor_required", "factor_not_required", "factor_added"} <= deeds


def test_tokens_of_whoever_lacks_the_factor_that_is_required_wait_for_it(browse, program, clock):
    ada, ben = browse("admin"), browse("researcher")
    tokens = program("ada"), program("ben")
    assert [each.get("/surveys").status_code for each in tokens] == [200, 200]
    ada.post("/admin/people/requirement", page="/admin/people", required="1")
    for each in tokens:
        refused = each.get("/surveys")
        assert (refused.status_code, refused.json["title"]) == (401, "A second factor is needed.")
    ada.sign_in("ada")
    ben.sign_in("ben")
    set_up(ben, clock)
    assert [each.get("/surveys").status_code for each in tokens] == [401, 200]
    set_up(ada, clock)
    assert tokens[0].get("/surveys").status_code == 200
    assert "their API tokens do not work" in ada.get("/admin/people").text


def test_nobody_reads_a_draft_before_they_have_the_factor_that_is_required(browse, storage):
    draft = {"candor": 1, "slug": "exams", "languages": ["en"], "title": {"en": "A private title"}}
    storage.write(surveys.create_draft, draft)
    ada = browse("admin")
    addresses = ("/admin/surveys/exams/draft", "/admin/surveys/exams")
    assert all("A private title" in ada.get(address).text for address in addresses)
    storage.write(second_factor.require, True)
    for go_on in (ada.get, ada.sign_in):  # signed out, and then without a factor
        go_on(address="/login")
        assert not any("A private title" in ada.get(address).text for address in addresses)


def test_what_is_typed_while_it_becomes_required_waits_for_it(browse, clock, storage):
    storage.write(surveys.create_draft, {"candor": 1, "slug": "exams", "languages": ["en"]})
    ada = browse("admin")
    editor, states = Editor(ada, "exams"), []
    typed = editor.change("title.en", "Typed")
    storage.write(second_factor.require, True)

    def send():
        answer = editor.send(typed)
        states.append((answer.status_code, answer.json["state"]))
        editor.token = answer.json.get("token", editor.token)

    send()
    ada.sign_in()
    send()
    set_up(ada, clock)
    send()
    send()
    assert states == [(401, "signed_out"), (403, "second_factor"), (400, "expired"), (200, "saved")]
    assert editor.load().json["document"]["title"] == {"en": "Typed"}


def test_signing_out_is_always_possible(browse):
    ada = browse("admin")
    ada.post("/admin/people/requirement", page="/admin/people", required="1")
    ben = browse("researcher")
    assert ben.post("/logout", page="/account/factor").location == "/login"


@BOTH
def test_an_admin_takes_the_second_factor_of_somebody_who_has_lost_it(browse, clock, storage):
    ada, ben = browse("admin"), browse("researcher")
    set_up(ben, clock)
    assert browse().sign_in("ben").location.startswith("/login/code")
    assert "Remove the second factor" in ada.get("/admin/people/2").text
    ada.post("/admin/people/2/factor/remove", page="/admin/people/2")
    assert browse().sign_in("ben").location == "/results"
    (line,) = storage.read(audit.lines, LineFilter(what="factor_reset"))
    assert (line.who, line.about) == ("ada", "ben")


def signed_in(*browsers):
    """Which of some browsers are signed in."""
    return [browser.get("/account").status_code == 200 for browser in browsers]


@BOTH
def test_turning_it_on_ends_the_sessions_that_never_showed_it(browse, clock):
    here, elsewhere, ben = browse("admin"), browse("admin"), browse("researcher")
    device, _ = set_up(here, clock)
    assert signed_in(here, elsewhere, ben) == [True, False, True]
    other, _ = sign_in(browse, device.code())
    assert signed_in(here, other) == [True, True]


def test_a_sign_in_that_turning_it_on_overtakes_is_asked_for_a_code(browse, clock, monkeypatch):
    """The password is checked while another session turns it on."""
    here, overtaken = browse("admin"), browse()
    matches = accounts.password_matches

    def meanwhile(account, password):
        monkeypatch.setattr(accounts, "password_matches", matches)
        with ThreadPoolExecutor(1) as pool:  # another thread, for this one is within a request
            pool.submit(set_up, here, clock).result()
        return matches(account, password)

    monkeypatch.setattr(accounts, "password_matches", meanwhile)
    assert overtaken.sign_in().location.startswith("/login/code")
    assert signed_in(here, overtaken) == [True, False]


@BOTH
def test_requiring_it_ends_the_sessions_of_whoever_has_none(browse, clock):
    ada, ben = browse("admin"), browse("researcher")
    set_up(ben, clock)
    answer = ada.post("/admin/people/requirement", page="/admin/people", required="1")
    assert ada.get(answer.location).location == "/login?next=/admin/people"
    assert signed_in(ada, ben) == [False, True]
    ada.sign_in()
    set_up(ada, clock)
    ada.post("/admin/people/requirement", page="/admin/people", required="1")
    ada.post("/admin/people/requirement", page="/admin/people", required="0")
    assert signed_in(ada, ben) == [True, True]


@BOTH
def test_resetting_it_ends_the_sessions_too(browse, clock):
    ada, ben, eve = browse("admin"), browse("researcher"), browse("admin")
    set_up(ben, clock)
    ada.post("/admin/people/2/factor/remove", page="/admin/people/2")
    assert signed_in(ada, ben, eve) == [True, False, True]


HOSTILE = ["", "=1+1", "<script>alert(1)</script>", "\0", "‮123456", "١٢٣٤٥٦", "1" * 5000, "-" * 5000]


@BOTH
@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_what_is_no_code_opens_nothing(browse, phone, text):
    browser, answer = sign_in(browse, text)
    assert answer.status_code == 403
    assert "The code is wrong." in answer.text
    assert "<script>alert" not in answer.text
    assert browser.get("/admin").status_code == 302


def test_the_codes_are_those_of_rfc_6238():
    """Its test vectors, in appendix B, cut to six digits."""
    secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    vectors = {59: "287082", 1111111109: "081804", 1234567890: "005924", 20000000000: "353130"}
    for moment, code in vectors.items():
        assert second_factor.step_of(secret, code, moment) == moment // 30
        assert second_factor.step_of(secret, code, moment + 90) is None
