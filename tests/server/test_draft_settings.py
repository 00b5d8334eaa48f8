"""Every setting of every kind is saved, opened and exported; what is wrong or missing is said at its unit."""

import tomllib

import pytest

from server.store import surveys
from survey.draft import document_of
from survey.draft.units import UID

OPTIONS = [{"en": text} for text in ("Never", "Sometimes", "Often")]
YES_NO = {"kind": "yes_no", "mechanism": "spinner", "epsilon": 1.0, "by_hand": "coin", "skip": "apart"}
PLAIN = {"kind": "choice", "mechanism": "wheel", "epsilon": 1.5, "options": OPTIONS}
CHOICE = PLAIN | {"skip": "randomized"}
SUBSET = PLAIN | {"mechanism": "subset", "size": 2, "ordered": True}
EXPONENTIAL = PLAIN | {"mechanism": "exponential", "ordered": True}
EXPONENTIAL |= {"utility": [[0, -1, -4], [-1, 0, -1], [-4, -1, 0]]}
PER_BOX = {"kind": "boxes", "mechanism": "per_box", "epsilon": 0.5, "options": OPTIONS}
PER_BOX |= {"scope": "box", "skip": "apart"}
SAMPLED_BOX = {"kind": "boxes", "mechanism": "sampled_box", "epsilon": 1.0, "options": OPTIONS}
NUMBER = {"kind": "number", "mechanism": "hybrid", "epsilon": 2.0, "low": 0, "high": 10, "step": 0.5}
NUMBER |= {"unit": {"en": "hours"}}
GAUSSIAN = NUMBER | {"mechanism": "gaussian", "delta": 1e-6}
KINDS = {
    "yes_no": YES_NO,
    "choice": CHOICE,
    "subset": SUBSET,
    "exponential": EXPONENTIAL,
    "per_box": PER_BOX,
    "sampled_box": SAMPLED_BOX,
    "number": NUMBER,
    "gaussian": GAUSSIAN,
}


def asked(question, name="asked"):
    return {"id": name, "wording": {"en": "What?"}} | question


@pytest.fixture
def saved(editor, survey_file):
    """Save a draft that asks these questions, with other values in place of some, and return what is wrong.

    A value of None takes its key away.
    """

    def saved(*questions, wrong=None, **more):
        named = [asked(question, f"asked_{n}x") for n, question in enumerate(questions)]
        document = document_of(survey_file("health", candor=3, questions=named, **more), editor.document)
        document["questions"][0] |= wrong or {}
        for key in [key for key, value in document["questions"][0].items() if value is None]:
            del document["questions"][0][key]
        return editor.write(document)

    return saved


@pytest.mark.parametrize("question", KINDS.values(), ids=KINDS)
def test_every_setting_of_every_kind_is_saved_and_the_survey_can_be_opened(saved, draft, storage, question):
    answer = saved(question)
    assert (answer["faults"], answer["missing"], answer["ready"]) == ([], [], True)
    assert draft()["questions"] == [asked(question, "asked_0x")]
    opened = storage.write(surveys.open_survey, storage.read(surveys.by_slug, "health").id)
    assert opened.state == "open"


def test_a_file_of_every_kind_goes_out_and_comes_in_as_the_same(saved, editor, draft):
    saved(*KINDS.values(), budget={"limit": 40.0, "waves": 3}, quick_exit=True, outcome="before")
    text = editor.page_text("/survey.toml")
    assert "[budget]\nlimit = 40.0\nwaves = 3\n" in text
    assert editor.browser.post("/admin/import", text=text.replace('"health"', '"again"')).status_code == 302
    assert draft("again") | {"slug": "health"} == tomllib.loads(text) == draft()


