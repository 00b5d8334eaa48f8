"""Shuffling: what published counts say of one person, to somebody who sees nothing else."""

import math
from collections import Counter
from itertools import combinations_with_replacement, pairwise, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.special import expit

from survey.channel import Channel
from survey.mechanisms import coin, exponential, gaussian, one_bit, spinner_coin, wheel
from survey.privacy import shuffle
from survey.privacy.binomial import binomial
from survey.privacy.loss import LossDistribution
from survey.privacy.shuffle import bound, clones_delta, compositions, count_epsilons, shuffled, smallest_group


def test_the_count_over_one_person_is_their_report():
    # delta = P(yes | yes) - e^epsilon P(yes | no), solved for epsilon.
    yes, no = coin().probabilities[1, 1], coin().probabilities[0, 1]
    assert shuffled(coin(), 1, 1e-3).epsilon == pytest.approx(math.log((yes - 1e-3) / no))


# METHODS figures; the exact loss of a binomial count at delta 1e-6.
@pytest.mark.parametrize(
    ("channel", "respondents", "expected"),
    [(spinner_coin(1.0), 10_000, 0.0357), (coin(), 10_000, 0.0399), (spinner_coin(1.0), 200, 0.318)],
    ids=["10 000", "coin", "200"],
)
def test_the_count_of_yes_and_no_has_the_exact_figure(channel, respondents, expected):
    found = shuffled(channel, respondents, 1e-6)
    assert found.exact
    assert found.applies
    assert found.epsilon == pytest.approx(expected, rel=0.01)


def test_a_number_sent_as_one_bit_is_a_count_too():
    assert shuffled(one_bit(0, 10, 1, 1.0), 10_000, 1e-6).epsilon == pytest.approx(0.0357, rel=0.01)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.01, 1e-6), (0.1, 1e-6), (1.0, 1e-6), (2.0, 1e-4)])
