"""A survey opens as it was confirmed, and nothing opened changes; closing and deleting are asked for."""

import re
from html import unescape

import pytest
from draft_editor import Editor
from hands import Hands

from server.drafts.question_preview import composed
from server.store import drafts, surveys
from server.store.drafts import DraftChangedError
from server.store.lifecycle import opening
from server.store.surveys import WrongState

ADDRESS = "/admin/surveys/exams"


@pytest.fixture
def begun(storage, survey_file):
    """Store a draft, `exams`, in which some things are others."""
    return lambda **more: storage.write(surveys.create_draft, survey_file(**more))


@pytest.fixture
def state(storage):
    return lambda: storage.read(surveys.by_slug, "exams").state


@pytest.fixture
def opened(begun, storage):
    return storage.write(surveys.open_survey, begun().id)


def fingerprint(admin):
    return re.search(r'name="fingerprint" value="(\w{64})"', admin.get(f"{ADDRESS}/open").text)[1]


def test_the_page_before_opening_shows_the_fingerprint_that_will_be(begun, admin, storage):
    begun()
    confirmed = fingerprint(admin)
    hands = Hands(admin, ADDRESS)
    hands.click("Open the survey")
    hands.click("Open for respondents")
    assert hands.address == f"{ADDRESS}?opened=1"
    assert storage.read(surveys.by_slug, "exams").publication.fingerprint == confirmed


def test_a_survey_that_is_not_what_was_confirmed_does_not_open(begun, admin, state):
    begun()
    confirmed = fingerprint(admin)
    Editor(admin, "exams").fill(title={"en": "Another"})
    for wrong in (confirmed, "0" * 64, ""):
        assert admin.post(f"{ADDRESS}/open", fingerprint=wrong).status_code == 409
    assert state() == "draft"


def test_a_draft_that_somebody_changes_while_it_is_published_does_not_open(
    begun, storage, state, monkeypatch
):
    survey, ready = begun(), opening.ready

    def slowly(*arguments):
        made = ready(*arguments)
        other = survey.document | {"languages": ["en", "ko"]}
        storage.write(drafts.replace, survey.id, survey.tag, other, "eve")
        return made

    monkeypatch.setattr(opening, "ready", slowly)
    with pytest.raises(DraftChangedError):
        opening.open_as_confirmed(storage, survey.id, survey.complete.fingerprint, "ada", 0)
    assert state() == "draft"


def test_an_incomplete_draft_does_not_open_and_the_page_says_why_with_a_link(begun, admin, state):
    begun(title={}, consent={})
    page = unescape(admin.get(f"{ADDRESS}/open").text)
    assert "2 things are missing" in page
    assert f'<a href="{ADDRESS}#title.en">Title (English)</a>' in page
    assert admin.post(f"{ADDRESS}/open", page="/admin/new").status_code == 409
    assert state() == "draft"


def test_a_survey_above_its_limit_does_not_open(begun, admin, state):
    begun(budget={"limit": 2.9, "waves": 2})
    page = unescape(admin.get(f"{ADDRESS}/open").text)
    assert f'<a href="{ADDRESS}#budget.limit">Limit for the total epsilon: must be at least 4.1973' in page
    assert "The survey cannot be opened yet" in page
    assert "missing" not in page
    assert admin.post(f"{ADDRESS}/open", page="/admin/new").status_code == 409
    assert state() == "draft"


def test_before_opening_the_total_is_shown_for_so_many_people_and_a_large_one_is_warned_of(begun, admin):
    begun(budget={"waves": 3})
    Editor(admin, "exams").write(Editor(admin, "exams").document | {"expected": 150})
    page = admin.get(f"{ADDRESS}/open").text
    assert "The warnings below assume 150 respondents" in page
    assert "ε = 6.2958" in page  # three times 1 + ln 3
    assert 'data-advice="little"' in page


def test_a_published_survey_says_how_skips_travel_and_what_all_waves_compose_to(begun, admin, storage):
    few = {"id": "few", "mechanism": "spinner_coin", "epsilon": 0.1, "wording": {"en": "?"}, "skip": "apart"}
    survey = begun(questions=[few], budget={"limit": 20.0, "waves": 100})
    publication = storage.write(surveys.open_survey, survey.id).publication
    page = admin.get(ADDRESS).text
    assert "<dt>Skips</dt>" in page
    assert "100 waves: <strong>ε = 10.0000</strong> (limit 20)" in page
    smaller = composed(publication)
    assert smaller.epsilon < 6
    assert f"the loss is also at most ε\u00a0=\u00a0{smaller.epsilon:.4f} with δ\u00a0=\u00a01e-6" in page


def test_opening_freezes_a_survey(opened, admin, storage):
    page = admin.get(ADDRESS).text
    assert "<textarea" not in re.sub(r"<template.*?</template>", "", page, flags=re.DOTALL)
    assert 'value="http://localhost/s/exams" readonly' in page
    assert admin.post(f"{ADDRESS}/open", page="/admin/new").status_code == 409
    assert admin.post(f"{ADDRESS}/survey.toml", page="/admin/new", text="candor = 1").status_code == 409
    assert storage.read(surveys.get, opened.id).publication.json == opened.publication.json


def test_what_is_open_is_not_opened_again(opened, storage):
    with pytest.raises(WrongState):
        opening.open_as_confirmed(storage, opened.id, opened.publication.fingerprint, "ada", 0)


def test_closing_is_asked_for_and_final(opened, admin, state):
    hands = Hands(admin, f"{ADDRESS}/close")
    assert "cannot be opened again" in admin.get(f"{ADDRESS}/close").text
    hands.click("Close")
    assert state() == "closed"
    assert admin.get(f"{ADDRESS}/close").status_code == 409
    assert admin.post(f"{ADDRESS}/close", page="/admin/new").status_code == 409


def test_a_survey_is_deleted_only_when_its_address_is_typed(opened, admin, storage):
    answer = admin.post(f"{ADDRESS}/delete", slug="exmas")
    assert (answer.status_code, "You entered “exmas”" in answer.text) == (422, True)
    assert storage.read(surveys.get, opened.id)
    hands = Hands(admin, f"{ADDRESS}/delete")
    hands.fill("slug", "exams")
    hands.click("Delete")
    assert hands.address == "/admin"
    assert storage.read(surveys.by_slug, "exams") is None


@pytest.mark.parametrize("what", ["close", "open", "delete"])
def test_a_survey_that_somebody_removes_meanwhile_is_told_in_words(begun, admin, storage, monkeypatch, what):
    survey = begun()
    storage.write(surveys.delete_survey, survey.id)
    monkeypatch.setattr("server.surveys.lifecycle.survey_named", lambda slug: survey)
    answer = admin.post(f"{ADDRESS}/{what}", page="/admin/new", slug="exams")
    assert answer.status_code == 404
    assert "There is nothing at this address." in answer.text


def test_texts_of_a_survey_are_shown_as_text(begun, admin):
    begun(title={"en": "<script>alert(1)</script>"})
    for address in ("/admin", ADDRESS, f"{ADDRESS}/open"):
        assert "<script>alert" not in admin.get(address).text
    assert "&lt;script&gt;alert(1)" in admin.get("/admin").text
