"""The same question in several surveys: which are the same, how they differ, what they tell together."""

import numpy as np
import pytest

from survey.crosstab import difference_of_pools, difference_of_waves, pooled_interval
from survey.estimate import estimate_mean, estimate_proportions
from survey.figures.alike_questions import asked_alike
from survey.figures.several_surveys import quantities
from survey.interval import proportion_intervals
from survey.mechanisms import laplace, spinner_coin
from survey.publication import publish
from survey.read_definition import from_dict

TEXT = {"en": "A text"}
OPTIONS = [{"en": "never"}, {"en": "once"}, {"en": "often"}]
COPIED = {"id": "copied", "mechanism": "spinner_coin", "epsilon": 1.0, "wording": TEXT}
DRUNK = {"id": "drunk", "kind": "choice", "mechanism": "wheel", "epsilon": 2.0, "wording": TEXT} | {
    "options": OPTIONS
}
HOURS = {"id": "hours", "kind": "number", "mechanism": "laplace", "epsilon": 1.0, "wording": TEXT} | {
    "low": 0,
    "high": 20,
    "step": 1,
}


def survey_of(*questions, **more):
    """Publish a survey of these questions."""
    table = {"candor": 1, "slug": "exams", "languages": ["en"], "title": TEXT, "information": TEXT}
    return publish(from_dict(table | {"consent": TEXT, "questions": list(questions)} | more, "a test"))


def test_questions_are_the_same_where_id_kind_and_answers_are():
    first = survey_of(COPIED, DRUNK, HOURS)
    reworded = COPIED | {"wording": {"en": "Other words"}, "mechanism": "spinner", "epsilon": 2.0}
    other_options = DRUNK | {"options": [*OPTIONS[:2], {"en": "every day"}]}
    assert [each.id for each in asked_alike([first, survey_of(HOURS, reworded)])] == ["copied", "hours"]
    assert asked_alike([first, survey_of(other_options)]) == []
    assert asked_alike([first, survey_of(DRUNK | {"skip": "randomized"})]) == []
    assert asked_alike([first, survey_of(HOURS | {"high": 30})]) == []
    assert [each.id for each in asked_alike([first, first, survey_of(DRUNK)])] == ["drunk"]


def test_a_choice_in_another_language_is_the_same_where_both_speak_one():
    both = [{**option, "ko": f"답 {n}"} for n, option in enumerate(OPTIONS)]
    in_two = {name: {"en": "A text", "ko": "글"} for name in ("title", "information", "consent")}
    translated = survey_of(
        DRUNK | {"options": both, "wording": {"en": "A text", "ko": "글"}}, languages=["en", "ko"], **in_two
    )
    assert [each.id for each in asked_alike([survey_of(DRUNK), translated])] == ["drunk"]


def test_the_difference_of_two_surveys_is_that_of_two_groups():
    publications = [survey_of(COPIED), survey_of(COPIED | {"epsilon": 2.0})]
    (found,) = quantities(
        publications[0].definition.questions[0],
        publications,
        [{"copied": [600, 400]}, {"copied": [300, 200]}],
        0.9,
    )
    expected = difference_of_pools(
        [(spinner_coin(2.0), [300, 200])], [(spinner_coin(1.0), [600, 400])], 1, 0.9
    )
    (difference,) = found.differences
    assert (difference.value, difference.low, difference.high) == pytest.approx(
        (expected.value, expected.low, expected.high)
    )
    assert (found.column, found.answer, found.pooled.respondents) == ("copied", "yes", 1500)
    assert found.pooled.low < found.pooled.value < found.pooled.high
    widths = [each.high - each.low for each in found.of_each]
    assert found.pooled.high - found.pooled.low < min(widths)


def test_a_share_by_itself_is_that_of_its_own_results_and_none_lies_outside_0_to_1():
    publications = [survey_of(DRUNK)] * 2
    counts = [[0, 3, 97], [2, 30, 8]]
    options = quantities(
        publications[0].definition.questions[0], publications, [{"drunk": each} for each in counts], 0.9
    )
    for survey, (publication, received) in enumerate(zip(publications, counts, strict=True)):
        channel = publication.columns["drunk"].channel
        likely = estimate_proportions(channel, received).maximum_likelihood
        intervals = proportion_intervals(channel, received, 0.9)
        for option, value, interval in zip(options, likely, intervals, strict=True):
            shown = option.of_each[survey]
            assert (shown.value, shown.low, shown.high) == (value, interval.low, interval.high)
    for option in options:
        assert 0 <= option.pooled.low <= option.pooled.value <= option.pooled.high <= 1
    apart = options[0].of_each[1].value - options[0].of_each[0].value
    assert options[0].differences[0].value != pytest.approx(apart)  # it is that of the unbiased shares


