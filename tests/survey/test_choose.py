"""The choice among asking one, splitting, linking and random sets: its figures, and nothing that beats it."""

import itertools
import math
import random

import numpy as np
import pytest
from every_plan import better_plan, people_of, random_survey

from survey.plan import PlanError, plans_within
from survey.plan.association_power import respondents_for_association
from survey.plan.choose import choose
from survey.plan.linking import bright_share, epsilon_for, sets_on_wheel
from survey.plan.pair_figures import PAIR_FIGURES, apart, joint_table, slope, together, variance_of
from survey.plan.proposal import propose
from survey.plan.wanted import Want
from survey.question import Boxes, Choice, Number, YesNo
from survey.section import Section

TEXT = {"en": "-"}
MANY = 10**9
WIDE = {"right": 99, "telling": 99}
"""Limits so wide that the total alone counts."""


def yes_no(name, **more):
    return YesNo(name, "yes_no", TEXT, "spinner_coin", 1.0, {}, **more)


def choice(name, options, **more):
    shared = {"kind": "choice", "wording": TEXT, "note": {}, "epsilon": 1.0}
    return Choice(**{"id": name, "mechanism": "wheel", "options": (TEXT,) * options, **shared, **more})


def alone(*questions):
    return [Section(question.id, (question,)) for question in questions]


def plain(number, options=2):
    return alone(*(yes_no(f"q{n}") if options == 2 else choice(f"q{n}", options) for n in range(number)))


def pairs_of(number, figure="both", **more):
    return [Want.usual(figure, *pair, **more) for pair in itertools.combinations(range(number), 2)]


def families(sections, **settings):
    return {plan.family: plan for plan in choose(sections, MANY, exact=6, **settings)}


def variance(plan, margin=0.05):
    """n times the variance that so many people are for."""
    return plan.people * (margin / 1.959964) ** 2


def wheel_of(epsilon, options=2):
    bright = bright_share(epsilon, options)
    return bright * np.eye(options) + (1 - bright) / options


@pytest.mark.parametrize(
    ("shares", "times"), [((0.5, 0.5), (3.95, 8.29, 8.29, 8.29)), ((0.2, 0.3), (4.47, 7.95, 7.95, 7.95))]
)
def test_pairs_take_4_to_8_times_fewer_people_linked_than_split(shares, times):
    table, gains = joint_table(*shares), []
    for figure in PAIR_FIGURES:
        slopes = slope(figure, table, 1, 1)
        split = variance_of(apart(wheel_of(1.0), wheel_of(1.0)), table, slopes)
        gains.append(split / variance_of(together(bright_share(2.0, 4), 2, 2), table, slopes))
    assert gains == pytest.approx(times, abs=0.01)


def test_the_slopes_are_those_of_the_figures():
    table = joint_table(0.2, 0.3, odds_ratio=2.0)
    figures = {
        "both": lambda t: t[1, 1],
        "covariance": lambda t: t[1, 1] - t[1].sum() * t[:, 1].sum(),
        "difference": lambda t: t[1, 1] / t[1].sum() - t[0, 1] / t[0].sum(),
        "odds_ratio": lambda t: math.log(t[1, 1] * t[0, 0] / (t[0, 1] * t[1, 0])),
    }
    assert math.exp(figures["odds_ratio"](table)) == pytest.approx(2)
    same = joint_table(0.2, 0.3, difference=figures["difference"](table))
    assert same == pytest.approx(table)
    for name, figure in figures.items():
        slopes = slope(name, table, 1, 1)
        for move in ([[1, -1], [0, 0]], [[0, 1], [-1, 0]], [[1, 0], [0, -1]]):
            step = 1e-6 * np.array(move)
            expected = (figure(table + step) - figure(table - step)) / 2e-6
            assert (slopes * move).sum() == pytest.approx(expected, rel=1e-6)


def test_power_for_an_odds_ratio_of_2():
    table = joint_table(0.2, 0.3, odds_ratio=2.0)
    linked = respondents_for_association(together(bright_share(2.0, 4), 2, 2), table)
    split = respondents_for_association(apart(wheel_of(1.0), wheel_of(1.0)), table)
    assert (math.ceil(linked), math.ceil(split)) == (1986, 15626)
    assert respondents_for_association(np.eye(4), joint_table(0.2, 0.3)) == math.inf


