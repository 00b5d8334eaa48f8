"""The best ways to ask a survey, written as the sections of its file."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from survey.design.wants import MEAN, SHARES
from survey.linked import Linked
from survey.linked_section import ALONE
from survey.plan.choose import choose
from survey.plan.chosen_plan import FAMILIES, LINKED, SETS, ChosenPart, ChosenPlan
from survey.plan.mechanism_ways import Way, with_mechanism
from survey.plan.outlook import estimated
from survey.plan.plans_within import plans_within
from survey.plan.search import BEST
from survey.plan.survey_plan import PlanError, read_weights
from survey.plan.wanted import Want
from survey.privacy import Guess, times_in_100, times_knowing_one
from survey.progress import each_a_step, stretch
from survey.question import Boxes, Question
from survey.section import Section

UNLINKED = FAMILIES[:3]

ROUNDED = 1.002
"""So many times the people may be what the rounding of epsilons and of totals costs."""


@dataclass(frozen=True)
class Proposal:
    """A way to ask a survey.

    Attributes
    ----------
    family : str
        One of `survey.plan.chosen_plan.FAMILIES`; in each, boxes of one question may be linked.
    sections : tuple of Section
        With the mechanisms and the epsilons of the plan.
    asked : int or None
        How many of those that are not always asked; None for all of them.
    total : float
        The most that one person may lose over all waves.
    guess : Guess
        At all answers of a person.
    single : float
        The share of right guesses at the single answer that is guessed best.
    people : int
        With whom everything that is wanted has its margin.
    waves : int
        How often each person is asked.
    """

    family: str
    sections: tuple[Section, ...]
    asked: int | None
    total: float
    guess: Guess
    single: float
    people: int
    waves: int

    @property
    def drawn(self) -> int:
        """The number of sections that are not always asked."""
        return sum(not section.always for section in self.sections)

    @property
    def figures(self) -> tuple[object, ...]:
        """The parts asked and the times that guesses are right, as they are shown."""
        guesses = self.guess.times_right, times_in_100(self.single), self.guess.times_telling
        return self.drawn, self.asked, *guesses

    @property
    def links(self) -> bool:
        """True if something is linked."""
        return any(section.linked for section in self.sections)

    @property
    def knows_one(self) -> int:
        """The figure of `times_knowing_one`, over all waves."""
        return times_knowing_one((section.linked for section in self.sections if section.linked), self.waves)


@dataclass(frozen=True)
class Proposals:
    """The best ways to ask a survey.

    Attributes
    ----------
    best : tuple of Proposal
        At most three, the one with the fewest people first, and none twice under two names.
    apart : Proposal or None
        The best one that links nothing; None where none has everything that is wanted.
    """

    best: tuple[Proposal, ...]
    apart: Proposal | None


def propose(
    sections: Sequence[Section],
    respondents: int,
    *,
    wants: Sequence[Want] = (),
    weights: Sequence[float] | None = None,
    **settings: Any,
) -> Proposals:
    """Find the best ways to ask a survey.

    Parameters
    ----------
    sections : sequence of Section
        Linked ones are taken apart first.
    respondents : int
    wants : sequence of Want
    weights : sequence of float, optional
        Above 0, for each question: the margins of what it usually estimates are divided by it.
    settings
        As of `survey.plan.choose.choose`.

    Raises
    ------
    PlanError
        As of `survey.plan.plans_within`: if the total or the respondents are too few, or the limits too low.
    ValueError
        If an argument is outside its range.
    """
    plain = unlinked(sections)
    wanted = [*wants, *weighed(plain, wants, weights)]
    try:
        with stretch(0, 0.5):
            chosen = choose(plain, respondents, wants=wanted, in_file=True, **settings)
    except PlanError:
        plans_within(plain, respondents, weights=weights, **of_plans_within(settings))  # says what is missing
        raise
    write = partial(
        written_plan,
        sections=plain,
        respondents=respondents,
        wants=wants,
        settings=settings | {"weights": weights},
    )
    with stretch(0.5, 0.8):
        written = each_a_step(write, chosen)
    apart = next((each for each in written if each.family in UNLINKED), None)
    if apart is None or apart.links:  # the boxes of a question are linked even there
        try:
            with stretch(0.8, 1):
                plans = choose(plain, respondents, wants=wanted, in_file=True, **settings | {"linked": False})
                apart = write(plans[0])
        except PlanError:
            apart = None
    return Proposals(tuple(without_repeats(written)[:BEST]), apart)


def without_repeats(plans: Sequence[Proposal]) -> list[Proposal]:
    """Leave out each plan that a plainer one equals in all that is shown: linking gains nothing there."""

    def equals(plan: Proposal, plainer: Proposal) -> bool:
        if FAMILIES.index(plainer.family) >= FAMILIES.index(plan.family):
            return False
        amounts = (plan.people, plainer.people), (plan.total, plainer.total)
        return plan.figures == plainer.figures and all(max(both) <= min(both) * ROUNDED for both in amounts)

    return [plan for plan in plans if not any(equals(plan, other) for other in plans)]


def weighed(
    sections: Sequence[Section], wants: Sequence[Want], weights: Sequence[float] | None
) -> list[Want]:
    """Return what weighed questions usually estimate, unless something else is wanted of them."""
    questions = [question for section in sections for question in section.questions]
    weights = read_weights(weights, len(questions))
    own = {want.questions for want in wants}
    listed = []
    for place, (question, weight) in enumerate(zip(questions, weights, strict=True)):
        if weight != 1 and (place,) not in own:
            usual = Want.usual(MEAN if estimated(question) == "mean" else SHARES, place)
            listed.append(replace(usual, margin=usual.margin / weight))
    return listed


def unlinked(sections: Sequence[Section]) -> list[Section]:
    """Return sections with nothing linked; questions that only a wheel held together stand alone."""
    listed: list[Section] = []
    for section in sections:
        if section.linked is None:
            listed.append(section)
            continue
        skip = "randomized" if section.linked.skip else None
        questions = [
            replace(
                question,
                mechanism=ALONE[question.kind],
                linked=None,
                place=0,
                skip=None if isinstance(question, Boxes) else skip or question.skip,
                by_hand=None,
            )
            for question in section.questions
        ]
        if section.title or section.introduction or section.always:
            listed.append(replace(section, questions=tuple(questions), linked=None, epsilon=None))
        else:
            listed += [Section(question.id, (question,)) for question in questions]
    return listed


def of_plans_within(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that `plans_within` knows."""
    known = ("weights", "right", "telling", "total", "waves", "asked", "share")
    return {name: settings[name] for name in known if name in settings}


