"""The editor says what a setting means before it is published: privacy, precision, forgery, advice."""

import math
import re

import pytest
import tomli_w

from server.editor.preview import together
from server.editor.reading import draft_previews
from survey.privacy import plain_sum

TEXTS = {name: {"en": name} for name in ("title", "information", "consent")}


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


@pytest.fixture
def pages(admin, survey_file):
    """Import a survey of these questions; give its page, that before opening, or that once it is open.

    A query with a gap gives a function from the panel to open to the page.
    """

    def pages(*questions, query="", opened=False):
        named = [question | {"id": f"asked_{n}x"} for n, question in enumerate(questions)]
        text = tomli_w.dumps(survey_file(slug="health", questions=named))
        assert admin.post("/admin/import", text=text).status_code == 302
        address = "/admin/surveys/health"
        if opened:
            before = admin.get(f"{address}/open{query}").text
            fingerprint = re.search(r'name="fingerprint" value="(\w+)"', before)[1]
            admin.post(f"{address}/open", fingerprint=fingerprint, reason="It is a test.")
            return before, admin.get(address).text
        if "{}" in query:
            return lambda panel: admin.get(address + query.format(panel)).text
        return admin.get(address + query).text

    return pages


def advice(page):
    """Give what is advised for the questions; that for all of them together stands above their cards."""
    before, _, after = page.partition('id="total"')
    return re.findall(r'data-advice="(\w+)"', before + after.partition('id="cards"')[2])


def preview(question, respondents=1000):
    (found,) = draft_previews({"questions": [question]}, respondents)
    return found


def test_a_guess_is_right_on_average_and_after_the_most_telling_report():
    # P(a | a) - P(a | b) = (E - 1)/(E + 6): half of .197 above a half; at most e^1 : 1, which is .731.
    wheel = preview(asked("choice", "wheel", 1.0, options=7)).guess
    assert (wheel.times_right, wheel.times_telling) == (60, 74)
    exact = preview(asked("yes_no", "coin")).guess
    assert (exact.times_right, exact.times_telling) == (75, 75)


def test_odds_near_one_are_not_said_as_certain():
    found = preview(asked("yes_no", "spinner", 10.0))
    assert 0 < found.odds.turned < found.odds.kept < found.odds.people


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
    (found,) = preview(question).comparison.margins
    assert found.chosen == pytest.approx(margin, rel=2e-3)
    (fourfold,) = preview(question, 4000).comparison.margins
    assert fourfold.chosen == pytest.approx(found.chosen / 2)


@pytest.mark.parametrize(
    ("question", "best"),
    [
        (asked("choice", "wheel", 1.0, options=10), "subset"),
        (asked("choice", "subset", 1.0, options=10, size=1), "subset"),
        (asked("boxes", "per_box", 1.0, options=10, scope="question"), "sampled_box"),
        (asked("number", "laplace", 1.0, **NUMBER), "hybrid"),
        (asked("number", "gaussian", 1.0, delta=1e-6, **NUMBER), "hybrid"),
    ],
)
def test_a_sharper_mechanism_at_the_same_epsilon_is_named(question, best):
    (margin,) = preview(question).comparison.margins
    assert margin.improvable
    assert margin.mechanism == best


@pytest.mark.parametrize(
    "question",
    [
        asked("yes_no", "spinner", 1.0),
        asked("yes_no", "coin"),
        asked("yes_no", "spinner_coin", 1.0, skip="randomized"),
        asked("choice", "wheel", 1.0, options=3),
        asked("choice", "subset", 1.0, options=10),
        asked("boxes", "sampled_box", 1.0, options=10),
        asked("number", "hybrid", 1.0, **NUMBER),
    ],
)
def test_the_best_mechanism_is_left_alone(question):
    assert not any(margin.improvable for margin in preview(question).comparison.margins)


