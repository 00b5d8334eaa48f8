"""Waves of the same people: intervals that hold however the answers of a person go together."""

import numpy as np
import pytest

from survey.crosstab import difference_of_pools, difference_of_waves
from survey.mechanisms import spinner_coin


def both_waves(n, channel, chances):
    """The chance of each pair of numbers of Yes reports in two waves, by enumeration.

    `chances` is of no and yes in the first wave (rows) and in the second (columns).
    """
    reports = channel.probabilities.T @ chances @ channel.probabilities
    table = np.ones((1, 1))
    for people in range(n):
        more = np.zeros((people + 2, people + 2))
        for first, second in np.ndindex(2, 2):
            more[first : people + first + 1, second : people + second + 1] += reports[first, second] * table
        table = more
    return table


def coverage(compare, n, channel, chances):
    """The chance that the interval of a difference holds the true one."""
    chances = np.array(chances)
    truth = chances[1].sum() - chances[:, 1].sum()
    held = np.zeros((n + 1, n + 1))
    for first, second in np.ndindex(n + 1, n + 1):
        interval = compare([(channel, [n - first, first])], [(channel, [n - second, second])], 1)
        held[first, second] = interval.low <= truth <= interval.high
    return (held * both_waves(n, channel, chances)).sum()


@pytest.mark.parametrize(
    "chances", [[[0.0, 0.5], [0.5, 0.0]], [[0.6, 0.2], [0.2, 0.0]], [[0.25, 0.25], [0.25, 0.25]]]
)
def test_a_difference_of_waves_holds_even_if_everybody_changes_to_the_opposite(chances):
    assert coverage(difference_of_waves, 20, spinner_coin(4.0), chances) >= 0.95


def test_a_difference_of_different_people_does_not_hold_for_people_who_change_to_the_opposite():
    assert coverage(difference_of_pools, 20, spinner_coin(4.0), [[0.0, 0.5], [0.5, 0.0]]) < 0.9


@pytest.mark.parametrize("epsilon", [1.0, 2.0, 4.0, 10.0])
def test_at_a_share_of_one_in_five_a_difference_of_waves_is_at_most_an_eighth_wider(epsilon):
    channel, n = spinner_coin(epsilon), 10_000
    yes = round(n * float(channel.probabilities[:, 1] @ [0.8, 0.2]))
    strata = [(channel, [n - yes, yes])]
    waves, others = (compare(strata, strata, 1) for compare in (difference_of_waves, difference_of_pools))
    assert 1 < (waves.high - waves.low) / (others.high - others.low) <= 1.12


def test_of_waves_of_unequal_size_only_the_people_in_both_count():
    channel = spinner_coin(2.0)
    few, many = [(channel, [60, 40])], [(channel, [6000, 4000])]
    waves, others = (compare(few, many, 1) for compare in (difference_of_waves, difference_of_pools))
    assert (waves.high - waves.low) / (others.high - others.low) < 1.01
