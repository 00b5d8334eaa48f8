"""A test run of a draft: the respondent's page, and nothing stored."""

import re

import pytest

from server.store import surveys

ADDRESS = "/admin/surveys/exams/try"


@pytest.fixture
def draft(storage, survey_file):
    """Store a draft, `exams`, of which some texts are others."""
    return lambda **more: storage.write(surveys.create_draft, survey_file(**more))


def test_a_complete_draft_can_be_tried_under_the_respondents_policy(draft, admin):
    draft()
    answer = admin.get(ADDRESS)
    assert "Test run." in answer.text
    assert "Did you copy?" in answer.text
    assert f'action="{ADDRESS}"' in answer.text
    assert "connect-src 'none'" in answer.headers["Content-Security-Policy"]
    assert "does not say yet is invented" not in answer.text
    assert 'href="/admin/surveys/exams"' in answer.text


def test_it_invents_who_asks_where_the_draft_does_not_say(draft, admin):
    draft(organisation={}, contact={}, kept_until=None)
    page = admin.get(ADDRESS).text
    assert "What the draft does not say yet is invented here" in page
    assert '"organisation":{"en":"An invented institute"}' in page
    assert '"kept_until":"2027-12-31"' in page


def test_its_fingerprint_is_of_no_survey(draft, admin):
    draft()
    real = re.search(r'name="fingerprint" value="(\w{64})"', admin.get("/admin/surveys/exams/open").text)[1]
    assert re.search(r'data-fingerprint="(\w{64})"', admin.get(ADDRESS).text)[1] != real


def test_what_it_sends_is_answered_and_stored_nowhere(draft, admin, storage):
    before = draft()
    answer = admin.client.post(ADDRESS, data={"copied": "1", "receipt": "0" * 32})
    assert "Nothing you do here is stored." in answer.text
    assert 'data-outcome="stored"' in answer.text, "it ends as it will for respondents"
    assert storage.read(surveys.get, before.id) == before


def test_a_draft_that_lacks_something_says_what_instead(draft, admin):
    draft(title={})
    answer = admin.get(ADDRESS)
    assert (answer.status_code, answer.location) == (302, "/admin/surveys/exams/open")


def test_a_published_survey_is_not_tried(draft, admin, storage):
    storage.write(surveys.open_survey, draft().id)
    assert admin.get(ADDRESS).status_code == 409


def test_only_an_admin_may_try(draft, browse):
    draft()
    assert browse("researcher").get(ADDRESS).status_code == 403
    assert browse().get(ADDRESS).status_code == 302


def test_the_notice_says_in_which_language_it_is(draft, admin):
    draft()
    assert '<div class="page-header" lang="en">' in admin.get(ADDRESS).text
    assert '<div class="page-header" lang="ko">' in admin.get(f"{ADDRESS}?language=ko").text


def test_who_is_signed_out_meanwhile_is_told_in_the_frame(draft, browse):
    draft()
    answer = browse().client.post(ADDRESS, data={"copied": "1"})
    assert answer.status_code == 403
    assert "You are signed out." in answer.text
    assert 'data-outcome="busy"' in answer.text, "which can be tried again"
    assert "frame-ancestors 'self'" in answer.headers["Content-Security-Policy"]
