"""A test run of a draft: the respondent's page, and nothing stored."""

import re

import pytest

from server.store import surveys

ADDRESS = "/admin/surveys/health/try"
COMPLETE = {f"{name}-en": name for name in ("title", "information", "consent")} | {
    "questions-0-id": "tired",
    "questions-0-wording-en": "Have you come to work tired?",
    "questions-0-mechanism": "coin",
}


@pytest.fixture
def complete(editor):
    editor.save(**COMPLETE)
    return editor


def test_a_complete_draft_can_be_tried_under_the_respondents_policy(complete):
    answer = complete.get(ADDRESS)
    assert "Test run." in answer.text
    assert "Have you come to work tired?" in answer.text
    assert f'action="{ADDRESS}"' in answer.text
    assert "connect-src 'none'" in answer.headers["Content-Security-Policy"]


def test_it_invents_who_asks_where_the_draft_does_not_say(complete):
    assert "does not say yet is invented" not in complete.get(ADDRESS).text
    complete.save(**COMPLETE, **{"organisation-en": "", "contact-en": "", "kept_until": ""})
    page = complete.get(ADDRESS).text
    assert "What the draft does not say yet is invented here" in page
    assert '"organisation":{"en":"An invented institute"}' in page
    assert '"kept_until":"2027-12-31"' in page


def test_its_fingerprint_is_of_no_survey(complete):
    opening = complete.get("/admin/surveys/health/open").text
    real = re.search(r'name="fingerprint" value="(\w{64})"', opening)[1]
    shown = re.search(r'data-fingerprint="(\w{64})"', complete.get(ADDRESS).text)[1]
    assert shown != real


def test_what_it_sends_is_answered_and_stored_nowhere(complete, admin, storage):
    before = storage.read(surveys.by_slug, "health")
    answer = admin.client.post(ADDRESS, data={"tired": "1", "receipt": "0" * 32})
    assert "Nothing you do here is stored." in answer.text
    assert 'data-outcome="stored"' in answer.text, "it ends as it will for respondents"
    after = storage.read(surveys.by_slug, "health")
    assert (after.state, after.draft) == (before.state, before.draft)


def test_a_draft_that_lacks_something_says_what_instead(editor):
    answer = editor.get(ADDRESS)
    assert (answer.status_code, answer.location) == (302, "/admin/surveys/health/open")


def test_a_published_survey_is_not_tried(complete, storage):
    storage.write(surveys.open_survey, storage.read(surveys.by_slug, "health").id)
    assert complete.get(ADDRESS).status_code == 409


def test_only_an_admin_may_try(complete, browse):
    assert browse("researcher").get(ADDRESS).status_code == 403
    assert browse().get(ADDRESS).status_code == 302


def test_the_editor_leads_to_it_by_way_of_saving(complete, draft):
    assert 'name="action" value="try"' in complete.page()
    answer = complete.save("try", **(COMPLETE | {"questions-0-wording-en": "Are you tired?"}))
    assert (answer.status_code, answer.location) == (302, ADDRESS)
    assert "Are you tired?" in complete.get(ADDRESS).text


def test_the_expected_respondents_are_not_lost_on_the_way_back(complete):
    answer = complete.save("try", respondents="150", **COMPLETE)
    assert answer.location == f"{ADDRESS}?respondents=150"
    assert 'href="/admin/surveys/health?respondents=150"' in complete.get(answer.location).text


def test_the_notice_says_in_which_language_it_is(complete):
    assert '<div class="page-header" lang="en">' in complete.get(ADDRESS).text
    assert '<div class="page-header" lang="ko">' in complete.get(f"{ADDRESS}?language=ko").text


def test_who_is_signed_out_meanwhile_is_told_in_the_frame(complete, browse):
    answer = browse().client.post(ADDRESS, data={"tired": "1"})
    assert answer.status_code == 403
    assert "You are signed out." in answer.text
    assert 'data-outcome="busy"' in answer.text, "which can be tried again"
    assert "frame-ancestors 'self'" in answer.headers["Content-Security-Policy"]
