"""The figures follow the draft as it stands in the page, and are stored nowhere."""

import re

import pytest
from draft_editor import marks, words

from server.language.catalogue import section
from survey.draft import document_of

YES_NO = {"kind": "yes_no", "mechanism": "spinner_coin", "epsilon": 1.0, "wording": {"en": "Did you?"}}
CHOICE = {"kind": "choice", "mechanism": "wheel", "epsilon": 1.5}
CHOICE |= {"options": [{"en": "Never"}, {"en": "Often"}, {}]}
NUMBER = {"kind": "number", "mechanism": "gaussian", "epsilon": 1.0, "delta": 1e-6}
NUMBER |= {"low": 0, "high": 10, "step": 1, "unit": {"en": "hours"}}


class Figures:
    """The answer about a draft that asks some questions, of which one is open."""

    def __init__(self, answer, document, opened):
        self.answer, self.uids = answer, [question["uid"] for question in document["questions"]]
        self.opened = self.uids[opened]

    @property
    def meaning(self):
        return words(self.answer["shown"][self.opened]["meaning"])

    @property
    def entry(self):
        """The open question as it would be published."""
        return self.answer["shown"][self.opened]["entry"]

    @property
    def total(self):
        return words(self.answer["total"])

    @property
    def advice(self):
        parts = [self.answer["total"], *(shown["meaning"] for shown in self.answer["shown"].values())]
        return [code for part in parts for code in marks(part, "data-advice")]

    @property
    def wording(self):
        """Hints about the texts of the open question."""
        return marks(self.answer["shown"][self.opened]["wording"], "data-wording")

    @property
    def faults(self):
        """Number and key of a question -> what is wrong with it."""
        faults = ((problem["unit"].partition("."), problem["said"]) for problem in self.answer["problems"])
        return {(self.uids.index(uid), key): said for (uid, _, key), said in faults}


@pytest.fixture
def ask(editor):
    """Ask for the figures of a draft with these questions."""

    def ask(*questions, opened=0, changed="all", in_full=False, wrong=None, **survey):
        table = {"candor": 3, "languages": ["en"], "questions": [dict(question) for question in questions]}
        document = document_of(table) | {"slug": "health"} | survey
        document["questions"][opened] |= wrong or {}
        uids = [question["uid"] for question in document["questions"]]
        numbers = changed if changed == "all" else [uids[n] for n in changed]
        answer = editor.preview(document, uids[opened], changed=numbers, in_full=in_full)
        return Figures(answer, document, opened)

    return ask


def test_figures_come_for_what_is_typed_and_nothing_is_stored(ask, editor):
    shown = ask(YES_NO, expected=500)
    # E = e: p = (E - 1)/(E + 1) = .462, P(yes|yes) = E/(1 + E) = .731; margin 1.96 sqrt((.25 + .921)/500)
    assert "Bright side: 46.2%" in shown.meaning
    assert "about 73 are recorded as Yes" in shown.meaning
    assert "±\xa09.5 points for a share, with 500 respondents" in shown.meaning
    assert "ε = 1.0000" in shown.total
    assert shown.answer["cards"][shown.opened] == {"epsilon": "ε = 1", "margin": "±\xa09.5 points"}
    assert editor.load().json["document"] == editor.document


def test_a_question_comes_as_it_would_be_published_with_something_for_what_is_not_written_yet(ask):
    entry = ask(YES_NO, CHOICE).entry
    assert entry["wording"] == {"en": "Did you?"}
    (column,) = entry["columns"]
    assert column["weights"][0][1] / column["weights"][1][1] == pytest.approx(1 / 2.71828, rel=1e-5)
    entry = ask(YES_NO, CHOICE, opened=1).entry
    assert entry["wording"] == {"en": "(The wording will appear here.)"}
    assert [option["en"] for option in entry["options"]] == ["Never", "Often", "Option 3"]
    assert entry["columns"][0]["form"]["answers"] == 3
    assert ask(YES_NO | {"wording": {"de": "Haben Sie?"}}).entry["wording"] == {"en": "Haben Sie?"}


def test_a_question_has_its_picture_in_the_view_of_respondents(ask):
    size = {"sha256": "ab" * 32, "type": "png", "width": 60, "height": 40}
    entry = ask(YES_NO | {"picture": size | {"alt": {"en": "A glass of wine"}}}).entry
    assert entry["picture"] == size | {"alt": {"en": "A glass of wine"}}


