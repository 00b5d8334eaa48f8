"""Several questions at once: against slow and obvious versions, published formulas and scipy."""

import math

import numpy as np
import pytest
from scipy.stats import chi2, chi2_contingency

from survey.channel import TOTAL, Channel
from survey.crosstab import (
    difference_of_pools,
    difference_within,
    estimate_joint,
    independence,
    joint_radius,
    odds_ratio_within,
    share_within,
)
from survey.crosstab.subgroup_likelihood import SubgroupLikelihood, mixed_quantile
from survey.estimate import estimate_proportions
from survey.mechanisms import coin, exponential, sampled_box, spinner_coin, subset, wheel

PAIR = [spinner_coin(2.0), wheel(3, 2.0)]
TABLE = np.array([[310, 420, 330], [350, 290, 300]])
OPEN = Channel(np.array([[TOTAL, 0], [0, TOTAL]]))


def table_of(channels, truth, n=10**6):
    """The counts without chance in them."""
    chances = truth
    for channel in channels:
        chances = np.tensordot(chances, channel.probabilities, axes=(0, 0))
    return np.rint(n * chances).astype(np.int64)


@pytest.mark.parametrize(
    "channels",
    [PAIR, [coin(), subset(4, 1.0)], [coin(), spinner_coin(0.5), wheel(3, 1.0)]],
    ids=["two", "a set", "three"],
)
def test_no_single_report_moves_a_cell_of_the_joint_table_further_than_its_radius(channels):
    table = np.ones([channel.reports for channel in channels], np.int64)
    values = []
    for cell in np.ndindex(table.shape):
        more = table.copy()
        more[cell] += 1
        # What one report adds to the mean over n + 1 reports.
        values.append(estimate_joint(channels, more).proportions * (table.sum() + 1))
    furthest = np.max(values, axis=0) - np.min(values, axis=0)
    assert joint_radius(channels, 500) == pytest.approx(furthest / 500, rel=1e-9)


def test_the_joint_estimate_is_that_of_the_kronecker_product():
    found = estimate_joint(PAIR, TABLE)
    inverse = np.kron(*(np.linalg.inv(channel.probabilities) for channel in PAIR))
    shares = TABLE.ravel() / TABLE.sum()
    covariance = inverse.T @ (np.diag(shares) - np.outer(shares, shares)) @ inverse / TABLE.sum()
    assert found.proportions.ravel() == pytest.approx(shares @ inverse)
    assert found.covariance.reshape(6, 6) == pytest.approx(covariance)
    assert found.standard_errors.ravel() == pytest.approx(np.sqrt(np.diag(covariance)))
    assert found.proportions.shape == found.maximum_likelihood.shape == found.people.shape == (2, 3)
    assert found.people.sum() == pytest.approx(2000)


def test_its_margins_are_the_estimates_of_each_question():
    found = estimate_joint(PAIR, TABLE)
    assert found.proportions.sum(axis=0) == pytest.approx(
        estimate_proportions(PAIR[1], TABLE.sum(axis=0)).proportions
    )
    assert found.proportions.sum(axis=1) == pytest.approx(
        estimate_proportions(PAIR[0], TABLE.sum(axis=1)).proportions
    )


def test_three_questions_are_recovered_from_counts_without_chance():
    channels = [coin(), wheel(3, 1.0), subset(4, 1.0, 2)]
    truth = np.random.default_rng(1).dirichlet(np.ones(24)).reshape(2, 3, 4)
    found = estimate_joint(channels, table_of(channels, truth, 10**9))
    assert found.proportions == pytest.approx(truth, abs=1e-6)
    assert found.maximum_likelihood == pytest.approx(truth, abs=1e-3)
    assert found.covariance.shape == (2, 3, 4, 2, 3, 4)


def test_of_sampled_boxes_those_count_who_reported_on_both():
    boxes = [sampled_box(4, 1.0), coin()]
    table = np.array([[30, 20], [10, 40], [500, 400]])
    found = estimate_joint(boxes, table)
    assert (found.respondents, found.reported) == (1000, 100)
    assert found.proportions == pytest.approx(
        estimate_joint([boxes[0].box, coin()], table[:2]).proportions, abs=1e-6
    )


def test_where_nobody_reported_on_both_nothing_is_known():
    boxes = [sampled_box(4, 1.0)] * 2
    table = np.zeros((3, 3), int)
    table[2] = [100, 100, 100]
    found = estimate_joint(boxes, table)
    assert np.isinf(found.standard_errors).all()
    assert [notice.code for notice in found.notices] == ["no_respondents"]
    assert share_within(boxes, table, 1, 1).low == 0
    assert share_within(boxes, table, 1, 1).high == 1
    assert independence(boxes, table).p_value == 1