def test_a_survey_without_respondents_has_no_estimate_and_changes_none():
    publications = [survey_of(COPIED, HOURS)] * 3
    nobody = {"copied": [0, 0], "hours": [0] * 21}
    some = {"copied": [60, 40], "hours": [5] * 21}
    for question in publications[0].definition.questions:
        (found,) = quantities(question, publications, [some, nobody, some], 0.95)
        (without,) = quantities(question, publications[:2], [some, some], 0.95)
        assert found.of_each[1] is None
        assert found.differences[0] is None
        assert found.differences[1] == without.differences[0]
        assert found.pooled == without.pooled
        (none,) = quantities(question, publications, [nobody, some, nobody], 0.95)
        assert none.differences == (None, None)
        assert none.pooled is None


def test_every_option_and_every_box_is_a_quantity_of_its_own():
    boxes = DRUNK | {"id": "took", "kind": "boxes", "mechanism": "per_box"}
    publications = [survey_of(DRUNK, boxes)] * 2
    boxed = {name: [50, 50] for name in publications[0].columns if name != "drunk"}
    counts = {"drunk": [30, 30, 40]} | boxed
    drunk, took = publications[0].definition.questions
    assert [each.answer for each in quantities(drunk, publications, [counts] * 2, 0.95)] == ["0", "1", "2"]
    assert [each.answer for each in quantities(took, publications, [counts] * 2, 0.95)] == ["yes"] * 3


def test_a_mean_by_itself_keeps_its_own_interval_and_a_difference_adds_the_squares():
    publications = [survey_of(HOURS)] * 2
    counts = [np.random.default_rng(seed).multinomial(400, np.full(21, 1 / 21)) for seed in (1, 2)]
    question = publications[0].definition.questions[0]
    (found,) = quantities(question, publications, [{"hours": each} for each in counts], 0.95)
    alone = [estimate_mean(laplace(0, 20, 1, 1.0), each) for each in counts]
    for each, own in zip(found.of_each, alone, strict=True):
        assert (each.value, each.low, each.high) == pytest.approx((own.mean, own.low, own.high))
    (difference,) = found.differences
    assert difference.value == pytest.approx(alone[1].mean - alone[0].mean)
    assert (difference.value - difference.low) ** 2 == pytest.approx(
        (alone[1].mean - alone[1].low) ** 2 + (alone[0].high - alone[0].mean) ** 2
    )
    assert found.pooled.value == pytest.approx((alone[0].mean + alone[1].mean) / 2)
    assert (found.pooled.value - found.pooled.low) ** 2 == pytest.approx(
        sum((each.mean - each.low) ** 2 for each in alone) / 4
    )


def test_differences_and_the_pooled_share_allow_for_the_same_people_in_two_surveys():
    publications = [survey_of(COPIED)] * 3
    counts = [{"copied": received} for received in ([60, 40], [50, 50], [45, 55])]
    question = publications[0].definition.questions[0]
    (same,) = quantities(question, publications, counts, 0.95, [1, 2, 1])
    strata = [[(spinner_coin(1.0), wave["copied"])] for wave in counts]
    expected = difference_of_pools(strata[1], strata[0], 1), difference_of_waves(strata[2], strata[0], 1)
    assert [(interval.low, interval.high) for interval in same.differences] == [
        (interval.low, interval.high) for interval in expected
    ]
    (others,) = quantities(question, publications, counts, 0.95, [1, 2, 3])
    for quantity, people in ((same, [1, 2, 1]), (others, [1, 2, 3])):
        assert (quantity.pooled.low, quantity.pooled.high) == pooled_interval(strata, people, 1)
    assert same.pooled.value == others.pooled.value


def test_means_and_ordered_choices_of_the_same_people_are_not_pooled():
    ordered = DRUNK | {"mechanism": "exponential", "ordered": True}
    publications = [survey_of(ordered, HOURS)] * 2
    counts = [{"drunk": [30, 30, 40], "hours": [20] * 21}] * 2
    for question in publications[0].definition.questions:
        for people, pooled in (([1, 1], False), ([1, 2], True)):
            quantity = quantities(question, publications, counts, 0.95, people)[0]
            assert (quantity.pooled is not None) == pooled


@pytest.mark.parametrize("people", [[1, 2], [1, 1]])
@pytest.mark.parametrize("asked", [HOURS, DRUNK])
def test_differences_and_pooled_values_lie_in_their_intervals_and_where_they_can_be(asked, people):
    publications = [survey_of(asked)] * 2
    question, width = publications[0].definition.questions[0], 20 if asked is HOURS else 1
    first, last = 20 * np.eye(publications[0].columns[question.id].report_codes, dtype=int)[[0, -1]]
    for pair in ([first, first], [first, last], [last, first], [last, last]):
        for found in quantities(question, publications, [{question.id: each} for each in pair], 0.95, people):
            for each in (*found.of_each, found.pooled):
                assert each is None or 0 <= each.low <= each.value <= each.high <= width
            (apart,) = found.differences
            assert -width <= apart.low <= apart.value <= apart.high <= width


