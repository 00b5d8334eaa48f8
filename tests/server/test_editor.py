"""An admin makes a survey: nothing typed is lost, nothing wrong is stored, nothing opened changes."""

import re
import tomllib
from html import unescape

import pytest
from page_fields import whole

from server.store import drafts, edits, surveys

TEXTS = {
    "title-en": "Health at work",
    "information-en": "Who asks, and why.",
    "consent-en": "I take part of my own free will.",
}
QUESTION = {
    "questions-0-id": "tired",
    "questions-0-wording-en": "Have you come to work tired this week?",
    "questions-0-mechanism": "spinner_coin",
    "questions-0-epsilon": "1.5",
}


def filled(page, name):
    """What a field holds, in the panel that is open or in one that is folded."""
    return whole(page.text)[name]


def test_an_empty_list_says_what_to_do_next(admin):
    assert "Write one here, or import a survey file." in admin.get("/admin").text


def test_a_draft_starts_with_nothing_but_its_address(editor, draft):
    assert draft()["slug"] == "health"
    assert editor.get("/admin/surveys/health").status_code == 200


@pytest.mark.parametrize("typed", ["Thirty Questions", " thirty  questions ", "THIRTY_questions"])
def test_the_address_of_a_new_draft_may_be_typed_as_a_title_is(admin, draft, typed):
    assert admin.post("/admin/new", slug=typed).location == "/admin/surveys/thirty-questions"
    assert draft("thirty-questions")["slug"] == "thirty-questions"
    again = admin.post("/admin/new", slug=typed)
    assert "Another survey already has the address “thirty-questions”" in again.text


def test_the_address_that_a_draft_has_is_never_changed_into_another(editor, draft):
    answer = editor.save(slug="Thirty Questions")
    assert "You entered “Thirty Questions”" in unescape(answer.text)
    assert draft()["slug"] == "health"


@pytest.mark.parametrize("slug", ["", "Two words?", "두 낱말", "-health", "a" * 65])
def test_an_address_that_cannot_be_one_is_said_at_the_field(admin, slug):
    answer = admin.post("/admin/new", slug=slug)
    assert answer.status_code == 422
    assert f"You entered “{slug}”" in answer.text


def test_two_surveys_cannot_have_one_address(editor):
    answer = editor.post("/admin/new", slug="health")
    assert answer.status_code == 409
    assert "Another survey already has the address “health”" in answer.text


def test_an_incomplete_draft_is_saved_and_says_what_is_missing(editor, draft):
    assert editor.save(**{"title-en": "Health at work"}).status_code == 302
    assert draft()["title"] == {"en": "Health at work"}
    page = editor.get("/admin/surveys/health").text
    assert "3 things are missing" in page
    assert "Information (English)" in page
    assert "At least one question" in page