@pytest.mark.parametrize("table", [TABLE.T, TABLE * 1.0, -TABLE, TABLE[0], TABLE * 2**50])
def test_a_table_of_other_questions_is_refused(table):
    for function in (estimate_joint, independence, lambda *both: share_within(*both, 0, 0)):
        with pytest.raises(ValueError, match="table must"):
            function(PAIR, table)


def test_too_many_combinations_are_refused():
    many = [wheel(21, 1.0)] * 2
    with pytest.raises(ValueError, match="at most 400 combinations of answers, got 21 x 21"):
        estimate_joint(many, np.zeros((21, 21), int))


def test_for_square_channels_the_test_is_pearsons_on_the_noisy_table():
    found = independence(PAIR, TABLE)
    expected = chi2_contingency(TABLE, correction=False)
    assert found.statistic == pytest.approx(expected.statistic)
    assert found.degrees_of_freedom == expected.dof
    assert found.p_value == pytest.approx(expected.pvalue)
    assert found.smallest_expected == pytest.approx(expected.expected_freq.min())
    assert found.notices == ()


def test_a_small_table_says_that_its_p_value_is_rough():
    assert [notice.code for notice in independence(PAIR, TABLE // 100).notices] == ["few_expected"]


def test_reports_that_are_all_the_same_are_related_to_nothing():
    found = independence([coin(), coin()], [[0, 0], [3, 5]])
    assert (found.statistic, found.degrees_of_freedom, found.p_value) == (0, 0, 1)


@pytest.mark.parametrize(
    "channels", [[coin(), coin()], [wheel(3, 1.0), coin()], [subset(4, 1.0, 2), wheel(3, 1.0)]],
    ids=["two by two", "three by two", "subsets"],
)  # fmt: skip
def test_the_test_has_the_right_level_and_finds_what_is_there(channels):
    # 2000 tables of independent answers; a twentieth is rejected, give or take four standard errors.
    rng = np.random.default_rng(4)
    sizes = [channel.answers for channel in channels]
    rows, columns = (np.arange(1.0, size + 1) / sum(range(1, size + 1)) for size in sizes)
    chances = table_of(channels, np.outer(rows, columns), 1.0 * 10**9) / 10**9
    tables = rng.multinomial(1000, chances.ravel() / chances.sum(), size=2000).reshape(-1, *chances.shape)
    rejected = np.mean([independence(channels, table).p_value < 0.05 for table in tables])
    assert rejected == pytest.approx(0.05, abs=4 * math.sqrt(0.05 * 0.95 / 2000))
    related = np.zeros(sizes)
    related[0, 0] = related[-1, -1] = 0.5
    assert independence(channels, table_of(channels, related, 4000)).p_value < 0.01


def test_without_noise_a_share_within_a_group_is_that_of_its_row():
    found = share_within([OPEN, OPEN], [[30, 60], [10, 0]], answer=1, group=0)
    assert found.value == pytest.approx(0.25, abs=1e-5)
    # 2 (l_max - l) is the chi-square quantile at both ends.
    for end in (found.low, found.high):
        fallen = 10 * math.log(0.25 / end) + 30 * math.log(0.75 / (1 - end))
        assert 2 * fallen == pytest.approx(chi2.ppf(0.95, 1), rel=1e-3)


def test_counts_without_chance_give_the_true_shares_differences_and_odds():
    truth = np.array([[0.1, 0.3, 0.1], [0.2, 0.1, 0.2]])
    table = table_of(PAIR, truth)
    share = share_within(PAIR, table, 1, 0)
    difference = difference_within(PAIR, table, 1, 0, 1)
    odds = odds_ratio_within(PAIR, table, 1, 0, 1)
    assert share.value == pytest.approx(2 / 3, abs=1e-3)
    assert difference.value == pytest.approx(2 / 3 - 1 / 4, abs=1e-3)
    assert odds.value == pytest.approx(2 / (1 / 3), rel=1e-2)
    for found in (share, difference, odds):
        assert found.low < found.value < found.high
        assert found.notices == ()


def test_exchanging_the_groups_turns_the_difference_and_the_odds_ratio_round():
    one, other = (difference_within(PAIR, TABLE, 1, *groups) for groups in ((0, 1), (1, 0)))
    assert (one.value, one.low, one.high) == pytest.approx((-other.value, -other.high, -other.low), abs=1e-3)
    one, other = (odds_ratio_within(PAIR, TABLE, 1, *groups) for groups in ((0, 1), (1, 0)))
    assert (one.value, one.low, one.high) == pytest.approx(
        (1 / other.value, 1 / other.high, 1 / other.low), rel=1e-2
    )


def test_the_other_options_are_merged_where_the_reports_allow_it():
    channels = [wheel(3, 1.0), wheel(3, 1.0)]
    table = np.random.default_rng(6).multinomial(3000, np.full(9, 1 / 9)).reshape(3, 3)
    merged = SubgroupLikelihood(channels, table, 2, [1])
    assert merged.joint.counts.shape == (2, 2)
    assert merged.joint.counts[1, 1] == table[2, 1]
    assert merged.joint.counts.sum() == 3000
    ordered = SubgroupLikelihood([exponential(3, 1.0), coin()], table[:, :2], 2, [1])
    assert ordered.joint.counts.shape == (3, 2)


def test_a_group_of_few_people_is_named():
    truth = np.array([[0.005, 0.5], [0.005, 0.49]])
    channels = [spinner_coin(3.0)] * 2
    found = share_within(channels, table_of(channels, truth, 1000), 1, 0)
    assert [notice.code for notice in found.notices] == ["few"]
    assert found.notices[0].values["people"] == pytest.approx(10, abs=1)
    assert share_within(channels, table_of(channels, truth, 4000), 1, 0).notices == ()


@pytest.mark.parametrize(
    "table", [[[50, 0], [0, 0]], [[0, 30], [0, 40]], [[25, 25], [25, 25]], [[0, 0], [0, 1]]]
)
def test_no_table_is_too_odd_for_an_answer(table):
    channels = [spinner_coin(2.0)] * 2
    for found in (
        share_within(channels, table, 1, 1),
        difference_within(channels, table, 1, 0, 1),
        odds_ratio_within(channels, table, 1, 0, 1),
    ):
        assert not math.isnan(found.value)
        assert found.low <= found.value <= found.high


def test_ordered_options_have_shares_within_groups_too():
    channels = [exponential(3, 2.0), coin()]
    truth = np.array([[0.2, 0.1], [0.2, 0.1], [0.1, 0.3]])
    found = share_within(channels, table_of(channels, truth), 2, 1)
    assert found.value == pytest.approx(0.6, abs=1e-2)
    assert found.low < 0.6 < found.high


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((5, 0, 1), "answer must be a whole number from 0 to 1, got 5"),
        ((1, 3, 1), "group must be a whole number from 0 to 2, got 3"),
        ((1, 1, 1), "groups must differ"),
        ((1, 0, 1, 1.5), "confidence_level must be a number between 0 and 1"),
    ],
)
def test_answers_groups_and_levels_are_checked(arguments, message):
    for function in (difference_within, odds_ratio_within):
        with pytest.raises(ValueError, match=message):
            function(PAIR, TABLE, *arguments)