def test_only_what_changed_is_worked_out_but_the_total_counts_all(ask):
    shown = ask(YES_NO, CHOICE, opened=1, changed=[1])
    assert [*shown.answer["cards"]] == [shown.opened]
    assert "ε = 2.5000" in shown.total
    assert ask(YES_NO, CHOICE, opened=0, changed=[1]).answer["shown"] == {}


@pytest.mark.parametrize(
    "epsilon", [0, -1, "text", "nan", 10.1, "1_0", "\N{FULLWIDTH DIGIT ONE}", "9" * 10**6]
)
def test_an_epsilon_that_cannot_be_one_is_said_and_has_no_figures(ask, epsilon):
    shown = ask(YES_NO | {"epsilon": epsilon}, CHOICE)
    assert [*shown.faults] == [(0, "epsilon")]
    assert len(shown.faults[0, "epsilon"]) < 200
    assert "Correct the marked field first." in shown.meaning
    assert shown.entry is None
    assert "ε = 1.5000" in shown.total
    assert "one question is left out" in shown.total


FINE = {"low": -1e9, "high": -999999999.999, "step": 0.000001}
REFUSED = {
    "delta of 0": ({"delta": 0}, "delta", "above 0 and below 1"),
    "low above high": ({"low": 20}, "low", "below high"),
    "step": ({"step": 0.3}, "step", "not “0.3”"),
    "another mechanism": ({"mechanism": "wheel"}, "mechanism", "not “wheel”"),
    "two that do not go together": ({"epsilon": 0.01}, "epsilon", "not “0.01”"),
    "too little": ({"mechanism": "laplace", "epsilon": 1e-9, "high": 1000}, "epsilon", "the mean misses"),
    "a grid too fine": ({"mechanism": "one_bit", **FINE}, "step", "16 digits"),
}


@pytest.mark.parametrize(("wrong", "key", "said"), REFUSED.values(), ids=REFUSED)
def test_every_setting_that_is_refused_is_said_at_its_field(ask, wrong, key, said):
    shown = ask(NUMBER, wrong=wrong)
    assert [*shown.faults] == [(0, key)]
    assert said in shown.faults[0, key]
    assert shown.entry is None


def test_what_is_still_missing_is_named_at_once(ask):
    shown = ask({key: value for key, value in NUMBER.items() if key not in ("low", "high", "step")})
    assert "LowHighStep between answers" in shown.meaning.replace("\n", "")
    assert shown.faults == {}
    shown = ask({key: value for key, value in YES_NO.items() if key != "epsilon"}, CHOICE)
    assert "Epsilon is set by the plan." in shown.meaning
    assert shown.answer["plan"] == "Plan the question that has no epsilon yet"
    assert ask(YES_NO | {"mechanism": "coin"}).answer["plan"] == ""


def test_what_takes_long_to_compare_comes_when_it_is_asked_for_and_is_known_from_then_on(ask):
    large = NUMBER | {"high": 1000, "epsilon": 1.2345}  # that nobody has asked for yet
    first = ask(large)
    assert first.answer["shown"][first.opened]["partial"] is True
    assert "±\xa0" in first.meaning
    assert "sharper_mean" not in first.advice
    full = ask(large, in_full=True)
    assert full.answer["shown"][full.opened]["partial"] is False
    assert "sharper_mean" in full.advice
    assert "sharper_mean" in ask(large, expected=500).advice


def test_one_respondent_is_no_plural(ask):
    shown = ask(YES_NO | {"skip": "apart"}, expected=1)
    assert "with 1 respondent (95%)" in shown.meaning
    assert "With 1 respondent, it can move" in shown.meaning


