"""One share from strata that reported through different channels."""

import math

import numpy as np
import pytest

from survey.crosstab import pool_strata
from survey.estimate import estimate_proportions
from survey.mechanisms import coin, spinner_coin, wheel


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