def test_groups_that_were_asked_separately_differ_by_the_difference_of_their_estimates():
    found = difference_of_pools([(coin(), [400, 600])], [(coin(), [500, 500])], 1)
    assert found.value == pytest.approx(0.2)
    # Agresti & Caffo: one more of each kind in either group.
    shares = np.array([601 / 1002, 501 / 1002])
    margin = 1.959963984540054 * math.sqrt((shares * (1 - shares) / 1002).sum()) / 0.5
    centre = (shares[0] - shares[1]) / 0.5
    assert (found.low, found.high) == pytest.approx((centre - margin, centre + margin))


def test_groups_may_have_been_asked_with_other_channels_but_not_with_other_answers():
    found = difference_of_pools([(exponential(3, 1.0), [40, 30, 30])], [(wheel(3, 2.0), [30, 30, 40])], 2)
    assert -1 <= found.low < found.value < found.high <= 1
    with pytest.raises(ValueError, match="populations must have the same answers, got 2 and 3"):
        difference_of_pools([(coin(), [1, 2])], [(wheel(3, 2.0), [1, 2, 3])], 1)


def test_the_quantile_for_comparisons_lies_between_two_chi_squares():
    assert mixed_quantile(1, 0.05) == pytest.approx(chi2.ppf(0.95, 1))
    assert chi2.ppf(0.95, 1) < mixed_quantile(2, 0.05) == pytest.approx(5.138, abs=1e-3)


@pytest.mark.parametrize(
    "table", [[[27, 68], [34, 106]], [[42, 111], [38, 106]], [[61, 154], [35, 63]], [[13, 28], [13, 15]]]
)
def test_an_odds_ratio_of_shares_at_an_end_has_no_end_that_is_rounding(table):
    found = odds_ratio_within([spinner_coin(1.0), spinner_coin(1.0)], table, 1, 1, 0)
    assert found.low == 0 or found.low > 1e-3
    assert math.isinf(found.high) or found.high < 1e3
