"""The plans of a survey that keep both limits: of the guess figure, and of the most telling result."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from survey.channel import Channel, require_whole
from survey.linked import Linked
from survey.plan.chosen_plan import rounded_up
from survey.plan.curve import Curve
from survey.plan.outlook import outlook, people_for
from survey.plan.planned_channel import limit_of_guesses, planned_channel
from survey.plan.progressive_filling import Allocation, PlannedQuestion
from survey.plan.survey_plan import PlanError, SurveyPlan, asks_of, floored, too_little, with_epsilons
from survey.privacy import Guess, Reports, guess, guess_within, reports_of
from survey.privacy.limits import MOST_RIGHT, MOST_TELLING
from survey.progress import stretch
from survey.question import Question
from survey.section import Section

CLOSE = 1e-3
"""The total of a plan lies this close to the largest that keeps the limit of the guess figure."""

MARGIN = 0.05
"""The margin of error for which the people needed are stated, as a part of the range of possible
estimates."""


@dataclass(frozen=True)
class PlanWithin:
    """A plan that keeps both limits.

    Attributes
    ----------
    plan : SurveyPlan
    total : float
        The most that one person may lose over all waves: the survey's limit.
    guess : Guess
        Both figures.
    margin : float
        The largest margin of error, as a part of the range of possible estimates; infinite where nothing can
        be estimated from a question.
    people : float
        The number of people with whom that margin is `MARGIN`; infinite with the margin.
    """

    plan: SurveyPlan
    total: float
    guess: Guess
    margin: float
    people: float


def plans_within(
    sections: Sequence[Section],
    respondents: int,
    *,
    right: int = MOST_RIGHT,
    telling: int = MOST_TELLING,
    total: float | None = None,
    waves: int = 1,
    asked: int | None = None,
    share: float | None = None,
    weights: Sequence[float] | None = None,
) -> tuple[PlanWithin, ...]:
    """Find, for each number of sections that can be asked, the most precise plan within both limits.

    Parameters
    ----------
    sections : sequence of Section
        At least one, with their questions; the epsilons that they have do not count.
    respondents : int
        How many people are expected, 1 or more. Of n people n m / k are asked a section, where m of k are.
    right, telling : int
        Times in 100 that a guess may be right at most, from 51 to 99: on average, and after the most telling
        result.
    total : float, optional
        The most epsilon that one person may lose over all waves, where that is less than the second limit
        allows.
    waves : int
        How often the same people are asked.
    asked : int, optional
        The number of sections, where it is not to be chosen; from 1 to those that are not always asked.
    share : float, optional
        The expected share of yes, and of each box, in [0, 1]; equal shares where none is given.
    weights : sequence of float, optional
        Above 0, for each question: a margin that matters twice as much has weight 2.

    Returns
    -------
    tuple of PlanWithin
        The plan with the smallest margins first. Its epsilons are rounded down to four decimals, so that the
        total holds.

    Raises
    ------
    PlanError
        If a section would be asked of fewer than 30 people, no plan costs as little as the total or keeps
        both limits, or nothing can be estimated from a question within the total.
    ValueError
        If an argument is outside its range.

    Notes
    -----
    A guess after the most telling result is right E/(E + 1) of the time, so the total is at most ln(q/(1 -
    q)) for a limit q. The guess figure rises with the total, as each question's part does. The largest total
    that keeps its limit is bracketed, and the lower end is taken.

    Margins are compared as parts of the range of possible estimates: 1 for a share, the range for a number.
    Of two plans with the same largest margin, the one whose next largest is smaller is better, and so on.

    Examples
    --------
    >>> from survey.question import YesNo
    >>> seven = [YesNo(f"q{n}", "yes_no", {}, "spinner_coin", 1.0, {}) for n in range(7)]
    >>> found = plans_within([Section(one.id, (one,)) for one in seven], 500)
    >>> found[0].plan.asked, found[0].total, found[0].guess.times_right, found[0].guess.times_telling
    (2, 2.7716, 80, 95)
    """
    for name, value in (("right", right), ("telling", telling)):
        require_whole(name, value, 51, 99)
    most = floored(math.log(telling / (100 - telling)))
    if total is not None:
        if not 0 < total < math.inf:
            raise ValueError(f"total must be a number above 0, got {total!r}")
        most = min(most, total)
    settings: dict[str, Any] = {"waves": waves, "asked": asked, "share": share, "weights": weights}
    with stretch(0, 0.5):
        asks, numbers = asks_of(sections, most, respondents, **settings)
    planner = Planner(sections, asks, waves)
    designs = [
        question.answers
        for section in sections
        for question in section.questions
        if question.mechanism == "designed"
    ]
    limit = limit_of_guesses(right, designs)
    alone: list[float] = []
    plans = []
    for place, m in enumerate(numbers, len(numbers)):
        with stretch(place, place + 1, of=2 * len(numbers)):
            largest = planner.plan(m, most)
            if largest is not None and not largest.is_within(limit):
                # What a section may lose is limited by itself too, so that the others need not stop with it.
                alone = alone or planner.most_alone(most, limit)
                largest = largest_within(partial(planner.plan, m, most=alone), most, limit)
            if largest is not None:
                plans.append((largest.levels, with_precision(largest, respondents, share)))
    if not plans:
        allocations = [planner.allocation(m, most) for m in numbers]
        if all(each.fill() is None for each in allocations):
            raise too_little(allocations, most, waves)
        raise PlanError("right", None, f"any plan lets a guess be right over {right} times in 100", right)
    # Of equal margins the next ones decide. Those that a designed channel has are near to what was planned.
    plans.sort(key=lambda plan: (float(f"{plan[1].margin:.6g}"), plan[0]))
    return tuple(plan for _, plan in plans)


@dataclass(frozen=True)
class Planner:
    """The plans of a survey's sections for a total; all totals are over all waves.

    Attributes
    ----------
    sections : sequence of Section
    asks : sequence of PlannedQuestion
        Their questions, with the precision at every epsilon.
    waves : int
    """

    sections: Sequence[Section]
    asks: Sequence[PlannedQuestion]
    waves: int

    def allocation(self, asked: int, total: float, most: Sequence[float] = ()) -> Allocation:
        """Return the epsilons to be found for a total, if no section may lose more than its `most`."""
        always = [section.always for section in self.sections]
        alone = [each / self.waves for each in most]
        return Allocation(self.asks, always, asked, total / self.waves, alone)

    def plan(self, asked: int, total: float, most: Sequence[float] = ()) -> PlanForTotal | None:
        """Plan for a total, and for the most that each section may lose; None where questions cost more."""
        filled = self.allocation(asked, total, most)
        epsilons = filled.fill()
        if epsilons is None:
            return None
        every = asked == filled.always.count(False)
        plan = SurveyPlan(None if every else asked, with_epsilons(self.sections, epsilons))
        reports = reports_of_sections(plan.sections, plan.asked)
        spent = min(total, rounded_up(self.waves * filled.loss(epsilons)))
        return PlanForTotal(plan, spent, reports, self.waves, filled.levels(epsilons))

    def most_alone(self, most: float, right: float) -> list[float]:
        """Return the most that each section may lose if nothing else were asked, and a guess limited alike.

        Where others are asked too, a guess is right no less often: so no plan gives a section more.
        """
        known: dict[tuple[tuple[Curve, float], ...], float] = {}
        listed = []
        for place, section in enumerate(self.sections):
            asks = [replace(ask, section=0) for ask in self.asks if ask.section == place]
            kind = tuple((ask.curve, ask.weight) for ask in asks)
            if kind not in known:
                planner = Planner([section], asks, self.waves)
                largest = largest_within(partial(planner.plan, int(not section.always)), most, right)
                known[kind] = largest.total if largest else 0.0
            listed.append(known[kind])
        return listed


@dataclass(frozen=True)
class PlanForTotal:
    """A plan for one total, with the reports of each person and its margins from the largest."""

    plan: SurveyPlan
    total: float
    reports: Reports[Channel]
    waves: int
    levels: list[float]

    def is_within(self, right: float) -> bool:
        """Return whether a guess is right at most so many times in 100."""
        return guess_within(self.reports, self.waves, right)


def largest_within(
    plan_for: Callable[[float], PlanForTotal | None], most: float, right: float
) -> PlanForTotal | None:
    """Return the plan with the largest total at which a guess is right at most so many times in 100.

    Parameters
    ----------
    plan_for : callable
        Total -> the plan for it, None where there is none.
    most : float
        The largest total that may be tried.
    right : float
        Times in 100.
    """
    attempt = plan_for(most)
    if attempt is None or attempt.is_within(right):
        return attempt
    low, high, best = 0.0, most, None
    while high - low > CLOSE:
        middle = floored((low + high) / 2)
        attempt = plan_for(middle)
        if attempt is not None and not attempt.is_within(right):
            high = middle
        else:
            low, best = middle, attempt or best
    return best


def reports_of_sections(sections: Sequence[Section], asked: int | None) -> Reports[Channel]:
    """Return a channel for every report that one person makes in one wave."""
    made = [
        (section.always, [report for each in section.reporting for report in planned_reports(each)])
        for section in sections
    ]
    if asked is None:
        return Reports(tuple(report for _, reports in made for report in reports))
    always = [report for is_always, reports in made if is_always for report in reports]
    return Reports.drawn_from([reports for is_always, reports in made if not is_always], asked, always)


def planned_reports(question: Question) -> Iterable[Channel]:
    """Return a channel for every report on a question."""
    return reports_of(question.columns_of(planned_channel(question)))


def with_precision(attempt: PlanForTotal, respondents: int, share: float | None) -> PlanWithin:
    """Add the precision of a plan, and the number of people that it needs for `MARGIN`."""
    sections, asked = attempt.plan.sections, attempt.plan.asked
    largest = widest(sections, asked, respondents, share)
    people = people_for(MARGIN, sections, asked, share)
    return PlanWithin(attempt.plan, attempt.total, guess(attempt.reports, attempt.waves), largest, people)


def people_without_skips(
    plan: SurveyPlan, sections: Sequence[Section], respondents: int, **settings: Any
) -> float | None:
    """Return the number of people for `MARGIN` within the same limits if nobody could skip.

    Parameters
    ----------
    plan : SurveyPlan
        A plan of `plans_within`; the number of sections asked is that of this plan.
    sections, respondents, settings
        The arguments that it was made for.

    Returns
    -------
    float or None
        None where nobody can skip, or where no plan without skips keeps the limits. It may be larger than
        with skips: at the same epsilon, a guess among three answers is right less often than between two.
    """
    if not any(question.skip for section in sections for question in section.questions):
        return None
    plain = [without_skips(section) for section in sections]
    drawn = sum(not section.always for section in sections)
    try:
        return plans_within(plain, respondents, **settings | {"asked": plan.asked or drawn})[0].people
    except PlanError:
        return None


def without_skips(section: Section) -> Section:
    """Return a section that nobody can skip, nor any question of it; linked answers have a smaller wheel."""
    questions = tuple(replace(each, skip=None) for each in section.questions)
    plain = replace(section, questions=questions)
    if section.linked is None or section.linked.coins:
        return plain
    sizes = tuple(question.answers for question in questions for _ in question.column_names)
    return plain.with_wheel(Linked.spun(sizes, section.epsilon or 1.0, section.linked.asked))


def widest(
    sections: Sequence[Section], asked: int | None, respondents: int, share: float | None = None
) -> float:
    """Return the largest margin of a survey as a part of the range of possible estimates; or infinity."""
    expected = outlook(sections, asked, respondents, share)
    return max(math.inf if each.margin is None else each.margin / each.span for each in expected)
