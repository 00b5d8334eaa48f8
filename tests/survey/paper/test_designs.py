"""Designs on paper: chances as exact fractions, their integers, their epsilon, and the published formulas."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from survey.channel import TOTAL
from survey.counts import informative_reports
from survey.estimate import estimate_proportions
from survey.interval import proportion_intervals
from survey.mechanisms import coin
from survey.paper import (
    Design,
    crosswise,
    dice,
    forced,
    linked,
    matrix,
    read_matrix,
    require_chance,
    triangular,
    unrelated,
    warner,
)
from survey.simulate import play

# Each with the estimate of the literature: from the share of the second report to the share of yes.
FORMULAS = {
    "Boruch 1971: (l - y) / t": (forced("3/4", "1/6"), lambda share: (share - 1 / 6) / 0.75),
    "two dice": (dice(2, [2, 3, 4], [11, 12]), lambda share: (share - 1 / 6) / 0.75),
    "one die": (dice(1, [6], [1]), lambda share: (share - 1 / 6) / (2 / 3)),
    "Warner 1965: (l + p - 1) / (2 p - 1)": (warner("0.7"), lambda share: (share + 0.7 - 1) / (2 * 0.7 - 1)),
    "Greenberg 1969: (l - (1 - p) u) / p": (unrelated("0.7", "1/12"), lambda share: (share - 0.3 / 12) / 0.7),
    "Yu 2008, crosswise: (l + u - 1) / (2 u - 1)": (crosswise("1/4"), lambda share: (share - 0.75) / -0.5),
    "the other way round": (crosswise("0.8"), lambda share: (share - 0.2) / 0.6),
    "Yu 2008, triangular: (l - u) / (1 - u)": (triangular("1/4"), lambda share: (share - 0.25) / 0.75),
}


@pytest.mark.parametrize("name", FORMULAS)
def test_the_estimate_and_its_error_are_those_of_the_paper(name):
    design, formula = FORMULAS[name]
    found = estimate_proportions(design.channel, [560, 440])
    assert found.proportions[1] == pytest.approx(formula(0.44), abs=1e-8)
    slope = formula(1) - formula(0)
    error = abs(slope) * math.sqrt(0.44 * 0.56 / 1000)
    assert found.standard_errors[1] == pytest.approx(error, abs=1e-8)


@pytest.mark.parametrize("name", FORMULAS)
def test_exact_intervals_of_a_design_hold_every_share_at_least_95_times_in_100(name):
    channel, n = FORMULAS[name][0].channel, 30
    counts = np.arange(n + 1)
    found = [proportion_intervals(channel, [n - count, count])[1] for count in counts]
    low, high = np.array([(interval.low, interval.high) for interval in found]).T
    under_no, under_yes = channel.probabilities[:, 1]
    for share in np.linspace(0, 1, 101):
        held = (low <= share) & (share <= high)
        assert binom.pmf(counts[held], n, under_no + (under_yes - under_no) * share).sum() >= 0.95 - 1e-9


@pytest.mark.parametrize("name", FORMULAS)
def test_many_people_who_follow_a_design_give_the_share_that_is_true(name):
    played = play(FORMULAS[name][0].channel, [0.9, 0.1], 200_000, np.random.default_rng(7))
    assert abs(played.estimate[1] - 0.1) < 4 * played.standard_error[1]


@pytest.mark.parametrize(
    ("design", "epsilon"),
    [
        (warner("0.7"), math.log(7 / 3)),
        (crosswise("1/4"), math.log(3)),
        (forced("3/4", "1/6"), math.log(10)),  # no: 5/6 against 1/12; yes: 11/12 against 1/6
        (unrelated("1/2", "1/2"), math.log(3)),
        (matrix([["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]]), math.log(2)),
        (triangular("1/4"), math.inf),
        (warner(1), math.inf),
        (forced("1/2", "1/2"), math.inf),
    ],
)
def test_epsilon_is_that_of_the_exact_chances(design, epsilon):
    assert design.epsilon == pytest.approx(epsilon, abs=1e-15)
    assert design.epsilon >= epsilon
    assert design.channel.epsilon == pytest.approx(epsilon, abs=1e-8)


def test_a_design_of_ours_has_the_integers_of_ours():
    assert forced(forced_yes="25%", forced_no="25%").channel == coin()


def test_what_a_report_proves_is_said_in_words():
    assert triangular("1/4").proofs == ("The report “both no” proves that the answer is no.",)
    assert triangular("1/4").protection.startswith("No epsilon holds for this design. Whoever thinks")
    assert "at most 87.5 % of the time. The report “both no” proves" in triangular("1/4").protection
    assert forced("1/2", "1/2").proofs == ("The report “no” proves that the answer is no.",)
    three = matrix([["1/2", "1/2", 0], ["1/2", 0, "1/2"], [0, "1/2", "1/2"]])
    assert three.proofs[0] == "The report “0” proves that it is one of 0, 1."
    assert crosswise("1/4").proofs == ()
    assert crosswise("1/4").protection.endswith("75.0 % of the time; after the most telling result, 75.0 %.")


def test_a_guess_is_right_on_average_less_often_than_after_the_most_telling_report():
    three = matrix([["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]])
    assert three.right == Fraction(5, 8)
    assert three.protection.endswith("at most 62.5 % of the time; after the most telling result, 66.7 %.")


def test_integers_are_next_to_their_chances_and_zero_stays_zero():
    design = matrix([["1/3", "1/3", "1/3", 0], ["1/7", "2/7", "1/3", "5/21"], [0, "2/3", "1/3", 0]])
    weights = design.channel.weights
    assert (weights.sum(axis=1) == TOTAL).all()
    exact = np.array([[float(chance * TOTAL) for chance in row] for row in design.chances])
    assert np.abs(weights - exact).max() <= 3
    assert ((weights == 0) == (exact == 0)).all()
    assert informative_reports(design.channel).tolist() == [True, True, False, True]


def test_a_chance_is_taken_as_it_is_written():
    assert require_chance("truth", "1/3") == Fraction(1, 3)
    assert require_chance("truth", 0.1) == Fraction(1, 10)
    assert require_chance("truth", "2.5e-1") == Fraction(1, 4)
    assert require_chance("truth", " 75% ") == Fraction(3, 4)


@pytest.mark.parametrize(
    "value", ["", "x", "1/0", "-0.1", "1.01", "101%", "nan", "inf", "1/3/4", "0." + "1" * 99, None]
)
def test_what_is_no_chance_is_refused_with_its_value(value):
    with pytest.raises(ValueError, match=r"^truth must be a chance from 0 to 1, such as 3/4 or 0\.75, got "):
        require_chance("truth", value)


@pytest.mark.parametrize(
    ("build", "sentence"),
    [
        (lambda: forced("1/2"), "forced_yes or forced_no is missing: forced needs two of truth, forced_yes"),
        (lambda: forced("1/2", "1/4", "1/8"), "^truth must be such .* add up to 1, got 'truth 1/2 .* = 7/8'"),
        (lambda: forced("3/4", "1/2"), "others add up to 1, got 'truth 3/4 .* = 5/4'"),
        (lambda: forced(None, "1/2", "1/2"), "truth must be above 0, got 0"),
        (lambda: dice(0), "dice must be a whole number from 1 to 6, got 0"),
        (lambda: dice(1, [7]), "yes_on must be totals from 1 to 6, got 7"),
        (lambda: dice(2, [2], [1]), "no_on must be totals from 2 to 12, got 1"),
        (lambda: dice(1, [1, 2], [2, 3]), "no_on must be totals that yes_on does not hold, got 2"),
        (lambda: dice(1, [1, 2, 3], [4, 5, 6]), "yes_on must be totals that leave another one for the truth"),
        (lambda: warner("1/2"), "truth must be other than 1/2, at which reports say nothing"),
        (lambda: crosswise(0.5), "prevalence must be other than 1/2, at which reports say nothing"),
        (lambda: triangular(1), "prevalence must be below 1, got 1"),
        (lambda: unrelated(0, "1/4"), r"truth must be a chance above 0 and at most 1"),
        (lambda: matrix([["1/2", "1/2"]]), "a row for each of 2 to 50 answers, got 1 rows"),
        (lambda: matrix([[1], [1]]), "matrix must have 2 to 200 chances in a row, got 1"),
        (lambda: matrix([[1, 0], [1]]), "matrix, row 2 must have 2 chances like row 1, got 1"),
        (lambda: matrix([[1, 0], [1, "x"]]), "matrix, row 2, column 2 must be a chance from .*, got 'x'"),
        (lambda: matrix([[1, 0], ["1/2", "1/3"]]), "sum 1, got 1/2 . 1/3 = 0.833333 for the answer 1"),
        (lambda: matrix([["1/2", "1/2"], ["1/2", "1/2"]]), "must have reports that depend on the answer"),
        (lambda: matrix([[1, 0], ["1e-12", "0.999999999999"]]), r"0 or at least 2\*\*-32, got 1/10{12}"),
        (lambda: read_matrix("truth,lie\n1,0\n0,1\n"), "matrix, row 1, column 1 must .* got 'truth'"),
        (lambda: read_matrix(""), "a row for each of 2 to 50 answers, got 0 rows"),
        (lambda: Design("d", ((Fraction(1),),)), "d must have two or more answers with 2 chances each"),
    ],
)  # fmt: skip
def test_a_design_that_is_none_is_refused_by_name_range_and_value(build, sentence):
    with pytest.raises(ValueError, match=sentence):
        build()


def test_a_matrix_that_cannot_be_inverted_says_so_when_it_is_used():
    merged = matrix([["1/2", "1/2"], ["1/4", "3/4"], ["1/3", "2/3"]])
    with pytest.raises(ValueError, match="channel must have a condition number of at most 10000"):
        estimate_proportions(merged.channel, [10, 20])


def test_a_report_that_proves_something_leaves_the_exact_interval_whole():
    channel = triangular("1/4").channel
    for counts in ([0, 50], [50, 0], [30, 20]):
        no, yes = proportion_intervals(channel, counts)
        likeliest = estimate_proportions(channel, counts).maximum_likelihood[1]
        assert 0 <= yes.low <= likeliest <= yes.high <= 1
        assert (no.low, no.high) == (1 - yes.high, 1 - yes.low)


@pytest.mark.parametrize("questions", [2, 3, 4])
def test_coins_that_decide_for_several_answers_lose_ln_1_plus_k(questions):
    design = linked([2] * questions)
    assert design.epsilon == pytest.approx(math.log(1 + 2**questions), abs=1e-12)
    assert design.right == Fraction(3, 4)  # (1 + t)/2


def test_linked_answers_are_estimated_together():
    """Of 1000 people who are all “yes, no”, 625 report it and 125 each other combination."""
    design = linked([2, 2])
    found = estimate_proportions(design.channel, [125, 125, 625, 125])
    assert found.proportions == pytest.approx([0, 0, 1, 0], abs=1e-8)


@pytest.mark.parametrize("options", [[2], [2, 1], [16, 17], []])
def test_what_no_device_can_decide_for_is_refused(options):
    with pytest.raises(ValueError, match="options must be"):
        linked(options)
