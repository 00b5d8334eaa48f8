"""The total of a survey whose sections are drawn: what the dearest draw costs, and never less than any."""

import math
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from survey.mechanisms import coin, exponential, gaussian, per_box, spinner_coin, wheel
from survey.privacy import Reports, budget, compose, dearest, plain_sum
from survey.privacy.composition import dearest_parts
from survey.privacy.hardest_pairs import worst_loss

ONE, TWO, HALF = spinner_coin(1.0), spinner_coin(2.0), spinner_coin(0.5)
DELTA = 1e-6


def every_set(reports):
    """All that one person may be asked: the sections of each set, besides what everybody is asked."""
    for chosen in combinations(reports.drawn, reports.asked):
        yield [*reports.always, *(report for section in chosen for report in section)]


def test_one_of_ten_costs_what_one_costs():
    ten = Reports.drawn_from([[TWO]] * 10, asked=1)
    assert plain_sum(ten).epsilon == TWO.epsilon
    assert plain_sum(ten, waves=3).epsilon == pytest.approx(6, abs=1e-6)


def test_the_dearest_sections_count_and_those_that_are_always_asked():
    reports = Reports.drawn_from([[ONE], [HALF, HALF, HALF], [TWO]], asked=2, always=[coin()])
    assert plain_sum(reports).epsilon == pytest.approx(math.log(3) + 2 + 1.5, abs=1e-6)


def test_epsilon_and_delta_each_take_their_own_dearest():
    noisy = gaussian(0, 4, 1, 0.5, 1e-4)
    reports = Reports.drawn_from([[noisy], [TWO], [ONE]], asked=1)
    assert (plain_sum(reports).epsilon, plain_sum(reports).delta) == pytest.approx((2, 1e-4), abs=1e-6)


def test_all_of_the_sections_are_no_draw():
    assert Reports.drawn_from([[ONE], [TWO]], asked=2) == Reports((ONE, TWO))


@pytest.mark.parametrize("asked", [0, 3, -1])
def test_no_section_and_more_than_there_are_cannot_be_drawn(asked):
    with pytest.raises(ValueError, match=f"asked must be a whole number from 1 to 2, got {asked}"):
        Reports.drawn_from([[ONE], [TWO]], asked)


AMOUNT = st.floats(0, 5)
SECTIONS = st.lists(st.lists(AMOUNT, min_size=1, max_size=3), min_size=2, max_size=6)


@given(SECTIONS, st.lists(AMOUNT, max_size=2), st.integers(1, 6))
def test_the_sum_is_the_largest_over_all_sets(sections, always, asked):
    amounts = Reports.drawn_from(sections, min(asked, len(sections)), always)
    largest = max(math.fsum(each) for each in every_set(amounts)) if amounts.asked else None
    assert math.fsum(dearest(amounts)) == pytest.approx(
        math.fsum(amounts.always) if largest is None else largest, rel=1e-12
    )


CHANNEL = st.sampled_from([coin(), wheel(10, 1.0), wheel(3, 1.1), HALF, exponential(4, 0.9)])
MIXED = st.lists(st.lists(CHANNEL, min_size=1, max_size=2), min_size=3, max_size=4)


@settings(max_examples=8, deadline=None)
@given(MIXED, st.integers(1, 2), st.floats(1e-9, 1e-2))
def test_the_composed_figure_is_never_below_that_of_any_set(sections, asked, delta):
    reports = Reports.drawn_from(sections, asked, [HALF])
    found = compose(reports, delta)
    assert found >= max(compose(each, delta) for each in every_set(reports)) - 1e-9
    assert found <= plain_sum(reports).epsilon


def test_nor_below_that_of_waves_which_draw_different_sets():
    """Over two waves: a wheel once and a yes/no question once, or one of the two twice."""
    sections = [[wheel(10, 1.0)] * 4, [spinner_coin(0.9)] * 4]
    found = budget(Reports.drawn_from(sections, asked=1), waves=2, delta=1e-3).composed.epsilon
    pairs = [[*one, *other] for one in sections for other in sections]
    assert found >= max(compose(pair, 1e-3) for pair in pairs) - 1e-9


def test_among_sections_that_can_be_ordered_hardly_anything_is_lost():
    """Of wheels the one with the larger epsilon is worse at every delta. The sum is 18."""
    sections = [[wheel(10, epsilon)] * 10 for epsilon in (0.5, 0.4, 0.8, 1.0)]
    found = budget(Reports.drawn_from(sections, asked=2)).composed
    assert 0 <= found.epsilon - compose([*sections[2], *sections[3]], DELTA) < 18 * 5e-6
    assert found.epsilon < 16


def test_where_the_curves_cross_the_figure_is_not_the_one_of_the_largest_epsilons():
    """At 1e-2 eight yes/no questions at .11 lose more than ten wheels at .1, whose sum is greater."""
    wheels, coins = [wheel(10, 0.1)] * 9, [spinner_coin(0.11)] * 8
    assert plain_sum(wheels).epsilon > plain_sum(coins).epsilon
    assert compose(coins, 1e-2) > compose(wheels, 1e-2)
    assert compose(Reports.drawn_from([wheels, coins], asked=1), 1e-2) >= compose(coins, 1e-2)
    one = Reports.drawn_from([[wheel(10, 1.0)], [spinner_coin(0.9)]], asked=1)
    assert compose(one, 0.1) >= compose([spinner_coin(0.9)], 0.1)


def test_boxes_and_numbers_count_in_their_section():
    boxes = [per_box(3, 0.6, "box")] * 3
    reports = Reports.drawn_from([boxes, [ONE]], asked=1)
    assert plain_sum(reports).epsilon == pytest.approx(1.8, abs=1e-6)


def test_the_worst_of_one_section_alone_is_that_of_its_channel():
    assert compose(Reports.drawn_from([[ONE], [HALF]], asked=1), 1e-2) == pytest.approx(
        worst_loss(ONE).epsilon(1e-2), abs=1e-5
    )


def test_the_rounding_that_a_comparison_of_curves_leaves_out_counts_as_infinite_loss():
    ((dearer, _),) = dearest_parts([(ONE,), (HALF,)], asked=1)
    assert 0 < dearer.infinite < 1e-9
