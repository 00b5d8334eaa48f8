"""Tokens for programs: made once, stored as a hash, gone with whatever gave them their right."""

import re
from html import unescape

import pytest

from server.store import surveys
from server.store.staff import accounts, tokens
from server.store.staff.accounts import AccountGone

TODAY = "2026-05-04"
PASSWORD = "a long enough password"


@pytest.fixture
def ada(storage):
    return storage.read(accounts.by_name, "ada").id


@pytest.fixture
def make(storage, ada):
    """Make a token of ada's and give its secret."""

    def make(writes=False, surveys=None, expires=None):
        return storage.write(tokens.create, ada, "nightly", writes, surveys, expires)

    return make


def holder(storage, secret, today=TODAY):
    return storage.read(tokens.holder, secret, today)


@pytest.mark.engines
def test_a_token_tells_whose_it_is_and_what_it_may_do(storage, make):
    draft = storage.write(surveys.create_draft, {"slug": "health"})
    account, token = holder(storage, make(writes=True, surveys={draft.id}))
    assert (account.name, token.name, token.writes) == ("ada", "nightly", True)
    assert token.covers(draft.id)
    assert not token.covers(draft.id + 1)
    assert holder(storage, make())[1].covers(draft.id + 1)


@pytest.mark.engines
def test_the_secret_has_256_random_bits_and_only_its_hash_is_stored(storage, make):
    secret = make()
    assert re.fullmatch(r"candor_[\w-]{43}", secret)
    assert make() != secret
    held = storage.read(lambda db: db.execute("SELECT * FROM tokens").fetchall())
    assert secret.removeprefix("candor_") not in repr([tuple(row) for row in held])
    assert holder(storage, secret[:-1]) is None


@pytest.mark.engines
def test_a_token_is_valid_through_its_last_day(storage, make):
    secret = make(expires=TODAY)
    assert holder(storage, secret, TODAY) is not None
    assert holder(storage, secret, "2026-05-05") is None


@pytest.mark.engines
def test_a_token_goes_with_its_account(storage, make):
    secret = make()
    other = storage.write(accounts.insert, "eve", accounts.hash_password(PASSWORD), "admin")
    storage.write(accounts.delete, holder(storage, secret)[0].id)
    assert holder(storage, secret) is None
    assert storage.read(tokens.of_account, other.id) == []


@pytest.mark.engines
def test_a_token_goes_with_the_role_of_its_account(storage, make, ada):
    secret = make()
    storage.write(lambda db: db.execute("UPDATE accounts SET role = 'admin' WHERE id = ?", [ada]) and None)
    assert holder(storage, secret) is not None
    storage.write(
        lambda db: db.execute("UPDATE accounts SET role = 'researcher' WHERE id = ?", [ada]) and None
    )
    assert holder(storage, secret) is None


@pytest.mark.engines
def test_a_token_for_a_survey_that_is_deleted_is_for_no_other(storage, make):
    draft = storage.write(surveys.create_draft, {"slug": "health"})
    secret = make(surveys={draft.id})
    storage.write(surveys.delete_survey, draft.id)
    assert holder(storage, secret)[1].surveys == frozenset()


@pytest.mark.engines
def test_only_the_day_of_the_last_use_is_kept(storage, make, ada):
    secret = make()
    storage.write(tokens.note_use, holder(storage, secret)[1].id, TODAY)
    (token,) = storage.read(tokens.of_account, ada)
    assert token.used == TODAY


def test_nobody_revokes_the_token_of_somebody_else(storage, make, ada):
    secret = make()
    token_id = holder(storage, secret)[1].id
    assert not storage.write(tokens.revoke, ada + 1, token_id)
    assert not storage.write(tokens.revoke, ada, 2**64)
    assert holder(storage, secret) is not None
    assert storage.write(tokens.revoke, ada, token_id)
    assert holder(storage, secret) is None


