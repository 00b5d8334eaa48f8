"""A draft is loaded, changed and put together with what others have changed, all in JSON."""

import json
import re
from copy import deepcopy

import pytest
from draft_editor import OTHER, Editor
from random_edits import DRAFT

from server.store import surveys
from server.store.staff import accounts
from survey.draft import document_of
from survey.section import MOST_QUESTIONS

WIDE = {"uid": "n0123456789ab", "id": "wide", "wording": {"en": "Wide?"}}


def stored(storage, slug="health"):
    return storage.read(surveys.by_slug, slug)


@pytest.fixture
def written(editor):
    """The page of a draft that has a title and some questions."""
    editor.write(DRAFT | {"slug": "health", "title": {"en": "Rest", "ko": "쉼"}})
    return editor


def test_a_draft_is_loaded_as_it_was_saved(written):
    answer = written.load().json
    assert (answer["state"], answer["slug"], answer["hash"]) == ("loaded", "health", written.hash)
    assert answer["document"] == written.document


def test_the_page_holds_what_would_be_loaded_with_every_text_escaped(editor):
    editor.fill(title={"en": "</script><script>alert(1)</script> <!-- \u2028 &"})
    page = editor.page_text()
    assert "<script>alert" not in page
    island = re.search(r'<script type="application/json" id="draft">(.*?)</script>', page)[1]
    assert "<" not in island
    assert json.loads(island) == {"hash": editor.hash, "document": editor.document}


def test_a_change_is_saved_and_the_draft_is_not_sent_back(written, storage):
    answer = written.send(written.change("title.en", "Sleep")).json
    assert answer["state"] == "saved"
    assert "document" not in answer
    assert stored(storage).title == {"en": "Sleep", "ko": "쉼"}


def test_what_is_wrong_stays_as_typed_and_is_said_at_its_unit(written, storage):
    uid = written.document["questions"][0]["uid"]
    assert written.send(written.change(f"{uid}.epsilon", "1,,5")).json["state"] == "saved"
    [fault] = written.problems()["faults"]
    assert fault["unit"] == f"{uid}.epsilon"
    assert fault["text"].startswith("Question 1, Epsilon: must be a number")
    assert fault["said"] == "Must be a number above 0 and at most 10, not “1,,5”."
    assert stored(storage).document["questions"][0]["epsilon"] == "1,,5"
    assert "1,,5" not in json.dumps(stored(storage).draft)
    assert uid not in json.dumps(stored(storage).draft)


def test_the_address_follows_what_is_typed_where_it_can(written, storage):
    storage.write(surveys.create_draft, {"candor": 1, "slug": "taken"})
    for slug in ("taken", "Two words?"):
        faults = written.write(written.document | {"slug": slug})["faults"]
        assert (written.address, [fault["unit"] for fault in faults]) == ("/admin/surveys/health", ["slug"])
    answer = written.send(written.change("slug", "rest")).json
    assert (answer["slug"], answer["address"]) == ("rest", "/admin/surveys/rest/draft")


