"""A plan that a search has come to, and its exact figures within the limits."""

from __future__ import annotations

import math
from dataclasses import dataclass

from survey.plan.arrangement import Arrangement
from survey.plan.chosen_plan import ChosenPart, ChosenPlan, rounded_up
from survey.plan.pairs_apart import solved
from survey.plan.plan_reports import reports_of_plan, told
from survey.plan.plans_within import CLOSE
from survey.plan.survey_plan import floored
from survey.privacy import Reports, guess, guess_within
from survey.privacy.hardest_pairs import Telling

NEARER = 0.995
"""A total is lowered by this factor until the guess keeps its limit, and is sought up to as far above."""


@dataclass(frozen=True)
class Limits:
    """The limits of a plan.

    Attributes
    ----------
    total : float
        The most epsilon over all waves.
    right : float
        The most times in 100 that a guess may be right.
    about : str
        ``all`` or ``single``: the answers that it is about.
    waves : int
    asked : int or None
        How many parts are asked, where that is not to be chosen.
    respondents : int
    exact : int
        So many of the best families are worked out.
    """

    total: float
    right: float
    about: str
    waves: int
    asked: int | None
    respondents: int
    exact: int

    @property
    def single(self) -> float:
        """The share of guesses at one answer that may be right."""
        return (self.right + 1e-4) / 100 if self.about == "single" else 1.0


@dataclass(frozen=True)
class Candidate:
    """A plan that a search has come to.

    Attributes
    ----------
    level : float
        The logarithm of the people that it needs.
    arrangement : Arrangement
    losses : list of float
        Of every item.
    """

    level: float
    arrangement: Arrangement
    losses: list[float]

    def exact(self, limits: Limits) -> tuple[float, list[float], Reports[Telling]]:
        """Return the people, the losses and the reports, by its own channels and not the nearest known."""
        arrangement = self.arrangement
        cost, most = arrangement.cost(self.losses), limits.total / limits.waves
        plan = self.level, self.losses, reports_of_plan(arrangement, self.losses, told)
        if limits.about != "all":
            return plan
        low, high = cost, min(most, cost / NEARER)
        while not guess_within(plan[-1], limits.waves, limits.right):
            low, high = low * NEARER, low
            level, losses = solved(arrangement, low) or (math.inf, self.losses)
            plan = level, losses, reports_of_plan(arrangement, losses, told)
        while high - low > CLOSE / limits.waves / 10:
            middle = (low + high) / 2
            nearer = solved(arrangement, middle)
            reports = reports_of_plan(arrangement, nearer[1], told) if nearer else plan[-1]
            if nearer and guess_within(reports, limits.waves, limits.right):
                low, plan = middle, (*nearer, reports)
            else:
                high = middle
        return plan

    def chosen(self, family: str, limits: Limits) -> ChosenPlan:
        """Return the plan with its mechanisms, its epsilons and its figures."""
        arrangement = self.arrangement
        level, losses, reports = self.exact(limits)
        cost = arrangement.cost(losses)
        listed = {report for part in (reports.always, *reports.drawn) for report in part}
        people = math.exp(level)
        parts = []
        for place, part in enumerate(arrangement.parts):
            items = [
                (item, loss)
                for (where, item), loss in zip(arrangement.items, losses, strict=True)
                if where == place
            ]
            if items[0][0].on_wheel:
                item, loss = items[0]
                parts.append(ChosenPart(item.places, item.on_wheel, (floored(loss),), (), part.always))
                continue
            by_place = {
                each: (arrangement.topics[each].way_at(loss), loss)
                for item, loss in items
                for each in item.places
            }
            places = tuple(sorted(by_place))
            parts.append(
                ChosenPart(
                    places,
                    0,
                    tuple(floored(by_place[each][1] / by_place[each][0].times) for each in places),
                    tuple(by_place[each][0] for each in places),
                    part.always,
                )
            )
        return ChosenPlan(
            family,
            tuple(parts),
            arrangement.asked,
            rounded_up(cost * limits.waves),
            guess(reports, limits.waves),
            max(guess([report], limits.waves).right for report in listed),
            math.ceil(people - 1e-6),
        )
