"""The permutation test of independence: against all permutations, people who exchange reports; its level."""

import math

import numpy as np
import pytest
from scipy.stats import hypergeom

from survey.crosstab import independence, permutation_p_value
from survey.mechanisms import coin, sampled_box, spinner_coin, subset, wheel


def test_the_p_value_is_that_of_all_permutations():
    # With the margins (9, 7) and (8, 8) the first cell is hypergeometric.
    channels, observed = [coin(), coin()], independence([coin(), coin()], [[7, 2], [1, 6]]).statistic
    exact = sum(
        hypergeom.pmf(first, 16, 8, 9)
        for first in range(1, 9)
        if independence(channels, [[first, 9 - first], [8 - first, first - 1]]).statistic >= observed - 1e-9
    )
    found = permutation_p_value(channels, [[7, 2], [1, 6]], np.random.default_rng(1), 100_000)
    assert exact == pytest.approx(0.0406, abs=1e-4)
    assert found == pytest.approx(exact, abs=4 * math.sqrt(exact / 100_000))


def test_it_is_that_of_people_who_exchange_their_reports_one_by_one():
    rng = np.random.default_rng(2)
    channels = [subset(4, 1.0, 2), wheel(3, 2.0)]
    table = rng.multinomial(30, rng.dirichlet(np.ones(18))).reshape(6, 3)
    first, second = np.repeat(np.argwhere(table), table[table > 0], axis=0).T
    observed = independence(channels, table).statistic
    as_large = 0
    for _ in range(2000):
        exchanged = np.zeros_like(table)
        np.add.at(exchanged, (first, rng.permutation(second)), 1)
        as_large += independence(channels, exchanged).statistic >= observed - 1e-9
    share = as_large / 2000
    found = permutation_p_value(channels, table, rng, 20_000)
    assert found == pytest.approx(share, abs=4 * math.sqrt(share * (1 - share) / 2000))
    assert 0.01 < share < 0.99


def test_the_same_generator_gives_the_same_p_value_in_whole_thousandths():
    table = [[7, 2], [1, 6]]
    one, again, other = (
        permutation_p_value([coin(), coin()], table, np.random.default_rng(seed)) for seed in (3, 3, 4)
    )
    assert one == again != other
    assert 1000 * one == pytest.approx(round(1000 * one))


def test_an_overwhelming_relation_has_the_smallest_p_value_there_is_and_never_zero():
    assert permutation_p_value([coin(), coin()], [[50, 0], [0, 50]], np.random.default_rng(5)) == 0.001


@pytest.mark.parametrize("table", [[[0, 0], [3, 5]], [[4, 0], [9, 0]], [[0, 0], [0, 0]]])
def test_reports_that_are_all_the_same_or_none_at_all_are_related_to_nothing(table):
    assert permutation_p_value([coin(), coin()], table, np.random.default_rng(6)) == 1


def test_who_did_not_report_on_both_boxes_is_not_exchanged():
    boxes = [sampled_box(4, 1.0)] * 2
    table = np.array([[7, 2, 300], [1, 6, 200], [200, 300, 500]])
    among_them = permutation_p_value([boxes[0].box] * 2, table[:2, :2], np.random.default_rng(7))
    assert permutation_p_value(boxes, table, np.random.default_rng(7)) == among_them


def test_where_expected_counts_are_few_it_keeps_the_level_that_chi_square_misses():
    # 1 % at each of four options and everybody at the fifth: at epsilon 4 hardly a report leaves it.
    rng = np.random.default_rng(8)
    channels = [wheel(5, 4.0), wheel(5, 4.0)]
    shares = np.array([0.96, 0.01, 0.01, 0.01, 0.01]) @ channels[0].probabilities
    tables = rng.multinomial(200, np.outer(shares, shares).ravel(), size=1000).reshape(-1, 5, 5)
    chi_square = [independence(channels, table).p_value <= 0.05 for table in tables]
    permuted = [permutation_p_value(channels, table, rng) <= 0.05 for table in tables]
    assert np.mean(chi_square) > 0.08
    assert np.mean(permuted) <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 1000)


def test_it_finds_a_relation_between_rare_answers():
    channels = [spinner_coin(6.0)] * 2
    assert permutation_p_value(channels, [[190, 0], [2, 8]], np.random.default_rng(9)) < 0.01
