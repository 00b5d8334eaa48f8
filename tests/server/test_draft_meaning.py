"""The editor says what a setting means before it is published: privacy, precision, forgery, advice."""

import math
import re

import pytest
from draft_editor import words

from server.drafts.draft_reading import draft_previews
from server.drafts.question_preview import together
from survey.draft import document_of
from survey.privacy import plain_sum


def asked(kind, mechanism, epsilon=None, options=0, **more):
    table = {"id": "asked", "kind": kind, "mechanism": mechanism, "wording": {"en": "What?"}} | more
    if epsilon is not None:
        table["epsilon"] = epsilon
    if options:
        table["options"] = [{"en": f"Option {n}"} for n in range(options)]
    return table


NUMBER = {"low": 0, "high": 10, "step": 0.5}
ONE_OF_EACH = [
    asked("yes_no", "spinner_coin", 1.0),
    asked("yes_no", "spinner", 1.0, skip="randomized"),
    asked("yes_no", "coin", by_hand="coin", skip="apart"),
    asked("choice", "wheel", 1.0, options=5, skip="randomized"),
    asked("choice", "subset", 1.0, options=10),
    asked("choice", "exponential", 1.0, options=5, ordered=True),
    asked("boxes", "per_box", 1.0, options=3, scope="box"),
    asked("boxes", "sampled_box", 1.0, options=10, skip="apart"),
    asked("number", "one_bit", 1.0, **NUMBER),
    asked("number", "laplace", 1.0, unit={"en": "hours"}, **NUMBER),
    asked("number", "gaussian", 1.0, delta=1e-6, **NUMBER),
    asked("number", "hybrid", 1.0, **NUMBER),
]


def preview(question, expected=1000):
    (shown,) = draft_previews(document_of({"questions": [dict(question)]}) | {"expected": expected})
    return shown


def test_a_guess_is_right_on_average_and_after_the_most_telling_report():
    # P(a | a) - P(a | b) = (E - 1)/(E + 6): half of .197 above a half; at most e^1 : 1, which is .731.
    wheel = preview(asked("choice", "wheel", 1.0, options=7)).guess
    assert (wheel.times_right, wheel.times_telling) == (60, 74)
    exact = preview(asked("yes_no", "coin")).guess
    assert (exact.times_right, exact.times_telling) == (75, 75)


def test_odds_near_one_are_not_said_as_certain():
    odds = preview(asked("yes_no", "spinner", 10.0)).odds
    assert 0 < odds.turned < odds.unchanged < odds.people


@pytest.mark.parametrize(
    ("question", "margin"),
    [
        # 1.96 sqrt(V / 1000), V = n times the variance of one share when all are equal
        (asked("yes_no", "spinner", 1.0), 1.96 * math.sqrt((0.25 + math.e / (math.e - 1) ** 2) / 1000)),
        (asked("choice", "wheel", 1.0, options=10), 1.96 * math.sqrt(4.19 / 1000)),
        (asked("choice", "subset", 1.0, options=10), 1.96 * math.sqrt(3.0 / 1000)),
        # One bit on [-1, 1], where it is worst: ((E + 1)/(E - 1))^2.
        (
            asked("number", "one_bit", 1.0, low=-1, high=1, step=0.5),
            1.96 * (math.e + 1) / (math.e - 1) / math.sqrt(1000),
        ),
    ],
)
def test_the_margin_of_error_is_that_of_the_expected_respondents(question, margin):
    (single,) = preview(question).comparison.margins
    assert single.chosen == pytest.approx(margin, rel=2e-3)
    (fourfold,) = preview(question, 4000).comparison.margins
    assert fourfold.chosen == pytest.approx(single.chosen / 2)


@pytest.mark.parametrize(
    ("question", "best"),
    [
        (asked("choice", "wheel", 1.0, options=10), "subset"),
        (asked("choice", "subset", 1.0, options=10, size=1), "subset"),
        (asked("boxes", "per_box", 1.0, options=10, scope="question"), "sampled_box"),
        (asked("number", "laplace", 1.0, **NUMBER), "hybrid"),
        (asked("number", "gaussian", 1.0, delta=1e-6, **NUMBER), "hybrid"),
        (asked("yes_no", "spinner", 1.0), None),
        (asked("yes_no", "coin"), None),
        (asked("yes_no", "spinner_coin", 1.0, skip="randomized"), None),
        (asked("choice", "wheel", 1.0, options=3), None),
        (asked("choice", "subset", 1.0, options=10), None),
        (asked("boxes", "sampled_box", 1.0, options=10), None),
        (asked("number", "hybrid", 1.0, **NUMBER), None),
        # every other mechanism refuses it, and still it has a margin
        (asked("number", "gaussian", 1e-4, delta=0.5, low=0, high=10, step=1), None),
    ],
)
def test_a_sharper_mechanism_at_the_same_epsilon_is_named_and_the_best_is_left_alone(question, best):
    margins = preview(question).comparison.margins
    assert [margin.mechanism for margin in margins if margin.improvable] == ([best] if best else [])


def test_a_report_by_hand_counts_with_its_own_loss_where_that_is_larger():
    by_hand, small = asked("yes_no", "spinner", 0.5, by_hand="coin"), asked("yes_no", "spinner", 0.5)
    assert preview(by_hand).epsilon == math.log(3)
    total = plain_sum(together([preview(by_hand), preview(small)])).epsilon
    assert total == pytest.approx(math.log(3) + 0.5, abs=1e-6)
    assert preview(asked("yes_no", "spinner", 2.0, by_hand="coin")).epsilon == pytest.approx(2.0)


