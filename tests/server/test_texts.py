"""Texts around a question: they travel only where a survey has them, and come back from a spreadsheet."""

import pytest

from server.exchange.files import read_file
from server.exchange.writing import write_xlsform
from server.store import surveys
from survey.definition import from_dict

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
    assert "js/kinds/help.js" in shown
    assert "Help with this question" in shown


def test_a_survey_without_help_carries_nothing_of_it(app):
    shown = page(app, definition())
    assert "help.js" not in shown
    assert "Help with this question" not in shown


@pytest.mark.parametrize("key", ["help", "note"])
def test_texts_of_a_question_come_back_from_a_spreadsheet(key):
    survey = definition(**{key: HELP})
    assert read_file(write_xlsform(survey), "texts.xlsx").definition.as_toml() == survey.as_toml()
