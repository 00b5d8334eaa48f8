"""What an account may do: given by an admin, changed at once, and left to the admins when it goes."""

import re

import pytest
from draft_editor import Editor

from server.store import surveys
from server.store.staff import accounts, rights, sessions, tokens
from server.store.staff.accounts import AccountError, AccountGone

BOTH = pytest.mark.parametrize("engine", ["sqlite", "postgresql"], indirect=True)


@pytest.fixture
def ben(storage):
    return storage.read(accounts.by_name, "ben")


@pytest.fixture
def three(storage):
    """Three drafts: name -> number."""
    for slug in ("one", "two", "three"):
        storage.write(surveys.create_draft, {"candor": 1, "slug": slug, "languages": ["en"]})
    return storage.read(surveys.numbers)


def relations(storage, account, numbers):
    standing = storage.read(rights.rights_of, account)
    return {slug: standing.relation(number) for slug, number in numbers.items()}


@BOTH
def test_an_admin_says_which_surveys_somebody_has(storage, ben, three):
    assert set(relations(storage, ben, three).values()) == {"given"}  # he has all of them
    storage.write(rights.set_rights, ben.id, "researcher", False, [three["one"]])
    assert relations(storage, ben, three) == {"one": "given", "two": "other", "three": "other"}
    storage.write(rights.set_rights, ben.id, "researcher", False, [three["two"], 999])
    assert relations(storage, ben, three) == {"one": "other", "two": "given", "three": "other"}


@BOTH
def test_an_editor_is_one_from_the_next_request_on_and_older_tokens_end(storage, ben, three):
    token = storage.write(tokens.create, ben.id, "nightly", False, None, None)
    session = storage.write(sessions.start, ben.id, 0)
    storage.write(rights.set_rights, ben.id, "editor", False, [])
    assert storage.read(sessions.account_of, session, 1).role == "editor"
    assert storage.read(tokens.holder, token, "2026-05-04") is None
    editor = storage.read(accounts.by_id, ben.id)
    made = storage.write(rights.owned(surveys.create_draft, ben.id), {"slug": "fourth"})
    assert relations(storage, editor, {**three, "fourth": made.id})["fourth"] == "own"
    storage.write(rights.set_rights, ben.id, "editor", False, [made.id, three["one"]])
    assert relations(storage, editor, {"fourth": made.id, "one": three["one"]}) == {
        "fourth": "own",
        "one": "given",
    }


def test_to_an_editor_nothing_is_given_by_the_mark_of_researchers(storage, ben, three):
    storage.write(rights.set_rights, ben.id, "editor", True, [])
    editor = storage.read(accounts.by_id, ben.id)
    assert set(relations(storage, editor, three).values()) == {"other"}


def test_whoever_is_gone_makes_a_survey_for_the_admins(storage, ben):
    storage.write(accounts.delete, ben.id)
    late = storage.write(rights.owned(surveys.create_draft, ben.id), {"slug": "late"})
    assert [each.id for each in storage.read(surveys.all_surveys)] == [late.id]
    assert storage.read(lambda db: db.execute("SELECT count(*) FROM grants").fetchone()) == (0,)


def test_a_colleague_who_is_removed_while_they_write_gets_nothing_back_and_the_admins_lose_no_survey(
    browse, storage
):
    ada = browse("admin")
    storage.write(accounts.create, "eve", "a long enough password", "editor")
    eve = browse()
    eve.sign_in("eve")
    eve.post("/admin/new", slug="fresh")
    editor = Editor(eve, "fresh")
    number, fresh = storage.read(accounts.by_name, "eve").id, storage.read(surveys.by_slug, "fresh").id
    ada.post(f"/admin/people/{number}/remove", **{f"heir-{fresh}": "1"})
    answer = editor.send(editor.change("information.en", "Three hours of work"))
    assert answer.status_code == 401
    assert "Three hours of work" not in answer.text, "their browser keeps it"
    assert ada.get("/admin/surveys/fresh").status_code == 200


