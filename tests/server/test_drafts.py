"""A draft is loaded, changed and put together with what others have changed, all in JSON."""

from __future__ import annotations

import json

import pytest

from server.store import surveys
from survey.draft import unit_hash, units

PAGE, OTHER = "0" * 16, "1" * 16
TITLE = {"title": {"en": "Exams", "ko": "시험"}}


@pytest.fixture
def draft(storage):
    question = {"id": "copied", "mechanism": "spinner_coin", "epsilon": 1.0, "wording": {"en": "Copied?"}}
    table = {"candor": 1, "slug": "exams", "languages": ["en"], **TITLE, "questions": [question]}
    return storage.write(surveys.create_draft, table)


class Editor:
    """A page of the editor, as its script sends requests."""

    def __init__(self, browser, slug="exams", page=PAGE):
        self.client, self.address, self.page, self.number = browser.client, f"/admin/surveys/{slug}", page, 0
        self.token = browser.token("/admin/new")
        self.take(self.load().json)

    def take(self, loaded):
        self.hash, self.document = loaded["hash"], loaded.get("document", {})
        self.base = units(self.document)

    def load(self):
        return self.client.get(f"{self.address}/draft")

    def send(self, changes, number=None, **more):
        self.number = number or self.number + 1
        body = {"page": self.page, "number": self.number, "seen": self.hash, "changes": changes}
        return self.post("draft", body | more)

    def post(self, what, body):
        headers = {"X-CSRFToken": self.token, "Accept-Language": "en"}
        return self.client.post(f"{self.address}/{what}", json=body, headers=headers)

    def change(self, unit, now, **more):
        return {"unit": unit, "was": unit_hash(self.base.get(unit)), "now": now, **more}


@pytest.fixture
def editor(admin, draft):
    return Editor(admin)


def test_a_draft_is_sent_with_what_it_lacks(editor):
    answer = editor.load().json
    assert answer["state"] == "loaded"
    assert answer["document"]["title"] == TITLE["title"]
    assert "Information (English)" in [entry["text"] for entry in answer["missing"]]
    assert answer["ready"] is False


def test_a_change_is_saved_and_nothing_else_is_sent_back(editor, storage):
    answer = editor.send([editor.change("title.en", "Honesty")]).json
    assert answer["state"] == "saved"
    assert "document" not in answer
    assert storage.read(surveys.by_slug, "exams").title["en"] == "Honesty"


def test_what_is_wrong_stays_as_typed_and_is_said_at_its_unit(editor, storage):
    uid = editor.document["questions"][0]["uid"]
    answer = editor.send([editor.change(f"{uid}.epsilon", "1,,5")]).json
    [fault] = answer["faults"]
    assert fault["unit"] == f"{uid}.epsilon"
    assert fault["text"].startswith("Question 1, Epsilon: must be a number")
    assert "1,,5" in fault["said"]
    survey = storage.read(surveys.by_slug, "exams")
    assert survey.document["questions"][0]["epsilon"] == "1,,5"
    assert "epsilon" not in survey.draft["questions"][0]
    assert uid not in json.dumps(survey.draft)


def test_changes_of_two_pages_go_together_and_each_learns_of_the_other(editor, admin):
    other = Editor(admin, page=OTHER)
    editor.send([editor.change("title.en", "Honesty")])
    answer = other.send([other.change("title.ko", "정직")]).json
    assert answer["state"] == "saved"
    assert answer["document"]["title"] == {"en": "Honesty", "ko": "정직"}
    assert (answer["by"], answer["own"]) == (None, True)


def test_what_both_have_changed_is_put_to_the_second_with_both_values(editor, admin, storage):
    other = Editor(admin, page=OTHER)
    editor.send([editor.change("title.en", "Honesty")])
    answer = other.send([other.change("title.en", "Cheating")])
    assert answer.status_code == 409
    [choice] = answer.json["conflicts"]
    assert choice == {
        "unit": "title.en", "title": "Title (English)", "mine": "Cheating", "theirs": "Honesty",
    }  # fmt: skip
    assert storage.read(surveys.by_slug, "exams").title["en"] == "Honesty"


def test_a_question_that_one_removes_and_another_changes_is_shown_whole(editor, admin):
    uid = editor.document["questions"][0]["uid"]
    other = Editor(admin, page=OTHER)
    gone = [other.change(unit, None) for unit in other.base if unit.startswith(uid)]
    editor.send([editor.change(f"{uid}.wording.en", "Ever copied?")])
    [choice] = other.send(gone).json["conflicts"]
    assert choice["unit"] == uid
    assert choice["mine"] is None
    assert "Wording (English): Ever copied?" in choice["theirs"]


def test_the_same_save_sent_twice_is_one_whatever_came_between(editor, admin, storage):
    first = [editor.change("title.en", "Honesty")]
    editor.send(first)
    other = Editor(admin, page=OTHER)
    other.send([other.change("title.en", "Cheating")])
    answer = editor.send(first, number=1)
    assert answer.json["state"] == "saved"
    assert storage.read(surveys.by_slug, "exams").title["en"] == "Cheating"


