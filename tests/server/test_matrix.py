"""Questions on one scale: read as a group, and each a question like any other."""

import json
import re

import pytest

from server.store import surveys
from server.xlsform.survey_file import read_file
from server.xlsform.writer import write_xlsform
from survey.fields import DefinitionError
from survey.publication import publish
from survey.read_definition import from_dict, parse
from survey.read_publication import load

TEXT = {"en": "Text"}
STEM = {"en": "How much do you *agree*?"}
AROUND = {"slug": "a", "languages": ["en"], "title": TEXT, "information": TEXT, "consent": TEXT}
OPTIONS = [{"en": "Agree"}, {"en": "Neither"}, {"en": "Disagree"}]
SCALE = {"kind": "choice", "mechanism": "wheel", "epsilon": 1.0, "options": OPTIONS}
ALONE = {"id": "alone", "kind": "yes_no", "mechanism": "coin", "wording": TEXT}


def item(name, **more):
    return {"id": name, **SCALE, "matrix": "exams", "wording": {"en": f"Item {name}"}} | more


FIRST = item("one", matrix_wording=STEM)
GROUP = [FIRST, item("two", note=TEXT), item("three")]


def read(*questions, **more):
    table = {"candor": 3, **AROUND, "questions": list(questions)} | more
    return from_dict({key: value for key, value in table.items() if value is not None}, "here")


def test_each_is_a_question_with_its_own_column_and_loss():
    grouped, apart_ = (
        read(*GROUP),
        read(*({k: v for k, v in each.items() if "matrix" not in k} for each in GROUP)),
    )
    assert list(publish(grouped).columns) == ["one", "two", "three"]
    assert publish(grouped).budget == publish(apart_).budget
    assert grouped.questions[1].asks("en") == "How much do you agree? – Item two"
    assert apart_.questions[1].asks("en") == "Item two"


@pytest.mark.parametrize(
    "definition",
    [
        read(ALONE, *GROUP),
        read(*GROUP, {**ALONE, "id": "last"}, asked=1),
        read(questions=None, sections=[{"id": "s", "title": TEXT, "questions": [ALONE, *GROUP]}]),
    ],
    ids=["alone", "drawn", "in a section"],
)
def test_a_group_comes_back_from_every_form_of_a_survey(definition):
    published = publish(definition)
    assert parse(definition.as_toml(), "again") == definition
    assert load(published.json).definition == definition
    assert publish(load(published.json).definition).json == published.json
    assert read_file(write_xlsform(definition), "a.xlsx").definition.as_toml() == definition.as_toml()
    assert definition.format == 3


def test_a_group_outside_of_sections_is_drawn_as_one():
    definition = read(*GROUP, {**ALONE, "id": "last"}, asked=1)
    assert [section.id for section in definition.drawn] == ["one", "last"]
    assert "sections" in json.loads(publish(definition).json)
    assert "sections" not in json.loads(publish(read(*GROUP)).json)


@pytest.mark.parametrize(
    ("questions", "problem"),
    [
        ([item("one"), item("two")], "questions[0].matrix_wording is missing"),
        (
            [FIRST, item("two", matrix_wording=STEM)],
            "questions[1].matrix_wording must be absent: one, the first question of exams, has it",
        ),
        (
            [FIRST, item("two", epsilon=2.0)],
            "questions[1].epsilon must be the same as that of one, the first question of the matrix exams: "
            "1.0, got 2.0",
        ),
        (
            [FIRST, item("two", skip="apart")],
            "questions[1].skip must be the same as that of one, the first question of the matrix exams: "
            "None, got 'apart'",
        ),
        ([FIRST, item("two", options=OPTIONS[:2])], "questions[1].options must be the same as that of one"),
        ([FIRST, item("two", mechanism="subset")], "questions[1].mechanism must be the same as that of one"),
        ([FIRST, ALONE, item("two")], "questions[2].matrix must be that of neighbouring questions only"),
        ([FIRST, item("two", help=TEXT)], "questions[1].help must be absent in a matrix"),
        ([{**ALONE, "matrix_wording": STEM}], "questions[0].matrix_wording must be absent: the question"),
        ([{**FIRST, "matrix": "A b"}], "questions[0].matrix must be 1 to 40 lower-case letters"),
        (
            [{"id": "n", "kind": "number", "low": 0, "high": 9, "step": 1, "mechanism": "laplace"}
             | {"epsilon": 1.0, "wording": TEXT, "matrix": "exams"}],
            "questions[0].matrix must be absent",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_group_is_named_with_its_place(questions, problem):
    with pytest.raises(DefinitionError) as caught:
        read(*questions)
    assert problem in str(caught.value)


def test_two_sections_have_no_group_of_one_name():
    sections = [{"id": name, "questions": [item(name, matrix_wording=STEM)]} for name in ("one", "two")]
    with pytest.raises(
        DefinitionError, match=r"sections\[1\]\.questions\[0\]\.matrix must be used in no other"
    ):
        read(questions=None, sections=sections)


def test_an_older_version_has_no_groups():
    with pytest.raises(DefinitionError, match="candor must be 3"):
        from_dict({"candor": 2, **AROUND, "questions": GROUP}, "here")


def test_a_survey_with_a_group_goes_into_the_editor_and_opens_as_it_was(storage):
    survey = storage.write(surveys.create_draft, read(ALONE, *GROUP).as_dict())
    opened = storage.write(surveys.open_survey, survey.id)
    assert opened.publication.json == publish(read(ALONE, *GROUP)).json


def test_what_a_line_shares_has_no_fields_of_its_own(editor):
    page = editor.page_text()
    first, line = (
        re.search(rf'<template id="new-choice-{name}">(.*?)</template>', page, re.DOTALL)[1]
        for name in ("first", "line")
    )
    assert "Above all lines" in first
    assert "ten lines cost as much as ten questions" in first
    assert "Options, mechanism and epsilon are those of the first line." in line
    assert 'name="node.epsilon"' in first
    assert 'name="node.epsilon"' not in line
