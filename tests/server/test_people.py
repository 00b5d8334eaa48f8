"""Accounts as an admin manages them."""

import re

import pytest

from server.store import surveys
from server.store.staff import accounts


def issued(answer):
    return re.search(r'id="issued-password">([^<]+)<', answer.text)[1]


def test_a_new_account_gets_a_password_that_is_shown_once_and_works(admin, browse):
    answer = admin.post("/admin/people", name="cleo", role="researcher")
    assert answer.headers["Cache-Control"] == "no-store"
    password = issued(answer)
    assert password not in admin.get("/admin/people").text
    assert browse().sign_in("cleo", password).location == "/results"


def test_many_surveys_that_somebody_is_given_are_folded_so_that_the_next_person_is_in_view(admin, storage):
    made = [
        storage.write(surveys.create_draft, {"slug": f"survey-{n}", "languages": ["en"]}) for n in range(7)
    ]
    for given, folded in ((6, False), (7, True)):
        slugs = [survey.slug for survey in made[:given]]
        admin.post("/admin/people/2", role="researcher", scope="chosen", surveys=slugs)
        page = admin.get("/admin/people").text
        assert (f"<summary>{given} surveys</summary>{', '.join(slugs)}</details>" in page) == folded
        assert f"{', '.join(slugs)}</" in page


@pytest.mark.parametrize(
    ("fields", "status", "words"),
    [
        ({"name": "two words", "role": "admin"}, 422, "A name has 1 to 64 letters"),
        ({"name": "Ben", "role": "admin"}, 409, "already an account of that name"),
        ({"name": "cleo", "role": "owner"}, 422, "The value sent was “owner”"),
    ],
)
def test_what_cannot_be_added_is_said_at_the_field_and_kept_there(admin, fields, status, words):
    answer = admin.post("/admin/people", **fields)
    assert answer.status_code == status
    assert words in answer.text
    assert f'value="{fields["name"]}"' in answer.text


def test_an_issued_password_replaces_the_old_one_and_ends_the_sessions(admin, browse):
    ben = browse("researcher")
    password = issued(admin.post("/admin/people/2/password", page="/admin/people"))
    assert ben.get("/results").location.startswith("/login")
    assert browse().sign_in("ben").status_code == 403
    assert browse().sign_in("ben", password).status_code == 302


def test_an_account_is_removed_after_asking(admin, browse):
    ben = browse("researcher")
    assert "Remove ben?" in admin.get("/admin/people/2/remove").text
    assert admin.post("/admin/people/2/remove").location == "/admin/people"
    assert ben.get("/results").location.startswith("/login")
    assert "ben" not in re.findall(r'<th scope="row">(\w+)', admin.get("/admin/people").text)


def test_the_last_admin_is_kept(admin):
    answer = admin.post("/admin/people/1/remove")
    assert answer.status_code == 409
    assert "last admin cannot be removed" in answer.text
    assert admin.get("/admin").status_code == 200


def test_an_account_that_is_removed_meanwhile_is_told_in_words(admin, storage, monkeypatch):
    def hashed(password):
        storage.write(lambda db: db.execute("DELETE FROM accounts WHERE id = 2"))
        return "$argon2id$"

    monkeypatch.setattr(accounts, "hash_password", hashed)
    answer = admin.post("/admin/people/2/password", page="/admin/people")
    assert answer.status_code == 404
    assert "There is nothing at this address." in answer.text


def test_all_surveys_are_given_to_researchers_only(admin, storage):
    refused = admin.post("/admin/people/invitations", page="/admin/people", role="editor", scope="all")
    assert refused.status_code == 422
    assert "All surveys can be given to researchers only." in refused.text
    assert (
        admin.post(
            "/admin/people/invitations", page="/admin/people", role="researcher", scope="all"
        ).status_code
        == 200
    )


@pytest.mark.parametrize("number", ["3", "9" * 18, "9" * 19, "9" * 400, "9" * 5000])
def test_a_number_that_no_account_has_leads_nowhere(admin, number):
    assert admin.get(f"/admin/people/{number}/remove").status_code == 404