def test_a_difference_of_means_of_the_same_people_allows_for_answers_that_change_ends():
    publications = [survey_of(HOURS)] * 2
    counts = [
        {"hours": np.random.default_rng(seed).multinomial(400, np.full(21, 1 / 21)).tolist()}
        for seed in (1, 2)
    ]
    question = publications[0].definition.questions[0]
    (same,) = quantities(question, publications, counts, 0.95, [1, 1])
    (others,) = quantities(question, publications, counts, 0.95)
    (mine,), (theirs,) = same.differences, others.differences
    first, second = (wave.value / 20 for wave in same.of_each)
    added = 2 * 1.959964**2 * 20**2 * min(first * second, (1 - first) * (1 - second)) / 400
    assert (mine.value - mine.low) ** 2 - (theirs.value - theirs.low) ** 2 == pytest.approx(added)


@pytest.mark.parametrize("ends", [None, [0, 0], [0, 20]], ids=["between", "at one end", "at both"])
def test_differences_and_pooled_means_miss_the_truth_as_rarely_as_they_say(ends):
    chance = np.random.default_rng(7)
    channel = laplace(0, 20, 1, 1.0)
    truths = np.eye(21)[ends] if ends else [chance.dirichlet(np.full(21, 0.5)) for _ in range(2)]
    means = [float(truth @ np.arange(21)) for truth in truths]
    publications = [survey_of(HOURS)] * 2
    question = publications[0].definition.questions[0]
    held, rounds = np.zeros(2), 400
    for _ in range(rounds):
        counts = [{"hours": chance.multinomial(200, truth @ channel.probabilities)} for truth in truths]
        (found,) = quantities(question, publications, counts, 0.9)
        for place, (each, true) in enumerate(
            [(found.differences[0], means[1] - means[0]), (found.pooled, sum(means) / 2)]
        ):
            held[place] += each.low - 1e-9 <= true <= each.high + 1e-9
    assert min(held) / rounds > 0.9 - 3 * (0.9 * 0.1 / rounds) ** 0.5


def test_populations_with_other_answers_are_refused():
    with pytest.raises(ValueError, match="same answers, got 2 and 21"):
        difference_of_pools([(spinner_coin(1.0), [1, 1])], [(laplace(0, 20, 1, 1.0), [1] * 21)], 1)


def test_a_survey_whose_results_are_seen_first_has_a_band_and_so_has_each_difference_from_it():
    counts = [{"copied": [600, 400], "drunk": [300, 400, 300], "hours": [50] * 21}] * 3
    publications = [survey_of(COPIED, DRUNK, HOURS, outcome=seen) for seen in ("before", "after", "before")]
    for question in publications[0].definition.questions:
        for found in quantities(question, publications, counts, 0.9):
            first, after, last = found.of_each
            assert first.band == last.band
            assert first.band[0] <= first.low <= first.high < first.band[1]
            assert after.band is found.pooled.band is None
            lowest, highest = after.low - first.band[1], after.high - first.band[0]
            assert found.differences[0].band == pytest.approx((lowest, highest))
            reach = first.band[1] - first.band[0]
            assert found.differences[1].band == pytest.approx((-reach, reach))
    (copied,) = quantities(publications[1].definition.questions[0], [publications[1]] * 2, counts[:2], 0.9)
    assert copied.differences[0].band is None


@pytest.mark.parametrize("share", [0.05, 0.2, 0.5])
def test_the_band_of_a_difference_holds_it_where_one_in_ten_left_over_a_yes_of_one_survey(share, monkeypatch):
    # What both surveys tell together is no part of this, and took most of the time.
    monkeypatch.setattr("survey.figures.compare_shares.pooled_interval", lambda *_: None)
    random, channel, runs = np.random.default_rng(5), spinner_coin(1.0), 400
    publications = [survey_of(COPIED, outcome="before")] * 2
    yes = float(np.array([1 - share, share]) @ channel.probabilities[:, 1])
    held = covered = 0
    for _ in range(runs):
        drawn = random.binomial(1000, yes, 2)
        left = random.binomial(drawn[1], 0.1)
        counts = [[1000 - drawn[0], drawn[0]], [1000 - drawn[1], drawn[1] - left]]
        (found,) = quantities(
            publications[0].definition.questions[0],
            publications,
            [{"copied": each.copy()} for each in counts],
            0.9,
        )
        (difference,) = found.differences
        held += difference.band[0] <= 0 <= difference.band[1]
        covered += difference.low <= 0 <= difference.high
    assert held / runs >= 0.9
    assert covered < held
