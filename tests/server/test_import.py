"""A survey file that an admin imports: what is wrong with it is told, and the text stays to be mended."""

import re
from html import unescape
from io import BytesIO

import pytest

from server.runtime import offload
from server.store import surveys
from server.xlsform.survey_file import read_file
from server.xlsform.writer import sheets, workbook
from survey.question import KINDS
from survey.read_definition import from_dict


@pytest.fixture
def imported(admin):
    """Import a text; give the status and the page."""

    def imported(text):
        answer = admin.post("/admin/import", text=text)
        return answer.status_code, unescape(answer.text)

    return imported


def test_a_key_that_a_parser_would_take_minutes_for_is_told_and_the_text_shown_again(imported):
    text = "a." * 2000 + "a = 1"
    status, page = imported(f"candor = 1\n{text}")
    assert status == 422
    assert "line 2 must be a line with keys of at most 8 names, got 'a.a.a" in page
    assert text in page


def test_what_is_wrong_is_told_in_the_language_of_the_page(admin):
    page = unescape(admin.post("/admin/import?language=ko", text="candor = 1\nasked = 0").text)
    assert "<li>slug: 값이 없습니다. 영어 소문자와 숫자를 쓰고" in page
    assert "must be" not in page


def test_a_file_is_parsed_away_from_the_event_loop(imported, monkeypatch):
    away = []
    monkeypatch.setattr(offload, "compute", lambda function, *args: away.append(function) or function(*args))
    imported("candor = 1")
    assert away == [read_file]


def test_thousands_of_faults_are_told_thirty_at_a_time(imported):
    status, page = imported("\n".join(f"key{n} = 1" for n in range(2000)))
    assert status == 422
    assert len(re.findall(r"<li>\w+ (?:must be|is missing)", page)) == 30
    assert "more problems. They will be listed" in page
    assert len(page) < 100_000


@pytest.fixture
def form(survey_file):
    """A form with a question that no survey has."""
    survey = sheets(from_dict(survey_file() | {"slug": "health"}, "here"))
    survey["survey"].append({"type": "geopoint", "name": "home", "label::English (en)": "Where do you live?"})
    return workbook(survey)


def uploaded(admin, data, name="form.xlsx", **fields):
    return admin.post("/admin/import", file=(BytesIO(data), name), **fields)


def test_what_a_form_holds_and_no_survey_can_is_named_and_left_out_only_when_asked(admin, form, storage):
    refused = uploaded(admin, form)
    assert refused.status_code == 422
    told = "row 8, column type must be select_one, select_multiple, range, integer or decimal"
    assert told in refused.text
    assert "tick the box below" in refused.text
    assert storage.read(surveys.by_slug, "health") is None
    taken = uploaded(admin, form, leave_out="y")
    assert (taken.status_code, told in taken.text) == (200, True)
    assert "One thing was left out." in taken.text
    assert len(storage.read(surveys.by_slug, "health").draft["questions"]) == 2


def test_a_survey_goes_out_as_a_form_and_comes_back(admin, storage, survey_file):
    storage.write(surveys.create_draft, from_dict(survey_file(), "here").as_dict())
    sent = admin.get("/admin/surveys/exams/survey.xlsx")
    assert sent.status_code == 200, sent.text
    assert sent.headers["Content-Disposition"] == 'attachment; filename="exams.xlsx"'
    assert read_file(sent.data, "exams.xlsx").definition == from_dict(survey_file(), "here")
    assert "slug must be an address that no other survey has" in uploaded(admin, sent.data).text
    storage.write(surveys.delete_survey, storage.read(surveys.by_slug, "exams").id)
    assert uploaded(admin, sent.data).location == "/admin/surveys/exams"


def test_a_draft_that_is_not_complete_is_told_what_it_lacks_to_be_a_form(admin, storage):
    storage.write(surveys.create_draft, {"candor": 1, "slug": "half", "languages": ["en"]})
    told = admin.get("/admin/surveys/half/survey.xlsx")
    assert told.status_code == 409
    assert "questions must be a list" in told.text


def test_a_form_that_is_damaged_is_told_and_its_bytes_are_not_shown(admin, form):
    told = uploaded(admin, form[:-100])
    assert told.status_code == 422
    assert "the file must be a workbook" in told.text
    assert "xl/workbook.xml" not in told.text


def test_a_form_above_the_limit_is_refused_before_it_is_read(admin):
    told = admin.client.post(
        "/admin/import", data=bytes(3_000_000), content_type="multipart/form-data; boundary=x"
    )
    assert told.status_code == 413


def test_the_form_to_start_from_has_every_kind_and_comes_in(admin, storage):
    address = "/admin/import/example.xlsx"
    assert address in admin.get("/admin/import").text
    assert uploaded(admin, admin.get(address).data).location == "/admin/surveys/student-life"
    definition = from_dict(storage.read(surveys.by_slug, "student-life").draft, "the draft")
    assert {question.kind for question in definition.questions} == set(KINDS)