def test_advice_is_given_in_words_with_both_margins(pages):
    page = pages(asked("choice", "wheel", 1.0, options=10))
    assert "would be more precise at the same epsilon: ±\xa010.7 points instead of ±\xa012.7 points." in page


def test_the_margin_of_a_mean_without_a_unit_stands_beside_its_range(pages):
    page = pages(*(ONE_OF_EACH[index] for index in (8, 5, 9)))
    beside = re.findall(r'class="margin-of">±\xa0[\d.]+ ([^<]*)<', page)
    assert beside == ["(in a range of 10)", "(in a range of 4)", "hours"]


def test_an_own_set_size_that_costs_precision_is_said(pages):
    page = pages(asked("choice", "subset", 1.0, options=10, size=1))
    assert "Leave the field empty" in page


@pytest.mark.parametrize(
    ("question", "respondents", "codes"),
    [
        (asked("yes_no", "spinner", 1.0), 199, ["few"]),
        (asked("yes_no", "spinner", 1.0), 200, []),
        (asked("yes_no", "spinner", 1.1), 199, []),
        (asked("yes_no", "spinner", 3.0), 1000, []),
        (asked("yes_no", "spinner", 3.1), 1000, ["weak"]),
        # A = (E + 1)/(E - 1): 4.9 at .415, 5.1 at .4
        (asked("yes_no", "spinner", 0.415), 1000, []),
        (asked("yes_no", "spinner", 0.4), 1000, ["forged"]),
        (asked("boxes", "per_box", 1.0, options=4, scope="box"), 1000, ["weak", "sharper_share"]),
    ],
)
def test_warnings_begin_where_they_should(pages, question, respondents, codes):
    assert advice(pages(question, query=f"?respondents={respondents}")) == codes


@pytest.mark.parametrize(
    ("mechanism", "epsilon", "said"),
    [("hybrid", 0.5, True), ("hybrid", 0.65, False), ("one_bit", 0.5, False)],
)
def test_it_is_said_when_the_hybrid_mechanism_is_one_bit(pages, mechanism, epsilon, said):
    page = pages(asked("number", mechanism, epsilon, **NUMBER))
    assert ("mean_only" in advice(page)) == said
    assert ("is the same as “One bit”" in page) == said


@pytest.mark.parametrize("mechanism", ["one_bit", "laplace", "hybrid"])
def test_who_wants_the_distribution_of_a_number_is_advised_to_ask_for_classes(pages, mechanism):
    page = pages(asked("number", mechanism, 1.0, **NUMBER))
    assert "classes" in advice(page)
    assert "ask a one-choice question with classes" in page


def test_a_choice_is_not_advised_to_become_one(pages):
    assert "classes" not in advice(pages(asked("choice", "wheel", 1.0, options=10)))


def test_an_exponential_mechanism_is_not_for_shares_and_both_margins_are_said(pages):
    page = pages(asked("choice", "exponential", 1.0, options=10, ordered=True))
    assert "shares" in advice(page)
    assert "±\xa0171.5 points, while “Set of options” would give ±\xa010.7 points" in page
    assert "for the mean position" in page


def test_the_textbook_scale_and_its_loss_stand_beside_the_tight_one(pages):
    found = preview(asked("choice", "exponential", 1.0, options=10, ordered=True)).textbook
    assert found.textbook_epsilon < 0.6 < found.scale / found.textbook_scale
    # sqrt(2 ln(1.25/delta)) range / epsilon = 5.299 x 10
    page = pages(asked("number", "gaussian", 1.0, delta=1e-6, **NUMBER))
    assert "gives 53" in page


def test_one_forged_report_is_said_to_move_the_estimate_by_its_weight_over_the_respondents(pages):
    # (E + 1)/(E - 1) = 2.164 with 500 respondents: .433 points; of a range of 10, .0433.
    page = pages(
        asked("yes_no", "spinner", 1.0),
        asked("number", "one_bit", 1.0, unit={"en": "hours"}, **NUMBER),
        query="?respondents=500&open={}",
    )
    assert (
        "count as much as 2.16 true answers. "
        "With 500 respondents, it can move the estimate by up to 0.433 points" in page("question-1")
    )
    assert "by up to 0.0433 hours." in page("question-2")