def written_plan(
    plan: ChosenPlan,
    sections: Sequence[Section],
    respondents: int,
    wants: Sequence[Want],
    settings: Mapping[str, Any],
) -> Proposal:
    """Write a plan as sections.

    Where nothing else is wanted than what a question estimates, what the dearest question leaves of the total
    goes to the others, as in `survey.plan.plans_within`.
    """
    listed = tuple(sections_of(plan, sections))
    asked = None if plan.asked == plan.drawn else plan.asked
    wheels = [section.linked for section in listed if section.linked]
    family = plan.family
    if family in UNLINKED and wheels and len(listed) == 1:  # all that is asked are the boxes of one question
        family = SETS if wheels[0].sampled else LINKED
    waves = settings.get("waves", 1)
    proposal = Proposal(family, listed, asked, plan.total, plan.guess, plan.single, plan.people, waves)
    if wants or plan.family not in UNLINKED or settings.get("about") == "single":
        return proposal
    filled = plans_within(listed, respondents, **of_plans_within(settings) | {"asked": plan.asked or None})[0]
    if math.ceil(filled.people) > plan.people * ROUNDED:
        return proposal
    return replace(
        proposal,
        sections=filled.plan.sections,
        total=filled.total,
        guess=filled.guess,
        people=math.ceil(filled.people),
    )


def sections_of(plan: ChosenPlan, sections: Sequence[Section]) -> Iterator[Section]:
    """Yield the sections of a plan in the order of their first questions."""
    places = iter(range(sum(len(section.questions) for section in sections)))
    known = {tuple(next(places) for _ in section.questions): section for section in sections}
    questions = [question for section in sections for question in section.questions]
    for part in sorted(plan.parts, key=lambda part: part.questions):
        own = tuple(questions[place] for place in part.questions)
        section = known.get(part.questions) or Section(f"linked_{own[0].id}"[:40], own)
        yield with_wheel(section, part) if part.on_wheel else apart(section, part)


def apart(section: Section, part: ChosenPart) -> Section:
    """Return a section with the mechanisms and epsilons of a plan."""
    if part.ways[0].on_wheel:  # boxes, which no other question stands beside
        boxes = len(section.questions[0].column_names)
        wheel = Linked.spun((2,) * boxes, part.epsilons[0], part.ways[0].on_wheel)
        return replace(section, epsilon=part.epsilons[0]).with_wheel(wheel)
    return replace(
        section,
        questions=tuple(
            chosen(question, way, epsilon)
            for question, way, epsilon in zip(section.questions, part.ways, part.epsilons, strict=True)
        ),
    )


def chosen(question: Question, way: Way, epsilon: float) -> Question:
    """Return a question with a mechanism and an epsilon."""
    if question.epsilon is None:
        return question
    return replace(with_mechanism(question, way.mechanism, way.wants), epsilon=epsilon)


def with_wheel(section: Section, part: ChosenPart) -> Section:
    """Return a section whose questions are linked."""
    skip = any(question.skip == "randomized" for question in section.questions)
    questions = tuple(replace(question, skip=None) for question in section.questions)
    linked = Linked.spun(
        tuple(question.answers for question in questions), part.epsilons[0], part.on_wheel, skip
    )
    return replace(section, questions=questions, epsilon=part.epsilons[0]).with_wheel(linked)