@pytest.mark.parametrize(
    ("question", "expected", "code", "said"),
    [
        (YES_NO | {"epsilon": 0.05}, 1000, "wide", True),
        (NUMBER | {"mechanism": "one_bit", "epsilon": 0.05}, 1000, "wide", True),
        # 1.96 sqrt((.25 + E/(E - 1)^2)/n) at E = e^1.5 is .5 for n = 9.5
        (YES_NO | {"epsilon": 1.5}, 9, "wide", True),
        (YES_NO | {"epsilon": 1.5}, 10, "wide", False),
        (YES_NO, 199, "few", True),
        (YES_NO, 200, "few", False),
        (YES_NO | {"epsilon": 3.0}, 1000, "weak", False),
        (YES_NO | {"epsilon": 3.1}, 1000, "weak", True),
        # A = (E + 1)/(E - 1): 4.9 at .415, 5.1 at .4
        (YES_NO | {"epsilon": 0.415}, 1000, "forged", False),
        (YES_NO | {"epsilon": 0.4}, 1000, "forged", True),
        (NUMBER, 999_999, "delta", False),
        (NUMBER, 1_000_000, "delta", True),
        (NUMBER | {"mechanism": "hybrid", "epsilon": 0.5}, 1000, "mean_only", True),
        (NUMBER | {"mechanism": "hybrid", "epsilon": 0.65}, 1000, "mean_only", False),
        (NUMBER | {"mechanism": "one_bit", "epsilon": 0.5}, 1000, "mean_only", False),
        (NUMBER | {"mechanism": "laplace"}, 1000, "classes", True),
        (CHOICE, 1000, "classes", False),
    ],
)
def test_warnings_begin_where_they_should(ask, question, expected, code, said):
    assert (code in ask(question, expected=expected).advice) == said


@pytest.mark.parametrize("expected", [0, -5, 1.5, "many"])
def test_respondents_that_are_no_number_of_people_are_said_to_be_the_usual_ones(ask, expected):
    assert "with 1,000 respondents" in ask(YES_NO, expected=expected).meaning


@pytest.mark.parametrize("waves", [1001, 1.5, "two"])
def test_waves_that_cannot_be_give_no_total(ask, waves):
    shown = ask(YES_NO, budget={"waves": waves, "limit": 0.5})
    assert "There is no total yet" in shown.total
    assert shown.advice == []


@pytest.mark.parametrize("limit", [-1, "none", 1e10])
def test_a_limit_that_cannot_be_one_is_compared_with_nothing(ask, limit):
    shown = ask(YES_NO | {"epsilon": 4.0}, budget={"limit": limit})
    assert "ε = 4.0000" in shown.total
    assert shown.advice == ["weak"]


@pytest.mark.parametrize(
    ("budget", "advice"),
    [
        ({"limit": 2.6}, ["beyond"]),
        ({"limit": 2.4}, ["limit"]),
        ({"waves": 3, "limit": 2.6}, ["limit"]),
        ({"waves": 3, "limit": 7.6}, ["little"]),
        ({}, ["beyond"]),
    ],
)
def test_the_total_over_all_waves_is_held_against_the_limit(ask, budget, advice):
    shown = ask(YES_NO, CHOICE, budget=budget)
    waves = budget.get("waves", 1)
    assert f"ε = {2.5 * waves:.4f}" in shown.total
    assert ("3 waves" in shown.total) == (waves == 3)
    assert [code for code in shown.advice if code not in ("few", "wide")] == advice


def test_a_limit_that_only_doubles_exceed_is_kept(ask):
    shown = ask(NUMBER | {"epsilon": 0.1}, budget={"limit": 0.3, "waves": 3})
    assert "ε = 0.3000, δ = 3e-6 (limit 0.3)" in shown.total
    assert "limit" not in shown.advice


def test_no_total_looks_like_a_limit_that_it_exceeds(ask):
    coin = YES_NO | {"mechanism": "coin"}
    shown = ask(coin, budget={"limit": 1.0986})
    assert "ε = 1.09861 (limit 1.0986)" in shown.total
    assert "limit" in shown.advice
    shown = ask(coin, budget={"limit": 1.0987})
    assert "ε = 1.0986 (limit 1.0987)" in shown.total
    assert "limit" not in shown.advice


def test_a_survey_says_how_often_a_guess_is_right_on_average_and_after_the_most_telling_result(ask):
    shown = ask(YES_NO, YES_NO)
    assert shown.advice == []
    assert "is right at most 74 times in 100; after the most telling result, 89 times" in shown.total
    # On average the spinner tells more than the wheel, whatever that says; at most e^3.5 : 1 = .9707
    shown = ask(YES_NO | {"epsilon": 2.0}, CHOICE)
    assert shown.advice == ["little"]
    assert "is right up to 89 times in 100, and 98 times after the most telling result" in shown.total


HOME, ALWAYS = "n000000000001", "n000000000002"