@pytest.mark.parametrize("scope", ["question", "box"])
def test_both_losses_of_boxes_are_always_shown(pages, scope):
    page = pages(asked("boxes", "per_box", 1.2, options=3, scope=scope))
    box, question = {"question": ("0.4000", "1.2000"), "box": ("1.2000", "3.6000")}[scope]
    assert f"ε = {box} for each box that is reported, ε = {question} for the whole question" in page
    assert f"All questions together: <strong>ε = {question}</strong>" in page


def test_the_gaussian_shows_delta_beside_epsilon_and_in_the_total(pages):
    page = pages(asked("number", "gaussian", 1.0, delta=1e-6, **NUMBER), asked("yes_no", "coin"))
    assert "<strong>ε = 1.0000, δ = 1e-6</strong>" in page
    assert "All questions together: <strong>ε = 2.0986, δ = 1e-6</strong>" in page


def test_a_report_by_hand_counts_with_its_own_loss_where_that_is_larger():
    by_hand, small = asked("yes_no", "spinner", 0.5, by_hand="coin"), asked("yes_no", "spinner", 0.5)
    assert preview(by_hand).epsilon == math.log(3)
    assert plain_sum(together([preview(by_hand), preview(small)])).epsilon == pytest.approx(
        math.log(3) + 0.5, abs=1e-6
    )
    assert preview(asked("yes_no", "spinner", 2.0, by_hand="coin")).epsilon == pytest.approx(2.0)


def test_a_question_that_lacks_a_setting_has_no_preview():
    lacking = [asked("yes_no", "spinner"), asked("choice", "wheel", 1.0), asked("number", "hybrid", 1.0)]
    assert draft_previews({"questions": lacking}, 1000) == [None] * 3
    assert plain_sum(together([None])).epsilon == 0


def test_a_setting_that_every_other_mechanism_refuses_still_has_its_margin():
    found = preview(asked("number", "gaussian", 1e-4, delta=0.5, low=0, high=10, step=1))
    (margin,) = found.comparison.margins
    assert (margin.mechanism, margin.improvable) == ("gaussian", False)


def test_texts_that_are_still_missing_do_not_hide_the_preview():
    question = asked("choice", "wheel", 1.0, options=4)
    assert preview({**question, "id": "", "wording": {}, "options": [{}] * 4}) is not None


def test_the_number_of_expected_respondents_stays_in_the_address(editor):
    assert "respondents=250" in editor.save(respondents="250").location
    assert "respondents" not in editor.save(respondents="1000").location
    page = editor.page("?open=plan&respondents=250")
    assert 'name="respondents" value="250"' in page
    assert 'name="respondents" value="1000"' in editor.page("?open=plan&respondents=many")


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_kind_has_its_meaning_before_and_after_opening_in_both_languages(pages, language):
    before, after = pages(*ONE_OF_EACH, query=f"?language={language}&respondents=100", opened=True)
    assert "few" in advice(before), "a warning is said before publishing"
    assert after.count('class="meaning"') == len(ONE_OF_EACH)
    word = {"en": "fifty-fifty", "ko": "반반"}[language]
    assert after.count(word) == len(ONE_OF_EACH)
    assert "None" not in after


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_kind_has_its_meaning_in_the_editor_in_both_languages(pages, language):
    page = pages(*ONE_OF_EACH, query=f"?language={language}&respondents=100&open={{}}")
    for number in range(1, len(ONE_OF_EACH) + 1):
        shown = page(f"question-{number}")
        shown = shown.partition('id="messages"')[0]  # what follows are the words of the respondents' page
        assert shown.count('class="meaning"') == 1
        assert "None" not in shown
        assert not re.search(r"\{\w+\}", shown), "a placeholder that nobody filled"