def test_whoever_was_given_nothing_reads_what_has_to_happen(browse, storage, ben):
    text = browse("researcher").get("/results").text
    assert "No survey has been opened yet." in text
    storage.write(rights.set_rights, ben.id, "researcher", False, [])
    assert "There are no results for you yet." in browse("researcher").get("/results").text


def test_the_last_admin_stays_one(storage):
    ada = storage.read(accounts.by_name, "ada")
    with pytest.raises(AccountError, match="last admin"):
        storage.write(rights.set_rights, ada.id, "editor", False, [])
    assert storage.read(accounts.by_id, ada.id) == ada


def test_nobody_gets_an_unknown_role_or_rights_without_an_account(storage, ben):
    with pytest.raises(AccountError, match="role must be one of"):
        storage.write(rights.set_rights, ben.id, "owner", False, [])
    with pytest.raises(AccountGone):
        storage.write(rights.set_rights, 999, "editor", False, [])


def test_an_older_server_takes_an_editor_for_a_researcher_not_for_an_admin(storage):
    storage.write(accounts.insert, "eve", "$argon2id$x", "editor")
    stored = storage.read(lambda db: db.execute("SELECT role FROM accounts WHERE name = 'eve'").fetchone())
    assert stored == ("researcher",)


def test_on_the_page_an_admin_gives_and_takes_surveys(browse, storage, ben, three):
    ada = browse("admin")
    ada.post("/admin/people/2", role="researcher", scope="chosen", surveys=["one", "three"])
    assert relations(storage, ben, three) == {"one": "given", "two": "other", "three": "given"}
    page = ada.get("/admin/people/2").text
    assert set(re.findall(r'value="(\w+)" checked', page)) == {"researcher", "chosen", "one", "three"}
    assert "one, three" in ada.get("/admin/people").text
    assert ada.post("/admin/people/2", role="researcher", scope="all").location.startswith("/admin/people/2")
    assert set(relations(storage, ben, three).values()) == {"given"}


def test_a_new_account_gets_what_it_is_given(browse, storage, three):
    ada = browse("admin")
    ada.post("/admin/people", name="cleo", role="researcher")
    ada.post("/admin/people", name="dora", role="researcher", surveys=["two"])
    cleo, dora = (storage.read(accounts.by_name, name) for name in ("cleo", "dora"))
    assert set(relations(storage, cleo, three).values()) == {"other"}
    assert relations(storage, dora, three) == {"one": "other", "two": "given", "three": "other"}


NAVIGATION = 'aria-label="Staff pages"'
HOSTILE = ["=1+1", "<script>alert(1)</script>", "\0", "‮ben", "x" * 5000]


@BOTH
@pytest.mark.parametrize("field", ["role", "scope", "surveys"])
def test_what_cannot_be_is_said_at_the_field_and_changes_nothing(browse, storage, ben, field):
    ada, right = browse("admin"), {"role": "editor", "scope": "chosen", "surveys": []}
    for text in HOSTILE:
        answer = ada.post("/admin/people/2", **(right | {field: text}))
        assert (answer.status_code, 'class="error"' in answer.text) == (422, True), text
        assert "<script>alert" not in answer.text, text
        assert storage.read(accounts.by_id, ben.id) == ben, text


def test_an_admin_who_steps_down_is_sent_where_they_may_be(browse, storage):
    ada = browse("admin")
    assert ada.post("/admin/people/1", role="editor").status_code == 409
    storage.write(accounts.create, "zoe", "a long enough password", "admin")
    assert ada.post("/admin/people/1", role="editor").location == "/account"
    refused = ada.get("/admin/people")
    assert (refused.status_code, NAVIGATION in refused.text) == (403, True)
    assert ada.get("/admin").status_code == 200


def test_staff_keep_their_navigation_where_there_is_nothing_but_not_where_respondents_go(browse):
    for role, address, kept in (
        ("researcher", "/admin/surveys/nothing", True),
        ("researcher", "/nothing", True),
        ("researcher", "/s/nothing", False),
        ("researcher", "/try/nothing", False),
        (None, "/nothing", False),
    ):
        answer = browse(role).get(address)
        assert (address, NAVIGATION in answer.text) == (address, kept)