def test_figures_count_those_who_are_asked_and_what_one_person_is_asked(ask, editor):
    """One part that everybody is asked, and the two dearest of three: 1 + 2 + 1 in each of two waves."""
    document = document_of({"languages": ["en"], "questions": [YES_NO] * 5}) | {"slug": "health"}
    for question, part in zip(document["questions"], (ALWAYS, "", HOME, HOME, ""), strict=True):
        question["section"] = part
    parts = [{"uid": ALWAYS, "id": "who", "always": True}, {"uid": HOME, "id": "home"}]
    survey = {**document, "sections": parts, "expected": 900, "asked": 2, "budget": {"waves": 2}}

    def total(**more):
        return words(editor.preview(survey | more, changed=[])["total"])

    people = []
    for question in document["questions"]:
        shown = editor.preview(survey, question["uid"])["shown"][question["uid"]]["meaning"]
        people += [count for count in ("900", "600") if f"with {count} respondents" in words(shown)]
    assert people == ["900", "600", "600", "600", "600"]
    assert "Each person is asked 3 of 4 parts in each of 2 waves, in all at most: ε = 8.0000" in total()
    assert "ε = 6.0000" in total(asked=1)
    assert "ε = 10.0000" in total(asked=None)
    assert "ε = 10.0000" in total(asked="9" * 5000)


def test_advice_on_wording_follows_what_is_typed(ask):
    asked = YES_NO | {"wording": {"en": "Did you drink alcohol?"}}
    assert ask(asked).wording == ["time"]
    assert section("en", "wording")["time"] in words(ask(asked).answer["shown"].popitem()[1]["wording"])
    assert ask(asked | {"note": {"en": "Last week."}}).wording == []
    both = ask(asked | {"wording": {"en": "Did you drink alcohol?", "ko": "술을 마셨습니까?"}})
    assert both.wording == ["time", "time"]
    assert "(English)" in words(both.answer["shown"].popitem()[1]["wording"])
    ranges = [{"en": "0-5"}, {"en": "5-9"}]
    assert ask(CHOICE | {"wording": {"en": "How many?"}, "options": ranges}).wording == ["overlap"]
    assert ask(asked | {"matrix": "habits"}).wording == []


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "=1+1", "\u202egnitirw", "x" * 900_000])
def test_whatever_is_typed_is_answered_as_text(ask, text):
    shown = ask(YES_NO | {"wording": {"en": f"Did you {text}?"}})
    assert "script" not in str([node[0] for node in shown.answer["total"] if not isinstance(node, str)])
    assert shown.entry["wording"]["en"] == f"Did you {text}?"


def test_the_answer_is_in_the_language_of_the_page(editor):
    document = document_of({"languages": ["en"], "questions": [YES_NO]}) | {"slug": "health"}
    body = {"document": document, "open": document["questions"][0]["uid"]}
    shown = editor.post("preview", body, **{"Accept-Language": "ko"}).json["shown"].popitem()[1]
    assert "밝은 쪽" in words(shown["meaning"])


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({}, "document must be an object"),
        ({"document": {"titel": {"en": "x"}}}, "titel.en must be absent"),
        ({"document": {"questions": [{"uid": "n0"}]}}, "Questions must be a list of different uids"),
        ({"document": {}, "changed": 7}, "changed must be a list"),
    ],
)
def test_what_is_no_draft_is_refused_with_the_path(editor, body, said):
    answer = editor.post("preview", body)
    assert (answer.status_code, answer.json["state"]) == (422, "refused")
    assert said in answer.json["text"]


def test_each_mechanism_says_how_many_people_it_needs_for_what_is_wanted(ask):
    scale = CHOICE | {"ordered": True, "epsilon": 0.8765}  # that nobody has asked for yet
    first = ask(scale)
    assert first.answer["shown"][first.opened]["people"] == {}
    assert first.answer["shown"][first.opened]["partial"] is True
    full = ask(scale, in_full=True)
    people = full.answer["shown"][full.opened]["people"]
    assert people.keys() == {"wheel", "subset", "designed", "exponential"}
    assert all(re.fullmatch(r"about [\d,]+ people", said) for said in people.values())
    other = ask(YES_NO).answer["shown"].popitem()[1]
    assert (other["people"], other["partial"]) == ({}, False), "no other needs fewer"
    number = NUMBER | {"mechanism": "designed", "high": 8, "wants": {"curve": 1.0}, "delta": None}
    shown = ask(number, in_full=True)
    people = shown.answer["shown"][shown.opened]["people"]
    assert people.pop("designed").startswith("about ")
    assert set(people.values()) == {"cannot show what you want to know"}
