"""The figures follow the form as it is typed: computed for whoever may edit, and stored nowhere."""

import json
import re
from html import unescape

import pytest
import tomli_w

from server.store import surveys

ADDRESS = "/admin/surveys/health/preview"
YES_NO = {"kind": "yes_no", "mechanism": "spinner_coin", "epsilon": "1", "wording-en": "Did you?"}
CHOICE = {"kind": "choice", "mechanism": "wheel", "epsilon": "1.5"} | {
    f"options-{n}-en": text for n, text in enumerate(["Never", "Often", ""])
}
NUMBER = {"kind": "number", "mechanism": "gaussian", "epsilon": "1", "delta": "1e-6"} | {
    "low": "0",
    "high": "10",
    "step": "1",
    "unit-en": "hours",
}


class Live:
    """What the editor shows for a form as it stands."""

    def __init__(self, text):
        self.text = unescape(text)

    def part(self, name):
        """The part of one question, or ``total``; None where it was not asked for."""
        part = rf'<div data-live="{name}"[^>]*>(.*?)\n?</div>\n?(?=<div|<script|<ul)'
        found = re.search(part, self.text, re.DOTALL)
        return found and found[1]

    def entry(self, index):
        """A question as it would be published."""
        found = re.search(rf'data-entry="{index}">(.*?)</script>', self.text)
        return found and json.loads(found[1])

    @property
    def faults(self):
        """Field -> what is wrong with it."""
        return dict(re.findall(r'<li data-field="([^"]+)">([^<]*)</li>', self.text))

    @property
    def advice(self):
        return re.findall(r'data-advice="(\w+)"', self.text)


@pytest.fixture
def ask(editor):
    """Ask for the figures of these questions and these fields of the survey."""

    def ask(*questions, changed="all", **survey):
        fields = {
            f"questions-{index}-{name}": value
            for index, question in enumerate(questions)
            for name, value in question.items()
        }
        answer = editor.post(ADDRESS, page=editor.address, changed=changed, **(fields | survey))
        assert answer.status_code == 200
        return Live(answer.text)

    return ask


def test_figures_come_for_what_is_typed_and_nothing_is_stored(ask, draft):
    before = draft()
    live = ask(YES_NO, respondents="500")
    # E = e: p = (E - 1)/(E + 1) = .462, P(yes|yes) = E/(1 + E) = .731; margin 1.96 sqrt((.25 + .921)/500)
    assert "Bright side: 46.2%" in live.part(0)
    assert "about 73 are recorded as Yes" in live.part(0)
    assert "±\xa09.5 points for a share, with 500 respondents" in live.part(0)
    assert "ε = 1.0000" in live.part("total")
    assert draft() == before


def test_a_question_comes_as_it_would_be_published_with_something_for_what_is_not_written_yet(ask):
    entry = ask(YES_NO, CHOICE).entry(0)
    assert entry["wording"] == {"en": "Did you?"}
    (column,) = entry["columns"]
    assert column["weights"][0][1] / column["weights"][1][1] == pytest.approx(1 / 2.71828, rel=1e-5)
    entry = ask(YES_NO, CHOICE).entry(1)
    assert entry["wording"] == {"en": "(The wording will appear here.)"}
    assert [option["en"] for option in entry["options"]] == ["Never", "Often", "Option 3"]
    assert entry["columns"][0]["form"]["answers"] == 3


def test_a_draft_in_a_language_that_the_reader_does_not_read_is_shown_in_that(ask):
    entry = ask(YES_NO | {"wording-en": "", "wording-de": "Haben Sie?"}).entry(0)
    assert entry["wording"] == {"en": "Haben Sie?"}


def test_texts_cannot_close_the_island_that_they_stand_in(ask):
    live = ask(YES_NO | {"wording-en": "</script><b>bold</b>"})
    assert "<b>bold" not in live.text
    assert live.entry(0)["wording"]["en"] == "</script><b>bold</b>"


def test_only_what_changed_is_worked_out_but_the_total_counts_all(ask):
    live = ask(YES_NO, CHOICE, changed="1")
    assert live.part(0) is None
    assert live.part(1)
    assert "ε = 2.5000" in live.part("total")


def test_a_question_that_is_not_there_is_not_answered_for(ask):
    for changed in ("", "7", "one", "-1", "1e3"):
        live = ask(YES_NO, changed=changed)
        assert live.part(0) is None
        assert "ε = 1.0000" in live.part("total")


@pytest.mark.parametrize("epsilon", ["0", "-1", "text", "nan", "10.1", "1e400"])
def test_an_epsilon_that_cannot_be_one_is_said_at_its_field_and_has_no_figures(ask, epsilon):
    live = ask(YES_NO | {"epsilon": epsilon}, CHOICE)
    assert live.faults == {
        "questions-0-epsilon": f"Epsilon must be a number above 0 and at most 10. You entered “{epsilon}”."
    }
    assert "Correct the marked field first." in live.part(0)
    assert "ε" not in live.part(0)
    assert live.entry(0) is None
    assert "ε = 1.5000" in live.part("total")
    assert "one question is left out" in live.part("total")


