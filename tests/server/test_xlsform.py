"""XLSForm: a survey goes out and comes back the same, and what cannot be carried is named by its cell."""

from copy import deepcopy
from io import BytesIO
from pathlib import Path

import openpyxl
import pytest

from server.xlsform.reader import CannotHold, read_xlsform
from server.xlsform.writer import sheets, workbook, write_xlsform
from survey.fields import DefinitionError
from survey.read_definition import from_dict, parse

EXAMPLES = sorted(Path("server/examples").glob("*.toml"))
KOREAN = "label::한국어 (ko)"
ENGLISH = "label::English (en)"


def example(path):
    return parse(path.read_text(encoding="utf-8"), path.name)


def cells(data):
    """Every cell of a workbook, by sheet, as another program reads it."""
    book = openpyxl.load_workbook(BytesIO(data))
    return {sheet.title: [[cell.value for cell in row] for row in sheet.rows] for sheet in book}


def form(**changed):
    """A form in Korean and English as somebody writes it in a spreadsheet; sheets may be replaced."""
    survey = [
        {"type": "note", "name": "ldp_information", KOREAN: "묻는 사람", ENGLISH: "Who asks"},
        {"type": "acknowledge", "name": "ldp_consent", KOREAN: "참여합니다.", ENGLISH: "I take part."},
        question("copied", type="select_one yes_no"),
        question("mood", type="select_one mood_options") | {"ldp::mechanism": "wheel"},
    ]
    choices = [
        option("yes_no", "no", "아니요", "No"),
        option("yes_no", "yes", "예", "Yes"),
        option("mood_options", "0", "좋음", "good"),
        option("mood_options", "1", "나쁨", "bad"),
    ]
    settings = [
        {
            "form_title": "시험",
            "ldp::title::English (en)": "Exams",
            "form_id": "exams",
            "default_language": "한국어 (ko)",
        }
    ]
    return {"survey": survey, "choices": choices, "settings": settings} | changed


def question(name, **more):
    row = {"name": name, KOREAN: f"{name}?", ENGLISH: f"{name}?"}
    return more | row | {"ldp::mechanism": "spinner_coin", "ldp::epsilon": 1.0}


def option(list_name, name, korean, english):
    return {"list_name": list_name, "name": name, KOREAN: korean, ENGLISH: english}


def with_question(row, *more):
    tables = form()
    return tables | {"survey": [*tables["survey"], row, *more]}


def read(tables, **how):
    return read_xlsform(workbook(tables), "form.xlsx", **how)


def problems(tables):
    with pytest.raises(DefinitionError) as caught:
        read(tables)
    return [str(each) for each in caught.value.problems]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_comes_back_the_same_to_the_byte(path):
    definition = example(path)
    again = read_xlsform(write_xlsform(definition), path.name)
    assert again.definition == definition
    assert again.definition.as_toml() == definition.as_toml()
    assert again.left_out == ()


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_form_of_every_example_comes_back_cell_by_cell(path):
    data = write_xlsform(example(path))
    again = write_xlsform(read_xlsform(data, path.name).definition)
    assert cells(again) == cells(data)
    assert again == data  # no time and no name of a computer in it


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_odk_can_convert_the_form_of_every_example(path):
    from pyxform.xls2xform import convert

    converted = convert(BytesIO(write_xlsform(example(path))), validate=False, file_type=".xlsx")
    assert converted.warnings == []
    for asked in example(path).questions:
        assert f"/{asked.id}" in converted.xform


def test_a_form_in_korean_becomes_a_survey_whose_first_language_is_korean():
    definition = read(form()).definition
    assert definition.languages == ("ko", "en")
    assert definition.title == {"ko": "시험", "en": "Exams"}
    assert definition.questions[0].wording["ko"] == "copied?"
    assert [each["ko"] for each in definition.questions[1].options] == ["좋음", "나쁨"]


def test_every_cell_of_a_form_in_korean_comes_back():
    again = sheets(read(form()).definition)
    for name, rows in form().items():
        for before, after in zip(rows, again[name], strict=True):
            assert before.items() <= after.items()


