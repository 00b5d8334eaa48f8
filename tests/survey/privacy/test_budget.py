"""The budget: what all of a survey's reports give away together."""

import math
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from survey.channel import Channel
from survey.column import Column
from survey.mechanisms import coin, exponential, gaussian, laplace, per_box, sampled_box, spinner_coin, wheel
from survey.privacy.budget import SLACK, Budget, budget, compose, keeps_limit, plain_sum, reports_of
from survey.privacy.hardest_pairs import worst_loss
from survey.privacy.loss import loss_distribution


def columns(channel, number):
    return [Column(f"box_{index}", channel) for index in range(number)]


def test_no_question_costs_nothing():
    assert budget([]) == Budget(0, 0)
    assert compose([], 1e-6) == 0


def test_the_sum_is_over_questions_boxes_and_waves():
    boxes = reports_of(columns(per_box(4, 2.0), 4))
    assert plain_sum([coin(), *boxes]).epsilon == pytest.approx(math.log(3) + 2, abs=1e-6)
    assert plain_sum([coin(), *boxes], waves=3).epsilon == pytest.approx(3 * math.log(3) + 6, abs=1e-6)


@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_a_report_that_may_come_from_real_coins_costs_what_the_dearer_way_does(epsilon):
    either = reports_of([Column("tired", spinner_coin(epsilon), by_hand=coin())])
    assert plain_sum(either).epsilon == pytest.approx(max(epsilon, math.log(3)), abs=1e-6)


def test_sampled_boxes_cost_only_what_is_sampled():
    assert plain_sum(reports_of(columns(sampled_box(10, 1.0), 10))).epsilon == pytest.approx(1, abs=1e-6)


def test_deltas_add_up_too():
    total = plain_sum([gaussian(0, 4, 1, 1.0, 1e-4)] * 3 + [coin()])
    assert (total.epsilon, total.delta) == pytest.approx((3 + math.log(3), 3e-4))
    assert plain_sum([gaussian(0, 4, 1, 1.0, 0.01)], waves=101).delta == 1


# dp-accounting 0.6.0: from_two_probability_mass_functions(...).self_compose(m).get_epsilon_for_delta(1e-6)
# with value_discretization_interval 1e-4. It rounds up on that grid, so its figures are a little larger.
@pytest.mark.parametrize(
    ("channel", "times", "expected"),
    [
        (wheel(10, 1.0), 10, 8.945359),
        (wheel(10, 0.5), 20, 5.657333),
        (spinner_coin(1.0), 20, 19.999474),
        (spinner_coin(0.1), 20, 1.790514),
    ],
    ids=["ten options", "ten options, 20 questions", "yes/no", "yes/no at .1"],
)
def test_the_composed_loss_is_that_of_the_reference_accountant(channel, times, expected):
    assert compose([channel] * times, 1e-6) == pytest.approx(expected, abs=2e-3)
    assert compose([channel] * times, 1e-6) <= expected + 1e-4


def exact_composition(epsilon: float, times: int, delta: float) -> float:
    """By bisection on the binomial: j of the reports for the answer have loss (2j - m) epsilon."""
    chance, low, high = 1 / (1 + math.exp(-epsilon)), 0.0, times * epsilon
    chances = binom.pmf(range(times + 1), times, chance)
    for _ in range(60):
        middle = (low + high) / 2
        excess = sum(
            weight * -math.expm1(middle - (2 * j - times) * epsilon)
            for j, weight in enumerate(chances)
            if (2 * j - times) * epsilon > middle
        )
        low, high = (middle, high) if excess > delta else (low, middle)
    return high


@pytest.mark.parametrize(("epsilon", "times"), [(0.1, 20), (0.1, 50), (0.5, 30), (1.0, 40)])
def test_yes_and_no_compose_as_the_binomial_says(epsilon, times):
    found = compose([spinner_coin(epsilon)] * times, 1e-6)
    # Never too small; too large by a millionth of the sum at most, what the grid costs.
    assert 0 <= found - exact_composition(epsilon, times, 1e-6) < 1e-6 * times * epsilon