MOST = [{"uid": f"n{n:012x}", "text": {"en": f"{n}"}} for n in range(21)]
LONG = [{"uid": f"n{n:012x}", "text": {"en": text}} for n, text in enumerate(("x" * 301, "y"))]
SMALL = {"utility": "0 1\n1 0"}
WRONG = {
    "epsilon in words": (CHOICE, {"epsilon": "eleven"}, "epsilon", "above 0 and at most 10, not “eleven”"),
    "epsilon of 0": (CHOICE, {"epsilon": 0}, "epsilon", "above 0 and at most 10, not “0”"),
    "epsilon above the range": (CHOICE, {"epsilon": 10.1}, "epsilon", "above 0 and at most 10, not “10.1”"),
    "kind": (YES_NO, {"kind": "essay"}, "kind", "one of yes_no, choice, boxes, number, not “essay”"),
    "mechanism of another kind": (CHOICE, {"mechanism": "laplace"}, "mechanism", "not “laplace”"),
    "mechanism without order": (EXPONENTIAL, {"ordered": None}, "mechanism", "ordered"),
    "size of the whole": (SUBSET, {"size": 3}, "size", "from 1 to 2, not “3”"),
    "size in words": (SUBSET, {"size": "some"}, "size", "not “some”"),
    "utility": (EXPONENTIAL, SMALL, "utility", "3 rows of 3 finite numbers"),
    "scope": (PER_BOX, {"scope": "house"}, "scope", "one of question, box, not “house”"),
    "low in words": (NUMBER, {"low": "ten"}, "low", "a finite number, not “ten”"),
    "low above high": (NUMBER, {"low": 11}, "low", "not “11”"),
    "step that does not fit": (NUMBER, {"step": 0.3}, "step", "not “0.3”"),
    "step backwards": (NUMBER, {"step": -1}, "step", "not “-1”"),
    "step too fine": (NUMBER, {"step": 0.001}, "step", "not “0.001”"),
    "unit": (NUMBER, {"unit": {"en": "h" * 41}}, "unit.en", "of 1 to 40 characters"),
    "delta": (GAUSSIAN, {"delta": 1}, "delta", "not “1”"),
    "delta in words": (GAUSSIAN, {"delta": "small"}, "delta", "not “small”"),
    "skip": (CHOICE, {"skip": "maybe"}, "skip", "not “maybe”"),
    "skip of a number": (NUMBER, {"skip": "randomized"}, "skip", "not “randomized”"),
    "skip of boxes": (PER_BOX, {"skip": "randomized"}, "skip", "not “randomized”"),
    "skip by hand": (YES_NO, {"skip": "randomized"}, "by_hand", "absent where a skip is randomized"),
    "option": (CHOICE, {"options": LONG}, "n000000000000.text.en", "of 1 to 300 characters"),
    "options of a set": (
        SUBSET,
        {"options": MOST[:13], "size": None},
        "options",
        "a list of 2 to 12 texts",
    ),
    "options of boxes": (SAMPLED_BOX, {"options": MOST}, "options", "a list of 2 to 20 texts"),
    "name": (CHOICE, {"id": "Tired?"}, "id", "not “Tired?”"),
    "wording": (CHOICE, {"wording": {"en": "x" * 5000}}, "wording.en", "of 1 to 1000 characters"),
}


@pytest.mark.parametrize(("question", "wrong", "key", "words"), WRONG.values(), ids=WRONG)
def test_a_wrong_setting_is_said_at_its_unit_with_range_and_value_and_nothing_is_lost(
    saved, editor, storage, question, wrong, key, words
):
    answer = saved(question, wrong=wrong)
    uid = editor.document["questions"][0]["uid"]
    [fault] = answer["faults"] + answer["missing"]
    assert fault["unit"] == f"{uid}.{key}"
    assert words in fault["said"]
    assert fault["text"].startswith("Question 1, ")
    assert storage.read(surveys.by_slug, "health").document == editor.document


OF_SURVEY = {
    "slug": ({"slug": "Not An Address"}, "slug", "not “Not An Address”"),
    "title": ({"title": {"en": "x" * 201}}, "title.en", "of 1 to 200 characters"),
    "step": ({"results": {"step": 0}}, "results.step", "from 1 to 1000000, not “0”"),
    "limit": ({"budget": {"limit": 0}}, "budget.limit", "not “0”"),
    "limit in words": ({"budget": {"limit": "much"}}, "budget.limit", "not “much”"),
    "waves": ({"budget": {"waves": 1.5}}, "budget.waves", "from 1 to 1000, not “1.5”"),
    "asked": ({"asked": "many"}, "asked", "not “many”"),
    "quick exit": ({"quick_exit": "http://a.example"}, "quick_exit", "not “http://a.example”"),
    "preview": ({"preview": "title", "quick_exit": True}, "preview", "not “title”"),
    "kept until": ({"kept_until": "soon"}, "kept_until", "not “soon”"),
    "invitations": ({"invitations": "some"}, "invitations", "not “some”"),
    "list and early download": (
        {"invitations": "listed", "results": {"step": 50, "reports_while_open": True}},
        "invitations",
        "not “listed”",
    ),
    "expected": ({"expected": "9" * 80}, "expected", "a whole number from 1 to 100000000"),
}


@pytest.mark.parametrize(("wrong", "unit", "words"), OF_SURVEY.values(), ids=OF_SURVEY)
def test_what_is_wrong_with_the_survey_itself_is_said_at_its_unit(saved, editor, storage, wrong, unit, words):
    saved(YES_NO)
    answer = editor.write(editor.document | wrong)
    assert [fault["unit"] for fault in answer["faults"]] == [unit]
    assert words in answer["faults"][0]["said"]
    assert storage.read(surveys.by_slug, "health").document == editor.document


