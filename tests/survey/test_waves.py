"""Waves of the same people: intervals that hold however the answers of a person go together."""

import numpy as np
import pytest
from scipy.stats import binom, chi2

from survey.counts import BinomialCount
from survey.crosstab import difference_of_pools, difference_of_waves, pooled_interval
from survey.interval.waves import WaveCounts, waves_interval
from survey.mechanisms import coin, exponential, laplace, spinner_coin, wheel


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


SHARES = np.linspace(0, 1, 41)


def coverage_of_pooled(channel, n, waves, people):
    """The least chance that the interval holds the truth, with unchanged and with independent answers."""
    no, yes = channel.probabilities[0, 1], channel.probabilities[1, 1]
    reports = np.arange(n * waves + 1)
    held = np.empty((len(reports), len(SHARES)), bool)
    for total in reports:
        yes_reports = np.diff(np.arange(waves + 1) * total // waves)
        counts = [[n - k, k] + [0] * (channel.reports - 2) for k in yes_reports]
        low, high = pooled_interval([[(channel, wave)] for wave in counts], people, 1)
        held[total] = (low <= SHARES) & (high >= SHARES)
    of_people = [
        np.convolve(
            binom.pmf(np.arange(waves * k + 1), waves * k, yes),
            binom.pmf(np.arange(waves * (n - k) + 1), waves * (n - k), no),
        )
        for k in range(n + 1)
    ]
    unchanged = binom.pmf(np.arange(n + 1), n, SHARES[:, np.newaxis]) @ np.array(of_people)
    independent = binom.pmf(reports, n * waves, no + (yes - no) * SHARES[:, np.newaxis])
    return [(chances.T * held).sum(axis=0).min() for chances in (unchanged, independent)]


CELLS = [
    (spinner_coin(1.0), 5, 2),
    (spinner_coin(4.0), 5, 2),
    (spinner_coin(4.0), 5, 10),
    (spinner_coin(2.0), 20, 4),
    (wheel(4, 2.0), 10, 4),
]


@pytest.mark.parametrize(("channel", "n", "waves"), CELLS)
def test_a_pooled_share_holds_the_truth_whether_people_answer_the_same_in_all_waves_or_not(channel, n, waves):
    assert min(coverage_of_pooled(channel, n, waves, [0] * waves)) >= 0.94


@pytest.mark.parametrize(("channel", "n", "waves"), CELLS)
def test_a_share_pooled_over_small_groups_of_different_people_holds_the_truth(channel, n, waves):
    _, independent = coverage_of_pooled(channel, n, waves, range(waves))
    assert independent >= 0.94


def test_for_the_same_people_an_interval_for_different_ones_does_not_hold():
    unchanged, _ = coverage_of_pooled(spinner_coin(4.0), 5, 10, range(10))
    assert unchanged < 0.8


def test_more_waves_of_the_same_people_remove_noise_and_no_more():
    n, share, channel = 1000, 0.2, spinner_coin(2.0)
    no, yes = channel.probabilities[:, 1]
    counts = round(n * (no + (yes - no) * share))
    for waves in (2, 10):
        low, high = pooled_interval([[(channel, [n - counts, counts])]] * waves, [0] * waves, 1)
        # pi (1 - pi)/n once, and E/(E - 1)^2/n of noise for each wave.
        noise = np.exp(2.0) / np.expm1(2.0) ** 2
        width = 2 * 1.959964 * np.sqrt((share * (1 - share) + noise / waves) / n)
        assert high - low == pytest.approx(width, rel=0.05)


def fall_and_effect(end, share, n, x, lowest, highest, overlap):
    """How far the likelihood falls up to a high end, and the design effect: the formulas of the module."""

    def effect(t):
        chances = lowest + (highest - lowest) * t
        weights = n * (highest - lowest) ** 2 / (chances * (1 - chances))
        return 1 + t * (1 - t) * (weights @ overlap @ weights) / weights.sum()

    larger = max(effect(end), effect(share))
    moved = x + (n - x) * min(larger / 2 / max((n - x).sum(), 1), 1)
    chances = lowest + (highest - lowest) * np.append(np.linspace(0, end, 100_001), end)[:, np.newaxis]
    likelihood = (moved * np.log(chances) + (n - moved) * np.log(1 - chances)).sum(axis=1)
    return likelihood.max() - likelihood[-1], larger


DEVICES = np.array([[0.12, 0.88], [0.25, 0.75], [0.27, 0.73]]).T
SHARP = np.array([[1e-6, 1 - 1e-6]] * 3).T
FIRST_TWO = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]], bool)
NONE = np.zeros((3, 3), bool)


