"""Several choices: every box by itself, or a few boxes drawn at random."""

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from survey.channel import TOTAL
from survey.mechanisms import per_box, sampled_box, spinner_coin
from survey.mechanisms.sampled_boxes import box_variance

BOXES = st.integers(2, 20)
EPSILONS = st.floats(0.05, 10.0)


@settings(deadline=None)
@given(BOXES, EPSILONS)
def test_epsilon_for_the_question_is_shared_among_its_boxes(boxes, epsilon):
    channel = per_box(boxes, epsilon)
    assert channel == spinner_coin(epsilon / boxes)
    # Each box may move one unit from its likelier weight to its rarer one.
    assert epsilon - 2 * boxes / channel.loss[1] <= channel.question_epsilon <= epsilon
    assert channel.box_epsilon <= epsilon / boxes


@settings(deadline=None)
@given(BOXES, EPSILONS)
def test_epsilon_for_a_box_adds_up_over_the_question(boxes, epsilon):
    channel = per_box(boxes, epsilon, scope="box")
    assert channel == spinner_coin(epsilon)
    assert channel.box_epsilon <= epsilon
    assert channel.question_epsilon == pytest.approx(boxes * channel.box_epsilon, rel=1e-15)


@settings(deadline=None)
@given(BOXES, EPSILONS)
def test_sampled_boxes_share_the_whole_epsilon(boxes, epsilon):
    channel = sampled_box(boxes, epsilon)
    assert 1 <= channel.sampled <= boxes == channel.boxes
    assert epsilon - 2 * channel.sampled / channel.box.loss[1] <= channel.question_epsilon <= epsilon
    assert channel.box == spinner_coin(epsilon / channel.sampled)
    assert channel.epsilon <= epsilon / channel.sampled


@settings(deadline=None)
@given(BOXES, EPSILONS)
def test_the_third_report_says_not_sampled_whatever_the_answer(boxes, epsilon):
    channel = sampled_box(boxes, epsilon)
    not_sampled = channel.weights[:, 2].tolist()
    assert not_sampled == [TOTAL - round(TOTAL * channel.sampled / boxes)] * 2
    # Among those who report, the column is the box's own channel, to within the rounding of one weight.
    reported = TOTAL - not_sampled[0]
    given_report = channel.weights[:, :2] / reported
    assert given_report == pytest.approx(channel.box.probabilities, abs=1 / reported)


@settings(deadline=None)
@given(BOXES, EPSILONS)
def test_the_number_of_boxes_drawn_has_the_least_variance(boxes, epsilon):
    chosen = sampled_box(boxes, epsilon).sampled
    assert box_variance(boxes, epsilon, chosen, 0.5) == min(
        box_variance(boxes, epsilon, sampled, 0.5) for sampled in range(1, boxes + 1)
    )


def test_ten_boxes_at_epsilon_one_gain_a_factor_of_nine():
    # n times the variance of a share of .3: 11.3 sampled, 100.1 split over all boxes.
    channel = sampled_box(10, 1.0)
    assert channel.sampled == 1
    assert box_variance(10, 1.0, 1, 0.3) == pytest.approx(11.3, abs=0.05)
    assert box_variance(10, 1.0, 10, 0.3) == pytest.approx(100.1, abs=0.05)


@pytest.mark.parametrize(("sampled_of", "share"), [(sampled_box(10, 1.0), 0.3), (per_box(10, 1.0), 0.3)])
def test_the_variance_follows_from_the_integers(sampled_of, share):
    no, yes = sampled_of.box.probabilities[:, 1]
    chance = no + share * (yes - no)
    variance = chance * (1 - chance) / (yes - no) ** 2 * sampled_of.boxes / sampled_of.sampled
    expected = box_variance(sampled_of.boxes, 1.0, sampled_of.sampled, share)
    assert variance == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(("boxes", "epsilon", "sampled"), [(3, 1.0, 1), (3, 4.0, 2), (3, 10.0, 3)])
def test_the_loss_of_the_question_is_that_of_all_its_reports_together(boxes, epsilon, sampled):
    # Every set of ticks, every draw of boxes, every report: by brute force, in fractions.
    channel = sampled_box(boxes, epsilon)
    assert channel.sampled == sampled
    weights = channel.box.weights.tolist()
    draws = list(itertools.combinations(range(boxes), channel.sampled))
    reports = list(itertools.product(draws, itertools.product((0, 1), repeat=channel.sampled)))

    def chance(ticks: tuple[int, ...], draw: tuple[int, ...], shown: tuple[int, ...]) -> Fraction:
        factors = [
            Fraction(weights[ticks[box]][report], TOTAL) for box, report in zip(draw, shown, strict=True)
        ]
        return math.prod(factors, start=Fraction(1, len(draws)))

    answers = list(itertools.product((0, 1), repeat=boxes))
    columns = [[chance(ticks, *report) for ticks in answers] for report in reports]
    largest, smallest = channel.box.loss
    assert max(max(column) / min(column) for column in columns) == Fraction(largest, smallest) ** sampled
    assert channel.question_epsilon == pytest.approx(sampled * math.log(largest / smallest), rel=1e-15)


@pytest.mark.parametrize("make", [per_box, sampled_box])
@pytest.mark.parametrize("boxes", [1, 21, 0, 2.0, True, "4"])
def test_boxes_out_of_range_are_refused_by_name(make, boxes):
    with pytest.raises(ValueError, match=r"^boxes must be a whole number from 2 to 20, got "):
        make(boxes, 1.0)


@pytest.mark.parametrize("make", [per_box, sampled_box])
@pytest.mark.parametrize("epsilon", [0, -1, 11, math.nan, "1", True])
def test_an_epsilon_out_of_range_is_refused_by_name(make, epsilon):
    with pytest.raises(ValueError, match=r"^epsilon must be a number above 0 and at most 10, got "):
        make(4, epsilon)


def test_the_scope_is_one_of_two_words():
    with pytest.raises(ValueError, match="scope must be one of question, box, got 'survey'"):
        per_box(4, 1.0, scope="survey")
