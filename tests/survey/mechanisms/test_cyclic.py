"""Base sets turned around a circle: their table, their integers and what they tell."""

import importlib
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from survey.counts import binomial_counts
from survey.design.base_sets import BASE_SETS
from survey.design.design import optimum, variance
from survey.design.unevenness import unevenness
from survey.estimate import estimate_proportions
from survey.interval import proportion_intervals
from survey.mechanisms import cyclic
from survey.mechanisms.cyclic_sets import families
from survey.privacy.hardest_pairs import hardest_pairs
from survey.privacy.loss import loss_distribution

CATEGORIES = st.integers(13, 50)
EPSILONS = st.floats(0.01, 10.0)


def variance_of_shares(channel):
    chances = channel.probabilities
    return variance(chances @ np.diag(1 / chances.mean(axis=0)) @ chances.T, "shares")


@settings(deadline=None, max_examples=60)
@given(CATEGORIES, EPSILONS)
def test_a_cyclic_channel_keeps_epsilon_and_uses_all_of_it(categories, epsilon):
    channel = cyclic(categories, epsilon)
    size = len(channel.form.blocks[0])
    assert channel.reports <= 6 * categories
    # As for all sets of a size: the remainder of a row is raised by one where the answer is not.
    remainder = 2 + (categories - size) / size + size / (categories - size)
    assert epsilon - remainder / channel.loss[1] <= channel.epsilon <= epsilon


@pytest.mark.parametrize("epsilon", [0.5, 0.7, 1.0, 1.4, 2.0])
@pytest.mark.parametrize("categories", sorted(BASE_SETS))
def test_shares_have_nearly_the_least_variance_of_any_channel(categories, epsilon):
    reached = variance_of_shares(cyclic(categories, epsilon))
    assert 1 - 1e-6 <= reached / optimum(categories, epsilon, "shares") <= 1.06


def test_the_table_holds_every_number_of_categories():
    assert sorted(BASE_SETS) == list(range(13, 51))
    for categories in BASE_SETS:
        for blocks, uneven in families(categories):
            assert len({len(block) for block in blocks}) == 1
            assert len(blocks) <= 6
            assert 1 - 1e-9 <= uneven <= 1.06


def test_the_table_is_what_its_script_would_write(monkeypatch, tmp_path):
    """The first lines of it; a search for all of them takes a quarter of a minute."""
    script = importlib.import_module("survey.design.make_base_sets")
    monkeypatch.setattr(script, "TABLE", tmp_path / "table.py")
    monkeypatch.setattr(script, "ANSWERS", range(13, 15))
    script.main()
    written = (tmp_path / "table.py").read_text("utf-8").splitlines()
    stored = (script.Path(script.__file__).with_name("base_sets.py")).read_text("utf-8").splitlines()
    assert len(written) > 15
    assert written[:-2] == stored[: len(written) - 2]


def test_unevenness_is_the_variance_over_that_of_all_sets():
    blocks = [[0, 1, 4], [0, 2, 7]]
    answers, chances = 11, []
    for block in blocks:
        for turn in range(answers):
            row = np.ones(answers)
            row[[(place + turn) % answers for place in block]] = math.e
            chances.append(row)
    chances = np.array(chances).T
    chances /= chances.sum(axis=1, keepdims=True)
    reached = variance(chances @ np.diag(1 / chances.mean(axis=0)) @ chances.T, "shares")
    every = (10 * (3 * math.e + 8) / math.expm1(1)) ** 2 / (11 * 3 * 8)
    assert reached == pytest.approx(every * unevenness(blocks, answers))


def test_a_difference_set_is_even_and_one_set_may_tell_nothing_apart():
    assert unevenness([[0, 1, 3, 9]], 13) == pytest.approx(1)
    assert unevenness([[0, 7]], 14) == math.inf


@settings(deadline=None, max_examples=10)
@given(st.integers(13, 22), st.floats(0.1, 6.0))
def test_one_pair_of_answers_is_told_apart_best_at_every_epsilon(categories, epsilon):
    channel = cyclic(categories, epsilon)
    (hardest,) = hardest_pairs(channel)
    others = [loss_distribution(channel, 0, other) for other in range(1, categories)]
    for at in np.linspace(-1.5, 1.5, 9) * epsilon:
        assert max(other.delta(at) for other in others) <= hardest.delta(at) + 1e-6 * (1 + math.exp(at))


def test_counts_are_binomial_for_a_difference_family_only():
    even, uneven = cyclic(13, 1.0), cyclic(20, 1.0)
    assert binomial_counts(even, np.ones(even.reports, dtype=int)) is not None
    assert binomial_counts(uneven, np.ones(uneven.reports, dtype=int)) is None
    methods = [
        {interval.method for interval in proportion_intervals(channel, np.full(channel.reports, 20))}
        for channel in (even, uneven)
    ]
    assert methods == [{"exact"}, {"likelihood_ratio"}]


@settings(deadline=None, max_examples=15)
@given(CATEGORIES, st.floats(0.3, 6.0), st.integers(0, 2**32))
def test_estimates_from_expected_counts_are_the_truth(categories, epsilon, seed):
    truth = np.random.default_rng(seed).dirichlet(np.ones(categories))
    channel = cyclic(categories, epsilon)
    counts = np.rint(10**12 * truth @ channel.probabilities).astype(np.int64)
    assert estimate_proportions(channel, counts).proportions == pytest.approx(truth, abs=1e-6)


def test_the_set_of_another_answer_holds_a_category_now_more_now_less_often():
    channel = cyclic(20, 1.0)
    chances = channel.probabilities @ channel.form.members().T
    others = chances[~np.eye(20, dtype=bool)]
    assert np.diag(chances).min() > others.max()
    assert np.ptp(others) > 0.01


@pytest.mark.parametrize("categories", [2, 12])
def test_few_categories_point_to_subset_selection(categories):
    message = "categories must be a whole number from 13 to 50 for cyclic sets; subset selection takes fewer"
    with pytest.raises(ValueError, match=message):
        cyclic(categories, 1.0)


@pytest.mark.parametrize("categories", [1, 51, 13.0, True, "13", None])
def test_categories_out_of_range_are_refused_by_name(categories):
    with pytest.raises(ValueError, match=r"^categories must be a whole number from 2 to 50, got "):
        cyclic(categories, 1.0)


@pytest.mark.parametrize("epsilon", [0, -1, 10.5, math.nan, math.inf, "1", True, None])
def test_an_epsilon_out_of_range_is_refused_by_name(epsilon):
    with pytest.raises(ValueError, match=r"^epsilon must be a number above 0 and at most 10, got "):
        cyclic(20, epsilon)