def test_different_channels_compose_as_all_their_reports_together_say():
    channels = [wheel(3, 1.0), exponential(3, 0.7), spinner_coin(0.5)]
    answers = [(0, 2), (0, 2), (0, 1)]
    for delta in (1e-3, 1e-2, 0.1):
        # Every pair of answers to each question, both ways: the exact worst of the product channel.
        worst = 0.0
        for pairs in product(*[[pair, pair[::-1]] for pair in answers]):
            parts = [loss_distribution(c, *pair) for c, pair in zip(channels, pairs, strict=True)]
            outcomes = [
                (sum(losses), math.prod(chances))
                for losses, chances in zip(
                    product(*[part.losses for part in parts]),
                    product(*[part.chances for part in parts]),
                    strict=True,
                )
            ]
            low, high = 0.0, 3.0
            for _ in range(50):
                middle = (low + high) / 2
                excess = sum(-p * math.expm1(middle - loss) for loss, p in outcomes if loss > middle)
                low, high = (middle, high) if excess > delta else (low, middle)
            worst = max(worst, high)
        assert worst - 1e-9 <= compose(channels, delta) <= worst + 0.02


@pytest.mark.parametrize(
    "channel",
    [
        wheel(4, 1.0),
        exponential(5, 2.0),
        exponential(3, 1.0, [[2, 1, 0], [0, 1, 0], [0, 1, 3]]),
        laplace(0, 6, 1, 1.0),
        gaussian(0, 4, 1, 1.0, 1e-3),
    ],
    ids=repr,
)
def test_the_distribution_that_stands_for_a_channel_is_nowhere_below_it(channel):
    worst = worst_loss(channel)
    for epsilon in [0.013 * step for step in range(100)]:
        assert worst.delta(epsilon) >= channel.delta(epsilon) - 1e-12


def test_gaussian_questions_gain_most():
    channel = gaussian(0, 10, 1, 1.0, 1e-6)
    both = budget([channel] * 10, delta=1e-5)
    assert (both.epsilon, both.delta) == pytest.approx((10, 1e-5))
    assert both.composed.epsilon < 3.3  # sqrt(10) times one, nearly


def test_where_composing_gains_nothing_only_the_sum_is_given():
    assert budget([coin()] * 3).composed is None
    assert compose([coin()] * 3, 1e-6) == plain_sum([coin()] * 3).epsilon


SOME = st.lists(st.sampled_from([coin(), wheel(10, 1.0), spinner_coin(0.1), exponential(4, 0.5)]), max_size=8)


@settings(max_examples=20, deadline=None)
@given(SOME, st.sampled_from([coin(), wheel(5, 0.3)]), st.floats(1e-9, 1e-2))
def test_one_more_question_never_costs_less_and_never_more_than_its_own_loss(channels, more, delta):
    before, after = compose(channels, delta), compose([*channels, more], delta)
    assert before <= after + 1e-6
    assert after <= plain_sum([*channels, more]).epsilon + 1e-12
    assert compose(channels, delta / 10) >= before - 1e-6


def test_a_survey_at_its_limit_keeps_it_and_one_above_does_not():
    assert keeps_limit(plain_sum([coin()] * 3).epsilon, 3.3)
    assert not keeps_limit(plain_sum([coin()] * 3, waves=2).epsilon, 3.3)
    assert keeps_limit(1e6, None)


def test_a_limit_is_kept_by_a_sum_that_only_doubles_put_above_it():
    three = plain_sum([gaussian(0, 10, 1, 0.1, 1e-6)], waves=3).epsilon
    assert three > 0.3
    assert keeps_limit(three, 0.3)
    assert keeps_limit(0.3 * (1 + SLACK), 0.3)
    assert not keeps_limit(0.3 * (1 + 1e-8), 0.3)


def test_two_coins_keep_what_is_rounded_up_and_not_what_is_rounded_down():
    assert keeps_limit(plain_sum([coin()]).epsilon, 1.0987)
    assert not keeps_limit(plain_sum([coin()]).epsilon, 1.0986)


def test_the_limit_is_compared_with_the_sum_even_where_the_composed_loss_is_within_it():
    assert compose([wheel(10, 1.0)] * 10, 1e-6) < 9
    assert not keeps_limit(plain_sum([wheel(10, 1.0)] * 10).epsilon, 9)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: budget([coin()], waves=0), "waves must be a whole number from 1 to 1000, got 0"),
        (lambda: budget([coin()], waves=1.5), "waves must be a whole number from 1 to 1000, got 1.5"),
        (lambda: budget([coin()], delta=0), r"delta must be a number above 0 and below 1, got 0"),
        (lambda: compose([coin()], 1.0), r"delta must be a number above 0 and below 1, got 1.0"),
    ],
)
def test_bad_input_is_refused_by_name_range_and_value(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_channel_that_says_nothing_costs_nothing():
    assert compose([Channel([[2**31, 2**31], [2**31, 2**31]])] * 5, 1e-6) == 0
