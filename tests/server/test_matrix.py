"""Questions on one scale: read as a group, and each a question like any other."""

import json
import re

import pytest

from server.editor.cards import first_text, untranslated
from server.editor.inapplicable import add_inapplicable
from server.forms.arrangement import rearrange
from server.forms.editor import draft_form, draft_table, typed
from server.forms.section import apart, parts, together
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


def test_the_editor_keeps_a_group_together():
    table = read(*GROUP, {**ALONE, "id": "last"}, asked=1).as_dict()
    assert apart(table)[0] == []
    section = {"id": "s", "title": TEXT, "questions": [{**ALONE, "id": "other"}]}
    mixed = {"sections": [section, {"id": "one", "questions": GROUP}]}
    assert together(*apart(mixed)) == mixed
    assert parts({"questions": [*GROUP, ALONE], "asked": 1}).drawn == 2


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


def edited(table, *actions, **changed):
    """Return a draft as the editor saves it after some buttons were pressed."""
    form = draft_form(("en",))
    data = form(data=typed(table)).data
    for action in actions:
        rearrange(data["sections"], data["questions"], action, "choice")
        data = form(data=data).data
    data["questions"][0] |= changed
    return draft_table(form(data=data).data)


def test_the_editor_saves_a_group_as_it_was():
    table = read(ALONE, *GROUP).as_dict()
    assert edited(table) == table


def test_the_scale_of_the_first_line_is_that_of_all():
    questions = edited(read(*GROUP).as_dict(), epsilon="2", options=[{"en": "Yes"}, {"en": "No"}])[
        "questions"
    ]
    assert [question["epsilon"] for question in questions] == [2.0] * 3
    assert [len(question["options"]) for question in questions] == [2] * 3
    assert ["matrix_wording" in question for question in questions] == [True, False, False]


@pytest.mark.parametrize("action", ["down-0", "up-2", "copy-1", "line-0"])
def test_what_stands_above_a_group_stays_there_however_its_lines_move(action):
    questions = edited(read(*GROUP).as_dict(), action)["questions"]
    assert questions[0]["matrix_wording"] == STEM
    assert all("matrix_wording" not in question for question in questions[1:])


def test_a_line_that_is_moved_out_of_its_group_is_a_question_by_itself():
    table = read(*GROUP, ALONE, {**ALONE, "id": "last"}).as_dict()
    moved = edited(table, "down-2")["questions"]
    assert [question.get("matrix") for question in moved] == ["exams", "exams", None, None, None]
    assert from_dict({**table, "questions": moved}, "here").questions[3].epsilon == 1.0


def test_a_group_is_added_with_one_press_and_a_line_with_another():
    table = edited({"candor": 1, **AROUND, "questions": []} | {"questions": [ALONE]}, "scale", "line-2")
    names = [question.get("matrix") for question in table["questions"]]
    assert names == [None, *["scale_1"] * 4]
    assert {question["kind"] for question in table["questions"][1:]} == {"choice"}


def test_does_not_apply_is_an_option_one_press_away_in_every_language():
    question = {"kind": "choice", "options": [{"en": "Yes"}, {"en": "No"}]}
    data = {"languages_": ["en", "ko", "fr"], "questions": [question, {"kind": "number", "options": []}]}
    assert add_inapplicable(data, "inapplicable-0") == "questions-0-options-2"
    assert question["options"][2] == {"en": "Does not apply to me", "ko": "해당 없음"}
    add_inapplicable(data, "inapplicable-1")
    assert data["questions"][1]["options"] == []
    assert add_inapplicable(data, "inapplicable-7") is None


def test_the_page_of_a_draft_with_a_group_says_what_a_line_shares(editor):
    editor.save("scale")
    first, second = (editor.page(f"?open=question-{n}") for n in (1, 2))
    assert "Above all lines" in first
    assert "ten lines cost as much as ten questions" in first
    assert "Options, mechanism and epsilon are those of the first line." in second
    assert "Above all lines" not in second.partition("<template")[0]
    for name in ("such as age", "Skip logic", "Groups, such as departments"):
        assert name in second


def test_what_a_scale_lacks_is_said_once(editor):
    editor.save("scale")
    page = editor.page("?open=question-1")
    assert len(re.findall(r"Question 1: [^<]*option", page, re.IGNORECASE)) >= 5
    assert not re.findall(r"Question [23]: [^<]*option", page, re.IGNORECASE)


def test_a_wrong_epsilon_of_a_scale_is_said_of_its_first_line():
    data = typed(read(*GROUP).as_dict()) | {"respondents": "1000", "waves": "1"}
    data["questions"][0]["epsilon"] = "eleven"
    form = draft_form(("en",))(data=data)
    assert not form.validate()
    faulty = [bool(entry.form["epsilon"].errors) for entry in form.questions.entries]
    assert faulty == [True, False, False]


def test_texts_of_a_scale_are_to_be_translated_once():
    data = draft_form(("en", "ko"))(data=typed(read(*GROUP).as_dict())).data
    title_information_consent, stem, options, lines, note = 3, 1, len(OPTIONS), len(GROUP), 1
    found = untranslated(data, ["en", "ko"])
    assert found == {"en": 0, "ko": title_information_consent + stem + options + lines + note}


def test_a_card_shows_a_wording_without_its_marks():
    assert first_text({"en": "*Ever*?"}, ["en"]) == ("Ever?", "en")