def test_an_account_has_a_limited_number_of_tokens(storage, make, monkeypatch):
    monkeypatch.setattr(tokens, "MOST_TOKENS", 2)
    make()
    make()
    with pytest.raises(tokens.TooManyTokens):
        make()


def test_a_token_is_not_made_for_an_account_that_has_gone(storage):
    with pytest.raises(AccountGone):
        storage.write(tokens.create, 99, "nightly", False, None, None)


PAGE = "/account/tokens"


def ask(browser, **fields):
    given = {"name": "nightly", "access": "read", "scope": "all", "expires": "", "present": PASSWORD}
    return browser.post(PAGE, **(given | fields))


def issued(answer):
    return re.search(r'id="issued-token">([^<]+)<', answer.text)[1]


def test_staff_make_a_token_on_their_page_and_see_it_once(browse, storage):
    admin = browse("admin")
    assert PAGE in admin.get("/account").text
    storage.write(surveys.create_draft, {"slug": "health"})
    answer = ask(admin, access="write", scope="chosen", surveys=["health"], expires="2026-06-30")
    _, token = holder(storage, issued(answer))
    assert (token.writes, len(token.surveys), token.expires) == (True, 1, "2026-06-30")
    page = admin.get(PAGE).text
    assert issued(answer) not in page
    assert all(text in page for text in ("nightly", "Read and write", "health", "2026-06-30", "Never"))


def test_staff_revoke_a_token_on_their_page(browse, storage):
    admin = browse("admin")
    secret = issued(ask(admin))
    address = re.search(rf'action="({PAGE}/\d+/revoke)"', admin.get(PAGE).text)[1]
    assert browse("researcher").post(address, page="/account").status_code == 404
    assert admin.post(address, page="/account").location == PAGE
    assert holder(storage, secret) is None


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"name": ""}, "A token’s name has 1 to 64 characters"),
        ({"name": "a" * 65}, "A token’s name has 1 to 64 characters"),
        ({"access": "own"}, "A token may read or write. The value sent was “own”."),
        ({"scope": "some"}, "A token is for all surveys or for chosen ones. The value sent was “some”."),
        ({"scope": "chosen"}, "Choose at least one survey, or all surveys."),
        ({"scope": "chosen", "surveys": ["none"]}, "There is no survey “none” that you may see."),
        ({"expires": "soon"}, "The last day must be a date such as 2027-03-31. You entered “soon”."),
        ({"expires": "2026-05-03"}, "The last day must be 2026-05-04 or later. You entered 2026-05-03."),
        ({"present": "not my password"}, "The current password is wrong."),
    ],
)
def test_what_is_wrong_with_a_token_is_said_and_none_is_made(browse, storage, ada, fields, sentence):
    answer = ask(browse("admin"), **fields)
    assert answer.status_code == 422
    assert sentence in unescape(answer.text)
    assert storage.read(tokens.of_account, ada) == []


def test_a_researcher_makes_no_token_that_writes_and_chooses_no_draft(browse, storage):
    storage.write(surveys.create_draft, {"slug": "secret-draft"})
    ben = browse("researcher")
    assert "secret-draft" not in ben.get(PAGE).text
    assert "Your role cannot make tokens that write." in ask(ben, access="write").text
    assert ask(ben, scope="chosen", surveys=["secret-draft"]).status_code == 422
    assert holder(storage, issued(ask(ben)))[0].name == "ben"


def test_guessing_the_password_on_this_page_has_to_wait_too(browse):
    admin = browse("admin")
    for _ in range(4):
        ask(admin, present="guess")
    answer = ask(admin)
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "1")


def test_a_password_that_somebody_else_issues_takes_the_tokens_away(browse, storage, ada):
    ben = storage.read(accounts.by_name, "ben").id
    secret = issued(ask(browse("researcher")))
    kept = issued(ask(browse("admin")))
    browse("admin").post(f"/admin/people/{ben}/password", page="/admin/people")
    assert holder(storage, secret) is None
    assert holder(storage, kept)[0].id == ada
