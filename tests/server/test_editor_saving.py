"""What is typed is what is saved, tried and opened; a session that ends or a second click loses nothing."""

import re
from html import unescape

import pytest

from server.store import surveys

ADDRESS = "/admin/surveys/health"
COMPLETE = {f"{name}-en": name for name in ("title", "information", "consent")} | {
    "questions-0-id": "tired",
    "questions-0-wording-en": "Have you come to work tired?",
    "questions-0-mechanism": "spinner_coin",
    "questions-0-epsilon": "1.5",
}


def test_opening_saves_what_is_typed_first(editor, draft):
    answer = editor.save("open", respondents="150", **COMPLETE)
    assert (answer.status_code, answer.location) == (302, f"{ADDRESS}/open?respondents=150")
    assert draft()["questions"][0]["epsilon"] == 1.5


@pytest.mark.parametrize("action", ["try", "open"])
def test_what_is_wrong_is_neither_tried_nor_opened(editor, draft, action):
    before = draft()
    answer = editor.save(action, **(COMPLETE | {"questions-0-epsilon": "11"}))
    assert answer.status_code == 422
    assert "You entered “11”" in answer.text
    assert draft() == before


def test_the_page_before_opening_says_for_how_many_it_warns_and_leads_back_with_them(editor):
    editor.save(**COMPLETE)
    page = editor.get(f"{ADDRESS}/open?respondents=150").text
    assert "The warnings below assume 150 respondents" in page
    assert f'href="{ADDRESS}?respondents=150"' in page
    assert "The warnings below assume 1,000 respondents" in editor.get(f"{ADDRESS}/open").text


def test_what_is_missing_leads_back_with_the_respondents(editor):
    editor.save("open", respondents="150")
    page = unescape(editor.get(f"{ADDRESS}/open?respondents=150").text)
    assert f"{ADDRESS}?respondents=150&open=start#title-en" in page


def test_the_browser_restores_nothing_of_an_older_draft(editor):
    assert re.search(r'<form [^>]*id="editor" autocomplete="off"', editor.page())


def test_a_second_click_saves_the_same_again(editor, draft):
    basis = re.search(r'name="basis" value="(\w*)"', editor.page())[1]
    for _ in range(2):
        answer = editor.save("add", basis=basis, **COMPLETE)
        assert (answer.status_code, answer.location[-11:]) == (302, "#question-2")
    assert len(draft()["questions"]) == 2
    answer = editor.save(basis=basis, **(COMPLETE | {"title-en": "Another"}))
    assert "You have saved this draft in another window too" in answer.text
    assert (draft()["title"]["en"], len(draft()["questions"])) == ("Another", 2)


def test_a_form_with_a_token_of_another_session_comes_back_with_a_new_one(editor, draft, browse):
    before = draft()
    answer = editor.save(
        csrf_token=browse().token("/login"), **(COMPLETE | {"title-en": "Typed all morning"})
    )
    assert answer.status_code == 400
    assert draft() == before
    page = unescape(answer.text)
    assert "You have signed in again since you opened this page" in page
    assert "Typed all morning" in page
    assert "data-unsaved" in page
    assert "ε = 1.5000" in page
    fields = dict(re.findall(r'<input type="hidden" name="(csrf_token|basis)" value="([^"]*)"', page))
    assert editor.save(**fields, **COMPLETE).status_code == 302
    assert draft()["title"] == {"en": "title"}


def test_a_page_of_somebody_else_puts_no_words_into_the_form(admin, editor):
    headers = {"Sec-Fetch-Site": "same-site", "Accept-Language": "en"}
    answer = admin.client.post(ADDRESS, data={"title-en": "Not mine"}, headers=headers)
    assert answer.status_code == 400
    assert "Not mine" not in answer.text


def test_a_draft_that_is_not_there_has_no_form_to_come_back(admin):
    assert admin.client.post("/admin/surveys/none", data={"title-en": "Typed"}).status_code == 400


@pytest.mark.parametrize("with_token", [True, False])
def test_who_is_signed_out_is_told_so_and_nothing_is_stored(browse, editor, draft, with_token):
    before = draft()
    nobody = browse()
    token = {"csrf_token": nobody.token("/login")} if with_token else {}
    for text, status in (("Short", 403), ("Who asks, and why. " * 20_000, 413)):
        typed = COMPLETE | {"information-en": text}
        answer = nobody.client.post(ADDRESS, data=typed | token, headers={"Accept-Language": "en"})
        assert (answer.status_code, "You are signed out." in answer.text) == (status, True)
    assert draft() == before


def test_without_script_what_is_right_has_its_figures_beside_what_is_wrong(editor):
    second = {name.replace("-0-", "-1-"): value for name, value in COMPLETE.items() if "-0-" in name}
    answer = editor.save(**COMPLETE, **(second | {"questions-1-id": "slept", "questions-1-epsilon": "11"}))
    assert answer.status_code == 422
    card = answer.text.partition('id="question-1"')[2].partition("<li")[0]
    assert '<span class="epsilon-of">ε = 1.5</span>' in card
    assert "one question is left out because it has no figures yet" in answer.text
    assert 'value="show-none" aria-expanded="true"' in answer.text.partition('id="question-2"')[2]
    assert 'class="meaning"' not in answer.text


def test_errors_name_languages_as_the_page_does(editor):
    answer = editor.save(languages=())
    assert "Choose at least one of English, Korean." in answer.text


def test_a_published_survey_says_how_skips_travel(editor, storage):
    editor.save(**COMPLETE, **{"questions-0-skip": "apart"})
    assert "<dt>Skips</dt>" not in editor.page()
    storage.write(surveys.open_survey, storage.read(surveys.by_slug, "health").id)
    assert "<dt>Skips</dt>" in editor.page()
