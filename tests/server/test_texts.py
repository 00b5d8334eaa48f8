"""Texts with marks, and help: they travel only with surveys that have them, and no word of them is HTML."""

import json
import re

import pytest

from server.store import surveys
from server.xlsform.survey_file import read_file
from server.xlsform.writer import write_xlsform
from survey.draft import at_units, check, document_of
from survey.read_definition import from_dict

TEXT = {"en": "Text", "ko": "글"}
HELP = {"en": "A *day* is 24 hours.\n\nNights count.", "ko": "하루는 24시간입니다."}
AROUND = {"slug": "texts", "languages": ["en", "ko"], "title": TEXT, "information": TEXT, "consent": TEXT}
QUESTION = {"id": "q", "mechanism": "spinner_coin", "epsilon": 1.0, "wording": TEXT}


def definition(**question):
    return from_dict({"candor": 3, **AROUND, "questions": [QUESTION | question]}, "here")


def page(app, survey):
    storage = app.extensions["candor"].storage
    draft = storage.write(surveys.import_definition, survey)
    storage.write(surveys.open_survey, draft.id)
    return app.test_client().get("/s/texts").text


def test_help_travels_with_the_surveys_that_have_it_and_no_others(app):
    shown = page(app, definition(help=HELP))
    assert "more.js" in shown
    assert "Help with this question" in shown


def test_a_survey_without_help_carries_nothing_of_it(app):
    shown = page(app, definition())
    assert "more.js" not in shown
    assert "Help with this question" not in shown


@pytest.mark.parametrize("key", ["help", "note"])
def test_texts_of_a_question_come_back_from_a_spreadsheet(key):
    survey = definition(**{key: HELP})
    assert read_file(write_xlsform(survey), "texts.xlsx").definition.as_toml() == survey.as_toml()


MARKS = {"en": "Of *these*:\n\n- one <b>\n- [two](https://example.org/?a=1&b=2)", "ko": "**이것**"}


def test_trees_travel_with_the_surveys_that_have_marks(app):
    shown = page(app, definition(note=MARKS))
    assert "more.js" in shown
    assert "opens outside the survey" in shown
    island = json.loads(re.search(r'id="definition">(.*?)</script>', shown)[1])
    assert island["nodes"][MARKS["ko"]] == [["p", ["strong", "이것"]]]


def test_a_survey_without_marks_carries_nothing_of_them(app):
    shown = page(app, definition(help=TEXT))
    assert "outside the survey" not in shown


def test_a_page_without_script_writes_marks_as_escaped_html(app):
    survey = from_dict({"candor": 3, **AROUND, "questions": [QUESTION], "help": MARKS}, "here")
    page(app, survey)
    storage = app.extensions["candor"].storage
    storage.write(surveys.close_survey, storage.read(surveys.by_slug, "texts").id)
    closed = app.test_client().get("/s/texts").text
    link = '<a href="https://example.org/?a=1&amp;b=2" target="_blank" rel="noopener noreferrer">two</a>'
    assert f"<p>Of <em>these</em>:</p><ul><li>one &lt;b&gt;</li><li>{link}</li></ul>" in closed


@pytest.mark.parametrize("marks", [MARKS, {"en": "*x*", "ko": "x\n\n1. y\n2. z"}])
@pytest.mark.parametrize("key", ["wording", "note", "help"])
def test_marks_come_back_from_a_spreadsheet(key, marks):
    survey = definition(**{key: marks})
    assert read_file(write_xlsform(survey), "texts.xlsx").definition.as_toml() == survey.as_toml()


def test_stars_of_a_file_without_marks_stay_stars_in_a_spreadsheet():
    survey = from_dict({"candor": 1, **AROUND, "questions": [QUESTION | {"wording": MARKS}]}, "here")
    again = read_file(write_xlsform(survey), "texts.xlsx").definition
    assert (again.format, again.questions[0].wording) == (1, MARKS)


HOSTILE = [
    "<script>alert(1)</script> *x*",
    "=HYPERLINK(1) *x*",
    "\u202eevil *x*",
    "*" * 2000,
    "[" * 2000,
    "[x](javascript:alert(1))",
    "[x](data:text/html,<script>)",
    '[x](https://example.org/"onclick="alert(1))',
    "*a **b " * 100,
    "- " * 900,
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_is_shown_as_text_or_refused_at_its_field(app, text):
    table = {"candor": 3, **AROUND, "questions": [QUESTION | {"help": {"en": text, "ko": "글"}}]}
    document = document_of(table)
    problems = at_units(document, check(document, "here").problems)
    if problems:
        assert [problem.path for problem in problems] == [f"{document['questions'][0]['uid']}.help.en"]
        return
    survey = from_dict(table, "here")
    assert "<script>alert" not in page(app, survey)
    assert "javascript:" not in json.dumps([nodes for nodes in survey.nodes.values() if '"a"' in str(nodes)])
