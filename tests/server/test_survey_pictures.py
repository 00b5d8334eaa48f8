"""Surveys that show pictures: they open once every picture is there, and take along those they show."""

import io
import json
import zipfile
from contextlib import closing

import pytest
from click.testing import CliRunner
from PIL import Image

from server.cli import main
from server.cli.picture_files import read_beside
from server.pictures.pixels import reencode
from server.store import pictures, submissions, surveys
from server.store.drafts import DraftChangedError
from server.store.lifecycle import opening
from server.store.lifecycle.life import Life
from server.store.pictures import StoredPicture
from server.store.sqlite.storage import SQLiteStorage
from server.store.submissions import Submission
from server.xlsform.survey_file import read_file
from server.xlsform.writer import write_xlsform
from survey.fields import DefinitionError
from survey.read_definition import from_dict
from survey.rules import RULES

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
    publication, problems = opening.ready(storage, made, Life(), 0)
    assert publication is None
    assert [each.path for each in problems] == ["questions[1].picture.sha256"]
    with pytest.raises(DefinitionError, match="a picture that is here"):
        storage.write(surveys.open_survey, made.id)
    with pytest.raises(DraftChangedError):
        opening.open_as_confirmed(storage, made.id, "0" * 64, "ada", 0)
    assert storage.read(surveys.get, made.id) == made


def test_a_picture_is_as_large_as_the_survey_says(storage, draft):
    made = draft(shown(ONE, width=9), stored=[ONE])
    _, problems = opening.ready(storage, made, Life(), 0)
    said = "questions[0].picture must be of the type, width and height png, 3, 2, got ('png', 9, 2)"
    assert [str(each) for each in problems] == [said]


def test_a_copy_uses_the_pictures_that_are_here(storage, draft):
    storage.write(surveys.open_survey, draft(shown(ONE), stored=[ONE]).id)
    copied = draft(shown(ONE), shown(OTHER), slug="copy")
    assert storage.read(pictures.of_survey, copied.id) == {ONE.sha256}


def test_before_opening_the_editor_names_the_picture_that_is_missing(browse, draft):
    draft(shown(ONE), shown(OTHER, alt={"ko": "말"}), stored=[OTHER])
    page = browse("admin").get("/admin/surveys/exams/open").text
    assert "Question 1, Picture: must be a picture that is here: upload it" in page
    assert ONE.sha256 not in page
    assert "Question 2, description of the picture" in page


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
    for part in ("more.js", "survey.css", "Loading pictures"):
        assert (part in found["with"].text, part in found["without"].text) == (True, False)
    assert 'data-pictures="with/pictures/"' in found["with"].text


def test_a_trial_shows_the_pictures_of_the_draft(browse, draft):
    draft(shown(ONE), stored=[ONE])
    admin = browse("admin")
    page = admin.get("/admin/surveys/exams/try")
    assert 'data-pictures="/admin/surveys/exams/pictures/"' in page.text
    assert "connect-src 'self'" in page.headers["Content-Security-Policy"]
    assert admin.get(f"/admin/surveys/exams/pictures/{ONE.sha256}").data == ONE.data


# Taken along


@pytest.fixture
def real(storage, survey_file):
    """An open survey, `exams`, that shows a picture which can be read."""
    made = StoredPicture(*reencode(red()))
    table = survey_file(candor=3, questions=asking(shown(made), shown(made)))
    draft = storage.write(surveys.create_draft, table)
    storage.write(pictures.add, draft.id, made)
    storage.write(surveys.open_survey, draft.id)
    storage.close()
    return made


def red():
    file = io.BytesIO()
    Image.new("RGB", (60, 40), "red").save(file, "JPEG")
    return file.getvalue()


def candor(*arguments):
    ended = CliRunner().invoke(main, [str(each) for each in arguments])
    return ended.exit_code, ended.output


def test_pictures_lie_beside_an_exported_file_and_come_in_with_it(storage, real, tmp_path):
    file = tmp_path / "there" / "exams.toml"
    file.parent.mkdir()
    assert candor("survey", "export", "exams", "--database", storage.path, "--output", file)[0] == 0
    beside = file.parent / "pictures" / f"{real.sha256}.png"
    assert beside.read_bytes() == real.data
    other = tmp_path / "other.db"
    SQLiteStorage(other).create()
    code, said = candor("survey", "import", file, "--database", other)
    assert (code, "picture" in said) == (0, False)
    with closing(SQLiteStorage(other)) as again:
        draft = again.read(surveys.by_slug, "exams")
        assert again.read(pictures.used_by, draft.id, real.sha256) == real
        assert again.write(surveys.open_survey, draft.id).state == "open"