@pytest.mark.parametrize(
    ("counts", "share", "devices", "again"),
    [
        ([(500, 210), (60, 25), (300, 150)], 0.42, DEVICES, FIRST_TWO),
        ([(12, 2), (9, 2), (15, 4)], 0.01, DEVICES, FIRST_TWO),
        ([(30, 3), (8, 1), (20, 2)], 0.0, DEVICES, FIRST_TWO),
        ([(30, 26), (8, 6), (20, 15)], 0.98, DEVICES, FIRST_TWO),
        ([(30, 21), (8, 6), (20, 15)], 0.8, DEVICES, FIRST_TWO),  # all are only just ruled out
        ([(30, 30), (8, 8), (20, 20)], 0.98, DEVICES, FIRST_TWO),
        ([(100, 99), (90, 90), (80, 80)], 0.996, SHARP, NONE),  # one report speaks against 1
    ],
)
def test_at_the_ends_the_likelihood_has_fallen_by_the_quantile_times_the_design_effect(
    counts, share, devices, again
):
    n, x = np.array(counts).T
    lowest, highest = devices
    binomials = [BinomialCount(*each) for each in zip(n, x, lowest, highest, strict=True)]
    low, high = waves_interval(binomials, again, share, 0.95)
    overlap = again / np.maximum.outer(n, n)
    for fall, effect, reached in (
        (*fall_and_effect(high, share, n, x, lowest, highest, overlap), high),
        (*fall_and_effect(1 - low, 1 - share, n, n - x, 1 - highest, 1 - lowest, overlap), 1 - low),
    ):
        allowed = effect * chi2.isf(0.05, 1) / 2
        assert fall == pytest.approx(allowed, rel=1e-5) if reached < 1 else fall <= allowed


def test_an_estimate_that_the_counts_only_just_rule_out_is_an_end():
    binomials = [BinomialCount(*each) for each in zip((500, 60, 300), (210, 25, 150), *DEVICES, strict=True)]
    assert waves_interval(binomials, FIRST_TWO, 0.36, 0.95)[0] == pytest.approx(0.35784, abs=1e-4)
    assert waves_interval(binomials, FIRST_TWO, 0.357, 0.95)[0] == pytest.approx(0.357)


def test_a_share_just_above_0_may_be_the_most_likely_one():
    alone = WaveCounts(*np.array([[100.0], [25.0], [0.25], [0.75], [0.0]]))
    for more in (-1, 0, 0.2):
        assert alone.most_likely(alone.counts + more, 1.0) == pytest.approx(max(0, more / 50))


def test_the_interval_of_a_million_million_people_is_that_of_the_normal_curve():
    n, channel = 10**12, spinner_coin(2.0)
    no, yes = channel.probabilities[:, 1]
    counts = round(n * (no + (yes - no) * 0.2))
    low, high = pooled_interval([[(channel, [n - counts, counts])]] * 2, [0, 0], 1)
    noise = np.exp(2.0) / np.expm1(2.0) ** 2
    assert high - low == pytest.approx(2 * 1.959964 * np.sqrt((0.16 + noise / 2) / n), rel=0.01)


def test_waves_of_other_people_and_both_ways_of_reporting_in_one_wave_are_different_people():
    device, hand = (spinner_coin(2.0), [300, 200]), (coin(), [60, 40])
    apart = pooled_interval([[device], [hand]], [1, 2], 1)
    assert pooled_interval([[device, hand]], [1], 1) == apart
    low, high = pooled_interval([[device], [hand]], [1, 1], 1)
    assert (low < apart[0], high > apart[1]) == (True, True)


def test_counts_of_one_kind_alone_reach_the_end_of_what_can_be():
    channel = coin()  # nobody who has it says no
    for yes, end in ((0, 0), (9, 1)):
        assert pooled_interval([[(channel, [9 - yes, yes])]] * 2, [0, 0], 1)[end] == pytest.approx(end)


@pytest.mark.parametrize("channel", [exponential(3, 1.0), laplace(0, 2, 1, 1.0)])
def test_no_interval_is_given_where_counts_are_not_binomial(channel):
    assert pooled_interval([[(channel, [9] * channel.reports)]] * 2, [0, 0], 1) is None