def test_every_setting_of_a_question_comes_back():
    texts = {"en": "Text"}
    shared = {"wording": texts, "epsilon": 1.0}
    questions = [
        {"id": "a", "mechanism": "coin", "by_hand": "coin", "skip": "apart", "wording": texts},
        {"id": "yes_no", "kind": "choice", "mechanism": "subset", "size": 2, "options": [texts] * 5} | shared,
        {"id": "c", "kind": "choice", "mechanism": "exponential", "ordered": True, "options": [texts] * 3}
        | shared
        | {"utility": [[0.0, -1, -2.5], [-1, 0, -1e-3], [-2, -1, 0]]},
        {"id": "d", "kind": "boxes", "mechanism": "per_box", "scope": "box", "options": [texts] * 2} | shared,
        {"id": "e", "kind": "number", "mechanism": "gaussian", "delta": 1e-6, "unit": texts, "note": texts}
        | {"low": -1.5, "high": 3.0, "step": 0.1}
        | shared,
    ]
    yes_no = [{"id": name, "wording": texts} for name in ("f", "g", "h")]
    survey = {
        "candor": 3,
        "slug": "all",
        "languages": ["en"],
        "asked": 1,
        "quick_exit": "https://example.org/news",
        "invitations": True,
        "results": {"step": 7, "reports_while_open": True},
        "budget": {"limit": 0.1 + 0.2 + 40, "waves": 3},
        "title": texts,
        "information": {"en": "=1+1\nis a text, and so is\n+82 10"},
        "consent": texts,
        "sections": [
            {"id": "s", "always": True, "title": texts, "introduction": texts, "questions": questions[:2]},
            {"id": "t", "questions": questions[2:]},
            {
                "id": "u",
                "linked": True,
                "epsilon": 2.0,
                "asked": 2,
                "skip": "randomized",
                "questions": yes_no,
            },
        ],
    }
    titled = survey | {"quick_exit": False, "invitations": False, "preview": "title"}
    for definition in (from_dict(survey, "all"), from_dict(titled, "titled")):
        assert read_xlsform(write_xlsform(definition), "all").definition.as_toml() == definition.as_toml()


def test_a_text_that_no_spreadsheet_keeps_is_named_instead_of_changed(survey_file):
    table = deepcopy(survey_file())
    table["questions"][0]["wording"] = {"en": "a\u00a0b?"}
    with pytest.raises(DefinitionError, match=r"questions\[0\]\.wording\.en must be a value that a spread"):
        write_xlsform(from_dict(table, "here"))
    table["questions"][0]["wording"] = {"en": "a\x00b?"}
    with pytest.raises(DefinitionError, match=r"questions\[0\]\.wording\.en"):
        write_xlsform(from_dict(table, "here"))


@pytest.mark.parametrize(
    ("column", "value", "fault"),
    [
        (
            "ldp::epsilon",
            11,
            "sheet survey, row 6, column ldp::epsilon must be a number above 0 and at most 10, got 11",
        ),
        ("ldp::epsilon", "1,5", "column ldp::epsilon must be a number above 0 and at most 10, got '1,5'"),
        ("ldp::epsilon", None, "column ldp::epsilon is missing; it must be a number above 0 and at most 10"),
        ("ldp::mechanism", "dice", "column ldp::mechanism must be one of spinner_coin, spinner, coin, got"),
        ("ldp::skip", "maybe", 'ldp::skip must be absent, "apart" or "randomized", got \'maybe\''),
        ("ldp::delta", 0.1, "row 6, column ldp::delta must be absent"),
        ("ldp::epsilom", 1, "row 6, column ldp::epsilom must be absent (known keys here: by_hand"),
        ("name", "Took", "row 6, column name must be 1 to 40 lower-case letters"),
        ("name", "copied", "row 6, column name must be used by no other question"),
        ("name", None, "row 6, column name is missing"),
        (KOREAN, None, f"row 6, column {KOREAN} is missing; it must be a text of 1 to 1000"),
        ("type", "select_one none", "row 6, column type must be select_one with a list of the sheet choices"),
        (
            "type",
            "select_one mood_options",
            "must be a select_one whose list has the names yes and no",
        ),
    ],
)
def test_a_fault_in_a_cell_names_sheet_row_column_range_and_value(column, value, fault):
    row = question("took", type="select_one yes_no") | {column: value}
    found = problems(with_question({key: each for key, each in row.items() if each is not None}))
    assert any(fault in each for each in found), found


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ({"relevant": "${copied} = 'yes'"}, "row 6, column relevant must be empty"),
        ({"constraint": ". > 3"}, "row 6, column constraint must be empty"),
        ({"calculation": "1 + 1"}, "row 6, column calculation must be empty"),
        ({"media::image::English (en)": "a.png"}, "row 6, column media::image::English (en) must be empty"),
        ({"choice_filter": "a = b"}, "row 6, column choice_filter must be empty"),
        ({"appearance": "likert"}, "row 6, column appearance must be empty"),
        ({"required": "no"}, 'row 6, column required must be empty or "yes"'),
        ({"type": "text"}, "row 6, column type must be select_one, select_multiple, range"),
        ({"type": "calculate"}, "got 'calculate'"),
        ({"type": "image"}, "got 'image'"),
        ({"type": "select_one_from_file towns.csv"}, "got 'select_one_from_file towns.csv'"),
        ({"type": "select_one yes_no or_other"}, "a select with nothing after its list"),
        ({"type": "begin_repeat"}, "got 'begin_repeat'"),
        ({"type": "geopoint"}, "got 'geopoint'"),
        ({"type": "start"}, "got 'start'"),
    ],
)
def test_what_cannot_be_carried_is_named_with_row_and_column(row, fault):
    tables = with_question(question("took", type="select_one yes_no") | row)
    found = problems(tables)
    assert len(found) == 1
    assert "sheet survey, row 6, column" in found[0]
    assert fault in found[0]
    with pytest.raises(CannotHold):
        read(tables)
    left_out = read(tables, leave_out=True)
    assert [str(each) for each in left_out.left_out] == found
    assert left_out.definition.questions[:2] == read(form()).definition.questions


