"""The unrelated question in two samples: the formulas of 1969, and intervals that hold the truth."""

import math
from fractions import Fraction

import numpy as np
import pytest

from survey.estimate.two_samples import two_samples

MORE, LESS = Fraction(7, 10), Fraction(3, 10)


def test_both_shares_and_their_errors_are_those_of_the_formulas():
    sensitive, other = two_samples((MORE, LESS), ((180, 120), (130, 70)))
    l1, l2, v1, v2 = 0.4, 0.35, 0.4 * 0.6 / 300, 0.35 * 0.65 / 200
    assert sensitive.unbiased == pytest.approx((l1 * 0.7 - l2 * 0.3) / 0.4)
    assert sensitive.standard_error == pytest.approx(math.sqrt(v1 * 0.7**2 + v2 * 0.3**2) / 0.4)
    assert other.unbiased == pytest.approx((l2 * 0.7 - l1 * 0.3) / 0.4)
    assert other.standard_error == pytest.approx(math.sqrt(v1 * 0.3**2 + v2 * 0.7**2) / 0.4)
    # The two shares explain what both samples said.
    assert 0.7 * sensitive.unbiased + 0.3 * other.unbiased == pytest.approx(l1)
    assert sensitive.estimate == pytest.approx(sensitive.unbiased, abs=1e-6)


def test_the_order_of_the_samples_does_not_matter():
    first = two_samples((MORE, LESS), ((180, 120), (130, 70)))
    second = two_samples((LESS, MORE), ((130, 70), (180, 120)))
    for one, other in zip(first, second, strict=True):
        assert vars(one) == pytest.approx(vars(other), abs=1e-6)


@pytest.mark.parametrize(
    "counts", [((50, 0), (50, 0)), ((0, 50), (0, 50)), ((50, 0), (0, 50)), ((0, 9), (9, 0))]
)
def test_the_most_likely_share_lies_in_its_interval_at_every_end(counts):
    for found in two_samples((MORE, LESS), counts):
        assert 0 <= found.low <= found.estimate + 1e-9
        assert found.estimate - 1e-9 <= found.high <= 1


def test_a_sample_that_is_only_asked_the_one_question_is_a_direct_survey_of_it():
    sensitive, other = two_samples((Fraction(1), Fraction(0)), ((90, 10), (70, 30)))
    assert (sensitive.unbiased, other.unbiased) == pytest.approx((0.1, 0.3))


def test_intervals_hold_the_truth_as_often_as_is_said():
    random = np.random.default_rng(5)
    share, other, held = 0.2, 0.3, 0
    for _ in range(60):
        yes = [int(random.binomial(100, p * share + (1 - p) * other)) for p in (0.7, 0.3)]
        found, _ = two_samples((MORE, LESS), ((100 - yes[0], yes[0]), (100 - yes[1], yes[1])))
        held += found.low - 1e-9 <= share <= found.high + 1e-9
    assert held / 60 >= 0.85  # .94 or more; three standard errors of 60 samples are .09


@pytest.mark.parametrize(
    ("truth", "counts", "sentence"),
    [
        ((MORE, MORE), ((5, 5), (5, 5)), "truth must be two different chances, got 7/10 twice"),
        ((MORE, LESS), ((0, 0), (5, 5)), "counts must be 0 or more, with somebody in each sample, got"),
        ((MORE, LESS), ((6, -1), (5, 5)), "counts must be 0 or more, with somebody in each sample, got"),
    ],
)
def test_what_are_no_two_samples_is_refused(truth, counts, sentence):
    with pytest.raises(ValueError, match=sentence):
        two_samples(truth, counts)
