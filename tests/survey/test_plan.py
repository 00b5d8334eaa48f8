"""Planning: the published sizes, the formulas, and every mechanism that suits a question."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, norm
from theory.spread import design_effect

from survey.design.subset_variance import total_variance
from survey.estimate import numbers_and_values
from survey.mechanisms import (
    coin,
    exponential,
    hybrid,
    laplace,
    one_bit,
    per_box,
    sampled_box,
    spinner,
    spinner_coin,
    subset,
    wheel,
)
from survey.plan import (
    compare,
    margin,
    mean_variance,
    people_by_mechanism,
    power,
    respondents_for_margin,
    respondents_for_power,
    share_variances,
    suitable,
)
from survey.question import Choice, Number


@pytest.mark.parametrize(
    ("epsilon", "respondents"), [(0.5, 6159), (1.0, 1553), (math.log(3), 1291), (2.0, 417)]
)
def test_respondents_for_five_points_at_a_tenth(epsilon, respondents):
    variance = share_variances(spinner_coin(epsilon), [0.9, 0.1])[1]
    assert respondents_for_margin(variance, 0.05) == respondents
    assert margin(variance, respondents) <= 0.05 < margin(variance, respondents - 1)


@given(st.floats(0.1, 8), st.floats(0.01, 0.99))
def test_the_design_effect_is_its_formula(epsilon, share):
    ratio = math.exp(epsilon)
    expected = 1 + ratio / (ratio - 1) ** 2 / (share * (1 - share))
    assert design_effect(spinner_coin(epsilon), share) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize(("people", "chance"), [(3, 0.2), (500, 0.3), (60_000, 0.2), (400_000, 0.05)])
def test_margins_allow_for_how_many_are_asked(people, chance):
    """E[1/N] over the binomial number N of those who are asked, where somebody is, and its inverse."""
    numbers = np.arange(1, people + 1)
    chances = binom.pmf(numbers, people, chance)
    expected = (chances / numbers).sum() / chances.sum()
    width = margin(1.0, people, 0.95, chance)
    assert width == pytest.approx(1.959964 * math.sqrt(expected), rel=1e-6)
    if people * chance > 30:
        assert respondents_for_margin(1.0, width * (1 + 1e-12), 0.95, chance) == people


def test_the_variances_of_options_are_those_of_the_literature():
    for size in (1, 2, 3):
        channel = subset(10, 1.0, size)
        expected = total_variance(10, 1.0, size)
        assert share_variances(channel, np.full(10, 0.1)).sum() == pytest.approx(expected, rel=1e-3)


def test_a_sampled_box_varies_as_those_who_report_on_it():
    channel = sampled_box(10, 1.0)
    expected = 10 * share_variances(channel.box, [0.7, 0.3])[1]
    assert share_variances(channel, [0.7, 0.3])[1] == pytest.approx(expected, rel=1e-6)
    assert share_variances(channel, [0.7, 0.3])[1] < 11.6 < share_variances(per_box(10, 1.0), [0.7, 0.3])[1]


def test_the_variance_of_a_mean_is_that_of_the_worst_answer():
    # Duchi: ((E + 1)/(E - 1))^2 - x^2, worst at 0.
    ratio = math.exp(1.0)
    expected = ((ratio + 1) / (ratio - 1)) ** 2
    assert mean_variance(one_bit(-1, 1, 0.01, 1.0)) == pytest.approx(expected, rel=1e-6)
    channel = exponential(5, 1.0)
    assert mean_variance(channel, [0, 1, 2, 3, 4]) == pytest.approx(mean_variance(channel, [1, 2, 3, 4, 5]))


def rr_power(share, null, n, p=0.5, forced=0.25, level=0.05):
    """As power.rr.test of the R package rr computes it for a forced response design, two-sided."""

    def error(pi):
        noisy = p * pi + forced
        return 1 / math.sqrt(n * p**2 * (1 / noisy + 1 / (1 - noisy)))

    reach = norm.isf(level / 2) * error(null)
    return norm.cdf(null - reach, share, error(share)) + norm.sf(null + reach, share, error(share))


@pytest.mark.parametrize(("share", "null", "n"), [(0.2, 0.1, 1000), (0.05, 0.0, 300), (0.4, 0.5, 2000)])
def test_the_power_is_that_of_the_r_package_rr(share, null, n):
    assert power(coin(), n, share, null) == pytest.approx(rr_power(share, null, n))


def test_at_the_null_the_power_is_the_significance():
    assert power(coin(), 1000, 0.3, 0.3, 0.1) == pytest.approx(0.1)
    assert power(coin(), 1000, 0.3, 0.3, 0.1, "greater") == pytest.approx(0.1)


@pytest.mark.parametrize("alternative", ["two_sided", "greater"])
def test_the_respondents_for_a_power_are_the_fewest(alternative):
    n = respondents_for_power(coin(), 0.8, 0.2, 0.1, 0.05, alternative)
    assert power(coin(), n, 0.2, 0.1, 0.05, alternative) >= 0.8
    assert power(coin(), n - 1, 0.2, 0.1, 0.05, alternative) < 0.8


def test_shares_that_do_not_differ_that_way_have_no_number_of_respondents():
    for share, alternative in ((0.1, "two_sided"), (0.05, "greater"), (0.2, "less")):
        with pytest.raises(ValueError, match="share must differ from null"):
            respondents_for_power(coin(), 0.8, share, 0.1, 0.05, alternative)


@pytest.mark.parametrize(
    ("kind", "settings", "names"),
    [
        ("yes_no", {}, ["spinner_coin", "spinner"]),
        ("choice", {"categories": 5}, ["subset", "wheel"]),
        ("choice", {"categories": 5, "ordered": True}, ["subset", "wheel", "exponential"]),
        ("choice", {"categories": 20}, ["wheel"]),
        ("boxes", {"categories": 6}, ["sampled_box", "per_box"]),
        ("number", {}, ["one_bit", "hybrid", "laplace"]),
        ("number", {"delta": 1e-6}, ["one_bit", "hybrid", "laplace", "gaussian"]),
    ],
)
def test_every_mechanism_that_suits_a_question_is_there(kind, settings, names):
    assert sorted(suitable(kind, 1.0, **settings)) == sorted(names)


def test_the_coin_suits_from_ln_3_on():
    assert "coin" not in suitable("yes_no", 1.0)
    assert "coin" in suitable("yes_no", math.log(3))


def test_the_best_is_first_and_all_keep_the_epsilon():
    designs = compare(suitable("choice", 1.0, categories=10, ordered=True), respondents=5000)
    assert [design.mechanism for design in designs] == ["subset", "wheel", "exponential"]
    assert all(design.epsilon <= 1.0 for design in designs)
    variance = designs[0].precision.variance
    assert variance == pytest.approx(3.0, abs=0.01)
    assert designs[0].margin == margin(variance, 5000)
    assert designs[0].respondents == respondents_for_margin(variance, 0.05)


def test_the_margin_of_a_share_is_a_share_and_that_of_a_mean_has_its_unit():
    with pytest.raises(ValueError, match=r"margin must be a number in \(0, 1\), got 3"):
        compare(suitable("yes_no", 1.0), margin_wanted=3)
    ordered = suitable("choice", 1.0, categories=10, ordered=True)
    assert compare(ordered, margin_wanted=3, grid=range(1, 11))[0].respondents > 0


def test_equal_designs_keep_their_order():
    assert [design.mechanism for design in compare(suitable("yes_no", 1.0))] == ["spinner_coin", "spinner"]


def test_the_epsilon_of_boxes_is_that_of_the_question():
    for design in compare(suitable("boxes", 1.0, categories=6)):
        assert design.epsilon == pytest.approx(1.0, abs=1e-6)
        assert design.epsilon <= 1.0


@pytest.mark.parametrize("options", [3, 4, 5, 7, 10, 12, 13, 20, 50])
@pytest.mark.parametrize("epsilon", [0.25, 0.5, 1.0, 2.0, 2.9, 4.0])
def test_the_exponential_mechanism_is_never_the_best_for_shares_or_the_mean(options, epsilon):
    shares = compare(suitable("choice", epsilon, categories=options, ordered=True))
    assert shares[0].mechanism in {"wheel", "subset"}
    every = suitable("choice", epsilon, wanted="mean", categories=options, ordered=True)
    means = compare(every, grid=range(1, options + 1))
    assert means[0].mechanism in {"hybrid", "one_bit"}
    at_the_worst = needed_for_the_mean(options, epsilon, lambda noise, _: noise.max())
    assert at_the_worst[means[0].mechanism] <= 1.05


EVERY = {
    "yes_no": lambda _, epsilon: [
        spinner(epsilon),
        spinner_coin(epsilon),
        *([coin()] * (epsilon >= math.log(3))),
    ],
    "boxes": lambda size, epsilon: [per_box(size, epsilon), sampled_box(size, epsilon)],
    "number": lambda size, epsilon: [each(0, size, 1, epsilon) for each in (hybrid, one_bit, laplace)],
}


@pytest.mark.parametrize("kind", EVERY)
@pytest.mark.parametrize("size", [2, 3, 5, 10, 20])
@pytest.mark.parametrize("epsilon", [0.25, 0.5, 1.0, 1.2, 2.0, 4.0])
def test_no_mechanism_needs_clearly_fewer_people_than_the_one_advised(kind, size, epsilon):
    advised = compare(suitable(kind, epsilon, categories=size, low=0, high=size))[0].precision
    channels = EVERY[kind](size, epsilon)
    if kind == "number":
        best = min(each.variances.max() for each in channels)
    else:
        best = min(noise(each) for each in channels)
    assert advised.variance <= 1.05 * best


def noise(channel):
    """n times the variance of the unbiased share at one half, from the chances of the two reports alone."""
    no, yes = channel.probabilities[:, 1]
    heard = channel.probabilities[0, :2].sum()  # a third report says that the box was not drawn
    chance = (no + yes) / 2 / heard
    return chance * (1 - chance) / ((yes - no) / heard) ** 2 / heard


@pytest.mark.parametrize(
    ("options", "epsilon"),
    [(3, 2.0), (4, 2.75), (4, 3.0), (5, 3.0), (5, 3.75), (6, 4.0), (5, 1.0), (10, 2.0)],
)
def test_with_equal_shares_the_best_one_for_the_mean_needs_at_most_1_1_times_the_people(options, epsilon):
    at_equal_shares = needed_for_the_mean(options, epsilon, lambda noise, means: noise.mean() + means.var())
    every = suitable("choice", epsilon, wanted="mean", categories=options, ordered=True)
    best = compare(every, grid=range(1, options + 1))[0].mechanism
    assert at_equal_shares[best] <= 1.1


def test_at_four_options_and_epsilon_3_no_mechanism_is_the_best_at_equal_shares_and_at_the_worst_answers():
    at_equal_shares = needed_for_the_mean(4, 3.0, lambda noise, means: noise.mean() + means.var())
    at_the_worst = needed_for_the_mean(4, 3.0, lambda noise, _: noise.max())
    assert min(max(at_equal_shares[name], at_the_worst[name]) for name in at_the_worst) > 1.05


def needed_for_the_mean(options, epsilon, variance):
    """How many times the people of the best one each mechanism needs, from its chances and values."""
    variances = {}
    for name, channel in suitable("choice", epsilon, wanted="mean", categories=options, ordered=True).items():
        _, values = numbers_and_values(channel, None if hasattr(channel, "grid") else range(1, options + 1))
        means = channel.probabilities @ values
        variances[name] = variance(channel.probabilities @ values**2 - means**2, means)
    return {name: each / min(variances.values()) for name, each in variances.items()}


@pytest.mark.parametrize(("options", "times"), [(5, 1.98), (10, 3.13), (20, 5.22)])
def test_the_exponential_mechanism_needs_so_many_times_the_people_of_a_number(options, times):
    every = suitable("choice", 1.0, wanted="mean", categories=options, ordered=True)
    found = {each.mechanism: each for each in compare(every, grid=range(1, options + 1))}
    ratio = found["exponential"].precision.variance / found["hybrid"].precision.variance
    assert ratio == pytest.approx(times, abs=0.005)


def test_for_a_number_hybrid_is_never_worse_than_what_it_is_made_of():
    for epsilon in (0.5, 1.0, 2.0, 4.0):
        assert (
            mean_variance(hybrid(-1, 1, 0.1, epsilon)) <= mean_variance(one_bit(-1, 1, 0.1, epsilon)) + 1e-9
        )
    assert compare(suitable("number", 4.0, low=-1, high=1, step=0.1))[0].mechanism == "hybrid"
    assert mean_variance(laplace(-1, 1, 0.1, 1.0)) > mean_variance(hybrid(-1, 1, 0.1, 1.0))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"kind": "essay", "epsilon": 1.0},
            "kind must be one of yes_no, choice, boxes, number",
        ),
        ({"kind": "yes_no", "epsilon": 0.0}, "epsilon must be a number"),
        (
            {"kind": "choice", "epsilon": 1.0, "categories": 51},
            "categories must be a whole number from 2",
        ),
        ({"kind": "number", "epsilon": 1.0, "step": 0.3}, "step must be a number that divides the range"),
    ],
)
def test_questions_that_are_none_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        suitable(arguments.pop("kind"), arguments.pop("epsilon"), **arguments)


@pytest.mark.parametrize("proportions", [[0.5], [0.6, 0.6], [-0.1, 1.1], ["a", "b"], None, [math.nan, 1]])
def test_proportions_that_are_none_are_refused(proportions):
    with pytest.raises(ValueError, match="proportions must be 2 numbers of 0 or more with sum 1"):
        share_variances(coin(), proportions)


@pytest.mark.parametrize("wanted", [0, -0.1, math.inf, math.nan, "0.05", True])
def test_a_margin_that_is_none_is_refused(wanted):
    with pytest.raises(ValueError, match="margin must be a number above 0, got "):
        respondents_for_margin(1.0, wanted)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((coin(), 0, 0.2), "respondents must be a whole number from 1"),
        ((coin(), 10, 1.2), "share must be a number from 0 to 1, got 1.2"),
        ((coin(), 10, 0.2, -1), "null must be a number from 0 to 1, got -1"),
        (
            (coin(), 10, 0.2, 0.1, 0.05, "both"),
            "alternative must be one of two_sided, greater, less, got 'both'",
        ),
        ((wheel(3, 1.0), 10, 0.2), "channel must have two answers, got 3"),
    ],
)
def test_a_test_that_is_none_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        power(*arguments)


def test_each_mechanism_needs_as_many_people_as_a_comparison_says():
    scale = Choice("q", "choice", {}, "wheel", 1.0, {}, options=tuple({"en": str(n)} for n in range(5)))
    people = people_by_mechanism(scale)
    for plan in compare(suitable("choice", 1.0, categories=5)):
        assert math.ceil(people[plan.mechanism] - 1e-6) == plan.respondents
    hours = Number("q", "number", {}, "hybrid", 1.0, {}, low=0, high=10, step=1)
    people = people_by_mechanism(hours)
    for plan in compare(suitable("number", 1.0, low=0, high=10, step=1, delta=1e-6), margin_wanted=0.5):
        assert math.ceil(people[plan.mechanism] - 1e-6) == plan.respondents
    assert people.keys() == {"one_bit", "laplace", "gaussian", "hybrid", "designed"}


def test_what_shows_only_a_mean_is_not_for_a_curve():
    hours = Number(
        "q", "number", {}, "designed", 1.0, {}, low=0, high=5, step=1, wants=(("curve", 0.5), ("mean", 0.5))
    )
    people = people_by_mechanism(hours)
    assert people.pop("designed") < math.inf
    assert set(people.values()) == {math.inf}