def test_an_import_says_which_pictures_are_missing(storage, real, tmp_path):
    code, text = candor("survey", "export", "exams", "--database", storage.path)
    assert "exams has 1 pictures, which are written with --output" in text
    file, other = tmp_path / "exams.toml", tmp_path / "other.db"
    assert candor("survey", "export", "exams", "--database", storage.path, "--output", file)[0] == 0
    (tmp_path / "pictures" / f"{real.sha256}.png").unlink()
    SQLiteStorage(other).create()
    code, said = candor("survey", "import", file, "--database", other)
    assert (code, said.count(f"must be {RULES['open_picture']}, got '{real.sha256}'")) == (0, 2)


@pytest.mark.parametrize("bytes_", [b"", b"<svg/>", b"\x89PNG\r\n\x1a\n"])
def test_another_file_under_the_name_of_a_picture_is_refused_and_nothing_is_imported(
    storage, real, tmp_path, bytes_
):
    file, other = tmp_path / "exams.toml", tmp_path / "other.db"
    assert candor("survey", "export", "exams", "--database", storage.path, "--output", file)[0] == 0
    (tmp_path / "pictures" / f"{real.sha256}.png").write_bytes(bytes_)
    SQLiteStorage(other).create()
    code, said = candor("survey", "import", file, "--database", other)
    assert (code, "must be a file with the SHA-256 that is its name" in said) == (1, True)
    with closing(SQLiteStorage(other)) as again:
        assert again.read(surveys.all_surveys) == []


def test_what_has_the_name_of_its_hash_must_still_be_the_picture(tmp_path, survey_file):
    data = b"no picture"
    named = shown(StoredPicture("png", 3, 2, data))
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / f"{named['sha256']}.png").write_bytes(data)
    definition = from_dict(survey_file(candor=3, questions=asking(named)), "here")
    with pytest.raises(DefinitionError, match="a picture of the type png that can be read"):
        list(read_beside(tmp_path / "exams.toml", definition))
    made = StoredPicture(*reencode(red()))
    named = shown(made, width=9)
    (tmp_path / "pictures" / f"{made.sha256}.png").write_bytes(made.data)
    definition = from_dict(survey_file(candor=3, questions=asking(named)), "here")
    with pytest.raises(DefinitionError, match="of the type png, 9 by 40 pixels"):
        list(read_beside(tmp_path / "exams.toml", definition))


def test_the_zip_holds_every_picture_once_with_its_checksum(browse, real):
    answer = browse("researcher").get("/results/exams/all.zip")
    with zipfile.ZipFile(io.BytesIO(answer.data)) as archive:
        held = {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}
    name = f"pictures/{real.sha256}.png"
    assert held[name] == real.data
    assert f"{real.sha256}  {name}" in held["checksums.txt"].decode()
    (entry,) = [each for each in json.loads(held["datapackage.json"])["resources"] if each["path"] == name]
    assert (entry["mediatype"], entry["bytes"], "encoding" in entry) == ("image/png", len(real.data), False)
    assert f'href="{name}"' in held["codebook.html"].decode()
    assert "- `pictures/`: the pictures of the questions" in held["methods.md"].decode()


def test_staff_see_the_picture_beside_its_question(browse, storage, real):
    survey = storage.read(surveys.by_slug, "exams")
    sent = [
        Submission(survey.id, survey.publication.fingerprint, f"{n:032x}", {"q0": n % 2, "q1": 0})
        for n in range(30)
    ]
    storage.write(submissions.record, sent, "2026-05-04")
    storage.write(surveys.close_survey, survey.id)
    storage.finish()
    address = f"/s/exams/pictures/{real.sha256}"
    for role, page in (("researcher", "/results/exams"), ("admin", "/admin/surveys/exams")):
        text = browse(role).get(page).text
        assert f'src="{address}"' in text
        assert "What it shows" in text
    board = browse("researcher").get("/results/exams/ethics").text
    assert 'id="collected-pictures"' in board
    assert "Each browser loads all pictures of the survey" in board