def test_a_question_that_lacks_a_setting_has_no_preview_and_one_that_lacks_texts_has():
    for lacking in (
        asked("yes_no", "spinner"),
        asked("choice", "wheel", 1.0),
        asked("number", "hybrid", 1.0),
    ):
        assert preview(lacking) is None
    assert plain_sum(together([None])).epsilon == 0
    assert preview({**asked("choice", "wheel", 1.0), "wording": {}, "options": [{}] * 4}) is not None


def test_the_textbook_scale_has_a_loss_of_its_own():
    textbook = preview(asked("choice", "exponential", 1.0, options=10, ordered=True)).textbook
    assert textbook.textbook_epsilon < 0.6 < textbook.scale / textbook.textbook_scale


@pytest.fixture
def meaning(editor):
    """Say what a question means, as the editor does."""

    def meaning(question, expected=1000):
        document = document_of({"languages": ["en"], "questions": [dict(question)]})
        uid = document["questions"][0]["uid"]
        answer = editor.preview(document | {"expected": expected}, uid, in_full=True)
        return words(answer["shown"][uid]["meaning"])

    return meaning


SAID = {
    "both margins of a sharper mechanism": (
        asked("choice", "wheel", 1.0, options=10),
        "would be more precise at the same epsilon: ±\xa010.7 points instead of ±\xa012.7 points.",
    ),
    "a set size that costs precision": (
        asked("choice", "subset", 1.0, options=10, size=1),
        "Leave the field empty",
    ),
    "hybrid that is one bit": (asked("number", "hybrid", 0.5, **NUMBER), "is the same as “One bit”"),
    "the distribution of a number": (
        asked("number", "laplace", 1.0, **NUMBER),
        "ask a one-choice question with classes",
    ),
    "exponential is not for shares": (
        asked("choice", "exponential", 1.0, options=10, ordered=True),
        "±\xa0171.5 points, while “Set of options” would give ±\xa010.7 points",
    ),
    "a mean position": (
        asked("choice", "exponential", 1.0, options=10, ordered=True),
        "for the mean position",
    ),
    # sqrt(2 ln(1.25/delta)) range / epsilon = 5.299 x 10
    "the textbook": (asked("number", "gaussian", 1.0, delta=1e-6, **NUMBER), "gives 53"),
    "delta": (asked("number", "gaussian", 1.0, delta=1e-6, **NUMBER), "ε = 1.0000, δ = 1e-6"),
    # (E + 1)/(E - 1) = 2.164 with 1000 respondents: .216 points; of a range of 10, .0216.
    "forgery of a share": (
        asked("yes_no", "spinner", 1.0),
        "as much as 2.16 true answers. "
        "With 1,000 respondents, it can move the estimate by up to 0.216 points",
    ),
    "forgery of a mean": (
        asked("number", "one_bit", 1.0, unit={"en": "hours"}, **NUMBER),
        "by up to 0.0216 hours.",
    ),
    "both losses of boxes": (
        asked("boxes", "per_box", 1.2, options=3, scope="question"),
        "ε = 0.4000 for each box that is reported, ε = 1.2000 for the whole question",
    ),
    "both losses of boxes, a box": (
        asked("boxes", "per_box", 1.2, options=3, scope="box"),
        "ε = 1.2000 for each box that is reported, ε = 3.6000 for the whole question",
    ),
}


@pytest.mark.parametrize(("question", "said"), SAID.values(), ids=SAID)
def test_what_a_setting_means_is_said_in_words(meaning, question, said):
    assert said in meaning(question)


def test_the_margin_of_a_mean_without_a_unit_stands_beside_its_range(editor):
    questions = [ONE_OF_EACH[index] for index in (8, 5, 9)]
    cards = editor.preview(document_of({"questions": [dict(question) for question in questions]}))["cards"]
    beside = [card["margin"].partition(" ")[2] for card in cards.values()]
    assert beside == ["(in a range of 10)", "(in a range of 4)", "hours"]


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_kind_has_its_meaning_before_and_after_opening_in_both_languages(editor, survey_file, language):
    named = [question | {"id": f"asked_{n}x"} for n, question in enumerate(ONE_OF_EACH)]
    editor.write(document_of(survey_file("health", questions=named)) | {"expected": 100})
    word, headers = {"en": "fifty-fifty", "ko": "반반"}[language], {"Accept-Language": language}
    for question in editor.document["questions"]:
        body = {"document": editor.document, "open": question["uid"], "changed": [question["uid"]]}
        shown = words(editor.post("preview", body, **headers).json["shown"][question["uid"]]["meaning"])
        assert word in shown
        assert not re.search(r"\{\w+\}|None", shown), "a placeholder that nobody filled"
    before = editor.page_text(f"/open?language={language}")
    assert 'data-advice="few"' in before, "a warning is said before publishing"
    fingerprint = re.search(r'name="fingerprint" value="(\w+)"', before)[1]
    opened = {"fingerprint": fingerprint, "reason": "It is a test."}
    assert editor.browser.post(f"{editor.address}/open", page="/admin/new", **opened).status_code == 302
    after = editor.page_text(f"?language={language}")
    assert after.count('class="meaning"') == after.count(word) == len(ONE_OF_EACH)
    assert "None" not in after
