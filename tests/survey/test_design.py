"""The best reports for what is wanted: the optimization, and its proof."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from survey.design.all_sets import AllSets, indicators
from survey.design.design import best_rates_for, design, optimum, variance
from survey.design.fewest_sets import fewest_sets
from survey.design.information import Packing, Sets
from survey.design.known_sets import known_sets, table
from survey.design.least_variance import GAP, MOST_SECONDS, OutOfTime, least_variance
from survey.design.make_stored_designs import STORED
from survey.design.planned_design import planned_design
from survey.design.stored_designs import stored_designs
from survey.design.wants import CURVE, WANTS, contrasts, read_wants
from survey.inverse import condition_number
from survey.mechanisms import designed, exponential, laplace, subset, wheel
from survey.rules import Refusal
from survey.solvers import nnls

ALL = {"shares": 1.0, "mean": 1.0, "curve": 1.0}
ANSWERS = st.integers(2, 9)
EPSILONS = st.floats(0.05, 8.0)
WANTED = st.dictionaries(st.sampled_from(WANTS), st.floats(0.01, 100.0), min_size=1)


def information(chances):
    """sum over reports of P(y | .) P(y | .)' / P(y), at equal shares."""
    chances = chances[:, chances.max(axis=0) > 0]
    return chances @ np.diag(1 / chances.mean(axis=0)) @ chances.T


def designed_chances(best, answers, epsilon):
    """The chances of each set under each answer, from the definition."""
    members = [[mask >> answer & 1 for mask in best.masks.tolist()] for answer in range(answers)]
    return best.rates * np.where(members, math.exp(epsilon), 1.0)


@settings(deadline=None, max_examples=25)
@given(ANSWERS, EPSILONS, WANTED)
def test_a_design_is_a_channel_next_to_the_best(answers, epsilon, wanted):
    wants = read_wants(wanted)
    best = design(answers, epsilon, wants)
    chances = designed_chances(best, answers, epsilon)
    assert chances.sum(axis=1) == pytest.approx(np.ones(answers), abs=1e-7)
    assert -1e-6 <= best.gap <= GAP
    assert len(set(best.masks.tolist())) == len(best.masks) <= answers * (answers + 1) // 2
    for want in WANTS:
        assert best.variances[want] == pytest.approx(variance(information(chances), want), rel=1e-6)
        # A want's own optimum is known to within its gap.
        assert best.variances[want] >= (1 - 2 * GAP) * optimum(answers, epsilon, want)


@settings(deadline=None, max_examples=25)
@given(ANSWERS, EPSILONS)
def test_no_mechanism_of_ours_is_better_than_the_optimum(answers, epsilon):
    channels = [wheel(answers, epsilon), laplace(0, answers - 1, 1, epsilon), exponential(answers, epsilon)]
    channels += [subset(answers, epsilon, size) for size in range(1, answers)]
    for channel, want in itertools.product(channels, WANTS):
        if condition_number(channel.probabilities) < 1e6:
            reached = variance(information(channel.probabilities), want)
            assert reached >= (1 - 2 * GAP) * optimum(answers, epsilon, want)


def test_no_channel_at_random_is_better_than_the_bound():
    """The bound is for all channels of the loss, not for reported sets alone."""
    random = np.random.default_rng(24)
    for answers, epsilon in itertools.product((3, 5), (0.5, 2.0)):
        for want in WANTS:
            figures = contrasts(want, answers)
            goal = figures.T @ figures + 1e-5 * np.eye(answers)
            bound = least_variance(answers, math.exp(epsilon), goal).bound
            for _ in range(20):
                columns = 1 + np.expm1(epsilon) * random.random((answers, 60)) ** random.choice([0.1, 1, 5])
                rates = nnls(columns, np.ones(answers), maxiter=1000)
                chances = (columns * rates)[:, rates > 0]
                assert chances.sum(axis=1) == pytest.approx(np.ones(answers))
                assert np.trace(np.linalg.solve(information(chances), goal)) >= bound


@pytest.mark.parametrize("answers", [2, 5, 10, 12])
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
def test_for_shares_alone_subset_selection_is_the_best(answers, epsilon):
    best = design(answers, epsilon, {"shares": 1.0})
    assert best.variances["shares"] == pytest.approx(optimum(answers, epsilon, "shares"), rel=GAP)