def test_names_of_options_and_other_words_for_yes_are_named_too():
    tables = form()
    rows = [dict(each) for each in tables["choices"]]
    rows[1][ENGLISH] = "Yes, often"
    rows[2]["name"] = "fine"
    rows.append(option("left", "0", "남음", "left"))
    found = problems(tables | {"choices": rows})
    assert "sheet choices, row 3, column label::English (en) must be 'Yes', which the page says" in found[0]
    assert "sheet choices, row 4, column name must be 0, 1, 2" in found[1]
    assert "got 'fine, 1'" in found[1]
    assert "sheet choices, row 6 must be an option of a list that a question uses" in found[2]


def test_another_sheet_and_more_settings_are_named():
    tables = form()
    more = [*tables["settings"], {"form_title": "Another"}]
    more[0] = more[0] | {"style": "pages"}
    found = problems(tables | {"settings": more, "entities": [{"list_name": "trees"}]})
    assert any("sheet entities must be absent" in each for each in found)
    assert any("sheet settings, row 2, column style must be empty" in each for each in found)
    assert any("sheet settings, row 3 must be absent" in each for each in found)


def test_a_group_within_a_group_is_named_and_its_questions_are_kept():
    group = [{"type": "begin_group", "name": "a"}, {"type": "begin group", "name": "b"}]
    ends = [{"type": "end_group"}, {"type": "end group"}]
    rows = [*group, question("took", type="select_one yes_no"), *ends]
    tables = with_question(rows[0], *rows[1:])
    assert "row 7, column type must be a question: there are no groups within groups" in problems(tables)[0]
    sections = read(tables, leave_out=True).definition.sections
    assert [each.id for each in sections] == ["copied", "mood", "a"]


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ([{"type": "end_group"}], "row 6, column type must be preceded by a begin_group"),
        ([{"type": "begin_group", "name": "a"}], "row 6, column type must be followed by an end_group"),
    ],
)
def test_groups_that_do_not_pair_are_named(rows, fault):
    assert any(fault in each for each in problems(with_question(*rows)))


def test_numbers_are_read_from_a_range_and_from_columns():
    shared = {"ldp::mechanism": "laplace"}
    ranged = question("a", type="range", parameters="start=0 end=10 step=0.5") | shared
    typed = question("b", type="integer") | shared | {"ldp::low": 0, "ldp::high": 7, "ldp::step": 1}
    a, b = read(with_question(ranged, typed)).definition.questions[2:]
    assert (a.low, a.high, a.step) == (0, 10, 0.5)
    assert (b.low, b.high, b.step) == (0, 7, 1)
    wrong = problems(with_question(ranged | {"parameters": "start=0 end=10 step=3"}))
    assert "row 6, column parameters must be a number that divides the range" in wrong[0]
    odd = problems(with_question(ranged | {"parameters": "from 0"}))
    assert "row 6, column parameters must be such as start=0 end=10 step=1, got 'from 0'" in odd[0]
    twice = problems(with_question(ranged | {"ldp::low": 0}))
    assert "row 6, column ldp::low must be empty: parameters say it" in twice[0]
    bare = problems(with_question(question("c", type="decimal") | shared))
    assert "row 6, column ldp::low is missing; it must be a finite number" in bare[0]


def test_a_form_without_information_and_settings_is_told_where_they_belong():
    tables = form()
    found = problems({"survey": tables["survey"][2:], "choices": tables["choices"]})
    assert any("column form_id is missing; it must be lower-case letters" in each for each in found)
    assert any(
        "sheet survey, row note ldp_information, column label::English (en) is missing" in each
        for each in found
    )
    assert any("column ldp::title::한국어 (ko)" in each for each in found)


def test_a_label_without_a_language_is_in_that_of_the_settings():
    def plain(row):
        return {"label" if key == ENGLISH else key: text for key, text in row.items() if key != KOREAN}

    tables = {name: [plain(row) for row in rows] for name, rows in form().items()}
    tables["settings"] = [{"form_title": "Exams", "form_id": "exams", "default_language": "English (en)"}]
    definition = read(tables).definition
    assert definition.languages == ("en",)
    tables["settings"][0].pop("default_language")
    found = problems(tables)
    assert found[0].startswith("sheet survey, row 1 must be a heading with a language and its code such as")


def test_headings_that_come_twice_are_named():
    tables = form()
    tables["survey"][2]["label::Deutsch (en)"] = "again"
    found = problems(tables)
    assert "sheet survey, row 1 must be one column for each heading and language" in found[0]
