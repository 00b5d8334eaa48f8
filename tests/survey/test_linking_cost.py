"""Linked sections beside the best plan at the same total that links nothing of them."""

import itertools

import pytest

from survey.linked import Linked
from survey.plan.choose import choose
from survey.plan.linking_cost import dearer_links, linking_cost
from survey.plan.wanted import Want
from survey.question import YesNo
from survey.section import Section

MANY = 10**9


def questions(number):
    return [YesNo(f"q{n}", "yes_no", {}, "spinner_coin", 1.0, {}) for n in range(number)]


def linked(number, epsilon=2.0, **more):
    """A section of yes/no questions on one wheel."""
    section = Section("together", tuple(questions(number)), epsilon=epsilon)
    return section.with_wheel(Linked.spun((2,) * number, epsilon, **more))


@pytest.mark.parametrize(("number", "is_dearer"), [(2, False), (3, False), (4, True)])
def test_two_or_three_questions_need_fewer_people_linked_and_four_do_not(number, is_dearer):
    """Asking one of four needs fewer people for shares than a wheel for all four."""
    section = linked(number)
    assert linking_cost(section).is_dearer == is_dearer
    assert dearer_links([section]) == ([(section, linking_cost(section))] if is_dearer else [])


def test_its_figures_are_those_of_the_planner():
    alone = [Section(question.id, (question,)) for question in questions(3)]
    pairs = [Want.usual("both", *pair) for pair in itertools.combinations(range(3), 2)]
    wide = {"right": 99, "telling": 99, "total": 2.0}
    plans = {plan.family: plan.people for plan in choose(alone, MANY, **wide)}
    cost = linking_cost(linked(3))
    assert (cost.linked.shares, cost.same_total.shares) == (plans["linked"], plans["one"])
    assert cost.linked.pairs < cost.linked.shares  # the shares of three questions are dearer than their pairs
    assert cost.same_total.pairs == min(
        plan.people for plan in choose(alone, MANY, wants=pairs, linked=False, **wide)
    )


def test_at_an_equal_guess_linking_saves_nobody_for_shares_or_only_from_three_questions_on():
    """About one answer it saves nobody; about all, nobody with two questions; for pairs it always does."""
    for number, epsilon in ((2, 1.945), (3, 2.564)):
        cost = linking_cost(linked(number, epsilon))
        assert cost.same_single.shares == pytest.approx(cost.linked.shares, rel=0.01)
        gain = cost.same_guess.shares / cost.linked.shares
        assert gain == pytest.approx(1, rel=0.01) if number == 2 else gain > 1.45
        assert min(cost.same_guess.pairs, cost.same_single.pairs) > 1.5 * cost.linked.pairs


def test_what_no_total_of_a_planner_reaches_is_not_compared():
    assert linking_cost(linked(4, 4.5)).same_single.shares is None


def test_above_what_a_planner_allows_nothing_is_compared():
    assert linking_cost(linked(2, epsilon=5.0)) is None