def test_guesses_at_two_linked_questions_are_right_81_times_in_100_instead_of_74():
    plans = families(plain(2), total=2.0, **WIDE)
    linked, split = plans["linked"], plans["split"]
    assert (linked.guess.times_right, split.guess.times_right) == (81, 74)
    assert linked.single == pytest.approx(linked.guess.right, abs=1e-5)
    assert linked.guess.times_telling == 89, "who knows one answer is right about the other at most so often"


@pytest.mark.parametrize(
    ("sections", "total", "linked"),
    [
        (plain(2), 2.0, True),
        (plain(3), 2.0, True),
        (plain(4), 2.0, True),
        (plain(5), 2.0, False),
        (plain(2, 3), 2.0, True),
        (plain(2, 4), 2.0, False),
        (plain(2, 5), 3.0, True),
    ],
)
def test_linking_needs_no_more_people_than_splitting_only_for_few_combinations(sections, total, linked):
    plans = families(sections, total=total, **WIDE)
    assert (plans["linked"].people <= plans["split"].people) == linked


@pytest.mark.parametrize(
    ("sections", "settings"),
    [(plain(2, 3), {}), (plain(4), {}), (plain(3), {"share": 0.2})],
)
def test_where_only_shares_are_wanted_asking_one_beats_linking_all(sections, settings):
    plans = families(sections, total=2.0, **settings, **WIDE)
    assert plans["one"].people < plans["linked"].people < plans["split"].people


def test_six_boxes_are_linked_from_a_total_of_4():
    boxes = Boxes(
        id="b", kind="boxes", wording=TEXT, note={}, mechanism="per_box", epsilon=1.0, options=(TEXT,) * 6
    )
    widths = {}
    for total in (3.0, 4.0):
        bright = bright_share(total, 2**6), bright_share(total / 6, 2)
        widths[total] = bright[0] > bright[1]
        assert families(alone(boxes), total=total, **WIDE)
    assert widths == {3.0: False, 4.0: True}


def test_boxes_that_stand_alone_are_linked_in_a_file_where_that_needs_fewer_people():
    boxes = Boxes(
        id="b", kind="boxes", wording=TEXT, note={}, mechanism="per_box", epsilon=1.0, options=(TEXT,) * 3
    )
    found = propose(alone(boxes), 1000)
    (section,) = found.best[0].sections
    assert (found.best[0].family, section.linked.asked, section.linked.sizes) == ("linked", 3, (2, 2, 2))
    assert found.best[0].people == pytest.approx(0.574 * found.apart.people, rel=0.01)
    assert found.apart.sections[0].questions[0].mechanism in Boxes.mechanisms
    beside = [Section("both", (boxes, yes_no("a")))]
    assert not any(section.linked for plan in propose(beside, 1000).best for section in plan.sections)


def test_of_ways_that_all_link_the_boxes_the_best_three_are_shown_beside_the_best_that_links_nothing():
    boxes = Boxes(
        id="b", kind="boxes", wording=TEXT, note={}, mechanism="per_box", epsilon=1.0, options=(TEXT,) * 5
    )
    found = propose(alone(boxes, yes_no("a"), yes_no("c")), 1000)
    assert [plan.links for plan in found.best] == [True] * 3
    assert len({plan.family for plan in found.best}) == 3
    plain = propose(alone(boxes, yes_no("a"), yes_no("c")), 1000, linked=False)
    assert not found.apart.links
    assert found.apart == plain.best[0]


def test_a_way_that_links_some_and_gains_nothing_is_not_listed_beside_the_plainer_one():
    """The first part decides over people and guesses, whether the second is linked or not."""
    parts = [Section(name, (yes_no(f"{name}1"), yes_no(f"{name}2"))) for name in "ab"]
    known = frozenset({0, 1})
    everything = {plan.family: plan for plan in choose(parts, 1000, known=known)}
    assert everything["mixed"].people == pytest.approx(everything["one"].people, rel=1e-3)
    assert [plan.family for plan in propose(parts, 1000, known=known).best] == ["one", "split"]
    both = propose(parts, 1000).best  # nobody knows any of these: both parts gain by their wheels
    assert both[0].family == "mixed"
    assert both[0].people < 0.9 * both[1].people


def test_ten_questions_by_random_pairs_sets_of_three_and_of_four():
    ten = plain(10)
    pairs = families(ten, total=2.0, **WIDE)
    assert variance(pairs["sets"]) == pytest.approx(3.31, rel=0.02)
    assert variance(
        min((pairs[name] for name in ("one", "some", "split")), key=lambda plan: plan.people)
    ) == (pytest.approx(4.31, rel=0.02))
    within = families(ten)["sets"]
    assert (within.parts[0].on_wheel, within.guess.times_right, within.guess.times_telling) == (4, 77, 95)
    assert variance(within) == pytest.approx(2.23, rel=0.02)


