"""The chances of a binomial count, against SciPy's."""

import numpy as np
import pytest
from scipy import stats

from survey.privacy.binomial import CUT, above, binomial, ends

CASES = [(0, 0.3), (1, 0.5), (49, 0.73), (49, 1e-6), (999, 0.4), (10**5, 0.9), (10**7, 0.37)]


@pytest.mark.parametrize(("trials", "chance"), CASES)
def test_every_chance_is_scipys(trials, chance):
    low, high = ends(CUT, trials, chance)
    expected = stats.binom.pmf(np.arange(low, high + 1), trials, chance)
    assert binomial(trials, chance) == pytest.approx(expected, rel=1e-9, abs=1e-18)


@pytest.mark.parametrize("chance", [0.0, 1.0])
def test_what_is_certain_has_one_count(chance):
    assert ends(CUT, 50, chance) == (50 * chance, 50 * chance)
    assert binomial(50, chance).tolist() == [1.0]


@pytest.mark.parametrize(("trials", "chance"), CASES)
@pytest.mark.parametrize("tail", [1e-20, 1e-12, 0.2])
def test_no_more_than_the_tail_lies_beyond_either_end(trials, chance, tail):
    low, high = ends(tail, trials, chance)
    assert 0 <= low <= high <= trials
    assert stats.binom.cdf(low - 1, trials, chance) < tail
    assert stats.binom.sf(high, trials, chance) < tail


@pytest.mark.parametrize(("trials", "chance"), CASES)
def test_the_chance_above_a_count_is_scipys(trials, chance):
    counts = np.unique(np.linspace(-2, trials + 2, 50).round())
    assert above(counts, trials, chance) == pytest.approx(stats.binom.sf(counts, trials, chance), rel=1e-11)