class TestTwoPages:
    """Two people, or two windows of one, on the same draft."""

    @pytest.fixture
    def other(self, written, colleague):
        """The page of a colleague, who has loaded the same."""
        colleague.take(colleague.load().json)
        return colleague

    def test_what_each_has_changed_goes_together_and_each_learns_of_the_other(self, written, other):
        written.send(written.change("title.en", "Sleep"))
        answer = other.send(other.change("title.ko", "잠")).json
        assert answer["document"]["title"] == {"en": "Sleep", "ko": "잠"}
        assert (answer["state"], answer["by"], answer["own"]) == ("saved", "ada", False)

    def test_another_window_of_the_same_person_is_said_to_be_their_own(self, written):
        other = Editor(written.browser, page=OTHER)
        written.send(written.change("title.en", "Sleep"))
        answer = other.send(other.change("title.en", "Nap"))
        assert (answer.status_code, answer.json["by"], answer.json["own"]) == (409, None, True)

    @pytest.mark.parametrize(
        ("language", "title"), [("en", "Question 1, Wording (English)"), ("ko", "문항 1, 문항 문구(영어)")]
    )
    def test_what_both_have_changed_is_put_to_the_second_with_both_values(
        self, written, other, storage, language, title
    ):
        uid = written.document["questions"][0]["uid"]
        unit = f"{uid}.wording.en"
        written.send(written.change(unit, "Weary?"))
        body = {"page": OTHER, "number": 1, "seen": other.hash, "changes": [other.change(unit, "Sleepy?")]}
        answer = other.post("draft", body, **{"Accept-Language": language})
        assert (answer.status_code, answer.json["state"], answer.json["by"]) == (409, "changed", "ada")
        assert answer.json["document"] == stored(storage).document
        assert answer.json["conflicts"] == [
            {"unit": unit, "title": title, "mine": "Sleepy?", "theirs": "Weary?"}
        ]
        assert stored(storage).document["questions"][0]["wording"] == {"en": "Weary?"}

    def test_a_question_that_one_removes_and_another_changes_is_shown_whole(self, written, other):
        changed = deepcopy(written.document)
        changed["questions"][1]["options"][0]["text"]["en"] = "Hardly"
        written.write(changed)
        gone = [node for node in other.document["questions"] if node["id"] != "often"]
        [choice] = other.send_all(other.document | {"questions": gone}).json["conflicts"]
        assert (choice["title"], choice["mine"]) == ("Question 2: often", None)
        assert "Option 1 (English): Hardly\nOption 2" in choice["theirs"]

    def test_two_pictures_are_told_apart_by_their_sizes_and_by_no_hash(self, written, other):
        first, second = deepcopy(written.document), deepcopy(other.document)
        file = {"type": "png", "height": 200}
        first["questions"][0]["picture"] = file | {"sha256": "1" * 64, "width": 300}
        second["questions"][0]["picture"] = file | {"sha256": "2" * 64, "width": 400}
        written.write(first)
        asked = {each["unit"]: each for each in other.send_all(second).json["conflicts"]}
        picture = asked[f"{second['questions'][0]['uid']}.picture.sha256"]
        assert (picture["mine"], picture["theirs"]) == ("400 × 200 pixels", "300 × 200 pixels")

    def test_a_version_that_was_chosen_is_saved_over_the_other(self, written, other, storage):
        written.send(written.change("title.en", "Sleep"))
        answer = other.send(other.change("title.en", "Nap")).json
        other.take({"slug": "health", **answer})
        assert other.send(other.change("title.en", "Nap")).json["state"] == "saved"
        assert stored(storage).title["en"] == "Nap"

    def test_a_name_that_one_page_gave_twice_stays_wrong_and_one_that_two_gave_is_kept_apart(
        self, written, other, storage
    ):
        def add(page, uid):
            more = {"uid": uid, "id": "q9", "wording": {"en": "Tired?"}}
            page.send_all(page.document | {"questions": [*page.document["questions"], more]})
            page.take(page.load().json)
            return [question["id"] for question in stored(storage).document["questions"][3:]]

        assert add(written, "n00000000000d") == ["q9"]
        assert add(written, "n00000000000e") == ["q9", "q9"]
        assert sorted(add(other, "n00000000000f")) == ["q10", "q9", "q9"]

    def test_more_questions_than_there_is_room_for_are_refused(self, written, other):
        for page, stem in ((written, "a"), (other, "b")):
            more = [
                WIDE | {"uid": f"n{stem}{n:011x}", "id": f"{stem}{n}"} for n in range(MOST_QUESTIONS // 2)
            ]
            answer = page.send_all(page.document | {"questions": [*page.document["questions"], *more]})
        assert (answer.status_code, answer.json["state"], answer.json["unit"]) == (
            422,
            "refused",
            "questions",
        )
        assert f"a list of at most {MOST_QUESTIONS}" in answer.json["text"]
        assert len(written.load().json["document"]["questions"]) == 3 + MOST_QUESTIONS // 2

    def test_what_a_colleague_saved_stays_when_they_are_removed_and_they_are_signed_out(
        self, written, other, storage
    ):
        other.send(other.change("title.en", "Sleep"))
        storage.write(accounts.delete, storage.read(accounts.by_name, "eve").id)
        assert other.send(other.change("title.en", "Nap")).status_code == 401
        answer = written.send(written.change("title.en", "Doze"))
        assert (answer.status_code, answer.json["by"]) == (409, "eve")


def test_a_save_that_arrives_late_never_puts_older_text_back(written, storage):
    older = written.change("title.en", "Sleep")
    written.send(written.change("title.ko", "잠"), number=3)
    answer = written.send(older, number=2)
    assert (answer.status_code, answer.json["state"]) == (409, "late")
    assert stored(storage).title["en"] == "Rest"


REFUSED = {
    "no JSON": (b"{", "body must be JSON"),
    "deep": (b"[" * 100_000, "body must be JSON"),
    "no object": (b"[]", "body must be an object"),
    "a name twice": (b'{"page": "a", "page": "b"}', "page must be a name that stands once"),
    "no number": (b'{"number": NaN}', "number must be a number"),
    "half a character": (b'{"page": "\\ud800"}', "page must be a text without the character U+D800"),
    "too deep": (b'{"a": ' + b"[" * 20 + b"]" * 20 + b"}", "a" + ".0" * 12 + " must be at most 12 deep"),
    "no changes": (b"{}", "changes must be a list"),
    "no page": (b'{"changes": []}', "page must be 16 hexadecimal digits"),
    "no unit": (b'{"changes": [{"unit": "titel.en", "was": ""}]}', "titel.en must be absent"),
    "no hash": (b'{"changes": [{"unit": "title.en", "was": 1}]}', "changes.0.was must be a text"),
    "another kind": (
        b'{"changes": [{"unit": "title.en", "was": "", "now": 1}]}',
        "Title (English) must be a text",
    ),
    "NUL": (
        b'{"changes": [{"unit": "title.en", "was": "", "now": "a\\u0000"}]}',
        "Title (English) must be a text without the character U+0000 (at 2)",
    ),
}


@pytest.mark.parametrize(("body", "said"), REFUSED.values(), ids=REFUSED)
def test_a_body_that_no_page_sends_is_refused_with_the_path(editor, storage, body, said):
    headers = {"X-CSRFToken": editor.token, "Content-Type": "application/json", "Accept-Language": "en"}
    answer = editor.client.post(f"{editor.address}/draft", data=body, headers=headers)
    assert (answer.status_code, answer.json["state"]) == (422, "refused")
    assert answer.json["text"].startswith(f"Nothing was saved: {said}")
    assert len(answer.json["text"]) < 400
    assert stored(storage).document == editor.document


def test_a_body_of_another_type_or_too_large_and_one_without_a_token_are_refused(editor):
    headers = {"X-CSRFToken": editor.token, "Content-Type": "text/plain"}
    assert editor.client.post(f"{editor.address}/draft", data="{}", headers=headers).status_code == 415
    large = editor.send(editor.change("title.en", "x" * 4_000_000))
    assert (large.status_code, "at most 2,097,152 bytes" in large.json["text"]) == (413, True)
    answer = editor.client.post(f"{editor.address}/draft", json={})
    assert (answer.status_code, answer.json["state"]) == (400, "expired")
    editor.token = answer.json["token"]
    assert editor.send(editor.change("title.en", "Typed all morning")).status_code == 200


def test_whoever_is_signed_out_gets_the_same_answer_whatever_they_send(editor, browse):
    client = browse().client
    sent = [client.get(f"{editor.address}/draft"), client.get("/admin/surveys/none/draft")]
    sent += [client.post(f"{editor.address}/draft", data=body) for body in (b"", b"{}", b"x" * 70_000)]
    sent.append(client.post(f"{editor.address}/preview", json={"document": {"title": {"en": "mine"}}}))
    assert {answer.status_code for answer in sent} == {401}
    assert {answer.data for answer in sent} == {b'{"state": "signed_out"}'}


def test_a_researcher_neither_reads_nor_saves_nor_previews_a_draft(editor, browse):
    researcher = browse("researcher")
    headers = {"X-CSRFToken": researcher.token("/account")}
    assert researcher.client.get(f"{editor.address}/draft").status_code == 403
    for what in ("draft", "preview"):
        assert researcher.client.post(f"{editor.address}/{what}", json={}, headers=headers).status_code == 403


def test_a_draft_that_is_published_or_gone_is_said_to_be(editor, storage, survey_file):
    editor.write(document_of(survey_file("health"), editor.document))
    survey = storage.write(surveys.open_survey, stored(storage).id)
    answers = [editor.load(), editor.send(editor.change("title.en", "Late"))]
    assert [(each.status_code, each.json) for each in answers] == [(409, {"state": "frozen"})] * 2
    storage.write(surveys.delete_survey, survey.id)
    answers = [editor.load(), editor.send(editor.change("title.en", "Late")), editor.post("preview", {})]
    assert [(each.status_code, each.json) for each in answers] == [(404, {"state": "gone"})] * 3


def test_something_wrong_keeps_a_survey_from_being_opened_tried_and_planned(editor, storage, survey_file):
    editor.write(document_of(survey_file("health"), editor.document))
    fingerprint = re.search(r'name="fingerprint" value="(\w+)"', editor.page_text("/open"))[1]
    unit = f"{editor.document['questions'][0]['uid']}.epsilon"
    editor.send(editor.change(unit, "abc"))
    assert editor.problems()["ready"] is False
    for other in ("try", "plan", "ethics"):
        assert editor.browser.get(f"{editor.address}/{other}").location == f"{editor.address}/open"
    refused = editor.browser.post(f"{editor.address}/open", page="/admin/new", fingerprint=fingerprint)
    assert refused.status_code == 409
    assert "One field is not right yet" in refused.text
    assert f'href="{editor.address}#{unit}"' in refused.text
    assert stored(storage).state == "draft"


def test_the_number_of_people_expected_is_part_of_the_draft_and_of_no_file(editor, draft):
    assert editor.write(editor.document | {"expected": 142})["faults"] == []
    assert "expected" not in draft()
    [fault] = editor.write(editor.document | {"expected": 0})["faults"]
    assert fault["text"].startswith("Expected respondents: must be a whole number from 1 to 100000000")
