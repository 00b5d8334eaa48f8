"""Intervals: what each method promises, checked against slow and obvious versions of it."""

import math

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest, chi2

from survey import special
from survey.channel import TOTAL, Channel
from survey.counts import BinomialCount
from survey.estimate import estimate_proportions
from survey.interval import METHODS, ConfidenceInterval, proportion_intervals
from survey.interval.exact import p_value as p_value_at
from survey.interval.exact import tie
from survey.mechanisms import coin, spinner_coin

THE_TRUTH = Channel(np.array([[TOTAL, 0], [0, TOTAL]]))
GRID = np.linspace(0, 1, 201)
EPSILONS = st.floats(1e-9, 10.0)
LEVELS = st.floats(0.01, 0.999)
COUNTS = st.one_of(st.integers(0, 30), st.integers(0, 10**6))
OURS = st.sampled_from(["exact", "likelihood_ratio"])


def constrained_ratios(n, no, yes, chance):
    """For each count, the log of its likelihood at the chance over the greatest one between no and yes."""
    counts = np.arange(n + 1)
    return binom.logpmf(counts, n, chance) - binom.logpmf(counts, n, (counts / n).clip(no, yes))


def p_value(n, count, no, yes, chance):
    """The test that `exact` inverts, as defined: for each chance, add up what is no likelier in ratio."""
    chance = np.asarray(chance)[..., np.newaxis]
    ratios = constrained_ratios(n, no, yes, chance)
    unlikely = ratios <= ratios[..., [count]] + 1e-9
    return (binom.pmf(np.arange(n + 1), n, chance) * unlikely).sum(axis=-1)


@pytest.mark.parametrize("n", [1, 2, 7, 20])
@pytest.mark.parametrize("epsilon", [0.2, 1.0, math.log(3), 3.0])
@pytest.mark.parametrize("level", [0.1, 0.95])  # at 0.5 some p-values equal alpha but for rounding
def test_exact_is_the_hull_of_what_the_test_accepts(n, epsilon, level):
    channel = spinner_coin(epsilon)
    no, yes = channel.probabilities[:, 1]
    for count in range(n + 1):
        interval = proportion_intervals(channel, [n - count, count], level)[1]
        beside = 10.0 ** np.arange(-8, -2)  # what is accepted next to an end may be narrower than a grid
        proportions = np.concatenate([GRID, [interval.low, interval.high], interval.low + beside,
                                      interval.high - beside]).clip(0, 1)  # fmt: skip
        chances = no + (yes - no) * proportions
        accepted = proportions[p_value(n, count, no, yes, chances) > 1 - level + 1e-9]
        # All that is accepted is inside, and it reaches both ends.
        assert interval.low - 1e-9 <= min(accepted) <= interval.low + 1e-7
        assert interval.high - 1e-7 <= max(accepted) <= interval.high + 1e-9


def test_an_accepted_tie_with_rejected_proportions_on_both_sides_is_an_end():
    # 46 of 50 through two coins: from the low end on, 30 yes is as extreme as 46. There the p-value jumps
    # above 0.05, falls below it again at once, and rises for good later: bisection would stop at that place.
    interval = proportion_intervals(coin(), [4, 46])[1]
    tie = 0.25 + 0.5 * interval.low
    assert p_value(50, 46, 0.25, 0.75, tie - 1e-6) == pytest.approx(0.0265, abs=1e-4)
    assert p_value(50, 46, 0.25, 0.75, tie + 1e-8) == pytest.approx(0.0502, abs=1e-4)
    assert min(p_value(50, 46, 0.25, 0.75, chance) for chance in np.linspace(tie, tie + 0.03, 50)) < 0.041


@given(st.integers(2, 1000), st.data(), st.floats(0.05, 1), st.floats(0.001, 0.95))
def test_from_tie_to_tie_the_p_value_rises_so_that_halving_finds_the_first_accepted_one(n, data, yes, ratio):
    counted = BinomialCount(n, data.draw(st.integers(1, n)), yes * ratio, yes)
    assume(counted.most_likely > counted.lowest)
    p_values = [p_value_at(counted, below + 1, tie(counted, below)) for below in range(counted.count)]
    assert np.diff(p_values).min(initial=0) >= -1e-9