@pytest.mark.parametrize(
    ("answers", "epsilon", "over"),
    [
        (5, 1.0, (1.161, 1.129, 1.008)),
        (10, 0.5, (1.30, 1.26, 1.05)),
        (10, 1.0, (1.251, 1.249, 1.040)),
        (10, 2.0, (1.230, 1.268, 1.021)),
    ],
)
def test_one_channel_for_all_is_nearly_as_good_as_one_for_each(answers, epsilon, over):
    best = design(answers, epsilon, read_wants(ALL))
    reached = [best.variances[want] / optimum(answers, epsilon, want) for want in WANTS]
    assert reached == pytest.approx(over, rel=0.005)


def test_more_weight_on_a_want_gives_it_less_variance():
    variances = [
        design(7, 1.0, read_wants({"shares": 1.0, "mean": weight})).variances for weight in (0.1, 1, 10)
    ]
    assert variances[0]["mean"] > variances[1]["mean"] > variances[2]["mean"]
    assert variances[0]["shares"] < variances[1]["shares"] < variances[2]["shares"]


def runs(answers):
    """All runs of neighbouring answers and what they leave, which tell any two answers apart."""
    runs = [(2**length - 1) << first for length in range(1, answers) for first in range(answers - length + 1)]
    return np.unique([*runs, *(2**answers - 1 - run for run in runs)])


def test_sets_are_added_until_none_is_missing():
    """Above twelve answers the search begins with few sets."""
    answers, ratio = 13, math.e
    figures = contrasts("curve", answers)
    goal = figures.T @ figures
    every = least_variance(answers, ratio, goal)
    few = least_variance(answers, ratio, goal, start=runs(answers))
    assert len(few.masks) < len(every.masks) / 4
    assert few.value == pytest.approx(every.value, rel=GAP)
    assert few.value >= every.bound
    assert every.value >= few.bound


@settings(deadline=None)
@given(st.integers(2, 8), st.floats(1.05, 50.0), st.integers(0, 2**32))
def test_all_sets_are_looked_at_as_one_would_be(answers, ratio, seed):
    random = np.random.default_rng(seed)
    quadratic, prices = random.normal(size=(answers, answers)), random.normal(size=answers)
    quadratic = quadratic + quadratic.T
    expected = []
    for members in indicators(answers):
        a = 1 + (ratio - 1) * members
        expected.append((a @ quadratic @ a / a.mean() - prices @ a) / a.sum())
    assert AllSets(answers, ratio).excess(quadratic, prices) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(st.integers(2, 6), st.integers(0, 2**32))
def test_a_peak_has_no_neighbour_that_is_larger(answers, seed):
    values = np.random.default_rng(seed).normal(size=2**answers)
    peaks = AllSets(answers, 2.0).peaks(values, 2**answers).tolist()
    neighbours = [[values[mask ^ 1 << answer] for answer in range(answers)] for mask in range(2**answers)]
    expected = [mask for mask in range(2**answers) if values[mask] > max(0, *neighbours[mask])]
    assert peaks == sorted(expected, key=lambda mask: -values[mask])
    assert AllSets(answers, 2.0).peaks(values, 1).tolist() == peaks[:1]


@given(st.integers(2, 6), st.integers(0, 2**32))
def test_packing_keeps_products(size, seed):
    random = np.random.default_rng(seed)
    first, second = (matrix + matrix.T for matrix in random.normal(size=(2, size, size)))
    packing = Packing(size)
    assert packing.pack(first) @ packing.pack(second) == pytest.approx(np.trace(first @ second))
    assert packing.unpack(packing.pack(first)) == pytest.approx(first)
    assert np.tensordot(packing.pack(first), packing.basis, 1) == pytest.approx(first)


@settings(deadline=None)
@given(st.integers(3, 7), st.floats(1.05, 50.0), st.integers(0, 2**32))
def test_fewer_sets_tell_as_much(answers, ratio, seed):
    sets = Sets(Packing(answers), ratio, np.arange(1, 2**answers - 1))
    rates = np.random.default_rng(seed).random(len(sets.masks))
    masks, fewer = fewest_sets(sets, rates)
    few = Sets(sets.packing, ratio, masks)
    assert len(masks) <= answers * (answers + 1) // 2
    assert fewer @ few.information == pytest.approx(rates @ sets.information, rel=1e-9)
    assert fewer @ few.chances == pytest.approx(rates @ sets.chances, rel=1e-9)
    assert sorted(masks.tolist()) == masks.tolist()


