"""Two people edit one draft without script: whoever comes second chooses, and nothing typed is lost."""

import json
import re
from html import unescape

import pytest
from page_fields import whole

from server.editor.standing import place_of
from server.forms.editor import draft_form
from server.forms.state import OF_THE_VIEW
from server.store import surveys
from server.store.staff import accounts

ADDRESS = "/admin/surveys/health"
HEADERS = {"Accept-Language": "en"}


class Page:
    """The editor's page in one browser, with the fields that it would send."""

    def __init__(self, browser):
        self.browser = browser
        self.token = browser.token(ADDRESS)
        self.take(browser.get(ADDRESS).text)

    def take(self, page):
        """Fill the fields from a page, those of folded panels too."""
        self.fields = whole(page).to_dict() | {"languages": ["en"]}

    def post(self, address=ADDRESS, **fields):
        return self.browser.client.post(address, data={"csrf_token": self.token} | fields, headers=HEADERS)

    def save(self, action="save", **fields):
        self.fields |= fields
        return self.post(**(self.fields | {"action": action}))

    def saved(self, action="save", **fields):
        """Save, and go on from the page that follows."""
        answer = self.save(action, **fields)
        assert answer.status_code == (200 if action.startswith("remove") else 302), answer.text
        self.take(self.browser.get(ADDRESS).text)

    def choose(self, page, **choices):
        """Send the page of two versions with these choices."""
        hidden = {
            name: unescape(value) for name, value in re.findall(r'name="(seen|met)" value="([^"]*)"', page)
        }
        mine = unescape(re.search(r'<textarea name="mine" hidden>\n(.*?)</textarea>', page, re.DOTALL)[1])
        names = re.findall(r'name="keep-([^"]+)" value="(\w+)" checked', page)
        picked = {f"keep-{name}": side for name, side in names}
        picked |= {f"keep-{name}": side for name, side in choices.items()}
        return self.post(f"{ADDRESS}/versions", mine=mine, **hidden, **picked)


QUESTIONS = {
    f"questions-{n}-{name}": value
    for n, question in enumerate(("tired", "slept"))
    for name, value in {
        "id": question,
        "wording-en": f"Were you {question}?",
        "mechanism": "spinner_coin",
        "epsilon": "1",
    }.items()
}


@pytest.fixture
def ada(admin, editor):
    """An admin on the page of a draft with two questions."""
    page = Page(admin)
    page.saved(**{"title-en": "Health", **QUESTIONS})
    return page


@pytest.fixture
def eve(ada, storage, browse):
    """Another admin, on the same page."""
    storage.write(accounts.create, "eve", "a long enough password", "admin")
    browser = browse()
    assert browser.sign_in("eve").status_code == 302
    page = Page(browser)
    page.fields = dict(ada.fields)
    return page


def uid(page, number):
    return page.fields[f"questions-{number}-uid"]


def test_the_page_says_who_saved_and_which_questions_differ(ada, eve):
    eve.saved(**{"questions-1-wording-en": "Did you sleep well?", "step": "60"})
    answer = ada.save(**{"questions-1-wording-en": "Did you sleep badly?", "title-en": "Work"})
    assert answer.status_code == 409
    page = unescape(answer.text)
    assert "eve has saved this draft in the meantime" in page
    assert re.findall(r'<legend dir="auto">([^<]*)', page) == [
        "Title",
        "Question 2: Did you sleep badly?",
        "Respondents per step",
    ]
    assert "You and eve have both changed this." in page
    assert "Only eve has changed this." in page
    assert "Did you sleep well?" in page


def test_each_question_is_kept_as_chosen_and_what_only_one_has_changed_stays(ada, eve, draft):
    eve.saved(**{"questions-0-epsilon": "2", "questions-1-wording-en": "Theirs?", "step": "60"})
    page = ada.save(
        **{"questions-0-epsilon": "3", "questions-1-wording-en": "Mine?", "title-en": "Work"}
    ).text
    chosen = ada.choose(page, **{uid(ada, 0): "mine", uid(ada, 1): "theirs"})
    assert chosen.location == f"{ADDRESS}?saved=1"
    found = draft()
    assert [each["epsilon"] for each in found["questions"]] == [3.0, 1.0]
    assert [each["wording"]["en"] for each in found["questions"]] == ["Were you tired?", "Theirs?"]
    assert (found["title"], found["results"]["step"]) == ({"en": "Work"}, 60)


def test_two_questions_that_two_people_add_at_once_are_both_there(ada, eve, draft):
    eve.saved("add")
    assert ada.save("add").status_code == 200
    assert len(draft()["questions"]) == 4


def test_where_nobody_changed_what_the_other_changed_nobody_is_asked_and_it_is_said_who_changed_what(
    ada, eve, draft
):
    eve.saved(**{"questions-1-wording-en": "Did you sleep well?", "step": "60"})
    answer = ada.save(**{"questions-0-epsilon": "3", "title-en": "Work"})
    assert answer.status_code == 200
    (said,) = re.findall(r'id="joined">(.*?)</div>', answer.text, re.DOTALL)
    assert "eve has saved this draft too" in said
    words = re.findall(r"<d[td][^>]*>([^<]*)", said)
    assert words == [
        "Changed in the meantime:",
        "Respondents per step",
        "Question 2: Did you sleep well?",
        "Changed by you:",
        "Title",
        "Question 1: Were you tired?",
    ]
    found = draft()
    assert [each["epsilon"] for each in found["questions"]] == [3.0, 1.0]
    assert found["questions"][1]["wording"] == {"en": "Did you sleep well?"}
    assert (found["title"], found["results"]["step"]) == ({"en": "Work"}, 60)
    ada.take(answer.text)
    ada.saved(**{"questions-1-wording-en": "Did you sleep badly?"})
    assert draft()["questions"][1]["wording"] == {"en": "Did you sleep badly?"}


