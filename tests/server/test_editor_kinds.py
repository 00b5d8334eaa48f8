"""The editor asks for what each kind of question needs, by plain forms, and loses nothing that was typed."""

import re
import tomllib

import pytest

from server.store import surveys

TEXTS = {
    "title-en": "Health at work",
    "information-en": "Who asks, and why.",
    "consent-en": "I take part of my own free will.",
}


def fields(question, index=0):
    """Name the fields of a question as its page does: ``questions-0-epsilon``; options by their texts."""
    options = question.get("options", [])
    named = {f"options-{n}-en": text for n, text in enumerate(options)}
    rest = {name: value for name, value in question.items() if name != "options"}
    return {f"questions-{index}-{name}": value for name, value in (rest | named).items()}


def asked(**keys):
    return {"id": "asked", "wording-en": "What?"} | keys


OPTIONS = ["Never", "Sometimes", "Often"]
YES_NO = asked(kind="yes_no", mechanism="spinner", epsilon="1", by_hand="y", skip="apart")
CHOICE = asked(kind="choice", mechanism="wheel", epsilon="1.5", options=OPTIONS, skip="randomized")
SUBSET = asked(kind="choice", mechanism="subset", epsilon="0.5", options=OPTIONS, size="2", ordered="y")
EXPONENTIAL = asked(
    kind="choice",
    mechanism="exponential",
    epsilon="1",
    options=OPTIONS,
    ordered="y",
    utility="0 -1 -4\n-1 0 -1\n-4 -1 0",
)
PER_BOX = asked(kind="boxes", mechanism="per_box", epsilon="0.5", options=OPTIONS, scope="box", skip="apart")
SAMPLED_BOX = asked(kind="boxes", mechanism="sampled_box", epsilon="1", options=OPTIONS)
NUMBER = asked(kind="number", mechanism="hybrid", epsilon="2", low="0", high="10", step="0.5") | {
    "unit-en": "hours"
}
GAUSSIAN = NUMBER | {"mechanism": "gaussian", "delta": "1e-6"}

STORED = {
    "yes_no": (YES_NO, {"mechanism": "spinner", "epsilon": 1.0, "by_hand": "coin", "skip": "apart"}),
    "choice": (CHOICE, {"mechanism": "wheel", "epsilon": 1.5, "skip": "randomized"}),
    "subset": (SUBSET, {"mechanism": "subset", "epsilon": 0.5, "size": 2, "ordered": True}),
    "exponential": (
        EXPONENTIAL,
        {
            "mechanism": "exponential",
            "epsilon": 1.0,
            "ordered": True,
            "utility": [[0, -1, -4], [-1, 0, -1], [-4, -1, 0]],
        },
    ),
    "per_box": (PER_BOX, {"mechanism": "per_box", "epsilon": 0.5, "scope": "box", "skip": "apart"}),
    "sampled_box": (SAMPLED_BOX, {"mechanism": "sampled_box", "epsilon": 1.0}),
    "number": (
        NUMBER,
        {
            "mechanism": "hybrid",
            "epsilon": 2.0,
            "low": 0,
            "high": 10,
            "step": 0.5,
            "unit": {"en": "hours"},
        },
    ),
    "gaussian": (
        GAUSSIAN,
        {
            "mechanism": "gaussian",
            "epsilon": 2.0,
            "delta": 1e-6,
            "low": 0,
            "high": 10,
            "step": 0.5,
            "unit": {"en": "hours"},
        },
    ),
}