def test_what_is_still_missing_is_named(ask):
    live = ask(YES_NO | {"epsilon": ""}, NUMBER | {"high": ""})
    assert "Epsilon is set by the plan.</p></div>" in live.part(0)  # as its card says
    assert "<li>High</li>" in live.part(1)
    assert live.faults == {}


def test_everything_that_is_missing_of_a_grid_is_named_at_once(ask):
    live = ask(NUMBER | {"low": "", "high": "", "step": ""})
    assert "<ul><li>Low</li><li>High</li><li>Step between answers</li></ul>" in live.part(0)


@pytest.mark.parametrize(
    ("question", "field"),
    [
        (NUMBER | {"epsilon": "0.01"}, "epsilon"),
        (CHOICE | {"mechanism": "exponential", "ordered": "y", "utility": "1 1 1\n1 1 1\n1 1 1"}, "utility"),
    ],
)
def test_a_setting_that_does_not_go_with_the_others_is_marked(ask, question, field):
    live = ask(question)
    assert list(live.faults) == [f"questions-0-{field}"]
    assert live.entry(0) is None


LARGE = NUMBER | {"high": "1000"}


def test_what_takes_long_to_compare_comes_when_it_is_asked_for_and_nothing_is_stale_until_then(ask):
    epsilon = {"epsilon": "1.2345"}  # that nobody has asked for yet
    first = ask(LARGE | epsilon, YES_NO)
    assert re.search(r'data-live="0" data-partial>', first.text)
    assert 'data-live="1">' in first.text
    assert "±\xa0" in first.part(0)
    assert "sharper_mean" not in first.advice
    full = ask(LARGE | epsilon, YES_NO, changed="0", in_full="1")
    assert "data-partial" not in full.text
    assert "sharper_mean" in full.advice
    again = ask(LARGE | epsilon, YES_NO, respondents="500")
    assert "sharper_mean" in again.advice, "what is known is said at once"


def test_more_questions_than_a_survey_may_have_are_not_read(ask):
    live = ask(*[YES_NO] * 120)
    assert live.part(99)
    assert live.part(100) is None
    assert "ε = 100.0000" in live.part("total")


@pytest.mark.parametrize("changed", ["9" * 5000, "²", "٣", "0,0,0", "total"])
def test_places_that_are_none_are_passed_over(ask, changed):
    assert "ε = 1.0000" in ask(YES_NO, changed=changed).part("total")


def test_a_text_of_a_million_characters_is_not_repeated(ask):
    said = ask(YES_NO | {"epsilon": "9" * 1_000_000}).faults["questions-0-epsilon"]
    assert len(said) < 200


@pytest.mark.parametrize("epsilon", ["1_0", "\N{FULLWIDTH DIGIT ONE}", "\N{ARABIC-INDIC DIGIT THREE}", "0x1"])
def test_only_plain_digits_are_a_number(ask, epsilon):
    assert "questions-0-epsilon" in ask(YES_NO | {"epsilon": epsilon}).faults
    assert "questions-0-delta" in ask(NUMBER | {"delta": f"0.{epsilon}"}).faults


def test_one_respondent_is_no_plural_and_a_skip_is_no_surprise(ask):
    part = ask(YES_NO | {"skip": "apart"}, respondents="1").part(0)
    assert "with 1 respondent (95%)" in part
    assert "With 1 respondent, it can move" in part
    assert "Skips" not in ask(YES_NO | {"skip": "apart"}, respondents="none").part(0)


@pytest.mark.parametrize(
    ("question", "respondents", "code"),
    [
        (YES_NO | {"epsilon": "1.5"}, "5", "wide"),
        (YES_NO | {"epsilon": "0.05"}, "1000", "wide"),
        (YES_NO | {"epsilon": "1"}, "199", "few"),
        (NUMBER | {"mechanism": "one_bit", "epsilon": "0.05"}, "1000", "wide"),
    ],
)
def test_a_margin_of_half_of_everything_is_warned_of(ask, question, respondents, code):
    assert code in ask(question, respondents=respondents).advice


def test_a_margin_below_half_is_not(ask):
    # 1.96 sqrt((.25 + E/(E - 1)^2)/n) at E = e^1.5 is .5 for n = 9.5
    assert "wide" in ask(YES_NO | {"epsilon": "1.5"}, respondents="9").advice
    assert "wide" not in ask(YES_NO | {"epsilon": "1.5"}, respondents="10").advice


@pytest.mark.parametrize(("respondents", "warned"), [("999999", False), ("1000000", True)])
def test_a_delta_of_one_in_the_number_of_respondents_is_warned_of(ask, respondents, warned):
    assert ("delta" in ask(NUMBER, respondents=respondents).advice) == warned


@pytest.mark.parametrize(
    ("field", "value"),
    [("delta", "0"), ("delta", "1"), ("low", "20"), ("step", "0.3"), ("step", "x"), ("mechanism", "wheel")],
)
def test_every_setting_that_is_refused_is_said_at_its_field(ask, field, value):
    live = ask(NUMBER | {field: value})
    assert f"questions-0-{field}" in live.faults
    assert live.entry(0) is None


