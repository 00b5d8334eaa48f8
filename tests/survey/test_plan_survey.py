"""Planning a whole survey: the best of all plans, found again by trying them."""

import itertools
import math

import pytest

from survey.plan import PlanError, outlook, plans_within
from survey.question import Boxes, Choice, Number, YesNo
from survey.read_definition import parse
from survey.section import Section

TEXT = {"en": "-"}
LN3 = math.log(3)


def yes_no(name, mechanism="spinner_coin", epsilon=1.0, **more):
    return YesNo(name, "yes_no", TEXT, mechanism, epsilon, {}, **more)


def coin(name):
    return yes_no(name, "coin", None)


def alone(*questions, always=False):
    """A section for each question."""
    return [Section(one.id, (one,), always=always) for one in questions]


def plain(number):
    return alone(*(yes_no(f"q{n}") for n in range(number)))


def epsilons(plan):
    return [question.epsilon for section in plan.sections for question in section.questions]


def plan_survey(sections, total, respondents, **settings):
    """The best plan for a total that keeps limits so wide that it alone counts."""
    return plans_within(sections, respondents, right=99, telling=99, total=total, **settings)[0].plan


def margin(epsilon, share, asked):
    """95 % of the normal interval of forced response: pi (1 - pi) + E/(E - 1)^2 over those asked."""
    ratio = math.exp(epsilon)
    return 1.959964 * math.sqrt((share * (1 - share) + ratio / (ratio - 1) ** 2) / asked)


@pytest.mark.parametrize("questions", [5, 10, 20])
@pytest.mark.parametrize("total", [1, 2, 3, 4])
def test_it_is_the_best_of_all_numbers_of_sections(questions, total):
    for share in (0.05, 0.2, 0.5):
        found = plan_survey(plain(questions), total, 1000, share=share)
        best = min(
            range(1, questions + 1),
            key=lambda m: margin(total / m, share, 1000 * m / questions),
        )
        assert (found.asked or questions) == best
        assert epsilons(found) == pytest.approx([total / best] * questions, abs=1e-3)


def test_one_question_each_at_epsilon_2_is_worth_7_times_the_people():
    ten = plain(10)
    found = plan_survey(ten, 2.0, 1000, share=0.2)
    everything = plan_survey(ten, 2.0, 1000, share=0.2, asked=10)
    assert (found.asked, everything.asked) == (1, None)
    assert (set(epsilons(found)), set(epsilons(everything))) == ({2.0}, {0.2})
    one = outlook(found.sections, found.asked, 1000, 0.2)[0]
    whole = outlook(everything.sections, None, 1000, 0.2)[0]
    assert (one.asked, whole.asked) == (100, 1000)
    assert (round(one.margin, 3), round(whole.margin, 3)) == (0.115, 0.31)
    assert (whole.margin / one.margin) ** 2 == pytest.approx(7.35 / 1.0092, abs=0.05)  # E[1/N] 100


@pytest.mark.parametrize("weights", [(1, 1, 1), (1, 2, 1), (1, 3, 5)])
def test_weights_are_kept_as_well_as_any_epsilons_would(weights):
    """Against a grid over every way to spend a total of 1 on three questions that all are asked."""
    found = plan_survey(plain(3), 1.0, 3000, asked=3, share=0.2, weights=weights)

    def largest(chosen):
        return max(w * margin(e, 0.2, 3000) for w, e in zip(weights, chosen, strict=True))

    grid = [n / 200 for n in range(1, 200)]
    tried = min(((a, b, 1 - a - b) for a, b in itertools.product(grid, grid) if a + b < 0.999), key=largest)
    assert sum(epsilons(found)) <= 1
    assert largest(epsilons(found)) <= largest(tried) * 1.001
    assert epsilons(found) == pytest.approx(tried, abs=0.01)


def test_what_everybody_is_asked_shares_the_total_with_one_of_the_others():
    sections = alone(yes_no("first"), always=True) + plain(4)
    found = plan_survey(sections, 2.0, 1000, asked=1, share=0.2)
    first, *others = epsilons(found)
    # The first is asked four times as many people: brute force over what is left to it.
    tried = min(
        (n / 1000 for n in range(1, 2000)),
        key=lambda e: max(margin(e, 0.2, 1000), margin(2 - e, 0.2, 250)),
    )
    assert first == pytest.approx(tried, abs=2e-3)
    assert others == pytest.approx([2 - tried] * 4, abs=2e-3)
    assert [one.asked for one in outlook(found.sections, 1, 1000)] == [1000, 250, 250, 250, 250]


def test_a_short_section_may_be_sharper_than_the_dearest():
    """Who is asked the short one is not asked the long one: it can cost as much."""
    long = Section("long", tuple(yes_no(f"q{n}") for n in range(3)))
    found = plan_survey([long, *alone(yes_no("short"))], 3.0, 1000, asked=1)
    assert epsilons(found) == pytest.approx([1, 1, 1, 3], abs=1e-3)


