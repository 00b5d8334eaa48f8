"""Two linked questions together: their joint table, comparisons and test, and the people they save."""

import numpy as np
import pytest

from survey.crosstab import (
    difference_within,
    estimate_joint,
    independence,
    joint_radius,
    odds_ratio_within,
    share_within,
)
from survey.linked import Linked
from survey.mechanisms import spinner_coin
from survey.randomize_linked import randomize_linked_many

COPIED, HELPED = 0.3, 0.2


def pair_table(linked, people, related, random, skipped=0.0):
    """Reports of people on two yes/no questions; of those related, the second answer is the first."""
    first = (random.random(people) < COPIED).astype(int)
    second = np.where(random.random(people) < related, first, random.random(people) < HELPED)
    answers = np.stack(
        [first, second, *(random.integers(0, size, people) for size in linked.sizes[2:])], axis=1
    )
    answers[random.random(people) < skipped] = -1
    codes = randomize_linked_many(linked, answers, random.integers(0, 2**32, (people, 2), dtype=np.uint32))
    channels = [linked.marginal(0), linked.marginal(1)]
    table = np.zeros([channel.reports for channel in channels], np.int64)
    np.add.at(table, (codes[:, 0], codes[:, 1]), 1)
    return channels, table, answers


@pytest.mark.parametrize("skip", [False, True])
def test_the_joint_table_is_unbiased_and_tells_how_two_answers_go_together(skip):
    linked = Linked.spun((2, 2, 3), 2.5, skip=skip)
    channels, table, answers = pair_table(linked, 20_000, 0.5, np.random.default_rng(1), 0.1 * skip)
    joint = estimate_joint(channels, table)
    for (first, second), error in np.ndenumerate(joint.standard_errors[:2, :2]):
        true = ((answers[:, 0] == first) & (answers[:, 1] == second)).mean()
        assert joint.proportions[first, second] == pytest.approx(true, abs=3 * error)
    assert joint.maximum_likelihood.sum() == pytest.approx(1)
    true_difference = 0.18 / (0.18 + 0.07) - 0.12 / (0.12 + 0.63)
    difference = difference_within(channels, table, 1, 1, 0)
    assert difference.low < true_difference < difference.high < difference.low + 0.11
    ratio = odds_ratio_within(channels, table, 1, 1, 0)
    assert ratio.low < 0.18 * 0.63 / (0.12 * 0.07) < ratio.high
    assert independence(channels, table).p_value < 1e-50
    assert joint_radius(channels, 100).max() == pytest.approx(1 / (100 * channels[0].bright))


def test_the_test_of_independence_keeps_its_level():
    """2,000 people, 200 times: the standard error of a share of .05 is .015."""
    random, linked = np.random.default_rng(2), Linked.spun((2, 2), 2.0)
    refused = [independence(*pair_table(linked, 2000, 0, random)[:2]).p_value < 0.05 for _ in range(200)]
    assert np.mean(refused) == pytest.approx(0.05, abs=0.045)


def test_the_share_within_a_group_is_covered():
    random, linked = np.random.default_rng(3), Linked.spun((2, 2), 2.0, skip=True)
    true = 0.18 / (0.18 + 0.07)
    covered = []
    for _ in range(100):
        channels, table, _ = pair_table(linked, 2000, 0.5, random, 0.1)
        share = share_within(channels, table, 1, 1)
        covered.append(share.low <= true <= share.high)
    assert np.mean(covered) >= 0.88


def test_nobody_yet():
    linked = Linked.spun((2, 2), 2.0)
    channels = [linked.marginal(0), linked.marginal(1)]
    nothing = np.zeros((2, 2), int)
    assert estimate_joint(channels, nothing).maximum_likelihood.tolist() == [[0.25, 0.25], [0.25, 0.25]]
    assert independence(channels, nothing).p_value == 1


def test_questions_of_two_sections_are_not_linked_even_if_their_wheels_are_equal():
    ours, theirs = (Linked.spun((2, 2), 2.0).marginal(place) for place in (0, 1))
    other = Linked(theirs.linked.sizes, theirs.linked.wheels, 2, section="another").marginal(1)
    table = [[40, 10], [10, 40]]
    apart = estimate_joint([spinner_coin(np.log(ours.loss[0] / ours.loss[1]))] * 2, table)
    assert estimate_joint([ours, other], table).proportions == pytest.approx(apart.proportions, abs=1e-6)
    assert estimate_joint([ours, theirs], table).proportions != pytest.approx(apart.proportions, abs=1e-2)


@pytest.mark.parametrize(("shares", "gain"), [((0.5, 0.5), 8.29), ((0.2, 0.3), 7.95)])
def test_people_saved_for_a_covariance(shares, gain):
    """The variance of the covariance of two independent answers, asked apart at half the epsilon each."""
    linked = Linked.spun((2, 2), 2.0)
    true = np.outer([1 - shares[0], shares[0]], [1 - shares[1], shares[1]])
    pair = [linked.marginal(0), linked.marginal(1)]
    apart = [spinner_coin(1.0)] * 2
    variances = []
    for channels, chances in (
        (pair, linked.wheels[0].probabilities),
        (apart, np.kron(apart[0].probabilities, apart[1].probabilities)),
    ):
        expected = (true.ravel() @ chances * 10**9).round().astype(int).reshape(2, 2)
        covariance = estimate_joint(channels, expected).covariance.reshape(4, 4) * 10**9
        # d(theta_11 - theta_1. theta_.1) by the cells of the table
        slope = np.array([0, -shares[0], -shares[1], 1 - shares[0] - shares[1]])
        variances.append(slope @ covariance @ slope)
    assert variances[1] / variances[0] == pytest.approx(gain, rel=0.05)