def test_known_sets_are_those_of_both_epsilons_of_the_table_beside_one():
    at = [set(known_sets(21, epsilon).tolist()) for epsilon in (0.5, 0.7, 1.0)]
    assert at[1] == at[0] | at[2]
    assert at[0] != at[2]
    assert known_sets(21, 0.05).tolist() == sorted(table()[0.125])
    assert known_sets(2, 1.0).tolist() == [1, 2]


@pytest.mark.parametrize("wanted", [{"mean": 0.75, "curve": 0.25}, {"curve": 1.0}])
@pytest.mark.parametrize("epsilon", [0.05, 0.74, 1.45, 8.0])
def test_a_design_for_a_plan_is_a_channel_next_to_the_best(epsilon, wanted):
    best, planned = design(13, epsilon, wanted), planned_design(13, epsilon, wanted)
    chances = designed_chances(planned, 13, epsilon)
    assert chances.sum(axis=1) == pytest.approx(np.ones(13), abs=1e-7)
    over = {want: planned.variances[want] / best.variances[want] for want in wanted}
    assert 1 - GAP <= sum(weight * over[want] for want, weight in wanted.items()) <= 1.02


def test_up_to_twelve_answers_a_plan_has_the_best():
    assert planned_design(12, 1.0, {"curve": 1.0}) is design(12, 1.0, {"curve": 1.0})


def test_figures_are_centred():
    for want in WANTS:
        assert contrasts(want, 6).sum(axis=1) == pytest.approx(np.zeros(len(contrasts(want, 6))))
    assert len(contrasts("curve", 6)) == 5


def test_weights_of_wants_count_relative_to_each_other():
    assert read_wants({"curve": 6, "mean": 2}) == {"mean": 0.25, "curve": 0.75}


@pytest.mark.parametrize("wants", [{}, None, ["mean"], {"median": 1.0}, {"mean": 1.0, "x": 1.0}, {1: 1.0}])
def test_wants_that_are_not_known_are_refused(wants):
    with pytest.raises(
        ValueError, match=r"^wants must be a table with at least one of shares, mean, curve, .*, got "
    ):
        read_wants(wants)


@pytest.mark.parametrize("weight", [0, -1, 0.0, math.nan, math.inf, 1001, "1", True, None])
def test_a_weight_out_of_range_is_refused_by_name(weight):
    with pytest.raises(ValueError, match=r"^wants\.curve must be a number above 0 and up to 1000, got "):
        read_wants({"mean": 1, "curve": weight})


@pytest.mark.parametrize("arguments", stored_designs())
def test_a_stored_design_is_a_channel(arguments):
    answers, epsilon, wants = arguments
    best = design(answers, epsilon, dict(wants))
    assert best.masks.tolist() == list(stored_designs()[arguments][0])
    chances = designed_chances(best, answers, epsilon)
    assert chances.sum(axis=1) == pytest.approx(np.ones(answers), abs=1e-7)
    assert 0 <= best.gap <= GAP


def test_what_is_stored_is_what_the_search_finds():
    """Of few answers: of 21 the search takes seconds, and goes by the same code."""
    arguments = STORED[0]
    answers, epsilon, wants = arguments
    found = best_rates_for(answers, epsilon, wants)
    stored = information(designed_chances(design(answers, epsilon, dict(wants)), answers, epsilon))
    every = Sets(Packing(answers), math.exp(epsilon), found.masks)
    searched = every.packing.unpack(found.rates @ every.information)
    assert list(stored_designs()) == list(STORED)
    for want in WANTS:
        assert variance(stored, want) == pytest.approx(variance(searched, want), rel=GAP)


def test_a_search_out_of_time_is_a_sentence_and_no_half_of_a_channel():
    """Of 13 answers, the sets of one answer each are no best design, so that another turn is needed."""
    clock = itertools.count(0, 2 * MOST_SECONDS)
    start = 2 ** np.arange(13)

    def late(answers, epsilon, wants):
        figures = contrasts(CURVE, answers)
        return least_variance(answers, math.e, figures.T @ figures, start, clock=lambda: next(clock))

    with pytest.raises(OutOfTime, match=r"the gap must fall to 0.001 in 120 seconds, got 0\.\d+"):
        late(13, 1.0, {})
    with pytest.raises(Refusal, match="another one: the best sets were not found in 120 seconds"):
        designed(13, 1.0, {"curve": 1.0}, late)
