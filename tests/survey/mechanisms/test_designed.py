"""Channels designed for what is wanted: their integers, their privacy and their estimates."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from survey.design.design import design, variance
from survey.design.wants import WANTS, read_wants
from survey.estimate import estimate_mean, estimate_proportions
from survey.interval import proportion_intervals
from survey.mechanisms import designed
from survey.privacy.hardest_pairs import furthest, hardest_pairs
from survey.privacy.loss import loss_distribution
from survey.publication import canonical_json
from survey.randomize import randomize_many
from survey.rules import Refusal

CATEGORIES = st.integers(2, 9)
EPSILONS = st.floats(0.05, 8.0)
WANTED = st.dictionaries(st.sampled_from(WANTS), st.floats(0.01, 100.0), min_size=1)


def variances_of(channel):
    """n times the variance of each want at equal shares, from the integers."""
    chances = channel.probabilities
    information = chances @ np.diag(1 / chances.mean(axis=0)) @ chances.T
    return {want: variance(information, want) for want in WANTS}


@settings(deadline=None, max_examples=60)
@given(CATEGORIES, EPSILONS, WANTED)
def test_a_designed_channel_keeps_epsilon_and_uses_all_of_it(categories, epsilon, wants):
    channel = designed(categories, epsilon, wants)
    largest, smallest = channel.loss
    assert smallest > 0
    assert channel.epsilon <= epsilon
    # The published fraction has 20 binary digits, and rounding a high weight costs one unit of it.
    frequent = max(channel.form.lows)
    assert channel.epsilon >= epsilon - 2.0**-20 - 1 / frequent
    assert channel.epsilon == pytest.approx(math.log(largest / smallest))


@settings(deadline=None, max_examples=30)
@given(CATEGORIES, EPSILONS, WANTED)
def test_the_integers_are_worth_what_the_design_is(categories, epsilon, wants):
    channel = designed(categories, epsilon, wants)
    promised = design(categories, epsilon, read_wants(wants)).variances
    reached = variances_of(channel)
    for want in WANTS:
        # A want that is not asked for may hang on rare sets, whose weights are few units.
        assert reached[want] <= promised[want] * (1.0001 if want in wants else 1.01)


@settings(deadline=None, max_examples=30)
@given(CATEGORIES, EPSILONS, WANTED)
def test_a_report_is_a_set_and_the_last_says_next_to_nothing(categories, epsilon, wants):
    channel = designed(categories, epsilon, wants)
    assert channel.reports <= categories * (categories + 1) // 2 + 1
    masks = list(channel.form.masks)
    assert masks == sorted(set(masks))
    assert len(masks) == channel.reports - 1
    assert channel.probabilities[:, -1].max() < 1e-3
    members = channel.form.members()
    assert (
        channel.weights[:, :-1].max(axis=0)
        == np.where(members[:, :-1], channel.weights[:, :-1], 0).max(axis=0)
    ).all()
    assert len(canonical_json(channel.form.as_dict())) <= 4000


@settings(deadline=None, max_examples=30)
@given(CATEGORIES, EPSILONS, WANTED)
def test_one_pair_of_answers_is_told_apart_best_at_every_epsilon(categories, epsilon, wants):
    channel = designed(categories, epsilon, wants)
    assert not channel.form.ends_dominate
    (hardest,) = hardest_pairs(channel)
    for other in np.linspace(-1.5, 1.5, 13) * epsilon:
        deltas = [
            loss_distribution(channel, a, b).delta(other)
            for a in range(categories)
            for b in range(categories)
            if a != b
        ]
        assert max(deltas) <= hardest.delta(other) + 1e-6 * (1 + math.exp(other))


def test_the_best_pair_need_not_be_the_ends():
    channel = designed(6, 1.0, {"shares": 1.0})
    first, second = furthest(channel)
    apart = np.abs(channel.probabilities[:, None] - channel.probabilities).sum(axis=2)
    assert apart[first, second] == pytest.approx(apart.max(), abs=1e-6)


@settings(deadline=None, max_examples=20)
@given(CATEGORIES, st.floats(0.3, 6.0), st.integers(0, 2**32))
def test_estimates_from_expected_counts_are_the_truth(categories, epsilon, seed):
    truth = np.random.default_rng(seed).dirichlet(np.ones(categories))
    channel = designed(categories, epsilon)
    counts = np.rint(10**12 * truth @ channel.probabilities).astype(np.int64)
    assert estimate_proportions(channel, counts).proportions == pytest.approx(truth, abs=1e-6)
    numbers = np.arange(categories)
    assert estimate_mean(channel, counts, grid=numbers).mean == pytest.approx(numbers @ truth, abs=1e-5)


def test_standard_errors_are_those_that_the_design_promises():
    categories, people = 8, 10**6
    channel = designed(categories, 1.0)
    counts = np.rint(people * channel.probabilities.mean(axis=0)).astype(np.int64)
    estimate = estimate_proportions(channel, counts)
    promised = design(categories, 1.0, read_wants(dict.fromkeys(WANTS, 1.0))).variances
    assert people * (estimate.standard_errors**2).sum() == pytest.approx(promised["shares"], rel=1e-3)
    mean = estimate_mean(channel, counts, grid=np.linspace(0, 1, categories))
    assert people * mean.standard_error**2 == pytest.approx(promised["mean"], rel=1e-3)


def test_intervals_hold_the_truth():
    categories, people, surveys = 7, 300, 200
    channel, random = designed(categories, 1.5), np.random.default_rng(2010)
    truth = np.array([0.05, 0.3, 0.25, 0.2, 0.1, 0.1, 0.0])
    held = []
    for _ in range(surveys):
        answers = random.choice(categories, people, p=truth)
        words = random.integers(0, 2**32, people, dtype=np.uint32)
        counts = np.bincount(randomize_many(channel, answers, words), minlength=channel.reports)
        intervals = proportion_intervals(channel, counts)
        mean = estimate_mean(channel, counts, grid=np.arange(categories))
        held.append(
            [interval.low <= share <= interval.high for interval, share in zip(intervals, truth, strict=True)]
            + [mean.low <= truth @ np.arange(categories) <= mean.high]
        )
    # 200 surveys: .95 less three standard errors.
    assert np.mean(held, axis=0).min() >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / surveys)


def test_without_wants_all_three_count_alike():
    assert designed(5, 1.0) == designed(5, 1.0, {"curve": 2, "shares": 2, "mean": 2})


def test_two_categories_are_yes_and_no():
    channel = designed(2, 1.0)
    assert channel.form.masks == (1, 2)
    assert channel.probabilities[0, 0] == pytest.approx(math.e / (1 + math.e), abs=1e-6)


@pytest.mark.parametrize("categories", [1, 22, 0, -3, 2.0, True, "3", None])
def test_categories_out_of_range_are_refused_by_name(categories):
    with pytest.raises(ValueError, match=r"^categories must be a whole number from 2 to 21, got "):
        designed(categories, 1.0)


@pytest.mark.parametrize("epsilon", [0, -1, 10.5, math.nan, math.inf, "1", True, None])
def test_an_epsilon_that_nothing_may_have_is_refused_by_name(epsilon):
    with pytest.raises(ValueError, match=r"^epsilon must be a number above 0 and at most 10, got "):
        designed(3, epsilon)


@pytest.mark.parametrize("epsilon", [0.049, 8.01, 10.0, 1e-9])
def test_an_epsilon_that_no_design_may_have_is_refused_by_name(epsilon):
    message = r"^epsilon must be a number from 0\.05 to 8 for a designed channel, got "
    with pytest.raises(Refusal, match=message) as refused:
        designed(3, epsilon)
    assert refused.value.limits == {"least": 0.05, "most": 8.0}


@pytest.mark.parametrize("wants", [{}, {"median": 1}, {"mean": 0}, {"curve": -1}, {"shares": math.nan}])
def test_wants_that_make_no_sense_are_refused_by_name(wants):
    with pytest.raises(Refusal, match=r"^wants"):
        designed(3, 1.0, wants)
