"""From an answer and a word to a report: exact shares, whatever the alphabet, and nothing drawn here."""

import itertools
import math
import os
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from survey.channel import TOTAL, Channel
from survey.mechanisms import coin, per_box, sampled_box, spinner_coin
from survey.randomize import (
    draw_subset,
    randomize,
    randomize_boxes,
    randomize_boxes_many,
    randomize_many,
    words_for,
)
from survey.section import MOST_SETS

QUARTER = TOTAL // 4
SIZES = [(n, k) for n in range(1, 101) for k in range(1, n + 1) if math.comb(n, k) <= MOST_SETS]
THE_TRUTH = Channel(np.array([[TOTAL, 0], [0, TOTAL]]))


def any_channel(answers, reports, seed):
    """A channel cut at random places; the seed is the only chance in it."""
    cuts = np.random.default_rng(seed).integers(0, TOTAL + 1, (answers, reports - 1))
    edges = np.column_stack([np.zeros(answers, np.int64), np.sort(cuts), np.full(answers, TOTAL)])
    return Channel(np.diff(edges))


@given(st.integers(2, 5), st.integers(1, 6), st.integers(0, 2**32))
def test_every_report_is_given_by_as_many_words_as_its_weight(answers, reports, seed):
    channel = any_channel(answers, reports, seed)
    for answer in range(answers):
        # The report never falls as the word rises, so its words are those between its first and its last.
        words = [0, *channel.weights[answer].cumsum().tolist()]
        for report, (first, end) in enumerate(itertools.pairwise(words)):
            if first < end:
                assert randomize(channel, answer, first) == report
                assert randomize(channel, answer, end - 1) == report


@given(st.integers(0, 1), st.integers(0, TOTAL - 1), st.integers(0, TOTAL - 1))
def test_a_larger_word_never_gives_an_earlier_report(answer, word, other):
    channel = any_channel(2, 5, seed=7)
    low, high = sorted([word, other])
    assert randomize(channel, answer, low) <= randomize(channel, answer, high)


@pytest.mark.parametrize("answer", [-1, 2, 0.0, 0.5, math.nan, "0", None, True, np.True_, [0]])
def test_an_answer_that_is_none_is_refused(answer):
    with pytest.raises(ValueError, match=r"answer must be a whole number from 0 to 1, got ") as refusal:
        randomize(coin(), answer, 0)
    assert str(refusal.value).endswith(repr(answer))


@pytest.mark.parametrize("word", [-1, TOTAL, 2**64, 0.0, 0.5, math.nan, "0", None, False, np.int64(-1)])
def test_a_word_that_is_none_is_refused(word):
    with pytest.raises(
        ValueError, match=r"word must be a whole number from 0 to 4294967295, got "
    ) as refusal:
        randomize(coin(), 0, word)
    assert str(refusal.value).endswith(repr(word))


@given(
    st.integers(2, 12),
    st.sampled_from([1, 2, 3, 10, 110, 256, 257, 300]),
    st.integers(0, 2**32),
    st.sampled_from([np.uint8, np.int16, np.int64, np.uint64]),
    st.sampled_from([np.uint32, np.int64, np.uint64]),
)
def test_many_answers_get_the_reports_they_would_get_one_by_one(
    answers, reports, seed, answer_type, word_type
):
    channel = any_channel(answers, reports, seed)
    rng = np.random.default_rng(seed)
    told = rng.integers(0, answers, 50).astype(answer_type)
    edges = channel.weights[told].cumsum(axis=1)[:, rng.integers(0, reports)]
    words = np.where(rng.random(50) < 0.5, rng.integers(0, TOTAL, 50), edges.clip(max=TOTAL - 1))
    expected = [randomize(channel, answer, word) for answer, word in zip(told, words, strict=True)]
    assert randomize_many(channel, told, words.astype(word_type)).tolist() == expected


def test_a_boundary_at_the_number_of_words_is_kept_though_it_does_not_fit_32_bits():
    words = np.array([0, TOTAL - 1, 0, TOTAL - 1], np.uint32)
    assert randomize_many(THE_TRUTH, [0, 0, 1, 1], words).tolist() == [0, 0, 1, 1]


def test_words_are_taken_from_the_operating_system_as_they_come():
    words = np.frombuffer(os.urandom(4 * 1000), np.uint32)
    before = words.copy()
    reports = randomize_many(coin(), np.ones(1000, np.int64), words)
    assert reports.dtype == np.uint8
    assert (reports == (words >= QUARTER)).all()
    assert (words == before).all()


def test_arrays_keep_their_shape_and_none_is_as_good_as_many():
    assert randomize_many(coin(), np.zeros((2, 3), int), np.zeros((2, 3), int)).shape == (2, 3)
    assert randomize_many(coin(), [], []).tolist() == []