def test_two_questions_cannot_have_one_name_nor_fill_one_column(saved, editor):
    saved(SAMPLED_BOX, YES_NO)
    for name in ("asked_0x", "asked_0x_1"):
        document = editor.document | {"questions": [*editor.document["questions"]]}
        document["questions"][1] = document["questions"][1] | {"id": name}
        [fault] = editor.write(document)["faults"]
        assert fault["unit"] == f"{editor.document['questions'][1]['uid']}.id"


def test_settings_of_another_mechanism_are_no_part_of_the_survey(saved, draft):
    other = {"size": 9, "utility": "nonsense", "delta": 7, "scope": "house", "low": "x"}
    assert saved(CHOICE, wrong=other)["ready"]
    assert draft()["questions"] == [asked(CHOICE, "asked_0x")]


MISSING = {
    "options": (CHOICE, {"options": MOST[:1]}, "Question 1, Options"),
    "an option": (
        PER_BOX,
        {"options": [*MOST[:2], {"uid": "n00000000000f"}]},
        "Question 1, Option 3 (English)",
    ),
    "low": (NUMBER, {"low": None}, "Question 1, Low"),
    "high": (NUMBER, {"high": None}, "Question 1, High"),
    "step": (NUMBER, {"step": None}, "Question 1, Step between answers"),
    "delta": (GAUSSIAN, {"delta": None}, "Question 1, Delta"),
    "wording": (YES_NO, {"wording": None}, "Question 1, Wording (English)"),
    "name": (YES_NO, {"id": None}, "Question 1, Short name"),
    "a mechanism": (YES_NO, {"mechanism": None}, "Question 1, Mechanism"),
    "epsilon": (CHOICE, {"epsilon": None}, "Plan the question that has no epsilon yet"),
    "a larger epsilon": (SUBSET, {"epsilon": 0.00001}, "too little about the answers"),
    "a larger epsilon of a number": (NUMBER, {"epsilon": 1e-9}, "the mean misses by"),
}


@pytest.mark.parametrize(("question", "lacking", "words"), MISSING.values(), ids=MISSING)
def test_what_keeps_a_question_from_opening_is_listed_with_its_unit(saved, editor, question, lacking, words):
    answer = saved(question, wrong=lacking)
    uid = editor.document["questions"][0]["uid"]
    [entry] = answer["missing"] + answer["faults"]
    assert words in entry["text"]
    assert entry["unit"].startswith(uid) or entry["unit"] == "plan_total"
    assert answer["ready"] is False


def test_each_language_is_missing_by_itself(saved, editor):
    saved(NUMBER)
    answer = editor.write(editor.document | {"languages": ["en", "ko"]})
    missing = [entry["unit"] for entry in answer["missing"]]
    assert {unit.partition(".")[2] for unit in missing if UID.match(unit)} == {"wording.ko", "unit.ko"}
    assert {"title.ko", "information.ko", "consent.ko", "organisation.ko", "contact.ko"} <= {*missing}


LINE = CHOICE | {"matrix": "scale_1"}


def test_what_is_wrong_with_a_scale_is_said_of_its_first_line(saved, editor):
    saved(LINE | {"matrix_wording": {"en": "How often?"}}, LINE, LINE)
    first, *others = editor.document["questions"]
    answer = editor.write(editor.document | {"questions": [first | {"epsilon": "abc"}, *others]})
    assert [fault["unit"] for fault in answer["faults"]] == [f"{first['uid']}.epsilon"]
    stored = editor.load().json["document"]
    assert [line["epsilon"] for line in stored["questions"]] == ["abc"] * 3
    problems = editor.preview(stored)["problems"]
    assert [problem["unit"] for problem in problems] == [f"{first['uid']}.epsilon"]


@pytest.mark.parametrize("text", ["9" * 5000, f"0.{5000 * '0'}1", "1e999", "x" * 1_000_000])
def test_numbers_of_thousands_of_digits_stay_as_they_are_and_are_not_repeated(saved, text):
    for key in ("epsilon", "delta", "low", "high", "step"):
        answer = saved(GAUSSIAN, wrong={key: text})
        assert answer["faults"]
        assert all(len(fault["text"]) < 300 for fault in answer["faults"])


@pytest.mark.parametrize("number", [1e-300, -1e15, 1e15])
def test_numbers_that_are_very_large_or_small_are_read_or_refused_in_words(saved, editor, number):
    for key in ("epsilon", "delta", "low", "high", "step"):
        saved(GAUSSIAN, wrong={key: number})
        assert editor.browser.get(editor.address).status_code == 200
