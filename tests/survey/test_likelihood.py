"""The most likely proportions: the closed form, the Newton steps, and the certificate of both."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from survey.likelihood import OPTIMAL, most_likely, water_filling
from survey.mechanisms import exponential, laplace, spinner_coin, subset, wheel

COUNTS = st.lists(st.integers(0, 10**6), min_size=4, max_size=4).filter(any)


def gains(probabilities, counts, proportions):
    """What the log-likelihood per respondent would gain from a little more of each answer."""
    received = counts > 0
    chances = probabilities[:, received]
    return chances @ (counts[received] / counts.sum() / (proportions @ chances))


@given(COUNTS, st.floats(0.05, 10))
def test_the_closed_form_of_the_wheel_meets_the_optimality_conditions(counts, epsilon):
    counts, chances = np.array(counts), wheel(4, epsilon).probabilities
    filled = water_filling(chances, counts)
    assert (filled >= 0).all()
    assert filled.sum() == pytest.approx(1)
    gain = gains(chances, counts, filled)
    assert gain.max() <= 1 + 1e-9
    assert gain[filled > 0] == pytest.approx(1, abs=1e-9)


@given(COUNTS, st.floats(0.3, 6))
def test_the_newton_steps_find_what_the_closed_form_gives(counts, epsilon):
    chances = wheel(4, epsilon).probabilities
    found = most_likely(chances, counts)
    assert found.gap <= OPTIMAL
    # The likelihood is flat at its top: a gap of 1e-9 leaves the proportions about its root apart.
    assert found.proportions == pytest.approx(water_filling(chances, counts), abs=1e-3)


def test_the_closed_form_leaves_options_dry_that_were_hardly_reported():
    # q = 1/(E + 2) = .2119: the third option was reported less often than chance alone sends it.
    filled = water_filling(wheel(3, 1.0).probabilities, [50, 40, 10])
    assert filled[2] == 0
    assert filled[0] > filled[1] > 0


def test_two_answers_have_the_closed_form_too_and_other_channels_have_none():
    assert water_filling(spinner_coin(1.0).probabilities, [60, 40]).sum() == pytest.approx(1)
    assert water_filling(exponential(4, 1.0).probabilities, [1, 2, 3, 4]) is None
    assert water_filling(subset(4, 0.5).probabilities, np.ones(6, int)) is None


@pytest.mark.parametrize("n", [1, 30, 1000, 10**6])
@pytest.mark.parametrize(
    "channel",
    [
        exponential(5, 0.5),
        exponential(50, 1.0),
        subset(8, 1.0),
        laplace(0, 19, 1, 1.0),
        laplace(0, 19, 1, 8.0),
    ],
    ids=["exponential", "exponential 50", "subset", "laplace 1", "laplace 8"],
)
def test_the_conditions_hold_for_every_channel_and_any_number_of_respondents(channel, n):
    rng = np.random.default_rng(n)
    for _ in range(10):
        truth = rng.dirichlet(np.full(channel.answers, 0.3))
        counts = rng.multinomial(n, truth @ channel.probabilities)
        found = most_likely(channel.probabilities, counts)
        assert (found.proportions >= 0).all()
        assert found.proportions.sum() == pytest.approx(1)
        gain = gains(channel.probabilities, counts, found.proportions)
        assert gain.max() <= 1 + 1e-9
        assert found.log_likelihood == pytest.approx(
            counts[counts > 0] @ np.log((found.proportions @ channel.probabilities)[counts > 0])
        )


@pytest.mark.parametrize("mass", [0.0, 0.2, 0.7, 1.0])
def test_a_fixed_sum_is_kept_and_no_other_proportions_with_that_sum_are_likelier(mass):
    channel, rng = exponential(4, 1.0), np.random.default_rng(1)
    counts = np.array([40, 5, 15, 30])
    chosen = np.array([True, False, False, True])
    found = most_likely(channel.probabilities, counts, chosen, mass)
    assert found.proportions[chosen].sum() == pytest.approx(mass, abs=1e-12)
    for _ in range(300):
        other = np.zeros(4)
        other[chosen], other[~chosen] = mass * rng.dirichlet([1, 1]), (1 - mass) * rng.dirichlet([1, 1])
        assert counts @ np.log(other @ channel.probabilities) <= found.log_likelihood + 1e-7


def test_reports_that_the_answers_left_cannot_send_have_no_likelihood():
    truth = np.eye(2)
    found = most_likely(truth, [3, 1], np.array([True, False]), 1.0)
    assert found.log_likelihood == -np.inf


@pytest.mark.parametrize(
    ("channel", "counts", "chosen", "mass", "start"),
    [
        (exponential(4, 10.0), [1, 0, 0, 1], [1, 0, 0, 0], 0.03248803468898, [0.5, 0, 0, 0.5]),
        (exponential(5, 10.0), [0, 0, 1, 0, 1], [1, 0, 1, 1, 1], 0.07739094351087, [0, 0.76, 0.09, 0, 0.15]),
        (
            exponential(4, 6.0),
            [1, 1, 0, 0],
            [1, 1, 0, 1],
            0.12872457038752771,
            [0.51977175, 0.48022825, 0, 0],
        ),
    ],
)
def test_two_reports_of_a_nearly_noiseless_channel_have_a_maximum_too(channel, counts, chosen, mass, start):
    # One answer explains both reports nearly as well as two do: whole steps lead to and fro across the top,
    # and what they gain in the end is less than rounding shows.
    found = most_likely(channel.probabilities, counts, np.array(chosen, bool), mass, np.array(start))
    assert found.gap <= OPTIMAL
