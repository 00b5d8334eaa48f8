"""A survey is copied as a new draft: everything but its address, whatever state it is in."""

import re
from html import unescape
from importlib import resources

import pytest

from server.store import free_slugs, surveys
from survey.limits import LONGEST_SLUG
from survey.read_definition import from_dict, parse

HOSTILE = ["<script>alert(1)</script>", "=1+1", "\u202egnitirw", "a\0b", "../admin", "x" * 10_000, "가나다"]


@pytest.fixture
def example(storage):
    """Store an example with sections, both languages, and all texts; in the state that is asked for."""

    def example(state="open"):
        text = (resources.files("server.examples") / "workplace.toml").read_text(encoding="utf-8")
        found = storage.write(surveys.import_definition, parse(text, "workplace"))
        if state != "draft":
            storage.write(surveys.open_survey, found.id)
        if state == "closed":
            storage.write(surveys.close_survey, found.id)
        return storage.read(surveys.get, found.id)

    return example


@pytest.mark.parametrize("state", ["draft", "open", "closed"])
def test_the_copy_holds_everything_but_the_address(admin, storage, example, state):
    original = example(state)
    answer = admin.post("/admin/surveys/workplace/copy", slug="our-workplace")
    assert answer.location == "/admin/surveys/our-workplace"
    copy = storage.read(surveys.by_slug, "our-workplace")
    assert copy.state == "draft"
    whole = original.draft or original.publication.definition.as_dict()
    assert from_dict(copy.draft, "copy") == from_dict(whole | {"slug": "our-workplace"}, "whole")
    assert {"sections", "asked", "help", "closing", "budget"} <= set(copy.draft)
    assert storage.read(surveys.get, original.id) == original
    assert storage.write(surveys.open_survey, copy.id).state == "open"


def test_an_unfinished_draft_is_copied_as_far_as_it_is_written(editor, draft):
    editor.fill(title={"en": "Health at work"})
    editor.browser.post(f"{editor.address}/copy", slug="health-too")
    assert draft("health-too") == draft() | {"slug": "health-too"}


@pytest.mark.parametrize("page", ["/admin", "/admin/surveys/workplace"])
@pytest.mark.parametrize("state", ["draft", "open"])
def test_the_list_and_the_survey_lead_there(admin, example, page, state):
    example(state)
    assert 'href="/admin/surveys/workplace/copy"' in admin.get(page).text


def test_a_free_address_is_suggested(admin, example):
    example()
    page = admin.get("/admin/surveys/workplace/copy").text
    assert re.search(r'name="slug" value="([^"]*)"', page)[1] == "workplace-2"
    admin.post("/admin/surveys/workplace/copy", slug="workplace-2")
    page = admin.get("/admin/surveys/workplace-2/copy").text
    assert re.search(r'name="slug" value="([^"]*)"', page)[1] == "workplace-3"


@pytest.mark.engines
def test_a_suggestion_is_free_and_can_be_an_address_however_long_the_name(storage, survey_file):
    longest = "a" * LONGEST_SLUG
    for slug in (longest, "exams", "exams-2", "year-2026"):
        storage.write(surveys.create_draft, survey_file(slug))
    suggested = {
        slug: storage.read(free_slugs.suggest, slug) for slug in ("new", "exams", "year-2026", longest)
    }
    assert suggested == {
        "new": "new",
        "exams": "exams-3",
        "year-2026": "year-2027",
        longest: "a" * (LONGEST_SLUG - 2) + "-2",
    }
    for slug in suggested.values():
        assert from_dict(survey_file(slug), "here").slug == slug


def test_an_address_that_is_taken_is_said_at_the_field(admin, example):
    example()
    answer = admin.post("/admin/surveys/workplace/copy", slug="workplace")
    assert answer.status_code == 409
    assert "Another survey already has the address “workplace”" in answer.text


@pytest.mark.parametrize("slug", ["", "Two words?", *HOSTILE])
def test_what_cannot_be_an_address_is_shown_again_and_nothing_is_stored(admin, storage, example, slug):
    example()
    answer = admin.post("/admin/surveys/workplace/copy", slug=slug)
    assert answer.status_code == 422
    assert "You entered “" in answer.text
    assert "<script>alert" not in answer.text
    assert slug.replace("\0", "")[:100] in unescape(answer.text)
    assert len(storage.read(surveys.all_surveys)) == 1


def test_four_megabytes_of_address_are_refused_before_they_are_read(admin, example):
    example()
    assert admin.post("/admin/surveys/workplace/copy", slug="x" * 4_000_000).status_code == 413


def test_a_survey_that_is_gone_cannot_be_copied(admin):
    assert admin.get("/admin/surveys/nowhere/copy").status_code == 404
    assert admin.post("/admin/surveys/nowhere/copy", page="/admin/new", slug="here").status_code == 404