def test_two_coins_cost_ln_3_and_the_others_what_is_left():
    found = plan_survey(alone(coin("fixed"), yes_no("free")), 2.0, 1000, asked=2)
    assert epsilons(found) == [None, pytest.approx(2 - LN3, abs=1e-3)]
    by_hand = plan_survey(alone(yes_no("real", by_hand="coin"), yes_no("free")), 2.0, 1000, asked=2)
    assert sum(max(LN3, each) if not n else each for n, each in enumerate(epsilons(by_hand))) <= 2
    assert epsilons(by_hand)[1] == pytest.approx(2 - LN3, abs=1e-3)


def test_every_kind_of_question_can_be_planned_and_ends_equally_precise():
    options = (TEXT,) * 5
    shared = {"wording": TEXT, "note": {}, "epsilon": 1.0}
    sections = alone(
        yes_no("yes"),
        Choice(id="wheel", kind="choice", mechanism="wheel", options=options, **shared),
        Choice(id="subset", kind="choice", mechanism="subset", options=options, **shared),
        Boxes(id="each", kind="boxes", mechanism="per_box", options=options, scope="box", **shared),
        Boxes(id="some", kind="boxes", mechanism="sampled_box", options=options, **shared),
        Number(id="bit", kind="number", mechanism="one_bit", low=0, high=10, step=1, **shared),
        Number(id="laplace", kind="number", mechanism="laplace", low=0, high=10, step=1, **shared),
    )
    found = plan_survey(sections, 4.0, 5000, asked=7)
    widths = [one.margin / one.span for one in outlook(found.sections, None, 5000)]
    assert widths == pytest.approx([widths[0]] * 7, rel=0.01)
    spent = [e * times for e, times in zip(epsilons(found), (1, 1, 1, 5, 1, 1, 1), strict=True)]
    assert 3.99 < sum(spent) <= 4


def test_waves_share_the_total():
    assert epsilons(plan_survey(plain(2), 4.0, 100, waves=2, asked=1)) == [2, 2]


def test_a_plan_for_all_sections_leaves_the_file_as_it_was_before_sections():
    text = "".join(
        f'[[questions]]\nid = "{name}"\nmechanism = "spinner"\nepsilon = 1\nwording = {{ en = "?" }}\n'
        for name in "ab"
    )
    head = 'candor = 1\nslug = "s"\nlanguages = ["en"]\n'
    head += "".join(f'{name} = {{ en = "-" }}\n' for name in ("title", "information", "consent"))
    definition = parse(head + text, "s.toml")
    assert plan_survey(definition.sections, 4.5, 100).asked is None


@pytest.mark.parametrize(
    ("sections", "arguments", "name", "least"),
    [
        (plain(10), (2.0, 29), "respondents", 30),
        (plain(10), (2.0, 149, {"asked": 2}), "respondents", 150),
        (alone(yes_no("a"), always=True), (2.0, 20), "respondents", 30),
        (alone(coin("a"), coin("b"), always=True), (2.0, 1000), "total", 2.1973),
        (alone(coin("a"), coin("b"), always=True), (4.0, 1000, {"waves": 2}), "total", 4.3945),
        (plain(1), (0.001, 1000), "total", 0.01),
    ],
)
def test_plans_that_cannot_be_made_say_what_would_be_enough(sections, arguments, name, least):
    total, respondents, more = (*arguments, {})[:3]
    with pytest.raises(PlanError, match=f"^{name} must be at least {least:g}: ") as refused:
        plan_survey(sections, total, respondents, **more)
    assert (refused.value.name, refused.value.least) == (name, least)
    more_of_it = {"total": total, "respondents": respondents} | {name: least} | more
    assert plan_survey(sections, **more_of_it)  # and that is enough indeed


def test_a_question_that_would_show_nothing_is_named():
    scale = Choice(
        id="scale", kind="choice", mechanism="exponential", options=(TEXT,) * 16, ordered=True,
        wording=TEXT, note={}, epsilon=2.0,
    )  # fmt: skip
    with pytest.raises(PlanError, match=r"^total must be larger: scale shows nothing .*, got 0\.02$"):
        plan_survey(alone(scale), 0.02, 1000)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"total": 0.0}, "total must be a number above 0"),
        ({"total": math.inf}, "total must be a number above 0"),
        ({"respondents": 0}, "respondents must be a whole number from 1"),
        ({"asked": 0}, "asked must be a whole number from 1 to 30, got 0"),
        ({"asked": 31}, "asked must be a whole number from 1 to 30, got 31"),
        ({"asked": 15}, "asked must leave at most 1048576 sets of sections, got 15 of 30"),
        ({"share": 1.5}, "share must be a number from 0 to 1, got 1.5"),
        ({"weights": [1.0]}, "weights must be 30 numbers above 0"),
        ({"weights": [0.0] * 30}, "weights must be 30 numbers above 0"),
    ],
)
def test_bad_input_is_named(arguments, words):
    with pytest.raises(ValueError, match=words):
        plan_survey(**{"sections": plain(30), "total": 2.0, "respondents": 1000} | arguments)
