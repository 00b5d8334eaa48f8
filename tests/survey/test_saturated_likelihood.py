"""The mean of the reports' values that a likelihood allows, from its definitions."""

import numpy as np
import pytest
from scipy.stats import chi2

from survey.interval import saturated_likelihood as module
from survey.interval.saturated_likelihood import (
    highest_means,
    saturated_likelihood,
    shortfall,
    unbounded_likelihood,
    with_continuity,
)

DROP = chi2.ppf(0.95, 1) / 2


@pytest.fixture
def twelve_steps(monkeypatch):
    """Let no search take more than twelve steps, which are enough for Newton's but not for bisection."""

    def steps(most):
        yield from range(12)
        raise AssertionError("a thirteenth step")

    monkeypatch.setattr(module, "range", steps, raising=False)


@pytest.mark.parametrize("mean", [0.05, 0.2, 0.35, 0.6])
def test_it_is_that_of_the_best_chances_with_that_mean(mean):
    # Three reports: chances with the mean are a line, searched finely.
    values, counts = np.array([-0.5, 0.5, 1.5]), np.array([50, 30, 20])
    low = max(0.0, mean - 0.5)
    third = np.linspace(low, (mean + 0.5) / 2, 200_001)
    second = mean + 0.5 - 2 * third
    chances = np.stack([1 - second - third, second, third])
    possible = (chances > 0).all(axis=0)
    best = (counts @ np.log(chances[:, possible])).max()
    top = counts @ np.log(counts / 100)
    assert shortfall(values, counts, mean) == pytest.approx(top - best, abs=1e-6)


def test_the_likelihood_does_not_fall_at_the_mean_itself():
    assert shortfall(np.array([-1.0, 1.0, 2.0]), np.array([0.3, 0.1, 0.1]), 0.0) == 0
    assert shortfall(np.array([0.25, 0.25]), np.array([1, 2]), 0.25) == 0


@pytest.mark.parametrize("values", [[0.0, 1.0], [1.0, 0.0]])
def test_a_mean_that_no_chances_have_makes_it_fall_for_ever(values):
    assert shortfall(np.array(values), np.array([1, 1]), values[0]) == np.inf
    assert shortfall(np.array([-1.0, *values]), np.array([0, 0.5, 0.25]), -1.0) == np.inf


def test_at_an_end_that_all_reports_have_it_does_not_fall():
    assert shortfall(np.array([0.0, 1.0]), np.array([20, 0]), 0.0) == 0


def test_a_report_that_nobody_sent_takes_up_what_the_others_leave():
    # Reports of 1 alone, and a mean of 1/4: they have a chance of 1/4, the one of 0 the rest.
    assert shortfall(np.array([0.0, 1.0]), np.array([0, 1]), 0.25) == pytest.approx(np.log(4), rel=1e-9)
    assert shortfall(np.array([0.0, 1.0]), np.array([8, 0]), 0.75) == pytest.approx(8 * np.log(4), rel=1e-9)


@pytest.mark.parametrize("reports", [1, 40])
def test_of_two_reports_it_is_that_of_a_share(reports):
    counts, mean = np.array([0.7, 0.3]) * reports, 0.9
    fallen = counts @ np.log(counts / reports / [1 - mean, mean])
    assert shortfall(np.array([0.0, 1.0]), counts, mean) == pytest.approx(fallen, rel=1e-12)


def test_a_report_that_nobody_sent_may_have_a_chance_too():
    values = np.array([-0.5, 0.5, 1.5])
    low, high = saturated_likelihood(values, np.array([0, 20, 0]), DROP)
    # With q for the first report, (1 - q)^20 = e^-drop is the mean 0.5 - q.
    q = 1 - np.exp(-DROP / 20)
    assert (low, high) == pytest.approx((0.5 - q, 0.5 + q), abs=1e-12)
    assert unbounded_likelihood(values, np.array([0, 20, 0]), DROP) == pytest.approx((0.5 - q, 0.5 + q))
    assert saturated_likelihood(values, np.array([0, 1, 0]), DROP) == (0, 1)


def test_an_estimate_outside_0_to_1_still_has_an_interval():
    values = np.array([-0.5, 1.5])
    low, high = saturated_likelihood(values, np.array([100, 1]), DROP)
    assert low == 0
    assert 0 < high < 0.2
    below, _ = unbounded_likelihood(values, np.array([100, 1]), DROP)
    assert -0.5 < below < -0.4


def test_the_highest_mean_is_where_the_likelihood_has_fallen_that_far(twelve_steps):
    # By the other of its two definitions: `shortfall` finds the most likely chances of a given mean.
    chance = np.random.default_rng(4)
    values = chance.normal(size=(400, 12)) * 10.0 ** chance.integers(-2, 4, (400, 1))
    received = chance.poisson(10.0 ** chance.integers(-1, 6, (400, 1)), (400, 12)) + 1
    counts = np.array([with_continuity(*each) for each in zip(values, received, strict=True)])
    for drop in (1.92, 20.0):
        for each, own, highest in zip(values, counts, highest_means(values, counts, drop), strict=True):
            assert own @ each / own.sum() < highest < each.max()
            assert shortfall(each, own, highest) == pytest.approx(drop, rel=1e-6)


def test_the_highest_means_of_several_sets_are_those_of_each():
    values = np.array([[0.0, 0.5, 1.0]] * 4)
    counts = np.array([[5.0, 3.0, 2.0], [5.0, 3.0, 0.0], [0.0, 0.0, 9.0], [0.0, 7.0, 0.0]])
    drops = np.array([1.0, 2.0, 1.0, 0.5])
    one_by_one = [highest_means(values[[place]], counts[[place]], drops[place])[0] for place in range(4)]
    assert highest_means(values, counts, drops) == pytest.approx(one_by_one, abs=1e-12)
    assert one_by_one[2] == 1


def test_of_very_many_reports_it_is_still_exact_to_ten_digits():
    # Of 10^8 reports one is 0: half the chi-square quantile more than that one may be expected at least.
    values, counts = np.array([[0.0, 1.0]]), np.array([[1.0, 1e8]])
    (highest,) = highest_means(values, counts, DROP)
    assert shortfall(values[0], counts[0], highest) == pytest.approx(DROP, rel=0.02)


def test_the_highest_mean_comes_near_the_mean_with_a_small_drop_and_the_largest_value_with_a_large_one():
    values, counts = np.array([[-1.0, 0.5, 3.0]]), np.array([[10, 20, 0.5]])
    mean = (counts @ values[0]) / 30.5
    assert highest_means(values, counts, 1e-9) == pytest.approx(mean, abs=1e-3)
    assert highest_means(values, counts, 500.0) == pytest.approx(3, abs=1e-6)


def test_a_report_that_was_not_received_takes_up_a_chance_where_its_value_is_the_highest():
    values, counts = np.array([[-1.0, 0.5, 3.0]]), np.array([[1, 20, 0]])
    for drop in (0.5, 2.0, 20.0):
        (highest,) = highest_means(values, counts, drop)
        assert 0 < highest < 3
        assert shortfall(values[0], counts[0], highest) == pytest.approx(drop, rel=1e-9)


def test_reports_that_are_all_alike_leave_their_value():
    assert highest_means(np.array([[-1.0, 0.5, 3.0]]), np.array([[0, 0, 5]]), 2.0) == 3
    # Of equal value but for rounding: nothing to solve, and no failure.
    assert highest_means(np.array([[0.1, 0.1, 0.1 + 1e-15]]), np.array([[3, 4, 1]]), 2.0) == pytest.approx(
        0.1
    )