@pytest.mark.parametrize("method", ["exact", "likelihood_ratio"])
@pytest.mark.parametrize("apart", [-1.5, 0, 1.5, 3, 30])
def test_up_to_the_largest_count_an_interval_depends_on_standard_errors_alone(method, apart):
    # The noisy share lies so many standard errors above the least that the channel can give. Neither 10^12
    # nor 2^53 respondents change what the interval is then, in standard errors: rounding does not reach it.
    channel, ends = coin(), []
    for n in (10**10, 10**12, 2**53):
        error = math.sqrt(0.25 * 0.75 / n)
        yes = round(n * (0.25 + apart * error))
        interval = proportion_intervals(channel, [n - yes, yes], 0.95, method)[1]
        ends.append((0.5 * interval.low / error, 0.5 * interval.high / error))
    np.testing.assert_allclose(ends, [ends[1]] * 3, atol=1e-3)
    if apart == 30:
        assert ends[1] == pytest.approx((30 - 1.96, 30 + 1.96), abs=1e-3)


def test_of_a_trillion_respondents_an_interval_looks_at_as_many_p_values_as_of_a_million(monkeypatch):
    def looked_at(n):
        looked = []
        with monkeypatch.context() as counting:
            beta = special.betainc
            counting.setattr(special, "betainc", lambda *what: looked.append(np.size(what[2])) or beta(*what))
            proportion_intervals(coin(), [n // 2, n - n // 2], 0.95, "exact")
        return sum(looked)

    # log2 of a million times as many ties is 20 more, at each end.
    assert looked_at(10**12) <= looked_at(10**6) + 2 * 20 + 10


@given(st.integers(1, 10**6), st.data(), st.floats(0.2, 10.0), LEVELS)
def test_likelihood_ratio_ends_where_the_likelihood_has_fallen_by_the_quantile(n, data, epsilon, level):
    count = data.draw(st.integers(0, n))
    channel = spinner_coin(epsilon)
    no, yes = channel.probabilities[:, 1]
    interval = proportion_intervals(channel, [n - count, count], level, "likelihood_ratio")[1]
    best = binom.logpmf(count, n, min(max(count / n, no), yes))
    for end in (interval.low, interval.high):
        fallen = 2 * (best - binom.logpmf(count, n, no + (yes - no) * end))
        if 0 < end < 1:
            assert fallen == pytest.approx(chi2.ppf(level, 1), rel=1e-3, abs=1e-6)
        else:
            assert fallen <= chi2.ppf(level, 1) + 1e-6


def test_wilson_is_the_interval_of_scipy_mapped():
    expected = binomtest(508, 1000).proportion_ci(0.9, "wilson")
    no, yes = coin().probabilities[:, 1]
    interval = proportion_intervals(coin(), [492, 508], 0.9, "wilson")[1]
    assert interval.low == pytest.approx((expected.low - no) / (yes - no))
    assert interval.high == pytest.approx((expected.high - no) / (yes - no))


def test_wald_is_the_estimate_plus_and_minus_1_96_standard_errors():
    estimate = estimate_proportions(coin(), [492, 508])
    interval = proportion_intervals(coin(), [492, 508], 0.95, "wald")[1]
    margin = 1.959963984540054 * estimate.standard_errors[1]
    assert (interval.low, interval.high) == pytest.approx(
        (estimate.proportions[1] - margin, estimate.proportions[1] + margin)
    )


@given(EPSILONS, COUNTS, COUNTS, LEVELS, st.sampled_from(METHODS))
def test_every_interval_is_ordered_inside_0_to_1_and_mirrored(epsilon, no, yes, level, method):
    channel = spinner_coin(epsilon)
    for_no, for_yes = proportion_intervals(channel, [no, yes], level, method)
    assert 0 <= for_yes.low <= for_yes.high <= 1
    assert (for_no.low, for_no.high) == (1 - for_yes.high, 1 - for_yes.low)
    exchanged = proportion_intervals(channel, [yes, no], level, method)[0]
    # The ends are solved for on the scale of the chance, where a whole [0, 1] may be as short as 1e-9.
    tolerance = 1e-9 + 1e-12 / (channel.probabilities[1, 1] - channel.probabilities[0, 1])
    assert (exchanged.low, exchanged.high) == pytest.approx((for_yes.low, for_yes.high), abs=tolerance)


@given(st.floats(0.001, 10.0), COUNTS, COUNTS, LEVELS, OURS)
def test_our_intervals_hold_the_most_likely_proportion(epsilon, no, yes, level, method):
    channel = spinner_coin(epsilon)
    most_likely = estimate_proportions(channel, [no, yes]).maximum_likelihood
    for interval, value in zip(
        proportion_intervals(channel, [no, yes], level, method), most_likely, strict=True
    ):
        assert interval.low <= value <= interval.high


@example(0.25, 13, 3, 0.5, 0.0625, "exact")  # a share beyond what the channel can give
@example(0.25, 3, 13, 0.5, 0.0625, "exact")
@given(EPSILONS, COUNTS, COUNTS, LEVELS, LEVELS, st.sampled_from(METHODS))
def test_a_higher_level_gives_an_interval_around_the_lower_one(epsilon, no, yes, level, other, method):
    channel = spinner_coin(epsilon)
    inner, outer = (
        proportion_intervals(channel, [no, yes], level, method)[1] for level in sorted([level, other])
    )
    assume(not outer.notices)  # an empty interval moved to an end is around nothing
    tolerance = 1e-9 + 1e-12 / (channel.probabilities[1, 1] - channel.probabilities[0, 1])
    assert outer.low <= inner.low + tolerance
    assert outer.high >= inner.high - tolerance


@pytest.mark.parametrize("level", [5e-324, 1e-17, 1e-12, math.nextafter(1, 0)])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("channel", [coin(), spinner_coin(1e-9), spinner_coin(10.0), THE_TRUTH])
@pytest.mark.parametrize("counts", [[0, 1], [1, 0], [3, 4], [9, 1], [500, 500], [0, 1000], [10**6, 10**6]])
def test_the_most_extreme_levels_channels_and_counts_still_give_an_interval(level, method, channel, counts):
    for interval in proportion_intervals(channel, counts, level, method):
        assert 0 <= interval.low <= interval.high <= 1


@pytest.mark.parametrize("method", METHODS)
def test_with_nobody_or_with_a_channel_that_says_nothing_the_interval_is_everything(method):
    everything = [ConfidenceInterval(0.0, 1.0, method=method)] * 2
    silent = Channel(np.full((2, 2), TOTAL // 2))
    assert proportion_intervals(coin(), [0, 0], 0.95, method) == everything
    assert proportion_intervals(silent, [30, 70], 0.95, method) == everything
    assert proportion_intervals(coin(), [0, 0]) == [ConfidenceInterval(0.0, 1.0)] * 2


@pytest.mark.parametrize("method", ["wilson", "wald"])
@pytest.mark.parametrize(("counts", "end"), [([1000, 0], 0.0), ([0, 1000], 1.0)])
def test_an_interval_outside_0_to_1_becomes_the_nearest_end_and_says_so(method, counts, end):
    for_no, for_yes = proportion_intervals(coin(), counts, 0.95, method)
    assert (for_yes.low, for_yes.high) == (end, end)
    assert (for_no.low, for_no.high) == (1 - end, 1 - end)
    assert [str(notice) for notice in for_yes.notices] == [
        f"The {method} interval would have been empty. It is shown as the nearest end of 0 to 1."
    ]


@pytest.mark.parametrize("method", ["exact", "likelihood_ratio"])
def test_our_intervals_are_never_cut_to_an_end(method):
    for counts in ([1000, 0], [0, 1000]):
        interval = proportion_intervals(coin(), counts, 0.95, method)[1]
        assert interval.low < interval.high
        assert interval.notices == ()
    for counts in ([10, 0], [0, 10]):  # at a low level all that is accepted is the end
        assert proportion_intervals(spinner_coin(2.0), counts, 0.3, method)[1].notices == ()


@pytest.mark.parametrize("level", [0, 1, -0.5, 95, math.nan, math.inf, "0.95", None, True])
def test_a_confidence_level_outside_0_to_1_is_refused(level):
    with pytest.raises(
        ValueError, match=r"confidence_level must be a number between 0 and 1, got "
    ) as refusal:
        proportion_intervals(coin(), [1, 2], level)
    assert str(refusal.value).endswith(repr(level))


@pytest.mark.parametrize("method", ["clopper_pearson", "", None, ["exact"]])
def test_another_method_is_refused(method):
    with pytest.raises(
        ValueError, match=r"method must be one of exact, likelihood_ratio, wilson, wald, got "
    ) as refusal:
        proportion_intervals(coin(), [1, 2], 0.95, method)
    assert str(refusal.value).endswith(repr(method))


@pytest.mark.parametrize("counts", [[1], [-1, 2], [1.5, 2], "12"])
def test_counts_are_checked(counts):
    with pytest.raises(ValueError, match="counts must be"):
        proportion_intervals(coin(), counts)