def test_a_save_that_arrives_late_never_puts_older_text_back(editor, storage):
    older = [editor.change("title.en", "Honesty")]
    editor.send([editor.change("title.ko", "정직")], number=2)
    answer = editor.send(older, number=1)
    assert (answer.status_code, answer.json["state"]) == (409, "late")
    assert storage.read(surveys.by_slug, "exams").title["en"] == "Exams"


def test_the_address_follows_what_is_typed_where_it_can(editor, storage):
    storage.write(surveys.create_draft, {"candor": 1, "slug": "taken"})
    answer = editor.send([editor.change("slug", "taken")]).json
    assert answer["slug"] == "exams"
    assert [fault["unit"] for fault in answer["faults"]] == ["slug"]
    editor.base = editor.base | {"slug": "taken"}
    answer = editor.send([editor.change("slug", "honesty")]).json
    assert (answer["slug"], answer["faults"]) == ("honesty", [])
    assert answer["address"] == "/admin/surveys/honesty/draft"


def test_the_number_of_people_expected_is_part_of_the_draft(editor):
    answer = editor.send([editor.change("expected", 142)]).json
    assert answer["faults"] == []
    figures = editor.post("preview", {"document": editor.load().json["document"], "open": None}).json
    assert figures["cards"]
    answer = editor.send([editor.change("expected", 0) | {"was": unit_hash(142)}]).json
    assert [fault["unit"] for fault in answer["faults"]] == ["expected"]


def test_figures_follow_what_stands_in_the_page_and_nothing_is_stored(editor, draft, storage):
    document = json.loads(json.dumps(editor.document))
    uid = document["questions"][0]["uid"]
    document["questions"][0]["epsilon"] = 2.0
    answer = editor.post("preview", {"document": document, "open": uid, "changed": [uid]}).json
    assert answer["cards"][uid]["epsilon"] == "ε = 2"
    assert "2.0000" in json.dumps(answer["shown"][uid]["meaning"])
    assert answer["shown"][uid]["entry"]["columns"]
    assert storage.read(surveys.by_slug, "exams").document == draft.document


def test_a_setting_that_is_wrong_is_said_at_its_unit_before_it_is_saved(editor):
    document = json.loads(json.dumps(editor.document))
    uid = document["questions"][0]["uid"]
    document["questions"][0]["epsilon"] = "much"
    answer = editor.post("preview", {"document": document, "open": uid}).json
    assert [problem["unit"] for problem in answer["problems"]] == [f"{uid}.epsilon"]
    assert answer["shown"][uid]["entry"] is None


REFUSED = {
    "no object": (b"[]", "body must be an object"),
    "a name twice": (b'{"page": "a", "page": "b"}', "page must be a name that stands once"),
    "no number": (b'{"number": NaN}', "number must be a number"),
    "half a character": (b'{"page": "\\ud800"}', "page must be a text without the character U+D800"),
    "too deep": (b'{"a": ' + b"[" * 20 + b"]" * 20 + b"}", "at most 12 deep"),
    "no page": (b"{}", "changes must be a list"),
    "no unit": (b'{"changes": [{"unit": "titel.en", "was": ""}]}', "titel.en must be absent"),
    "another kind": (b'{"changes": [{"unit": "title.en", "was": "", "now": 1}]}', "title.en must be a text"),
}


@pytest.mark.parametrize(("body", "said"), REFUSED.values(), ids=REFUSED)
def test_a_body_that_no_page_sends_is_refused_with_the_path(editor, draft, storage, body, said):
    headers = {"X-CSRFToken": editor.token, "Content-Type": "application/json", "Accept-Language": "en"}
    answer = editor.client.post(f"{editor.address}/draft", data=body, headers=headers)
    assert answer.status_code == 422
    assert answer.json["state"] == "refused"
    assert said in answer.json["text"]
    assert storage.read(surveys.by_slug, "exams").document == draft.document


def test_a_body_of_another_type_and_one_without_a_token_are_refused(editor):
    headers = {"X-CSRFToken": editor.token, "Content-Type": "text/plain"}
    assert editor.client.post(f"{editor.address}/draft", data="{}", headers=headers).status_code == 415
    answer = editor.client.post(f"{editor.address}/draft", json={})
    assert (answer.status_code, answer.json["state"]) == (400, "expired")
    assert answer.json["token"]


def test_whoever_is_signed_out_gets_the_same_answer_whatever_they_send(app, draft):
    client = app.test_client()
    address = "/admin/surveys/exams/"
    sent = [client.get(f"{address}draft"), client.get("/admin/surveys/none/draft")]
    sent += [client.post(f"{address}draft", data=body) for body in (b"", b"{}", b"x" * 70_000)]
    sent.append(client.post(f"{address}preview", json={"document": {"title": {"en": "mine"}}}))
    assert {answer.status_code for answer in sent} == {401}
    assert {answer.data for answer in sent} == {b'{"state": "signed_out"}'}


def test_a_draft_that_is_gone_or_published_is_said_to_be(editor, draft, storage):
    storage.write(surveys.delete_survey, draft.id)
    assert editor.send([editor.change("title.en", "x")]).json == {"state": "gone"}
