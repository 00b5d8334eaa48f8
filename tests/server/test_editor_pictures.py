"""A picture of a question in the editor: sent with the form or alone, described, taken away, shown."""

import io
import json
import re

import pytest
from PIL import Image

from server.store import pictures, surveys

QUESTION = {"questions-0-kind": "yes_no", "questions-0-mechanism": "coin", "questions-0-wording-en": "Is it?"}
ALT = {"questions-0-picture-alt-en": "A glass of wine"}
HOSTILE = [
    "<script>alert(1)</script>",
    "=cmd|' /C calc'!A0",
    "\u202eright to left",
    "x" * 501,
    "x" * 1_000_000,
]


def file(color="red", name="glass.png"):
    written = io.BytesIO()
    Image.new("RGB", (60, 40), color).save(written, "PNG")
    return {"picture": (io.BytesIO(written.getvalue()), name)}


def fields_of(draft):
    """The hidden fields of the picture of the first question."""
    picture = draft()["questions"][0]["picture"]
    return {f"questions-0-picture-{key}": str(picture[key]) for key in ("sha256", "type", "width", "height")}


def test_a_picture_comes_with_the_whole_form_and_nothing_typed_is_lost(editor, draft):
    answer = editor.save("picture-0", **QUESTION, **file())
    assert answer.location.endswith("&open=question-1#questions-0-picture")
    (question,) = draft()["questions"]
    assert question["wording"] == {"en": "Is it?"}
    assert {key: question["picture"][key] for key in ("type", "width", "height")} == {
        "type": "png",
        "width": 60,
        "height": 40,
    }
    assert draft()["candor"] == 3
    page = editor.page("?open=question-1")
    assert f'src="{editor.address}/pictures/{question["picture"]["sha256"]}"' in page
    assert "Question 1: description of the picture (English)" in page


def test_its_description_makes_the_draft_complete(editor, draft, storage):
    editor.save("picture-0", **QUESTION, **file())
    texts = {f"{name}-en": name for name in ("title", "information", "consent")}
    editor.save(**QUESTION, **texts, **fields_of(draft), **ALT, **{"questions-0-id": "wine"})
    assert draft()["questions"][0]["picture"]["alt"] == {"en": "A glass of wine"}
    survey = storage.read(surveys.by_slug, "health")
    opened = storage.write(surveys.open_survey, survey.id)
    assert opened.publication.definition.pictures[0].alt == {"en": "A glass of wine"}


def test_another_picture_keeps_the_description_and_taking_it_away_leaves_none(editor, draft):
    editor.save("picture-0", **QUESTION, **file())
    before = fields_of(draft)
    editor.save("picture-0", **QUESTION, **before, **ALT, **file("blue"))
    assert fields_of(draft) != before
    assert draft()["questions"][0]["picture"]["alt"] == {"en": "A glass of wine"}
    editor.save("unpicture-0", **QUESTION, **fields_of(draft), **ALT)
    assert "picture" not in draft()["questions"][0]
    assert draft()["candor"] == 1


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({"picture": (io.BytesIO(b"<svg onload='alert(1)'/>"), "a.png")}, "This one is not."),
        ({}, "Choose a file first."),
    ],
)
def test_what_is_no_picture_is_said_at_the_field_and_the_rest_is_saved(editor, draft, sent, sentence):
    if sent:
        sent = {"picture": (io.BytesIO(b"<svg onload='alert(1)'/>"), "a.png")}
    answer = editor.save("picture-0", **QUESTION, **sent)
    assert (answer.status_code, answer.text.count(sentence) >= 1) == (422, True)
    assert "Question 1, Picture: " in answer.text
    assert draft()["questions"][0]["wording"] == {"en": "Is it?"}


def test_a_question_of_a_matrix_has_no_picture(editor, draft):
    editor.save("picture-0", **QUESTION, **file())
    editor.save(**QUESTION, **fields_of(draft), **{"questions-0-matrix": "days"})
    assert "picture" not in draft()["questions"][0]


def test_a_field_that_names_no_picture_is_refused(editor, draft):
    invented = {"sha256": "<script>", "type": "png", "width": "60", "height": "40"}
    answer = editor.save(**QUESTION, **{f"questions-0-picture-{key}": each for key, each in invented.items()})
    assert (answer.status_code, "<script>" in answer.text.replace("&lt;", "")) == (422, False)
    assert draft()["questions"] == [] or "picture" not in draft()["questions"][0]


def test_a_picture_that_is_not_stored_keeps_the_draft_from_being_opened(editor):
    invented = {"sha256": "ab" * 32, "type": "png", "width": "60", "height": "40"}
    fields = {f"questions-0-picture-{key}": each for key, each in invented.items()}
    assert editor.save(**QUESTION, **fields, **ALT).status_code == 302
    assert "Question 1: the picture is not here: upload it again" in editor.page()


@pytest.mark.parametrize("text", HOSTILE)
def test_a_description_of_any_kind_is_stored_as_it_is_or_refused_at_its_field(editor, draft, text):
    editor.save("picture-0", **QUESTION, **file())
    answer = editor.save(**QUESTION, **fields_of(draft), **{"questions-0-picture-alt-en": text})
    if len(text) > 500:
        assert answer.status_code == 422
        assert "Question 1, description of the picture (English)" in answer.text
    else:
        assert draft()["questions"][0]["picture"]["alt"] == {"en": text}
    assert "<script>alert" not in editor.get(editor.address).text


def test_the_respondents_view_beside_the_question_has_its_picture(editor, draft):
    editor.save("picture-0", **QUESTION, **file())
    fields = QUESTION | fields_of(draft) | ALT
    told = editor.post(f"{editor.address}/preview", editor.address, changed="all", **fields)
    entry = re.search(r'data-entry="0"[^>]*>(.*?)</', told.text, re.DOTALL)[1]
    shown = json.loads(entry.replace("&#34;", '"'))["picture"]
    assert shown["sha256"] == fields["questions-0-picture-sha256"]
    assert shown["alt"] == {"en": "A glass of wine"}


def test_an_ordinary_save_takes_no_file(editor, draft, storage):
    editor.save(**QUESTION, picture="glass.png")
    assert "picture" not in draft()["questions"][0]
    survey = storage.read(surveys.by_slug, "health")
    assert storage.read(pictures.of_survey, survey.id) == set()