def test_all_pairs_of_five_questions_under_both_limits():
    best = choose(plain(5), MANY, wants=pairs_of(5), exact=1)[0]
    assert (best.family, best.parts[0].on_wheel) == ("sets", 4)
    assert variance(best) == pytest.approx(0.669 * 10 / 6, rel=0.01)


def test_sets_of_unequal_questions_are_counted():
    by_hand = {}
    for chosen in itertools.combinations([2, 2, 3, 5], 2):
        by_hand[math.prod(chosen)] = by_hand.get(math.prod(chosen), 0) + 1 / 6
    assert sets_on_wheel([2, 2, 3, 5], 2) == pytest.approx(by_hand)
    assert epsilon_for(bright_share(1.3, 12), 12) == pytest.approx(1.3)


def test_a_limit_of_any_single_answer_takes_the_gain_for_shares_away():
    plans = families(plain(2), about="single", right=73, telling=99, total=2.0)
    assert all(100 * plan.single <= 73 + 1e-3 for plan in plans.values())
    assert plans["linked"].people == pytest.approx(plans["split"].people, rel=3e-3)
    paired = families(plain(2), about="single", right=73, telling=99, total=2.0, wants=pairs_of(2))
    assert paired["linked"].people < 0.65 * paired["split"].people
    assert 100 * paired["split"].single <= 73 + 1e-3


def test_what_others_know_is_not_linked():
    plans = choose(plain(3), MANY, wants=pairs_of(3), known=frozenset({0}), exact=1)
    for plan in plans:
        assert all(0 not in part.questions for part in plan.parts if part.on_wheel)


def test_a_designed_channel_is_chosen_for_a_curve_and_cyclic_sets_for_many_options():
    sections = alone(choice("scale", 5, ordered=True), choice("city", 20))
    best = choose(sections, MANY, wants=[Want.usual("curve", 0)], total=2.0)[0]
    ways = {
        place: way.mechanism
        for part in best.parts
        for place, way in zip(part.questions, part.ways, strict=True)
    }
    assert ways == {0: "designed", 1: "cyclic"}


def test_under_a_limit_of_guesses_the_wheel_may_need_fewer_people_than_a_design_of_less_epsilon():
    scale = alone(choice("scale", 6, ordered=True))
    wants = [Want.usual("mean", 0), Want.usual("curve", 0)]
    designed, wheel = (
        choose(scale, MANY, wants=wants, right=right, telling=95, total=2.9)[0] for right in (95, 70)
    )
    assert [plan.parts[0].ways[0].mechanism for plan in (designed, wheel)] == ["designed", "wheel"]
    assert designed.guess.right > wheel.guess.right
    assert wheel.total > 1.5  # the design may have 1.07 there


@pytest.mark.parametrize("seed", [1, 3, 4, 7, 359])
def test_no_other_plan_of_a_random_survey_needs_1_percent_fewer_people(seed):
    sections, settings = random_survey(random.Random(seed))
    limits = {name: settings[name] for name in ("right", "telling", "total", "share") if name in settings}
    best = choose(sections, MANY, **settings)[0]
    assert better_plan(sections, settings, 0.99 * best.people) is None
    today = plans_within(sections, MANY, **limits)
    needed = min(people_of(plan.plan.sections, plan.plan.asked, settings) for plan in today)
    assert best.people <= 1.002 * needed


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"about": "some"}, "about must be all or single"),
        ({"total": 0.0}, "total must be a number above 0"),
        ({"right": 50}, "right must be"),
        ({"wants": [Want("both", (0, 2), 0.05)]}, "pairs must be of yes/no questions and choices"),
    ],
)
def test_bad_input_of_a_choice_is_named(changed, said):
    number = Number(
        id="n", kind="number", wording=TEXT, note={}, mechanism="hybrid", epsilon=1.0, low=0, high=10, step=1
    )
    with pytest.raises(ValueError, match=said):
        choose(alone(yes_no("a"), yes_no("b"), number), MANY, **changed)


def test_wants_that_make_no_sense_are_refused():
    for arguments in (("median", 0), ("both", 0), ("shares", 0, 1), ("both", 1, 1)):
        with pytest.raises(ValueError, match="must be"):
            Want.usual(*arguments)
    with pytest.raises(PlanError):
        choose(plain(3), 20)
