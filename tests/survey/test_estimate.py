"""Estimates: published surveys, unbiasedness by enumeration, and something to say in every odd case."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest, multinomial

from survey.channel import TOTAL, Channel
from survey.estimate import estimate_proportions, unbiased_inverse
from survey.interval import METHODS, proportion_intervals
from survey.mechanisms import coin, spinner, spinner_coin
from survey.notice import SENTENCES, Notice

EPSILONS = st.floats(0.05, 10.0)


def codes(estimate):
    return [notice.code for notice in estimate.notices]


def one_of(options, kept):
    """A wheel that keeps one answer out of several, and otherwise sends each other one alike."""
    other = round(TOTAL * (1 - kept) / (options - 1))
    weights = np.full((options, options), other)
    np.fill_diagonal(weights, TOTAL - (options - 1) * other)
    return Channel(weights)


def test_a_published_forced_response_survey():
    # 1000 people, 508 yes; the truth with probability 0.6, a forced yes and a forced no with 0.2 each.
    # (0.508 - 0.2) / 0.6 and sqrt(0.508 x 0.492 / 1000) / 0.6; six digits, as ln 4 is rounded to a channel.
    estimate = estimate_proportions(spinner_coin(math.log(4)), [492, 508])
    assert estimate.proportions[1] == pytest.approx(0.513333, abs=5e-7)
    assert estimate.standard_errors[1] == pytest.approx(0.026349, abs=5e-7)
    assert estimate.people[1] == pytest.approx(513.333, abs=5e-4)
    assert estimate.respondents == 1000
    assert estimate.notices == ()


def test_a_published_warner_survey():
    # 125 people, 60 yes, p = 0.7. With n in the denominator; with n - 1 it would be 0.1122.
    estimate = estimate_proportions(spinner(math.log(7 / 3)), [65, 60])
    assert estimate.proportions[1] == pytest.approx(0.45, abs=5e-7)
    assert estimate.standard_errors[1] == pytest.approx(0.1117, abs=5e-5)


@given(EPSILONS, st.integers(0, 10**6), st.integers(0, 10**6))
def test_the_estimate_is_the_formula_of_the_spinner_and_the_coin(epsilon, no, yes):
    channel = spinner_coin(epsilon)
    n = no + yes
    if n == 0:
        return
    p = float(channel.probabilities[1, 1] - channel.probabilities[0, 1])  # the bright share
    noisy = yes / n
    estimate = estimate_proportions(channel, [no, yes])
    assert estimate.proportions[1] == pytest.approx((noisy - 0.5 * (1 - p)) / p, abs=1e-9)
    assert estimate.standard_errors[1] == pytest.approx(math.sqrt(noisy * (1 - noisy) / n) / p, abs=1e-9)
    assert estimate.proportions.sum() == pytest.approx(1, abs=1e-9)
    assert estimate.people == pytest.approx(n * estimate.proportions)
    assert estimate.maximum_likelihood[1] == pytest.approx(min(max(estimate.proportions[1], 0), 1), abs=1e-9)
    assert (estimate.maximum_likelihood >= 0).all()
    assert (estimate.maximum_likelihood <= 1).all()


@given(EPSILONS, st.floats(0, 1), st.integers(1, 12))
def test_it_is_unbiased_and_its_variance_is_what_the_channel_gives(epsilon, proportion, n):
    channel = spinner_coin(epsilon)
    noisy = float(np.array([1 - proportion, proportion]) @ channel.probabilities[:, 1])
    chances = binom.pmf(np.arange(n + 1), n, noisy)
    estimates = np.array([estimate_proportions(channel, [n - x, x]).proportions[1] for x in range(n + 1)])
    p = channel.probabilities[1, 1] - channel.probabilities[0, 1]
    assert chances @ estimates == pytest.approx(proportion, abs=1e-9)
    assert chances @ (estimates - proportion) ** 2 == pytest.approx(noisy * (1 - noisy) / n / p**2)


@given(EPSILONS, st.integers(0, 5000), st.integers(0, 5000))
def test_exchanging_yes_and_no_exchanges_the_estimate(epsilon, no, yes):
    one, other = (estimate_proportions(spinner_coin(epsilon), counts) for counts in ([no, yes], [yes, no]))
    for name in ("noisy_shares", "proportions", "standard_errors", "maximum_likelihood", "people"):
        assert getattr(one, name) == pytest.approx(getattr(other, name)[::-1], abs=1e-9)


@given(st.floats(0.1, 10), st.integers(0, 200), st.integers(0, 200))
def test_maximum_likelihood_is_nowhere_beaten_on_a_grid(epsilon, no, yes):
    channel = spinner_coin(epsilon)
    best = estimate_proportions(channel, [no, yes]).maximum_likelihood

    def log_likelihood(proportions):
        return float(np.log(proportions @ channel.probabilities) @ [no, yes])

    grid = np.linspace(0, 1, 101)
    assert log_likelihood(best) >= max(log_likelihood(np.array([1 - pi, pi])) for pi in grid) - 1e-9


@pytest.mark.parametrize(
    "channel",
    [
        one_of(10, 0.4),
        one_of(3, 0.9),
        # More reports than answers: 0 to 2 heads of a coin that lands heads with .3 or .6.
        Channel(np.array([[2104533975, 1803886264, 386547057], [687194767, 2061584302, 1546188227]])),
    ],
    ids=["ten options", "three options", "two answers, three reports"],
)
def test_the_inverse_is_unbiased_for_any_number_of_answers(channel):
    inverse = unbiased_inverse(channel)
    assert channel.probabilities @ inverse == pytest.approx(np.eye(channel.answers), abs=1e-9)
    assert inverse.sum(axis=1) == pytest.approx(np.ones(channel.reports))


def test_the_inverse_of_ten_options_is_unbiased_by_enumeration_of_all_counts_of_three():
    channel, n = one_of(3, 0.6), 3
    proportions = np.array([0.5, 0.2, 0.3])
    counts = np.array([c for c in itertools.product(range(n + 1), repeat=3) if sum(c) == n])
    chances = multinomial.pmf(counts, n, proportions @ channel.probabilities)
    assert chances @ (counts / n @ unbiased_inverse(channel)) == pytest.approx(proportions)


def test_a_report_that_nobody_can_send_does_no_harm():
    channel = Channel(np.column_stack([coin().weights, [0, 0]]))
    assert unbiased_inverse(channel)[:2] == pytest.approx(unbiased_inverse(coin()))
    assert (unbiased_inverse(channel)[2] == 0).all()


@pytest.mark.parametrize(
    "channel",
    [spinner_coin(1e-4), Channel(np.full((2, 2), TOTAL // 2))],
    ids=["epsilon 1e-4", "nothing said"],
)
def test_a_channel_that_says_almost_nothing_cannot_be_inverted(channel):
    with pytest.raises(ValueError, match="channel must have a condition number of at most 10000"):
        estimate_proportions(channel, [50, 50])


def test_more_answers_than_reports_cannot_be_inverted():
    with pytest.raises(ValueError, match="channel must have a condition number of at most 10000"):
        unbiased_inverse(Channel(np.array([[TOTAL, 0], [0, TOTAL], [TOTAL // 2, TOTAL // 2]])))


def test_nobody_has_answered():
    estimate = estimate_proportions(coin(), [0, 0])
    assert estimate.proportions.tolist() == estimate.maximum_likelihood.tolist() == [0.5, 0.5]
    assert estimate.standard_errors.tolist() == [math.inf, math.inf]
    assert estimate.people.tolist() == [0, 0]
    assert codes(estimate) == ["no_respondents"]


@pytest.mark.parametrize(("counts", "most_likely"), [([40, 0], [1, 0]), ([0, 40], [0, 1])])
def test_all_the_same(counts, most_likely):
    estimate = estimate_proportions(coin(), counts)
    assert estimate.standard_errors == pytest.approx([0, 0], abs=1e-12)
    assert estimate.maximum_likelihood.tolist() == most_likely
    assert codes(estimate) == ["all_same", "infeasible"]


@pytest.mark.parametrize(
    ("counts", "alternative", "chance"),
    [([90, 10], "less", 0.25), ([10, 90], "greater", 0.75), ([99, 11], "less", 0.25)],
)
def test_a_noisy_share_outside_the_channel_is_named_with_its_p_value(counts, alternative, chance):
    estimate = estimate_proportions(coin(), counts)
    (infeasible,) = estimate.notices
    expected = binomtest(counts[1], sum(counts), chance, alternative=alternative).pvalue
    assert infeasible.code == "infeasible"
    assert infeasible.values["p_value"] == pytest.approx(expected)
    assert (infeasible.values["lowest"], infeasible.values["highest"]) == (0.25, 0.75)


@pytest.mark.parametrize("respondents", [20, 100, 1000])
def test_where_nobody_is_a_yes_a_warning_comes_less_than_once_in_a_hundred_surveys(respondents):
    counts = range(respondents + 1)
    estimates = [estimate_proportions(coin(), [respondents - yes, yes]) for yes in counts]
    warned = [yes for yes, found in zip(counts, estimates, strict=True) if "infeasible" in codes(found)]
    assert 0.001 < binom.pmf(warned, respondents, 0.25).sum() < 0.01


def test_at_the_ends_of_what_the_channel_can_give_nothing_is_odd():
    assert codes(estimate_proportions(coin(), [75, 25])) == []
    assert codes(estimate_proportions(coin(), [25, 75])) == []


@given(EPSILONS, st.integers(0, 10**9), st.integers(0, 10**9), st.sampled_from(METHODS))
def test_nothing_is_ever_not_a_number_and_every_notice_can_be_said(epsilon, no, yes, method):
    channel = spinner_coin(epsilon)
    estimate = estimate_proportions(channel, [no, yes])
    for array in (estimate.noisy_shares, estimate.proportions, estimate.maximum_likelihood, estimate.people):
        assert np.isfinite(array).all()
    assert not np.isnan(estimate.standard_errors).any()
    assert not np.isnan(estimate.covariance).any()
    for notice in (*estimate.notices, *proportion_intervals(channel, [no, yes], 0.9, method)[0].notices):
        assert "{" not in str(notice)


def test_every_code_has_a_sentence_and_no_other_code_has():
    assert set(SENTENCES) == {
        "no_respondents", "all_same", "infeasible", "mean_outside",
        "few", "few_expected", "cut", "asked_fewer", "asked_more",
    }  # fmt: skip
    with pytest.raises(KeyError):
        str(Notice("unheard_of"))
