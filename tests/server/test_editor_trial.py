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


def test_its_fingerprint_is_of_no_survey(complete):
    opening = complete.get("/admin/surveys/health/open").text
    real = re.search(r'name="fingerprint" value="(\w{64})"', opening)[1]
    shown = re.search(r'data-fingerprint="(\w{64})"', complete.get(ADDRESS).text)[1]
    assert shown != real


def test_what_it_sends_is_answered_and_stored_nowhere(complete, admin, storage):
    before = storage.read(surveys.find, "health")
    answer = admin.client.post(ADDRESS, data={"tired": "1", "receipt": "0" * 32})
    assert "Test run: nothing was stored." in answer.text
    assert 'data-outcome="closed"' in answer.text
    after = storage.read(surveys.find, "health")
    assert (after.state, after.draft) == (before.state, before.draft)


def test_a_draft_that_lacks_something_says_what_instead(editor):
    answer = editor.get(ADDRESS)
    assert (answer.status_code, answer.location) == (302, "/admin/surveys/health/open")


def test_a_published_survey_is_not_tried(complete, storage):
    storage.write(surveys.open_survey, storage.read(surveys.find, "health").id)
    assert complete.get(ADDRESS).status_code == 409


def test_only_an_admin_may_try(complete, browse):
    assert browse("researcher").get(ADDRESS).status_code == 403
    assert browse().get(ADDRESS).status_code == 302


def test_the_editor_leads_to_it(complete):
    assert f'href="{ADDRESS}"' in complete.page()