@pytest.mark.parametrize("name", STORED)
def test_every_setting_of_every_kind_is_saved_and_the_survey_can_be_opened(editor, draft, storage, name):
    typed, settings = STORED[name]
    assert editor.save(**TEXTS, **fields(typed)).status_code == 302
    expected = {"id": "asked", "kind": typed["kind"], "wording": {"en": "What?"}} | settings
    if "options" in typed:
        expected["options"] = [{"en": text} for text in OPTIONS]
    assert draft()["questions"] == [expected]
    page = editor.page()
    assert "The draft is complete." in page
    for key, value in fields(typed).items():
        if not key.endswith(("-wording-en", "-utility")):
            assert re.search(rf'name="{key}"[^>]* value="(?:{re.escape(value)}|1e-06|\d\.0)"', page), key
    opened = storage.write(surveys.open_survey, storage.read(surveys.by_slug, "health").id)
    assert opened.state == "open"
    assert editor.get(editor.address).status_code == 200


@pytest.mark.parametrize("name", STORED)
def test_an_exported_question_of_every_kind_is_imported_as_the_same(editor, draft, name):
    editor.save(**TEXTS, **fields(STORED[name][0]))
    text = editor.get(f"{editor.address}/survey.toml").text
    assert editor.post("/admin/import", text=text.replace('"health"', '"again"')).status_code == 302
    assert draft("again") | {"slug": "health"} == tomllib.loads(text) == draft()
    assert editor.get("/admin/surveys/again").status_code == 200


