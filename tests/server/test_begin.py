"""A draft begins from nothing but an address, or from what a browser kept of one that is gone."""

import json
import re

import pytest

from server.store import surveys
from survey.draft import document_of


def test_an_empty_list_says_what_to_do_next(admin):
    assert "Write one here, or import a survey file." in admin.get("/admin").text


@pytest.mark.parametrize("typed", ["Thirty Questions", " thirty  questions ", "THIRTY_questions"])
def test_the_address_of_a_new_draft_may_be_typed_as_a_title_is(admin, draft, typed):
    assert admin.post("/admin/new", slug=typed).location == "/admin/surveys/thirty-questions"
    assert draft("thirty-questions")["slug"] == "thirty-questions"
    again = admin.post("/admin/new", slug=typed)
    assert again.status_code == 409
    assert "Another survey already has the address “thirty-questions”" in again.text


@pytest.mark.parametrize("slug", ["", "Two words?", "두 낱말", "-health", "a" * 65])
def test_an_address_that_cannot_be_one_is_said_at_the_field(admin, slug):
    answer = admin.post("/admin/new", slug=slug)
    assert (answer.status_code, f"You entered “{slug}”" in answer.text) == (422, True)


def test_a_draft_begins_with_all_languages_of_candor_that_of_the_reader_first(admin, storage):
    for language, order in (("en", ["en", "ko"]), ("ko", ["ko", "en"])):
        admin.post(f"/admin/new?language={language}", slug=f"in-{language}")
        document = storage.read(surveys.by_slug, f"in-{language}").document
        assert document == {"slug": f"in-{language}", "languages": order}
    assert admin.get("/admin/surveys/in-ko").status_code == 200


@pytest.fixture
def left(admin):
    """Send what a browser kept, as its page does."""
    return lambda document: admin.post("/admin/left", page="/admin/new", draft=json.dumps(document))


def test_what_was_typed_into_a_draft_that_is_gone_becomes_a_new_one(left, storage, survey_file):
    document = document_of(survey_file("health")) | {"expected": 142}
    document["questions"][0]["epsilon"] = "1,,5"
    assert left(document).location == "/admin/surveys/health"
    assert left(document).location == "/admin/surveys/health-2"
    assert storage.read(surveys.by_slug, "health-2").document == document | {"slug": "health-2"}
    assert left(document | {"slug": "Two words?"}).location == "/admin/surveys/survey"


NO_DRAFTS = {
    "no JSON": "{",
    "a list": "[]",
    "an unknown key": '{"titel": {"en": "x"}}',
    "no uid": '{"questions": [{"id": "a"}]}',
    "deep": "[" * 100_000,
    "NUL": '{"title": {"en": "a\\u0000"}}',
}


@pytest.mark.parametrize("text", NO_DRAFTS.values(), ids=NO_DRAFTS)
def test_what_our_page_does_not_send_is_refused_with_a_sentence(admin, storage, text):
    answer = admin.post("/admin/left", page="/admin/new", draft=text)
    assert (answer.status_code, "Nothing was saved: " in answer.text) == (422, True)
    assert storage.read(surveys.all_surveys) == []


def test_only_whoever_may_begin_a_draft_makes_one_of_what_is_left(browse, storage):
    researcher = browse("researcher")
    assert researcher.post("/admin/left", page="/account", draft="{}").status_code == 403
    assert browse().post("/admin/left", page="/login", draft="{}").status_code == 302
    assert storage.read(surveys.all_surveys) == []


def test_the_page_of_a_draft_that_is_gone_offers_what_the_browser_kept(admin, browse):
    answer = admin.get("/admin/surveys/none")
    assert answer.status_code == 404
    assert re.search(r'action="/admin/left"', answer.text)
    assert "/admin/left" not in browse("researcher").get("/admin/surveys/none").text
