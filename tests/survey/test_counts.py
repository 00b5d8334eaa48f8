"""Counts: one whole number for each report, and nothing else."""

import numpy as np
import pytest

from survey.channel import TOTAL, Channel
from survey.counts import BinomialCount, binomial_count, read_counts, tally
from survey.mechanisms import coin, spinner_coin

QUARTER = TOTAL // 4


@pytest.mark.parametrize("counts", [[492, 508], (0, 0), np.array([1, 2], np.uint8), [2**53, 0]])
def test_whole_numbers_one_for_each_report_are_read(counts):
    received = read_counts(coin(), counts)
    assert received.dtype == np.int64
    assert received.tolist() == list(counts)


@pytest.mark.parametrize(
    "counts",
    [[1], [1, 2, 3], 5, [], [[1, 2]], [1.0, 2.0], [True, False], ["1", "2"], [1, None], [float("nan"), 1]],
)
def test_another_number_of_them_or_another_kind_is_refused(counts):
    with pytest.raises(ValueError, match="counts must be 2 whole numbers, one for each report, got "):
        read_counts(coin(), counts)


@pytest.mark.parametrize("counts", [[-1, 2], [2**53, 1], np.array([2**63, 2**63], np.uint64)])
def test_counts_below_0_or_beyond_what_a_double_holds_are_refused(counts):
    with pytest.raises(
        ValueError, match="counts must be 0 or more and add up to at most 9007199254740992, got "
    ):
        read_counts(coin(), counts)


def test_a_tally_counts_every_report_also_those_that_nobody_sent():
    assert tally(coin(), np.zeros(7, np.uint8)).tolist() == [7, 0]
    assert tally(coin(), [1, 0, 1, 1]).tolist() == [1, 3]
    assert tally(coin(), []).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("reports", "value"), [([0, 2], "2"), ([-1], "-1"), ([0.0], "0.0"), ([True], "True")]
)
def test_a_report_that_the_channel_cannot_give_is_refused(reports, value):
    with pytest.raises(ValueError, match=rf"reports must be whole numbers in \[0, 2\), got .*{value}"):
        tally(coin(), reports)


def test_a_yes_no_question_is_one_binomial_count():
    binomial = binomial_count(coin(), [30, 10])
    assert binomial == BinomialCount(respondents=40, count=10, lowest=0.25, highest=0.75)
    assert binomial.mirrored == BinomialCount(respondents=40, count=30, lowest=0.25, highest=0.75)
    assert (binomial.share, binomial.most_likely, binomial.proportion(0.5)) == (0.25, 0.25, 0.5)


def test_the_report_that_speaks_for_yes_is_counted_whatever_its_number():
    exchanged = Channel(np.array([[QUARTER, 3 * QUARTER], [3 * QUARTER, QUARTER]]))
    assert binomial_count(exchanged, [10, 30]) == binomial_count(coin(), [30, 10])


def test_a_channel_of_another_shape_is_refused():
    channel = Channel(np.array([[QUARTER, QUARTER - 1, 2 * QUARTER + 1], [2 * QUARTER, QUARTER, QUARTER]]))
    with pytest.raises(ValueError, match="channel must have two answers and two reports, got 2 and 3"):
        binomial_count(channel, [1, 2, 3])


def test_a_noisy_share_that_the_channel_cannot_give_has_its_likeliest_chance_at_the_nearest_end():
    assert binomial_count(spinner_coin(1.0), [10, 0]).most_likely == spinner_coin(1.0).probabilities[0, 1]
    assert binomial_count(spinner_coin(1.0), [0, 10]).most_likely == spinner_coin(1.0).probabilities[1, 1]