def test_settings_that_are_right_each_but_not_together_are_told(ask):
    live = ask(
        {"kind": "number", "mechanism": "laplace", "epsilon": "1e-9", "low": "0", "high": "1000", "step": "1"}
    )
    assert "the reports contain too little" in live.faults["questions-0-epsilon"]
    assert "Correct the marked field first." in live.part(0)


def test_a_grid_too_fine_for_its_numbers_is_said_at_the_step_and_not_at_epsilon(ask):
    fine = {"low": "-1000000000", "high": "-999999999.999", "step": "0.000001"}
    live = ask({"kind": "number", "mechanism": "one_bit", "epsilon": "1"} | fine)
    assert "about 16 digits of a number. Choose a larger step" in live.faults["questions-0-step"]
    assert "questions-0-epsilon" not in live.faults


@pytest.mark.parametrize("respondents", ["0", "-5", "1.5", "", "many", "1e3"])
def test_respondents_that_are_no_number_of_people_give_no_margin(ask, respondents):
    live = ask(YES_NO, respondents=respondents)
    assert f"You entered “{respondents}”" in live.faults["respondents"]
    assert "Bright side" in live.part(0)
    assert "Margin of error" not in live.part(0)


@pytest.mark.parametrize("waves", ["0", "1001", "1.5", "two", ""])
def test_waves_that_cannot_be_give_no_total(ask, waves):
    live = ask(YES_NO, waves=waves, limit="0.5")
    assert f"from 1 to 1000. You entered “{waves}”" in live.faults["waves"]
    assert "There is no total yet" in live.part("total")
    assert live.advice == []


@pytest.mark.parametrize("limit", ["0", "-1", "nan", "inf", "none", "1e10"])
def test_a_limit_that_cannot_be_one_is_compared_with_nothing(ask, limit):
    live = ask(YES_NO | {"epsilon": "4"}, limit=limit)
    assert f"You entered “{limit}”" in live.faults["limit"]
    assert "ε = 4.0000" in live.part("total")
    assert live.advice == ["weak"]


@pytest.mark.parametrize(
    ("waves", "limit", "advice"),
    [
        ("1", "2.6", ["beyond"]),
        ("1", "2.4", ["limit"]),
        ("3", "2.6", ["limit"]),
        ("3", "7.6", ["little"]),
        ("1", "", ["beyond"]),
    ],
)
def test_the_total_over_all_waves_is_held_against_the_limit(ask, waves, limit, advice):
    live = ask(YES_NO, CHOICE, waves=waves, limit=limit)
    assert f"ε = {2.5 * int(waves):.4f}" in live.part("total")
    assert ("3 waves" in live.part("total")) == (waves == "3")
    assert live.advice == advice


def test_within_both_limits_nothing_is_said_but_both_figures(ask):
    live = ask(YES_NO, YES_NO, waves="1", limit="")
    assert live.advice == []
    assert "is right at most 74 times in 100; after the most telling result, 89 times" in live.part("total")


def test_a_survey_that_protects_little_says_what_it_comes_to(ask):
    # On average the spinner tells more than the wheel, whatever that says; at most e^3.5 : 1 = .9707
    live = ask(YES_NO | {"epsilon": "2"}, CHOICE)
    assert live.advice == ["little"]
    assert "is right up to 89 times in 100, and 98 times after the most telling result" in live.part("total")


def test_the_gaussian_adds_its_delta_to_the_total(ask):
    assert "ε = 2.0000, δ = 2e-6" in ask(NUMBER, waves="2").part("total")


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_answer_is_in_the_language_of_the_editor(editor, language):
    fields = {f"questions-0-{name}": value for name, value in YES_NO.items()}
    answer = editor.post(
        f"{ADDRESS}?language={language}", page=editor.address, changed="all", limit="0.5", **fields
    )
    assert {"en": "Bright side", "ko": "밝은 쪽"}[language] in answer.text
    assert not re.search(r"\{\w+\}", answer.text.partition("<script")[0])


def test_who_may_not_edit_is_not_answered(editor, browse):
    assert browse("researcher").post(ADDRESS, page="/account", changed="all").status_code == 403
    assert browse().post(ADDRESS, page="/login", changed="all").status_code == 302
    assert editor.post(ADDRESS, page=editor.address, csrf_token="another", changed="all").status_code == 400


def test_a_survey_that_is_published_or_not_there_has_no_preview(admin, survey_file, storage):
    admin.post("/admin/import", text=tomli_w.dumps(survey_file()))
    storage.write(surveys.open_survey, storage.read(surveys.by_slug, "exams").id)
    assert admin.post("/admin/surveys/exams/preview", page="/admin/new").status_code == 409
    assert admin.post("/admin/surveys/nowhere/preview", page="/admin/new").status_code == 404


def test_numbers_of_thousands_of_digits_are_read_or_refused_in_words(ask):
    for field in ("epsilon", "delta", "low", "high", "step"):
        for typed in ("9" * 5000, f"0.{5000 * '0'}1", "1e-300", "-1e15", "1e999"):
            assert ask(NUMBER | {field: typed}).part("total")
