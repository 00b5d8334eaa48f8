"""Surveys that show pictures: they open once every picture is there, and take along those they show."""

import pytest

from server.exchange.files import read_file
from server.exchange.writing import write_xlsform
from server.store import drafts, pictures, surveys
from server.store.drafts import DraftChangedError
from server.store.pictures import StoredPicture
from survey.definition import from_dict
from survey.fields import DefinitionError

ONE, OTHER = StoredPicture("png", 3, 2, b"one picture"), StoredPicture("jpeg", 5, 4, b"another picture")
EPSILON = {"mechanism": "spinner_coin", "epsilon": 1.0}


def shown(picture, **more):
    size = {"width": picture.width, "height": picture.height}
    return {"sha256": picture.sha256, "type": picture.type, **size, "alt": {"en": "What it shows"}} | more


def asking(*shown_pictures):
    return [
        EPSILON | {"id": f"q{n}", "wording": {"en": "Is it?"}, "picture": each}
        for n, each in enumerate(shown_pictures)
    ]


@pytest.fixture
def draft(storage, survey_file):
    """Make a draft whose questions show these pictures, and store some pictures for it."""

    def draft(*shown_pictures, stored=(), slug="exams"):
        table = survey_file(slug, candor=3, questions=asking(*shown_pictures))
        made = storage.write(surveys.create_draft, table)
        for picture in stored:
            storage.write(pictures.add, made.id, picture)
        return made

    return draft


@pytest.mark.engines
def test_opening_keeps_the_pictures_that_are_shown_and_no_others(storage, draft):
    made = draft(shown(ONE), stored=[ONE, OTHER])
    opened = storage.write(surveys.open_survey, made.id)
    assert storage.read(pictures.of_survey, opened.id) == {ONE.sha256}
    assert storage.read(pictures.stored, OTHER.sha256) is None
    assert ONE.sha256.encode() in opened.publication.json


def test_a_draft_is_not_opened_without_its_pictures(storage, draft):
    made = draft(shown(ONE), shown(OTHER), stored=[ONE])
    publication, problems = drafts.ready(storage, made)
    assert publication is None
    assert [each.key for each in problems] == ["questions[1].picture.sha256"]
    with pytest.raises(DefinitionError, match="a picture that is here"):
        storage.write(surveys.open_survey, made.id)
    with pytest.raises(DraftChangedError):
        drafts.open_as_confirmed(storage, made.id, "0" * 64, "ada")
    assert storage.read(surveys.get, made.id) == made


def test_a_picture_is_as_large_as_the_survey_says(storage, draft):
    made = draft(shown(ONE, width=9), stored=[ONE])
    _, problems = drafts.ready(storage, made)
    said = "questions[0].picture must be of the type, width and height png, 3, 2, got ('png', 9, 2)"
    assert [str(each) for each in problems] == [said]


def test_a_copy_uses_the_pictures_that_are_here(storage, draft):
    storage.write(surveys.open_survey, draft(shown(ONE), stored=[ONE]).id)
    copied = draft(shown(ONE), shown(OTHER), slug="copy")
    assert storage.read(pictures.of_survey, copied.id) == {ONE.sha256}


def test_before_opening_the_editor_names_the_picture_that_is_missing(browse, draft):
    draft(shown(ONE), shown(OTHER, alt={"ko": "말"}), stored=[OTHER])
    page = browse("admin").get("/admin/surveys/exams/open").text
    assert "Question 1: the picture is not here: upload it again" in page
    assert "Question 2: description of the picture" in page


def test_an_xlsform_carries_pictures_by_name(survey_file):
    table = survey_file(candor=3, questions=asking(shown(ONE)))
    definition = from_dict(table, "here")
    assert read_file(write_xlsform(definition), "a.xlsx").definition.as_toml() == definition.as_toml()


def test_the_page_of_a_survey_with_pictures_may_ask_for_them_and_carries_what_loads_them(app, survey_file):
    storage = app.extensions["candor"].storage
    client = app.test_client()
    found = {}
    for slug, questions in (("with", asking(shown(ONE))), ("without", asking(shown(ONE))[:1])):
        if slug == "without":
            questions = [{key: value for key, value in questions[0].items() if key != "picture"}]
        made = storage.write(surveys.create_draft, survey_file(slug, candor=3, questions=questions))
        storage.write(pictures.add, made.id, ONE)
        storage.write(surveys.open_survey, made.id)
        found[slug] = client.get(f"/s/{slug}")
    policies = {slug: page.headers["Content-Security-Policy"].split("; ") for slug, page in found.items()}
    assert set(policies["with"]) - set(policies["without"]) == {"connect-src 'self'", "img-src 'self' blob:"}
    assert set(policies["without"]) - set(policies["with"]) == {"connect-src 'none'", "img-src 'self'"}
    for part in ("js/respond/pictures.js", "js/kinds/picture.js", "pictures.css", "Loading pictures"):
        assert (part in found["with"].text, part in found["without"].text) == (True, False)
    assert 'data-pictures="with/pictures/"' in found["with"].text


def test_a_trial_shows_the_pictures_of_the_draft(browse, draft):
    draft(shown(ONE), stored=[ONE])
    admin = browse("admin")
    page = admin.get("/admin/surveys/exams/try")
    assert 'data-pictures="/admin/surveys/exams/pictures/"' in page.text
    assert "connect-src 'self'" in page.headers["Content-Security-Policy"]
    assert admin.get(f"/admin/surveys/exams/pictures/{ONE.sha256}").data == ONE.data
