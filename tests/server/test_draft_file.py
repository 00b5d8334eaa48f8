"""Without script a draft goes out and comes in as a survey file, uploaded or pasted."""

import re
import tomllib
from html import unescape
from io import BytesIO

import pytest
from draft_editor import Editor
from hands import Hands

from server.store import surveys
from survey.read_definition import from_dict

ADDRESS = "/admin/surveys/exams"
FILE = f"{ADDRESS}/survey.toml"


@pytest.fixture
def begun(storage, survey_file):
    return storage.write(surveys.create_draft, survey_file())


@pytest.fixture
def document(begun, storage):
    """Read the draft as it is stored."""
    return lambda: storage.read(surveys.get, begun.id).document


def test_the_page_shows_the_draft_as_text_which_comes_back_as_it_is(begun, admin, document):
    hands = Hands(admin, ADDRESS)
    hands.fill("text", hands.find(("textarea",), lambda field: field.get("name") == "text").value)
    hands.click("Use this file")
    assert hands.address == ADDRESS
    assert document() == begun.document


def test_a_text_that_was_changed_by_hand_is_saved_and_names_keep_their_nodes(begun, admin, document):
    hands = Hands(admin, ADDRESS)
    text = hands.find(("textarea",), lambda field: field.get("name") == "text").value
    hands.fill(
        "text", text.replace("Did you copy?", "Did you ever copy?").replace('slug = "exams"', 'slug = "fair"')
    )
    hands.click("Use this file")
    assert hands.address == "/admin/surveys/fair"
    before = begun.document["questions"]
    assert [node["uid"] for node in document()["questions"]] == [node["uid"] for node in before]
    assert document()["questions"][0] == before[0] | {"wording": {"en": "Did you ever copy?"}}


@pytest.mark.parametrize("state", ["draft", "open"])
def test_an_exported_file_is_imported_as_the_same_survey(begun, admin, storage, draft, state):
    publication = storage.write(surveys.open_survey, begun.id).publication if state == "open" else None
    answer = admin.get(FILE)
    name = f"exams-{publication.fingerprint[:12]}.toml" if publication else "exams.toml"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{name}"'
    copied = answer.text.replace('slug = "exams"', 'slug = "again"')
    assert admin.post("/admin/import", text=copied).location == "/admin/surveys/again"
    again, sent = draft("again") | {"slug": "exams"}, tomllib.loads(answer.text)
    assert from_dict(again, "again") == from_dict(sent, "exams")


@pytest.fixture
def send(begun, admin):
    """Let a text take the place of the draft as it is stored, or as it was seen."""

    def send(text, seen=None, **fields):
        seen = begun.tag if seen is None else seen
        return admin.post(FILE, page="/admin/new", text=text, seen=seen, **fields)

    return send


HALF = 'candor = 1\nslug = "exams"\nlanguages = ["en"]\n'


def test_a_file_may_be_incomplete_and_be_uploaded(send, admin, document):
    assert send("", file=(BytesIO(HALF.encode()), "half.toml")).location == ADDRESS
    assert document() == {"slug": "exams", "languages": ["en"]}
    page = admin.get(f"{ADDRESS}/open").text
    assert "Title (English)" in page


def test_people_expected_stay_though_no_file_holds_them(begun, admin, send, document):
    editor = Editor(admin, "exams")
    editor.write(editor.document | {"expected": 142})
    assert send(HALF, seen=editor.hash).status_code == 302
    assert document()["expected"] == 142


def test_a_file_that_is_wrong_is_shown_again_with_every_problem_and_nothing_is_lost(
    send, admin, begun, document
):
    answer = send(f'{HALF}titel = "Exams"\n[results]\nstep = 0\n')
    assert answer.status_code == 422
    page = unescape(answer.text)
    assert "titel must be absent" in page
    assert "results.step must be a whole number" in page
    assert 'titel = "Exams"' in page
    assert f'action="{FILE}"' in page
    assert f'name="seen" value="{begun.tag}"' in page
    assert document() == begun.document


UNREADABLE = {
    "no TOML": "candor = [",
    "nothing": "",
    "a long number": "candor = " + "9" * 5000,
    "a long hexadecimal": "candor = 0x" + "f" * 5000,
    "deep lists": "candor = " + "[" * 5000 + "]" * 5000,
    "deep tables": "candor = " + "{a=" * 5000 + "1" + "}" * 5000,
    "a deep key": ".".join("a" * 5000) + " = 1",
    "a step": "[results]\nstep = 0x" + "f" * 5000,
    "no text": b"\xff\xfe\x00",
}


@pytest.mark.parametrize("text", UNREADABLE.values(), ids=UNREADABLE)
def test_a_file_that_nobody_can_read_is_refused_in_words(send, admin, begun, document, text):
    data = text if isinstance(text, bytes) else text.encode()
    for answer in (
        send("", file=(BytesIO(data), "exams.toml")),
        admin.post("/admin/import", page="/admin/new", file=(BytesIO(data), "exams.toml")),
    ):
        assert (answer.status_code, "<li>" in answer.text) == (422, True)
    assert document() == begun.document


def test_a_file_takes_the_place_of_no_draft_that_was_saved_meanwhile(send, admin, document):
    Editor(admin, "exams").fill(title={"en": "Meanwhile"})
    answer = send(HALF)
    assert (answer.status_code, "The draft has changed" in answer.text) == (409, True)
    assert document()["title"] == {"en": "Meanwhile"}


def test_a_file_takes_the_place_of_no_published_survey(send, begun, storage):
    publication = storage.write(surveys.open_survey, begun.id).publication
    assert send(HALF).status_code == 409
    assert storage.read(surveys.get, begun.id).publication == publication


def test_whoever_may_not_edit_sends_no_file(begun, browse, document):
    assert browse("researcher").post(FILE, page="/account", text=HALF).status_code == 403
    assert browse().post(FILE, page="/login", text=HALF).status_code == 302
    assert document() == begun.document


def test_what_stands_in_the_text_is_text(begun, admin):
    hostile = "</textarea></noscript><script>alert(1)</script>"
    Editor(admin, "exams").fill(title={"en": hostile})
    page = admin.get(ADDRESS).text
    assert "<script>alert" not in page
    area = re.search(r'<textarea id="text"[^>]*>\n(.*?)</textarea>', page, re.DOTALL)[1]
    assert tomllib.loads(unescape(area))["title"] == {"en": hostile}