def test_beyond_a_thousand_the_compositions_that_are_tried_are_the_worst_but_for_little(epsilon, delta):
    channel, n = spinner_coin(epsilon), 1100
    q, p = channel.probabilities[:, 1].tolist()
    # Yes and no may be exchanged: m of the others who answer yes are as bad as m who answer no.
    every = [
        max(count_epsilons(np.convolve(binomial(m, p), binomial(n - 1 - m, q)), p, q, delta))
        for m in range((n + 1) // 2)
    ]
    assert shuffled(channel, n, delta).epsilon == pytest.approx(max(every), rel=2e-5)


def test_the_worst_composition_may_lie_far_from_the_ends():
    # Of 100 others 79: whole counts make it so. The 8 nearest each end would say 0.0082679.
    assert shuffled(spinner_coin(0.05), 101, 1e-4).epsilon == pytest.approx(0.00829131, abs=1e-8)


def test_any_number_of_the_others_may_have_the_likelier_answer():
    assert list(compositions(3)) == [0, 1, 2, 3]
    assert {0, 1, 1099, 1100} <= set(compositions(1100)) <= set(range(1101))


PEOPLE = st.integers(1, 200) | st.integers(1001, 3000)
"""Few, of whom every composition is tried, and many, of whom some are; a thousand take half a second."""


@settings(max_examples=15, deadline=None)
@given(
    st.floats(0.05, 5),
    st.lists(PEOPLE, min_size=2, max_size=2),
    st.floats(1e-9, 1e-3),
    st.integers(2, 12),
)
def test_it_is_never_above_the_local_loss_and_falls_with_the_respondents(epsilon, people, delta, options):
    for channel in (spinner_coin(epsilon), wheel(options, epsilon)):
        few, many = (shuffled(channel, n, delta) for n in sorted(people))
        for found in (few, many):
            assert not found.applies or found.epsilon <= channel.epsilon
        if few.applies:
            assert many.applies
            assert many.epsilon <= few.epsilon + 1e-9


@settings(max_examples=25, deadline=None)
@given(st.floats(0.05, 4), st.integers(2, 200), st.floats(1e-9, 1e-3))
def test_the_bound_for_any_mechanism_is_not_below_the_exact_figure(epsilon, people, delta):
    channel = spinner_coin(epsilon)
    general = bound(channel.epsilon, people, delta)
    if general.applies:
        assert shuffled(channel, people, delta).epsilon <= general.epsilon + 1e-6


@pytest.mark.parametrize(("epsilon", "people"), [(0.5, 50), (1.0, 1000), (4.0, 10**5)])
def test_the_bound_is_the_least_epsilon_at_which_the_delta_among_clones_is_allowed(epsilon, people):
    least, delta_at = bound(epsilon, people, 1e-6).epsilon, clones_delta(epsilon, people, 1e-6)
    assert delta_at(least) <= 1e-6 < delta_at(least * (1 - 1e-9))


@pytest.mark.parametrize(
    "channel", [wheel(3, 0.7), exponential(3, 1.5), wheel(4, 2.0)], ids=["wheel", "scale", "4"]
)
def test_the_bound_holds_for_the_exact_histogram_of_a_few_people(channel):
    n, delta = 5, 0.01
    worst = 0.0
    rows = channel.probabilities
    for others in combinations_with_replacement(range(channel.answers), n - 1):
        before = histogram(rows[list(others)])
        for a, b in permutations(range(channel.answers), 2):
            first, second = (added(before, rows[answer]) for answer in (a, b))
            losses = {counts: math.log(first[counts] / second[counts]) for counts in first}
            order = sorted(losses, key=losses.__getitem__)
            distribution = LossDistribution(
                np.array([losses[counts] for counts in order]), np.array([first[counts] for counts in order])
            )
            worst = max(worst, distribution.epsilon(delta))
    found = bound(channel.epsilon, n, delta)
    assert found.applies
    assert not found.exact
    assert worst <= found.epsilon


def histogram(rows):
    """The chance of every histogram of independent reports, by enumeration."""
    chances = Counter()
    for reports in product(range(rows.shape[1]), repeat=len(rows)):
        counts = tuple(np.bincount(reports, minlength=rows.shape[1]).tolist())
        chances[counts] += math.prod(row[report] for row, report in zip(rows, reports, strict=True))
    return chances


def added(chances, row):
    """The same with one person more."""
    more = Counter()
    for counts, chance in chances.items():
        for report, weight in enumerate(row):
            more[(*counts[:report], counts[report] + 1, *counts[report + 1 :])] += chance * weight
    return more


def test_over_too_few_people_there_is_no_figure():
    for epsilon in (8.0, 40.0, 1000.0):
        found = bound(epsilon, 20, 1e-6)
        assert (found.epsilon, found.applies, found.exact, found.reason) == (None, False, False, "too_few")


def test_for_the_gaussian_mechanism_there_is_no_figure():
    found = shuffled(gaussian(0, 4, 1, 1.0, 1e-4), 1000, 1e-6)
    assert (found.epsilon, found.exact, found.reason) == (None, False, "approximate")


@pytest.mark.parametrize("channel", [coin(), wheel(3, 0.5)], ids=["exact", "bound"])
def test_beyond_the_most_that_are_counted_the_figure_stays(channel, monkeypatch):
    monkeypatch.setattr(shuffle, "MOST_COUNTED", 100)
    assert shuffled(channel, 101, 1e-6).epsilon == shuffled(channel, 100, 1e-6).epsilon


@pytest.mark.parametrize(("epsilon", "n"), [(0.2, 20), (0.5, 20), (0.99, 20), (0.2, 500)])
def test_the_delta_among_clones_is_the_enumerated_one_with_what_is_cut_off(epsilon, n):
    local, delta, chance = 1.0, 1e-3, expit(1.0)
    exact = 0.0
    for clones in range(n):
        heads = (
            stats.binom.pmf(range(-1, clones + 1), clones, 0.5),
            stats.binom.pmf(range(clones + 2), clones, 0.5),
        )
        one, other = (share * heads[0] + (1 - share) * heads[1] for share in (chance, 1 - chance))
        excess = np.maximum(one - math.exp(epsilon) * other, 0).sum()
        exact += stats.binom.pmf(clones, n - 1, math.exp(-local)) * excess
    assert clones_delta(local, n, delta)(epsilon) == pytest.approx(exact + 2e-6 * delta, abs=1e-10)


def test_a_channel_that_says_nothing_says_nothing_when_counted():
    assert shuffled(Channel([[2**31, 2**31], [2**31, 2**31]]), 10, 1e-6).epsilon == 0


def test_two_readings_of_a_survey_never_differ_by_fewer_than_the_group():
    for step in (1, 7, 50):
        for people in range(1, 8 * step):
            # What is shown while open lags one step; closing shows all.
            shown = {max(0, step * (came // step - 1)) for came in range(people + 1)} | {people}
            states = sorted(shown)
            assert smallest_group(people, step) == min(after - before for before, after in pairwise(states))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: shuffled(coin(), 0, 1e-6), "respondents must be a whole number from 1 to .*, got 0"),
        (lambda: shuffled(coin(), 10.5, 1e-6), "respondents must be a whole number from 1 to .*, got 10.5"),
        (lambda: shuffled(coin(), 10, 0.0), r"delta must be a number above 0 and below 1, got 0.0"),
        (lambda: shuffled(coin(), 10, 1), r"delta must be a number above 0 and below 1, got 1"),
        (lambda: bound(0, 10, 1e-6), "epsilon must be a number above 0, got 0"),
        (lambda: bound(1.0, True, 1e-6), "respondents must be a whole number from 1 to .*, got True"),
        (lambda: smallest_group(10, 0), "step must be a whole number from 1 to .*, got 0"),
    ],
)
def test_bad_input_is_refused_by_name_range_and_value(call, message):
    with pytest.raises(ValueError, match=message):
        call()
