"""One share from strata that reported through different channels."""

import math

import numpy as np
import pytest

from survey.crosstab import pool_strata, pooled_radius
from survey.estimate import estimate_proportions
from survey.mechanisms import coin, spinner_coin, wheel
from survey.privacy import radius


def test_a_stratum_by_itself_is_its_own_estimate():
    pooled = pool_strata([(coin(), [40, 60])], 1)
    alone = estimate_proportions(coin(), [40, 60])
    assert pooled.proportion == pytest.approx(alone.proportions[1], abs=1e-12)
    assert pooled.standard_error == pytest.approx(alone.standard_errors[1], abs=1e-12)


def test_equal_strata_give_the_estimate_of_all_respondents_together():
    pooled = pool_strata([(coin(), [40, 60]), (coin(), [40, 60])], 1)
    together = estimate_proportions(coin(), [80, 120])
    assert pooled.respondents == 200
    assert pooled.proportion == pytest.approx(together.proportions[1], abs=1e-12)
    assert pooled.standard_error == pytest.approx(together.standard_errors[1], abs=1e-12)


def test_the_sharper_stratum_weighs_more():
    sharp, blunt = (spinner_coin(3.0), [500, 500]), (spinner_coin(0.3), [400, 600])
    pooled = pool_strata([sharp, blunt], 1)
    assert abs(pooled.proportion - 0.5) < 0.05
    assert pooled.standard_error < estimate_proportions(*sharp).standard_errors[1] * 1.001


def test_shares_of_all_answers_of_a_question_with_two_answers_sum_to_one():
    strata = [(spinner_coin(1.5), [300, 400]), (coin(), [50, 40])]
    assert sum(pool_strata(strata, answer).proportion for answer in (0, 1)) == pytest.approx(1, abs=1e-12)


def test_a_stratum_whose_reports_are_all_the_same_does_not_take_all_the_weight():
    pooled = pool_strata([(spinner_coin(3.0), [500, 500]), (spinner_coin(3.0), [0, 3])], 1)
    assert abs(pooled.proportion - 0.5) < 0.02
    assert pooled.low < 0.5 < pooled.high


def test_a_stratum_without_reports_counts_for_nothing():
    alone, other = (
        pool_strata([(coin(), [40, 60])], 1),
        pool_strata([(coin(), [40, 60]), (coin(), [0, 0])], 1),
    )
    assert alone == other


def test_pooling_is_never_blunter_than_the_sharpest_stratum_for_rare_answers_either():
    # 100 reports each of a share of .05: by variances at even shares the coins would weigh too much.
    sharp, coins = (spinner_coin(5.0), [945, 55]), (coin(), [725, 275])
    pooled = pool_strata([sharp, coins], 1)
    assert pooled.standard_error < estimate_proportions(*sharp).standard_errors[1]


@pytest.mark.parametrize(
    "counts", [([1, 192], [79, 0]), ([300, 200], [30, 20]), ([5, 5], [0, 1]), ([1, 0], [0, 1])]
)
def test_no_single_report_moves_the_pooled_share_further_than_the_radius(counts):
    channels = (spinner_coin(0.5), coin())
    found = pooled_radius(list(zip(channels, counts, strict=True)))
    here = pool_strata(list(zip(channels, counts, strict=True)), 1).proportion
    for honest in range(4):
        for forged in range(4):
            changed = np.array(counts).ravel()
            changed[honest] -= 1
            changed[forged] += 1
            if changed.min() < 0:
                continue
            there = pool_strata(list(zip(channels, changed.reshape(2, 2), strict=True)), 1).proportion
            assert abs(there - here) <= found + 1e-12


def test_among_many_one_report_moves_the_pooled_share_no_further_than_that_of_its_own_stratum():
    assert pooled_radius([(spinner_coin(0.5), [1, 192]), (coin(), [79, 0])]) < radius(coin(), 79)
    assert pooled_radius([(coin(), [40, 60])]) == pytest.approx(radius(coin(), 100))


@pytest.mark.parametrize(
    ("strata", "answer", "message"),
    [
        ([], 0, "strata must have the same answers"),
        ([(coin(), [1, 2]), (wheel(3, 1.0), [1, 2, 3])], 0, "strata must have the same answers"),
        ([(coin(), [0, 0])], 0, "strata must hold a report"),
        ([(coin(), [1, 2])], 2, "answer must be a whole number from 0 to 1"),
        ([(coin(), [1, 2, 3])], 0, "counts must be"),
    ],
)
def test_what_cannot_be_pooled_is_refused(strata, answer, message):
    with pytest.raises(ValueError, match=message):
        pool_strata(strata, answer)


def test_the_interval_covers_at_its_level():
    # 2000 repeats at 95 %: a coverage below .93 has a chance under 1e-4 if the true one is .95.
    chance, share = np.random.default_rng(7), 0.1
    channels, sizes = (spinner_coin(1.5), coin()), (300, 60)
    chances = [channel.probabilities[:, 1] @ [1 - share, share] for channel in channels]
    covered = 0
    for _ in range(2000):
        yes = [int(chance.binomial(size, each)) for size, each in zip(sizes, chances, strict=True)]
        strata = [
            (channel, [size - count, count])
            for channel, size, count in zip(channels, sizes, yes, strict=True)
        ]
        pooled = pool_strata(strata, 1)
        covered += pooled.low <= share <= pooled.high
        assert math.isfinite(pooled.standard_error)
    assert covered / 2000 > 0.93