@pytest.mark.parametrize(
    ("answers", "words", "message"),
    [
        ([0, 2], [0, 0], r"answers must be a whole number from 0 to 1, got .*2"),
        ([-1, 0], [0, 0], r"answers must be a whole number from 0 to 1, got .*-1"),
        ([0.0, 1.0], [0, 0], r"answers must be whole numbers from 0 to 1, got float64"),
        ([True, False], [0, 0], r"answers must be whole numbers from 0 to 1, got bool"),
        (["0", "1"], [0, 0], r"answers must be whole numbers from 0 to 1, got <U1"),
        ([0, 1], [0, TOTAL], r"words must be a whole number from 0 to 4294967295, got .*4294967296"),
        ([0, 1], [-1, 0], r"words must be a whole number from 0 to 4294967295, got .*-1"),
        ([0, 1], [0.5, 0], r"words must be whole numbers from 0 to 4294967295, got float64"),
        ([0, 1], [0], r"words must have the shape of answers, \(2,\), got \(1,\)"),
    ],
)
def test_arrays_that_hold_anything_else_are_refused(answers, words, message):
    with pytest.raises(ValueError, match=message):
        randomize_many(coin(), answers, words)


def test_reports_drawn_with_a_seed_have_the_shares_of_the_channel():
    # One seed, a million words; the band of five standard errors has a false-alarm rate of 6e-7.
    n, channel = 1_000_000, spinner_coin(1.0)
    words = np.random.default_rng(20).integers(0, TOTAL, n, dtype=np.uint32)
    share = randomize_many(channel, np.ones(n, np.int64), words).mean()
    expected = channel.probabilities[1, 1]
    assert abs(share - expected) < 5 * math.sqrt(expected * (1 - expected) / n)


BOX_CHANNELS = [per_box(4, 2.0), sampled_box(6, 1.0), sampled_box(9, 6.0), sampled_box(3, 9.0)]


@pytest.mark.parametrize("channel", BOX_CHANNELS, ids=lambda c: f"{c.sampled} of {c.boxes}")
def test_many_respondents_get_the_boxes_they_would_get_one_by_one(channel):
    rng = np.random.default_rng(3)
    told = rng.integers(0, 2, (40, channel.boxes))
    words = rng.integers(0, TOTAL, (40, words_for(channel)), dtype=np.uint32)
    expected = [randomize_boxes(channel, *row) for row in zip(told.tolist(), words.tolist(), strict=True)]
    assert randomize_boxes_many(channel, told, words).tolist() == expected
    assert {sum(report != 2 for report in row) for row in expected} == {channel.sampled}


def test_sampled_boxes_have_the_shares_of_their_columns_in_every_box():
    # 100 000 respondents, ten boxes, three reports: five standard errors, a false alarm in 50 000 seeds.
    n, channel = 100_000, sampled_box(10, 1.0)
    rng = np.random.default_rng(8)
    told = np.tile(np.arange(10) % 2, (n, 1))
    words = rng.integers(0, TOTAL, (n, words_for(channel)), dtype=np.uint32)
    reports = randomize_boxes_many(channel, told, words)
    for box in range(10):
        expected = channel.probabilities[box % 2]
        shares = np.bincount(reports[:, box], minlength=3) / n
        assert (np.abs(shares - expected) < 5 * np.sqrt(expected * (1 - expected) / n)).all()


@pytest.mark.parametrize(
    ("answers", "words", "message"),
    [
        ([0, 1, 0], [1, 2], "answers must be 6 whole numbers, got 3"),
        ([0] * 6, [1], "words must be 2 whole numbers, got 1"),
        ([0] * 6, [1, 2, 3], "words must be 2 whole numbers, got 3"),
        ([0, 0, 0, 0, 0, 2], [1, 2], "answers must be a whole number from 0 to 1, got 2"),
        ([0] * 6, [TOTAL, 2], "word must be a whole number from 0 to 4294967295, got 4294967296"),
        ([0] * 6, [1, -1], "word must be a whole number from 0 to 4294967295, got -1"),
    ],
)
def test_boxes_that_are_none_are_refused(answers, words, message):
    with pytest.raises(ValueError, match=message):
        randomize_boxes(sampled_box(6, 1.0), answers, words)


@pytest.mark.parametrize(
    ("answers", "words", "message"),
    [
        ([[0] * 5], [[1, 2]], r"answers must have the shape \(respondents, 6\), got \(1, 5\)"),
        ([[0] * 6], [[1, 2, 3]], r"words must have the shape \(1, 2\), got \(1, 3\)"),
        ([[0, 0, 0, 0, 0, 2]], [[1, 2]], "answers must be a whole number from 0 to 1, got .*2"),
        ([[0] * 6], [[1, TOTAL]], "words must be a whole number from 0 to 4294967295"),
    ],
)
def test_many_boxes_that_are_none_are_refused(answers, words, message):
    with pytest.raises(ValueError, match=message):
        randomize_boxes_many(sampled_box(6, 1.0), answers, words)


@given(st.sampled_from(SIZES), st.floats(0, 1, exclude_max=True))
def test_every_subset_is_drawn_by_its_share_of_the_words_to_within_one(sizes, quantile):
    places, size = sizes
    ways = math.comb(places, size)
    rank = int(quantile * ways)
    first, end = (-(-place * TOTAL // ways) for place in (rank, rank + 1))
    subset = draw_subset(places, size, first)
    assert draw_subset(places, size, end - 1) == subset
    assert abs(Fraction(end - first, TOTAL) - Fraction(1, ways)) < Fraction(1, TOTAL)
    # All subsets together take all words, in lexicographic order: the neighbours' words are other subsets'.
    assert rank == 0 or draw_subset(places, size, first - 1) < subset
    assert rank == ways - 1 or subset < draw_subset(places, size, end)