WRONG = {
    "kind": (
        YES_NO,
        "essay",
        "Choose one of Yes or no, One choice, Several choices, Number as the kind of question. "
        "The value sent was “essay”",
    ),
    "mechanism of another kind": (CHOICE, {"mechanism": "laplace"}, "The value sent was “laplace”"),
    "mechanism without order": (
        SUBSET,
        {"mechanism": "exponential", "ordered": None},
        "ordered from low to high",
    ),
    "epsilon": (CHOICE, "12", "above 0 and at most 10. You entered “12”"),
    "size of the whole": (SUBSET, {"size": "3"}, "can contain 1 to 2 options. You entered “3”"),
    "size": (SUBSET, "some", "You entered “some”"),
    "utility": (EXPONENTIAL, "0 1\n1 0", "needs 3 rows of 3 numbers"),
    "utility in words": (EXPONENTIAL, {"utility": "0 1 2\n1 0 x\n2 1 0"}, "needs 3 rows of 3 numbers"),
    "utility without end": (EXPONENTIAL, {"utility": "0 1 2\n1 0 inf\n2 1 0"}, "needs 3 rows of 3 numbers"),
    "scope": (PER_BOX, "house", "Choose one of question, box. The value sent was “house”"),
    "low": (NUMBER, "ten", "0, 2.5 or −3. You entered “ten”"),
    "low above high": (NUMBER, {"low": "11"}, "Low must be below high, which is 10. You entered “11”"),
    "high": (NUMBER, "inf", "You entered “inf”"),
    "high beyond counting": (NUMBER, {"high": "9" * 400}, "Enter a number such as"),
    "step": (NUMBER, "0.3", "from 0 to 10 into 1 to 1000 equal parts. You entered “0.3”"),
    "step backwards": (NUMBER, {"step": "-1"}, "You entered “-1”"),
    "step too fine": (NUMBER, {"step": "0.001"}, "You entered “0.001”"),
    "unit-en": (NUMBER, "h" * 41, "at most 40 characters. It has 41"),
    "delta": (GAUSSIAN, "1", "above 0 and below 1. You entered “1”"),
    "delta in words": (GAUSSIAN, {"delta": "small"}, "You entered “small”"),
    "skip": (CHOICE, "maybe", "Choose one of randomized, apart. The value sent was “maybe”"),
    "skip of a number": (NUMBER, {"skip": "randomized"}, "cannot count as one more option"),
    "skip of boxes": (PER_BOX, {"skip": "randomized"}, "cannot count as one more option"),
    "skip of two coins": (
        YES_NO,
        {"mechanism": "coin", "skip": "randomized"},
        "cannot count as one more option",
    ),
    "skip by hand": (YES_NO, {"skip": "randomized"}, "Two coins cannot give a third answer"),
    "options": (CHOICE, ["x" * 301, "y"], "at most 300 characters. It has 301"),
    "options of a set": (
        SUBSET,
        {"options": [str(n) for n in range(13)]},
        "takes 2 to 12 options, and there are 13",
    ),
    "options of boxes": (
        SAMPLED_BOX,
        {"options": [str(n) for n in range(21)]},
        "takes 2 to 20 options. There are 21",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_setting_is_said_with_range_and_value_and_nothing_typed_is_lost(editor, draft, name):
    question, wrong, words = WRONG[name]
    typed = question | (wrong if isinstance(wrong, dict) else {name: wrong})
    typed = {key: value for key, value in typed.items() if value is not None}
    before = draft()
    answer = editor.save(**TEXTS, **fields(typed))
    assert answer.status_code == 422
    page = re.sub(r"&#34;", '"', answer.text)
    (error,) = re.findall(r'<p class="error"[^>]*>([^<]+)</p>', page)
    assert words.lower() in error.lower()
    assert draft() == before
    for key, value in fields(typed).items():
        if not key.endswith(("-mechanism", "-scope", "-skip", "-by_hand", "-ordered")):
            assert f'"{value}"' in page or f">\n{value}</textarea>" in page.replace("\r\n", "\n"), key


@pytest.mark.parametrize("respondents", ["0", "-5", "many", "1000000000", "9" * 80])
def test_expected_respondents_that_cannot_be_are_said_at_the_field(editor, respondents):
    answer = editor.save(respondents=respondents)
    assert answer.status_code == 422
    assert f"from 1 to 100000000. You entered “{respondents}”" in answer.text


def test_a_kind_is_chosen_when_a_question_is_added(editor, draft):
    for number, kind in enumerate(["yes_no", "choice", "boxes", "number"], 1):
        already = {
            key: value
            for index, question in enumerate(draft()["questions"])
            for key, value in fields(
                {"kind": question["kind"], "mechanism": question["mechanism"]}
                | ({"options": ["", ""]} if "options" in question else {}),
                index,
            ).items()
        }
        answer = editor.save("add", add_kind=kind, **already)
        assert answer.location.endswith(f"#question-{number}")
    stored = draft()["questions"]
    assert [question["kind"] for question in stored] == ["yes_no", "choice", "boxes", "number"]
    assert [len(question.get("options", [])) for question in stored] == [0, 2, 2, 0]


def test_a_question_offers_the_mechanisms_of_its_kind_alone(editor):
    editor.save(**fields(CHOICE), **fields(NUMBER | {"id": "other"}, 1))
    page = editor.page()
    assert re.findall(r'name="questions-0-mechanism" value="(\w+)"', page) == [
        "wheel",
        "subset",
        "exponential",
    ]
    page = editor.page("?open=question-2")
    assert set(re.findall(r'name="questions-1-mechanism" value="(\w+)"', page)) == {
        "one_bit",
        "laplace",
        "gaussian",
        "hybrid",
    }
    assert 'name="questions-1-options' not in page
    assert re.findall(r'name="questions-1-skip" value="(\w*)"', page) == ["", "apart"]


def test_options_are_added_moved_and_removed_by_buttons_alone(editor, draft):
    def texts():
        return [option.get("en") for option in draft()["questions"][0]["options"]]

    typed = fields(CHOICE)
    assert editor.save("option-0", **typed).location.endswith("#questions-0-options-3")
    assert texts() == [*OPTIONS, None]
    assert editor.save("up-0-2", **typed).location.endswith("#questions-0-options-1")
    assert texts() == ["Never", "Often", "Sometimes"]
    editor.save("down-0-0", **typed)
    assert texts() == ["Sometimes", "Never", "Often"]
    editor.save("remove-0-1", **typed)
    assert texts() == ["Never", "Often"]


@pytest.mark.parametrize("action", ["up-7", "remove-0-9", "option-9", "up-0-", "fly-0", ""])
def test_a_button_that_the_page_does_not_have_changes_nothing(editor, draft, action):
    editor.save(**fields(CHOICE))
    before = draft()
    assert editor.save(action, **fields(CHOICE)).status_code == 302
    assert draft() == before


def test_a_button_pressed_beside_a_mistake_still_does_its_work_on_what_was_typed(editor):
    answer = editor.save("remove-0-0", **fields(CHOICE | {"epsilon": "12"}))
    assert answer.status_code == 422
    assert re.findall(r'name="questions-0-options-\d-en" value="(\w+)"', answer.text) == OPTIONS[1:]


def test_settings_of_a_mechanism_that_was_not_chosen_are_dropped(editor, draft):
    typed = CHOICE | {"size": "9", "utility": "nonsense", "delta": "7", "scope": "house", "low": "x"}
    assert editor.save(**fields(typed)).status_code == 302
    assert set(draft()["questions"][0]) == {
        "id",
        "kind",
        "mechanism",
        "epsilon",
        "options",
        "skip",
        "wording",
    }


def test_a_minus_sign_is_a_minus(editor, draft):
    editor.save(**fields(NUMBER | {"low": "\N{MINUS SIGN}10"}))
    assert draft()["questions"][0]["low"] == -10


def test_dropping_a_language_in_which_options_are_written_is_refused(editor):
    answer = editor.save(**fields(CHOICE), **{"questions-0-options-0-ko": "전혀"})
    assert answer.status_code == 422
    assert "There are still texts in “Korean”" in answer.text


MISSING = {
    "options": (
        asked(kind="choice", mechanism="wheel", epsilon="1", options=["Only"]),
        "At least two options",
    ),
    "a text of an option": (
        asked(kind="boxes", mechanism="per_box", epsilon="1", options=["A", ""]),
        "Question 1: Option 2 (English)",
    ),
    "low": (asked(kind="number", mechanism="laplace", epsilon="1", high="5", step="1"), "Question 1: Low"),
    "high": (asked(kind="number", mechanism="laplace", epsilon="1", low="5", step="1"), "Question 1: High"),
    "step": (
        asked(kind="number", mechanism="laplace", epsilon="1", low="0", high="5"),
        "Question 1: Step between answers",
    ),
    "delta": (GAUSSIAN | {"delta": ""}, "Question 1: Delta"),
    "epsilon": (CHOICE | {"epsilon": ""}, "Plan the question that has no epsilon yet"),
    "a larger epsilon": (SUBSET | {"epsilon": "0.00001"}, "the reports contain too little"),
    "a larger epsilon of a number": (NUMBER | {"epsilon": "1e-9"}, "the reports contain too little"),
    "a unit in every language": (NUMBER | {"unit-ko": "시간"}, "Question 1: Unit (English)"),
}


@pytest.mark.parametrize("name", MISSING)
def test_what_keeps_a_question_from_opening_is_listed_with_a_link_to_its_field(editor, name):
    typed, words = MISSING[name]
    both = name == "a unit in every language"
    if both:
        typed = {key: value for key, value in typed.items() if key != "unit-en"}
    editor.save(languages=("en", "ko") if both else ("en",), **TEXTS, **fields(typed))
    page = editor.page("?open=none")
    listed = {text: link for link, text in re.findall(r'<li><a href="([^"]+)"[^>]*>([^<]+)</a>', page)}
    (found,) = (text for text in listed if words in text)
    address, _, place = listed[found].partition("#")
    assert f'id="{place}"' in editor.get(address).text
    assert "must be" not in found


def test_two_questions_cannot_fill_one_column(editor):
    boxes, other = SAMPLED_BOX | {"id": "used"}, YES_NO | {"id": "used_1"}
    editor.save(**TEXTS, **fields(boxes), **fields(other, 1))
    assert "Question 2: Another question uses this short name" in editor.page()
