"""Privacy loss: a random variable, its bound epsilon, and delta, what the bound leaves out."""

import math
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr

from survey.channel import TOTAL, Channel
from survey.mechanisms import coin, exponential, gaussian, laplace, one_bit, spinner_coin, subset, wheel
from survey.privacy.composition import composed_loss, excess_on_grid, on_grid
from survey.privacy.curve import deltas, envelope
from survey.privacy.loss import LossDistribution, exceeding, loss_distribution, losses

CHANNELS = {
    "coin": coin(),
    "spinner_coin": spinner_coin(1.0),
    "wheel": wheel(10, 1.0),
    "subset": subset(6, 0.5),
    "exponential": exponential(5, 2.0),
    "one_bit": one_bit(0, 10, 1, 1.0),
    "laplace": laplace(0, 10, 1, 1.0),
    "gaussian": gaussian(0, 4, 1, 1.0, 1e-3),
    "gives away": Channel(np.array([[TOTAL // 2, TOTAL // 2, 0], [0, TOTAL // 2, TOTAL // 2]])),
}


def test_the_loss_of_two_coins_is_ln_3_either_way():
    assert losses(coin(), 1, 0).tolist() == pytest.approx([-math.log(3), math.log(3)])


def test_an_answer_has_no_loss_against_itself():
    assert loss_distribution(wheel(4, 1.0), 2, 2).losses.tolist() == [0]


def test_a_report_that_rules_an_answer_out_has_infinite_loss():
    channel = CHANNELS["gives away"]
    assert losses(channel, 0, 1).tolist() == [math.inf, 0, -math.inf]
    assert loss_distribution(channel, 0, 1).infinite == 0.5
    assert loss_distribution(channel, 0, 1).epsilon(0.4) == math.inf
    assert loss_distribution(channel, 0, 1).epsilon(0.5) == 0


def test_a_report_that_rules_its_own_answer_out_never_comes_and_has_no_say():
    coins = loss_distribution(coin(), 1, 0)
    both = LossDistribution(np.append(-math.inf, coins.losses), np.append(0.0, coins.chances))
    assert both.epsilon(0.1) == coins.epsilon(0.1)


def test_what_no_epsilon_covers_adds_up_over_several_reports():
    part = loss_distribution(CHANNELS["gives away"], 0, 1)
    for times in (1, 2, 5):
        assert 0 < composed_loss([(part, times)]).infinite - (1 - 0.5**times) < 1e-9
    assert composed_loss([(part, 2), (part, 1)]).infinite == pytest.approx(1 - 0.5**3, abs=1e-9)
    lost = LossDistribution(np.zeros(1), np.array([0.75]))
    assert composed_loss([(lost, 2)]).infinite == pytest.approx(2 * 0.25)


def test_losses_are_composed_on_as_many_steps_as_are_asked_for():
    composed = composed_loss([(loss_distribution(coin(), 1, 0), 4)], points=64)
    assert composed.losses.tolist() == pytest.approx([*np.linspace(-1, 1, 65) * 4 * math.log(3), math.inf])


def test_a_grid_raises_delta_by_no_more_than_it_says():
    part, spacing, steps = loss_distribution(exponential(4, 1.5), 3, 0), 0.4, 4
    grid = LossDistribution(spacing * np.arange(-steps, steps + 1), on_grid(part, spacing))
    raised = deltas(grid, part.losses) - deltas(part, part.losses)
    assert raised.max() == pytest.approx(excess_on_grid(part, spacing))


def test_the_curve_above_several_is_the_highest_of_them_at_every_loss():
    parts = [loss_distribution(channel, 1, 0) for channel in (coin(), wheel(3, 1.099), wheel(9, 1.5))]
    losses = np.unique(np.concatenate([part.losses for part in parts]))
    highest = np.max([deltas(part, losses) for part in parts], axis=0)
    assert deltas(envelope(parts), losses) == pytest.approx(highest, abs=1e-9)


def test_the_curve_above_several_is_tabulated_at_no_more_than_512_losses_of_either_sign():
    many = LossDistribution(np.linspace(-1, 1, 2001), np.full(2001, 1 / 2001))
    assert len(envelope([many]).losses) == 2 * 512  # 0 counts once, and infinity


def delta(channel, epsilon):
    """The greatest delta of two answers, from the distribution of their loss."""
    pairs = permutations(range(channel.answers), 2)
    return max(loss_distribution(channel, *pair).delta(epsilon) for pair in pairs)


@pytest.mark.parametrize("name", CHANNELS)
def test_delta_is_the_same_number_by_all_its_definitions(name):
    channel = CHANNELS[name]
    rows = channel.probabilities.tolist()
    # Off the losses themselves: `Channel.delta` is asked between them.
    for epsilon in (0.0, 0.05, 0.3, 0.7, 1.3, 5.0, 12.0):
        by_force = max(
            math.fsum(max(0.0, p - math.exp(epsilon) * q) for p, q in zip(a, b, strict=True))
            for a in rows
            for b in rows
        )
        assert delta(channel, epsilon) == pytest.approx(by_force, abs=1e-12)
        assert channel.delta(epsilon) == pytest.approx(by_force, abs=1e-12)


@pytest.mark.parametrize("name", CHANNELS)
def test_delta_falls_to_nothing_at_epsilon_and_not_before(name):
    channel = CHANNELS[name]
    curve = [delta(channel, epsilon) for epsilon in np.linspace(0, 12, 60)]
    assert all(later <= earlier + 1e-15 for earlier, later in pairwise(curve))
    if channel.epsilon < math.inf:
        assert delta(channel, channel.epsilon) == pytest.approx(0, abs=1e-15)
        assert delta(channel, channel.epsilon * 0.99) > 0


@given(st.sampled_from(sorted(CHANNELS)), st.floats(1e-9, 0.9))
def test_epsilon_at_delta_is_the_smallest_that_does(name, allowed):
    channel = CHANNELS[name]
    distribution = loss_distribution(channel, channel.answers - 1, 0)
    epsilon = distribution.epsilon(allowed)
    if epsilon < math.inf:
        assert distribution.delta(epsilon) <= allowed + 1e-15
    if 0 < epsilon < math.inf:
        assert distribution.delta(epsilon - 1e-6) > allowed


@given(st.sampled_from(sorted(CHANNELS)), st.floats(0, 12))
def test_the_probability_of_breaking_epsilon_overstates_delta(name, epsilon):
    distribution = loss_distribution(CHANNELS[name], 1, 0)
    assert distribution.delta(epsilon) <= distribution.exceeds(epsilon) + 1e-15


def test_the_loss_of_the_gaussian_mechanism_is_broken_far_more_often_than_delta():
    distribution = loss_distribution(gaussian(0, 1, 1, 1.0, 1e-6), 1, 0)
    # For sigma = 4.22: P(loss > 1) = P(N(0, 1) > 4.10) = 2.1e-5, twenty times delta.
    assert distribution.delta(1.0) <= 1e-6
    assert 1e-5 < distribution.exceeds(1.0) < 4e-5


@pytest.mark.parametrize("epsilon", [0.0, 0.25, 0.5, 0.9])
def test_laplace_on_a_fine_grid_is_the_continuous_theory(epsilon):
    # Continuous Laplace noise of scale 1 and two answers 1 apart: 1 - e^((epsilon - 1)/2).
    # Sommer, Meiser & Mohammadi (2019), PoPETs 2019(2), section 4. Off by the width of a step at most.
    # Folding loses nothing, so that it holds on the folded grid too.
    distribution = loss_distribution(laplace(0, 500, 1, 1.0), 500, 0)
    assert distribution.delta(epsilon) == pytest.approx(-math.expm1((epsilon - 1) / 2), abs=1 / 500)


@pytest.mark.parametrize("epsilon", [0.0, 0.25, 0.5, 1.0, 1.5])
def test_the_gaussian_on_its_lattice_is_the_continuous_theory(epsilon):
    channel = gaussian(0, 1, 1, 1.0, 1e-5)
    sigma = channel.sigma
    # Balle & Wang (2018), theorem 8, for answers 1 apart.
    near, far = ndtr(0.5 / sigma - epsilon * sigma), ndtr(-0.5 / sigma - epsilon * sigma)
    assert delta(channel, epsilon) == pytest.approx(near - math.exp(epsilon) * far, abs=2e-5, rel=0.01)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: loss_distribution(coin(), 2, 0), "answer must be a whole number from 0 to 1, got 2"),
        (lambda: loss_distribution(coin(), 0, 2), "other must be a whole number from 0 to 1, got 2"),
        (
            lambda: loss_distribution(coin(), 0, 1).epsilon(0),
            r"delta must be a number above 0 and below 1, got 0",
        ),
        (
            lambda: loss_distribution(coin(), 0, 1).epsilon(1.0),
            r"delta must be a number above 0 and below 1, got 1.0",
        ),
        (
            lambda: LossDistribution(np.zeros(1), np.ones(1)).delta(math.nan),
            "epsilon must be a number, got nan",
        ),
    ],
)
def test_bad_input_is_refused_by_name_range_and_value(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_loss_exceeds_what_lies_below_it_and_not_itself():
    both = loss_distribution(coin(), 1, 0)
    loss = float(both.losses[-1])
    assert both.exceeds(loss) == both.delta(loss) == 0
    assert both.exceeds(math.nextafter(loss, 0)) == 0.75
    assert exceeding(coin(), math.nextafter(loss, 0)) == 0  # that is rounding
    assert exceeding(coin(), loss * (1 - 1e-9)) == 0.75


@pytest.mark.parametrize("name", CHANNELS)
@pytest.mark.parametrize("epsilon", [0.0, 0.3, 1.0, 2.5])
def test_how_often_a_report_tells_more_is_counted_over_all_other_answers(name, epsilon):
    channel = CHANNELS[name]
    expected = max(
        sum(
            chance
            for report, chance in enumerate(channel.probabilities[answer])
            if max(losses(channel, answer, other)[report] for other in range(channel.answers))
            > epsilon + 1e-12
        )
        for answer in range(channel.answers)
    )
    assert exceeding(channel, epsilon) == pytest.approx(expected, abs=1e-15)


def test_no_report_tells_more_than_a_pure_promise():
    for name, channel in CHANNELS.items():
        if channel.guarantee[1] == 0 and name != "gives away":
            assert exceeding(channel, channel.epsilon) == 0
    with pytest.raises(ValueError, match="epsilon must be a number of 0 or more, got -1"):
        exceeding(coin(), -1)