WRONG = {
    "slug": ("Not An Address", "You entered “Not An Address”"),
    "step": ("0", "from 1 to 1000000. You entered “0”"),
    "questions-0-id": ("Tired?", "You entered “Tired?”"),
    "questions-0-epsilon": ("eleven", "above 0 and at most 10. You entered “eleven”"),
    "title-en": ("x" * 201, "at most 200 characters. It has 201"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_value_is_said_at_its_field_and_nothing_typed_is_lost(editor, draft, name):
    before = draft()
    value, words = WRONG[name]
    answer = editor.save(**(TEXTS | QUESTION | {name: value}))
    assert answer.status_code == 422
    assert words in answer.text
    assert draft() == before
    typed = {"slug": "health"} | TEXTS | QUESTION | {name: value}
    assert {field: filled(answer, field) for field in typed} == typed


@pytest.mark.parametrize("epsilon", ["0", "-1", "10.1", "nan", "inf", "1e400"])
def test_an_epsilon_outside_its_range_is_refused(editor, epsilon):
    answer = editor.save(**(TEXTS | QUESTION | {"questions-0-epsilon": epsilon}))
    assert answer.status_code == 422
    assert f"You entered “{epsilon}”" in answer.text


def test_two_questions_cannot_have_one_name(editor):
    second = {name.replace("-0-", "-1-"): value for name, value in QUESTION.items()}
    answer = editor.save(**(TEXTS | QUESTION | second))
    assert answer.status_code == 422
    assert "Another question already has the short name “tired”" in answer.text


def test_dropping_a_language_that_has_texts_is_refused(editor):
    answer = editor.save(**(TEXTS | {"title-ko": "일터와 건강"}))
    assert answer.status_code == 422
    assert "There are still texts in “Korean”" in answer.text


def test_a_choice_of_two_coins_drops_the_epsilon_that_cannot_be_chosen(editor, draft):
    editor.save(**(TEXTS | QUESTION | {"questions-0-mechanism": "coin"}))
    assert "epsilon" not in draft()["questions"][0]
    assert "ε = 1.0986" in editor.get("/admin/surveys/health").text


def test_questions_are_added_moved_and_removed_by_buttons_alone(editor, draft):
    def ids():
        return [question.get("id") for question in draft()["questions"]]

    second = {"questions-1-id": "slept", "questions-1-mechanism": "coin"}
    assert editor.save("add", **QUESTION).location.endswith("#question-2")
    assert ids() == ["tired", "q2"]
    editor.save("up-1", **QUESTION, **second)
    assert ids() == ["slept", "tired"]
    editor.save("down-0", **QUESTION, **second)
    assert ids() == ["slept", "tired"]
    editor.save("remove-0", **QUESTION, **second)
    assert ids() == ["slept"]


def test_a_saved_draft_shows_bright_share_odds_and_the_total_epsilon(editor):
    second = {"questions-1-id": "slept", "questions-1-mechanism": "coin"}
    editor.save(**(TEXTS | QUESTION | second))
    page = editor.get("/admin/surveys/health").text
    # E = e^1.5: p = (E - 1)/(E + 1) = .635, P(yes|yes) = E/(1 + E) = .818; and 1.5 + ln 3 = 2.5986.
    assert "Bright side: 63.5%" in page
    assert "about 82 are recorded as Yes. Of 100 whose answer is No, about 18 are recorded as Yes." in page
    assert "All questions together: <strong>ε = 2.5986</strong>" in page


def test_a_draft_that_somebody_else_saved_meanwhile_is_not_overwritten(editor, draft):
    answer = editor.save(basis="0" * 32, **(TEXTS | QUESTION))
    assert answer.status_code == 409
    assert "title" not in draft()
    assert f'<dd class="preformatted" dir="auto">{TEXTS["title-en"]}</dd>' in answer.text


def test_the_page_before_opening_shows_the_fingerprint_that_will_be(editor, storage):
    editor.save(**(TEXTS | QUESTION))
    page = editor.get("/admin/surveys/health/open")
    fingerprint = re.search(r'name="fingerprint" value="(\w{64})"', page.text)[1]
    opened = editor.post("/admin/surveys/health/open", fingerprint=fingerprint)
    assert opened.location == "/admin/surveys/health?opened=1"
    assert storage.read(surveys.by_slug, "health").publication.fingerprint == fingerprint


def test_a_survey_that_is_not_what_was_confirmed_does_not_open(editor, storage):
    editor.save(**(TEXTS | QUESTION))
    assert editor.post("/admin/surveys/health/open", fingerprint="0" * 64).status_code == 409
    assert storage.read(surveys.by_slug, "health").state == "draft"


def test_a_draft_that_somebody_changes_while_it_is_published_does_not_open(editor, storage, monkeypatch):
    editor.save(**(TEXTS | QUESTION))
    fingerprint = re.search(r'"(\w{64})"', editor.get("/admin/surveys/health/open").text)[1]
    publish = drafts.would_be

    def slowly(*arguments):
        made = publish(*arguments)
        found = storage.read(surveys.by_slug, "health")
        storage.write(surveys.save_draft, found.id, found.draft | {"languages": ["en", "ko"]})
        return made

    monkeypatch.setattr(drafts, "would_be", slowly)
    with pytest.raises(edits.DraftChangedError):
        drafts.open_as_confirmed(storage, storage.read(surveys.by_slug, "health").id, fingerprint, "ada", 0)
    assert storage.read(surveys.by_slug, "health").state == "draft"


def test_an_incomplete_draft_does_not_open_and_the_page_says_why(editor, storage):
    assert "Title (English)" in editor.get("/admin/surveys/health/open").text
    assert editor.post("/admin/surveys/health/open").status_code == 409
    assert storage.read(surveys.by_slug, "health").state == "draft"


@pytest.fixture
def opened(editor, storage):
    editor.save(**(TEXTS | QUESTION))
    storage.write(surveys.open_survey, storage.read(surveys.by_slug, "health").id)
    return editor


def test_opening_freezes_a_survey(opened, storage):
    before = storage.read(surveys.by_slug, "health").publication.json
    page = opened.get("/admin/surveys/health")
    shown = re.sub(r"<template.*?</template>", "", page.text, flags=re.DOTALL)
    assert "<textarea" not in shown
    assert 'value="http://localhost/s/health" readonly' in page.text
    answer = opened.post("/admin/surveys/health", slug="other", **TEXTS)
    assert answer.status_code == 409
    assert opened.post("/admin/surveys/health/open", page="/admin/new").status_code == 409
    assert storage.read(surveys.by_slug, "health").publication.json == before


def test_closing_is_asked_for_and_final(opened, storage):
    assert "cannot be opened again" in opened.get("/admin/surveys/health/close").text
    assert opened.post("/admin/surveys/health/close").status_code == 302
    assert storage.read(surveys.by_slug, "health").state == "closed"
    assert opened.get("/admin/surveys/health/close").status_code == 409
    assert opened.post("/admin/surveys/health/close", page="/admin/new").status_code == 409


def test_a_survey_is_deleted_only_when_its_address_is_typed(opened, storage):
    answer = opened.post("/admin/surveys/health/delete", slug="healht")
    assert answer.status_code == 422
    assert "You entered “healht”" in answer.text
    assert storage.read(surveys.by_slug, "health")
    assert opened.post("/admin/surveys/health/delete", slug="health").location == "/admin"
    assert storage.read(surveys.by_slug, "health") is None


@pytest.mark.parametrize("state", ["draft", "open"])
def test_an_exported_file_is_imported_as_the_same_survey(editor, storage, state, draft):
    editor.save(**(TEXTS | QUESTION))
    if state == "open":
        storage.write(surveys.open_survey, storage.read(surveys.by_slug, "health").id)
    answer = editor.get("/admin/surveys/health/survey.toml")
    publication, text = storage.read(surveys.by_slug, "health").publication, answer.text
    name = f"health-{publication.fingerprint[:12]}.toml" if publication else "health.toml"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{name}"'
    copied = text.replace('slug = "health"', 'slug = "health-again"')
    assert editor.post("/admin/import", text=copied).location == "/admin/surveys/health-again"
    again = draft("health-again")
    assert again | {"slug": "health"} == tomllib.loads(text)


def test_a_file_that_cannot_be_used_is_shown_again_with_every_problem(editor):
    answer = editor.post("/admin/import", text='candor = 1\nslug = "Bad Slug"')
    assert answer.status_code == 422
    assert "slug must be lower-case letters" in answer.text
    assert "questions is missing" in answer.text
    assert 'slug = "Bad Slug"' in unescape(answer.text).replace("&#34;", '"')


def test_texts_of_a_survey_are_shown_as_text(editor):
    editor.save(**(TEXTS | QUESTION | {"title-en": "<script>alert(1)</script>"}))
    for address in ("/admin", "/admin/surveys/health", "/admin/surveys/health/open"):
        page = editor.get(address).text
        assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in editor.get("/admin").text


@pytest.mark.parametrize("what", ["close", "open", "delete"])
def test_a_survey_that_somebody_removes_meanwhile_is_told_in_words(editor, storage, monkeypatch, what):
    found = storage.read(surveys.by_slug, "health")
    storage.write(surveys.delete_survey, found.id)
    monkeypatch.setattr("server.editor.stages.survey_named", lambda slug: found)
    address = f"/admin/surveys/health/{what}"
    answer = editor.post(address, page="/admin/new", slug="health", languages="en", step="50")
    assert answer.status_code == 404
    assert "There is nothing at this address." in answer.text


@pytest.mark.parametrize(
    "field",
    ["step", "respondents"] + [f"questions-0-{key}" for key in ("epsilon", "delta", "low", "high", "step")],
)
@pytest.mark.parametrize("typed", ["9" * 5000, "0" * 5000, f"0.{5000 * '0'}1", "1e-300", "-1e15", "1e999"])
def test_numbers_of_thousands_of_digits_are_read_or_refused_in_words(editor, field, typed):
    number = {"kind": "number", "mechanism": "gaussian", "epsilon": "1", "delta": "1e-6"}
    number |= {"low": "0", "high": "10", "step": "1", "id": "hours", "wording-en": "How many?"}
    fields = {f"questions-0-{key}": value for key, value in number.items()}
    assert editor.save(**(fields | {field: typed})).status_code in (302, 422)
    assert editor.get("/admin/surveys/health").status_code == 200


@pytest.mark.parametrize(
    "text",
    [
        "candor = " + "9" * 5000,
        "candor = 0x" + "f" * 5000,
        "candor = " + "[" * 5000 + "]" * 5000,
        "candor = " + "{a=" * 5000 + "1" + "}" * 5000,
        ".".join("a" * 5000) + " = 1",
        "[results]\nstep = 0x" + "f" * 5000,
    ],
)
def test_a_survey_file_that_python_cannot_read_is_refused_in_words(editor, text):
    answer = editor.post("/admin/import", text=text)
    assert answer.status_code == 422
