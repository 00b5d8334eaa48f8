"""One choice out of k: the wheel and subset selection."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from survey.channel import Channel
from survey.design.subset_variance import total_variance
from survey.mechanisms import spinner_coin, subset, wheel

EPSILONS = st.floats(min_value=0.01, max_value=10.0)


def slack(channel: Channel) -> float:
    """One unit of the rarest weight: a loss cannot be set more finely than that."""
    return 1 / channel.loss[1]


def variance_at_uniform_shares(channel: Channel) -> float:
    """n times the summed variance of the weighted least-squares shares, from the integers alone."""
    chances = channel.probabilities
    information = chances @ np.diag(1 / chances.mean(axis=0)) @ chances.T
    return float(np.trace(np.linalg.inv(information)) - 1 / channel.answers)


@settings(deadline=None)
@given(st.integers(2, 50), EPSILONS)
def test_the_wheel_keeps_epsilon_and_uses_all_of_it(categories, epsilon):
    channel = wheel(categories, epsilon)
    # Rounding a slice up costs at most one unit of it, and the kept share k - 1 units.
    assert epsilon - slack(channel) * (1 + categories / math.exp(epsilon)) <= channel.epsilon <= epsilon


@settings(deadline=None)
@given(EPSILONS)
def test_a_wheel_of_two_is_spinner_and_coin(epsilon):
    assert wheel(2, epsilon) == spinner_coin(epsilon)


@settings(deadline=None)
@given(st.data(), st.integers(2, 12), EPSILONS)
def test_subsets_keep_epsilon_and_use_all_of_it(data, categories, epsilon):
    size = data.draw(st.integers(1, categories - 1))
    channel = subset(categories, epsilon, size)
    # Raising the sets without the answer by one lowers those with it by (k - w)/w; the remainder of a row,
    # less than the number of sets with the answer, raises those without it by at most w/(k - w) more.
    remainder = 2 + (categories - size) / size + size / (categories - size)
    assert epsilon - remainder * slack(channel) <= channel.epsilon <= epsilon


@settings(deadline=None)
@given(st.integers(2, 12), EPSILONS)
def test_subsets_of_one_are_the_wheel(categories, epsilon):
    assert subset(categories, epsilon, 1) == wheel(categories, epsilon)


@settings(deadline=None)
@given(st.integers(2, 12), EPSILONS)
def test_a_report_is_the_set_in_the_bits_of_its_mask(categories, epsilon):
    channel = subset(categories, epsilon)
    masks = channel.form.masks
    assert list(masks) == sorted(set(masks))
    assert len({mask.bit_count() for mask in masks}) == 1
    for answer in range(categories):
        with_answer = [mask >> answer & 1 for mask in masks]
        assert (channel.weights[answer] == channel.form.inside).tolist() == [bit == 1 for bit in with_answer]


@pytest.mark.parametrize(
    ("categories", "epsilon", "of_wheel", "of_subset", "size"),
    [
        (5, 1.0, 12.23, 12.23, 1),
        (10, 0.5, 242.5, 127.2, 4),
        (10, 1.0, 41.9, 30.0, 3),
        (10, 2.0, 5.92, 5.92, 1),
    ],
)
def test_variances_are_those_of_the_literature(categories, epsilon, of_wheel, of_subset, size):
    # Ye & Barg (2018); tolerance: the digits that the table prints.
    chosen = subset(categories, epsilon)
    assert variance_at_uniform_shares(wheel(categories, epsilon)) == pytest.approx(of_wheel, rel=2e-3)
    assert variance_at_uniform_shares(chosen) == pytest.approx(of_subset, rel=2e-3)
    assert chosen.form.masks[0].bit_count() == size


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0, 3.0])
@pytest.mark.parametrize("categories", [2, 3, 5, 10, 12])
def test_the_size_chosen_has_the_least_variance_of_all(categories, epsilon):
    # Tolerance: the formula and the integers differ by the rounding of weights.
    limit = min(total_variance(categories, epsilon, size) for size in range(1, categories))
    measured = [variance_at_uniform_shares(subset(categories, epsilon, w)) for w in range(1, categories)]
    assert variance_at_uniform_shares(subset(categories, epsilon)) == min(measured)
    assert min(measured) == pytest.approx(limit, rel=1e-5)


@settings(deadline=None)
@given(st.integers(2, 12), st.floats(0.05, 4.0))
def test_the_chance_of_being_in_the_report_is_the_same_from_every_other_answer(categories, epsilon):
    channel = subset(categories, epsilon)
    members = channel.form.members().T
    chances = channel.probabilities @ members
    others = chances[~np.eye(categories, dtype=bool)]
    assert np.ptp(np.diag(chances)) == 0
    # At most 461 sets are raised by one: 461 / 2**32 < 2**-22. So the counts are binomial.
    assert np.ptp(others) < 2**-22


@pytest.mark.parametrize("make", [wheel, subset])
@pytest.mark.parametrize("categories", [1, 0, -3, 51, 2.0, True, "3", None, math.nan])
def test_categories_out_of_range_are_refused_by_name(make, categories):
    with pytest.raises(ValueError, match=r"^categories must be a whole number from 2 to 50, got "):
        make(categories, 1.0)


def test_subsets_of_more_than_twelve_categories_point_to_the_wheel():
    message = (
        "categories must be a whole number from 2 to 12 for subset selection; the wheel takes more, got 13"
    )
    with pytest.raises(ValueError, match=message):
        subset(13, 1.0)


@pytest.mark.parametrize("size", [0, 5, -1, 1.0, True, "2"])
def test_a_size_out_of_range_is_refused_by_name(size):
    with pytest.raises(ValueError, match=r"^size must be a whole number from 1 to 4, got "):
        subset(5, 1.0, size)


@pytest.mark.parametrize("make", [wheel, subset])
@pytest.mark.parametrize("epsilon", [0, -1, 10.5, math.nan, math.inf, "1", True, None])
def test_an_epsilon_out_of_range_is_refused_by_name(make, epsilon):
    with pytest.raises(ValueError, match=r"^epsilon must be a number above 0 and at most 10, got "):
        make(3, epsilon)
