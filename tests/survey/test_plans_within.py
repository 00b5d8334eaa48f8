"""Plans that keep both limits: what they ask, what they let somebody guess, and how many people they need."""

from dataclasses import replace
from importlib import resources

import pytest

from survey.linked import Linked
from survey.plan import PlanError, people_without_skips, plans_within, widest
from survey.privacy import guess
from survey.privacy.guess import guess_of
from survey.publication import publish
from survey.question import Choice, YesNo
from survey.read_definition import parse
from survey.section import Section

SEVEN = [Section(f"q{n}", (YesNo(f"q{n}", "yes_no", {}, "spinner_coin", 1.0, {}),)) for n in range(7)]


def example(name):
    return parse((resources.files("server.examples") / f"{name}.toml").read_text(encoding="utf-8"), name)


def with_few_points(definition):
    """Ask for designed numbers from 0 to 12: a design for 21 takes a second, and a plan makes many."""

    def coarse(question):
        designed = question.kind == "number" and question.mechanism == "designed"
        return replace(question, low=0, high=12, step=1) if designed else question

    sections = (
        replace(section, questions=tuple(map(coarse, section.questions))) for section in definition.sections
    )
    return replace(definition, sections=tuple(sections))


@pytest.mark.parametrize(
    ("name", "asked"),
    [("exam-honesty", None), ("student-life", None), ("undeclared-work", None), ("workplace", None)],
)
def test_every_plan_keeps_both_limits_when_it_is_published(name, asked):
    definition = with_few_points(example(name))
    plans = plans_within(definition.sections, 1000, waves=definition.waves, asked=asked)
    margins = [plan.margin for plan in plans]
    assert margins == sorted(margins)
    for plan in plans:
        planned = replace(definition, sections=plan.plan.sections, asked=plan.plan.asked, limit=plan.total)
        figures = guess(publish(planned).reports, definition.waves)
        assert (figures.times_right, figures.times_telling) == (
            plan.guess.times_right,
            plan.guess.times_telling,
        )
        assert figures.times_right <= 80
        assert figures.times_telling <= 95


def test_it_uses_the_limits_up():
    best = plans_within(SEVEN, 500)[0]
    assert best.guess.right == pytest.approx(0.8, abs=1e-3)
    strict = plans_within(SEVEN, 500, right=60, telling=75)[0]
    assert (strict.guess.times_right, strict.guess.times_telling <= 75) == (60, True)
    assert strict.margin > best.margin


def test_totals_that_are_only_compared_with_the_limit_need_no_exact_figure():
    unequal = [
        Section(f"q{n}", (Choice(f"q{n}", "choice", {}, "wheel", 1.0, {}, options=({},) * (n + 2)),))
        for n in range(7)
    ]
    guess_of.cache_clear()
    plans = plans_within(unequal, 500, right=70)
    assert sum(plan.guess.right > 0.699 for plan in plans) == 4, "for these the limit is searched for"
    assert guess_of.cache_info().misses <= len(plans), "where each search tries twelve totals"


def test_so_many_people_make_five_points():
    best = plans_within(SEVEN, 500)[0]
    assert widest(best.plan.sections, best.plan.asked, round(best.people)) == pytest.approx(0.05, rel=1e-3)


@pytest.mark.parametrize("whole", [False, True])
def test_without_skips_linked_answers_have_a_smaller_wheel(whole):
    def linked(skip, whole):
        questions = tuple(replace(each.questions[0], skip=skip) for each in SEVEN[:2])
        section = Section("both", questions, epsilon=2.0)
        return section.with_wheel(Linked.spun(tuple(each.answers for each in questions), 2.0, 2, whole))

    skipped, plain = linked(None if whole else "randomized", whole), linked(None, False)
    (plan,) = plans_within([skipped], 500, total=2.0)
    without = people_without_skips(plan.plan, [skipped], 500, total=2.0)
    assert without == plans_within([plain], 500, total=2.0)[0].people
    assert without < plan.people


def test_without_skips_the_same_limits_are_kept_and_the_same_share_is_expected():
    skipped = [
        replace(section, questions=(replace(section.questions[0], skip="randomized"),)) for section in SEVEN
    ]
    for given in ({}, {"share": 0.1, "right": 70}):
        plan = plans_within(skipped, 500, asked=2, **given)[0].plan
        (plain,) = plans_within(SEVEN, 500, asked=2, **given)
        assert people_without_skips(plan, skipped, 500, **given) == plain.people
        assert people_without_skips(plain.plan, SEVEN, 500, **given) is None


@pytest.mark.parametrize(
    ("changed", "said"), [({"right": 50}, "right must be"), ({"telling": 100}, "telling")]
)
def test_limits_that_are_none_are_named(changed, said):
    with pytest.raises(ValueError, match=said):
        plans_within(SEVEN, 500, **changed)


def test_where_real_coins_cost_too_much_there_is_no_plan():
    coins = [Section(f"q{n}", (YesNo(f"q{n}", "yes_no", {}, "coin", None, {}),)) for n in range(2)]
    with pytest.raises(PlanError):
        plans_within(coins, 500, right=55)