def test_whose_part_was_taken_away_meanwhile_is_asked(ada, eve, draft):
    ada.saved("add-section")
    eve.fields = dict(ada.fields)
    eve.saved("remove-section-0")
    assert draft().get("sections") is None
    page = ada.save(**{"questions-0-section": "0"})
    assert page.status_code == 409
    assert "This version does not have it." in page.text


def test_a_question_that_one_removes_while_the_other_writes_in_it_is_a_choice(ada, eve, draft):
    eve.saved("remove-0")
    page = ada.save(**{"questions-0-wording-en": "Much better wording?"}).text
    assert "This version does not have it." in page
    assert ada.choose(page, **{uid(ada, 0): "mine"}).status_code == 302
    assert [each["wording"]["en"] for each in draft()["questions"]] == [
        "Much better wording?",
        "Were you slept?",
    ]


def test_a_third_version_asks_again_with_what_was_chosen(ada, eve, draft):
    eve.saved(**{"title-en": "Theirs"})
    page = ada.save(**{"title-en": "Mine"}).text
    eve.saved(**{"consent-en": "I take part."})
    again = ada.choose(page, title="theirs")
    assert again.status_code == 409
    assert 'name="keep-title" value="theirs" checked' in again.text
    assert ada.choose(again.text).status_code == 302
    assert (draft()["title"], draft()["consent"]) == ({"en": "Theirs"}, {"en": "I take part."})


def test_what_is_wrong_is_chosen_too_and_kept_as_typed(ada, eve, browse):
    eve.saved(**{"questions-0-epsilon": "2"})
    page = ada.save(**{"questions-0-epsilon": "abc"}).text
    assert '<dd class="preformatted" dir="auto">abc</dd>' in page
    assert ada.choose(page).status_code == 302
    assert 'value="abc"' in ada.browser.get(ADDRESS).text


def test_a_session_that_ends_over_the_choice_loses_nothing(ada, eve):
    eve.saved(**{"title-en": "Theirs"})
    page = ada.save(**{"title-en": "Typed all morning"}).text
    ada.browser.post("/logout", page="/account")
    signed_out = ada.choose(page)
    assert signed_out.status_code == 403
    assert "Typed all morning" not in signed_out.text
    ada.browser.sign_in()
    again = ada.choose(page)  # its token was of the session before
    assert again.status_code == 409
    ada.token = ada.browser.token("/account")
    assert ada.choose(again.text).status_code == 302


def test_what_was_typed_into_a_draft_that_is_gone_becomes_a_new_one(ada, storage, draft):
    storage.write(surveys.delete_survey, storage.read(surveys.by_slug, "health").id)
    answer = ada.save(**{"title-en": "Typed all morning", "questions-0-epsilon": "abc"})
    assert answer.status_code == 404
    assert "This draft is no longer here" in answer.text
    typed = unescape(re.search(r'name="mine" hidden>\n(.*?)</textarea>', answer.text, re.DOTALL)[1])
    refused = ada.post("/admin/left", was="health", mine=typed, why="gone", slug="No address!")
    assert (refused.status_code, "Typed all morning" in refused.text) == (422, True)
    made = ada.post("/admin/left", was="health", mine=typed, why="gone", slug="again")
    assert made.location == "/admin/surveys/again?saved=1"
    fields = whole(ada.browser.get(made.location).text)
    assert (fields["title-en"], fields["questions-0-epsilon"]) == ("Typed all morning", "abc")


def test_what_was_typed_into_a_survey_that_another_opened_becomes_a_new_draft(ada, storage, draft):
    ada.saved(**{"information-en": "Who asks.", "consent-en": "I take part."})
    storage.write(surveys.open_survey, storage.read(surveys.by_slug, "health").id)
    answer = ada.save(**{"title-en": "Typed all morning"})
    assert answer.status_code == 409
    assert "This survey is published" in answer.text
    assert 'value="health-2"' in answer.text
    typed = unescape(re.search(r'name="mine" hidden>\n(.*?)</textarea>', answer.text, re.DOTALL)[1])
    assert ada.post("/admin/left", was="health", mine=typed, why="frozen", slug="health-2").status_code == 302
    assert draft("health-2")["title"] == {"en": "Typed all morning"}
    assert len(draft("health-2")["questions"]) == 2


@pytest.mark.parametrize("mine", ["", "[]", '{"titel": ""}', json.dumps({"languages_": [5]})])
@pytest.mark.parametrize("what", [f"{ADDRESS}/versions", "/admin/left"])
def test_what_our_page_does_not_send_is_refused_with_a_sentence(ada, mine, what, draft):
    before = draft()
    answer = ada.post(what, mine=mine, slug="another")
    assert (answer.status_code, "Nothing was saved" in answer.text) == (422, True)
    assert (draft(), "another" in ada.browser.get("/admin").text) == (before, False)


def names_of(value, where=""):
    """The ids of all fields of a form's data."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = [name for key, each in inner for name in names_of(each, f"{where}-{key}".strip("-"))]
    return found or [where]


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_field_of_a_draft_has_a_name_to_be_told_by(staff_app, language):
    form = draft_form(("en",))(data={"questions": [{"options": [{}]}], "sections": [{}]})
    names = [name for name in names_of(form.data) if name.rpartition("-")[2] not in {*OF_THE_VIEW, "uid"}]
    assert len(names) >= 40
    with staff_app.test_request_context(headers={"Accept-Language": language}):
        assert [name for name in names if re.search("[a-z]_|^[a-z]", place_of(name))] == []
