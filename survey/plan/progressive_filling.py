"""The epsilons with the smallest largest margin, for a fixed number of sections asked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from survey.plan.curve import Curve

CLOSE = 1e-4
"""A section is as precise as it can be if its questions could gain less than this."""

ROUNDED = 1 + 1e-12
"""The factor by which adding up may miss."""


@dataclass(frozen=True)
class PlannedQuestion:
    """A question of a plan. Its level is its weighted margin, as a part of the range of possible estimates.

    Attributes
    ----------
    section : int
        The place of its section.
    curve : Curve
    weight : float
    """

    section: int
    curve: Curve
    weight: float


@dataclass(frozen=True)
class Allocation:
    """The questions with the number of sections asked fixed.

    Attributes
    ----------
    asks : sequence of Ask
    always : sequence of bool
        Of each section.
    asked : int
        The number of others that one person is asked.
    total : float
        The most that one person may lose.
    most : sequence of float
        The most that one person may lose in each section; empty where only the total counts.
    """

    asks: Sequence[PlannedQuestion]
    always: Sequence[bool]
    asked: int
    total: float
    most: Sequence[float] = ()

    @cached_property
    def kinds(self) -> list[tuple[Curve, float]]:
        """The curve of every question with its `scale`; questions that share both reach a level together."""
        return [(ask.curve, self.scale(ask)) for ask in self.asks]

    @cached_property
    def costs(self) -> list[tuple[int, float, float]]:
        """The section, `times` and `floor` of every question, at hand as a plan adds up a million losses."""
        return [(ask.section, ask.curve.times, ask.curve.floor) for ask in self.asks]

    def scale(self, ask: PlannedQuestion) -> float:
        """Return the level at a deviation of 1, for one respondent."""
        part = 1.0 if self.always[ask.section] else self.asked / self.always.count(False)
        return ask.weight / math.sqrt(part)

    def level(self, ask: PlannedQuestion, epsilon: float) -> float:
        """Return the level of a question at an epsilon."""
        return self.scale(ask) * ask.curve.deviation(epsilon)

    def sums(self, epsilons: Sequence[float]) -> list[float]:
        """Return what one person loses in each section."""
        sums = [0.0] * len(self.always)
        for (section, times, floor), epsilon in zip(self.costs, epsilons, strict=True):
            loss = times * epsilon
            sums[section] += loss if loss > floor else floor
        return sums

    def dearest(self, sums: Sequence[float]) -> float:
        """Return the most that one person can lose: in the sections always asked and the dearest others."""
        drawn = sorted(each for each, always in zip(sums, self.always, strict=True) if not always)
        always_asked = (each for each, always in zip(sums, self.always, strict=True) if always)
        return math.fsum([*always_asked, *drawn[len(drawn) - self.asked :]])

    def loss(self, epsilons: Sequence[float]) -> float:
        """Return the most that one person can lose."""
        return self.dearest(self.sums(epsilons))

    def keeps(self, epsilons: Sequence[float]) -> bool:
        """Return whether a person loses no more than the total, and in no section more than its most."""
        sums = self.sums(epsilons)
        if self.dearest(sums) > self.total * ROUNDED:
            return False
        return not self.most or all(
            loss <= most * ROUNDED for loss, most in zip(sums, self.most, strict=True)
        )

    def cheapest(self) -> list[float]:
        """Return the least epsilon of every question."""
        return [float(ask.curve.epsilons[0]) for ask in self.asks]

    def fill(self) -> list[float] | None:
        """Return the epsilons with the smallest largest level, then the smallest next largest, and so on.

        Returns
        -------
        list of float or None
            None where even the least epsilons cost more than the total.

        Notes
        -----
        Progressive filling (Bertsekas & Gallager 1992, Data Networks, section 6.5.2): all levels fall
        together until some section cannot follow within the total; the others go on without it.
        """
        epsilons = self.cheapest()
        if not self.keeps(epsilons):
            return None
        free = {index for index, ask in enumerate(self.asks) if not ask.curve.fixed}
        while free:
            level = self.lowest(free, epsilons)
            epsilons = self.at(level, free, epsilons)
            sections: dict[int, set[int]] = {}
            for index in free:
                sections.setdefault(self.asks[index].section, set()).add(index)
            sharper = level * (1 - CLOSE)
            stuck = [some for some in sections.values() if not self.keeps(self.at(sharper, some, epsilons))]
            free -= set().union(*stuck) or free
        return epsilons

    def at(self, level: float, free: set[int], epsilons: Sequence[float]) -> list[float]:
        """Return the epsilons with the free questions at a level, and the others as they are."""
        kinds = {self.kinds[index] for index in free}
        reached = {(curve, scale): curve.epsilon(level / scale) for curve, scale in kinds}
        changed = list(epsilons)
        for index in free:
            changed[index] = reached[self.kinds[index]]
        return changed

    def lowest(self, free: set[int], epsilons: Sequence[float]) -> float:
        """Find the lowest level of the free questions that the total allows, by bisection."""
        high = max(self.level(self.asks[index], epsilons[index]) for index in free)
        low = max(self.level(ask, ask.curve.epsilons[-1]) for ask in (self.asks[index] for index in free))
        if self.keeps(self.at(low, free, epsilons)):
            return low
        while low < (middle := math.sqrt(low * high)) < high and high > low * (1 + 1e-12):
            if self.keeps(self.at(middle, free, epsilons)):
                high = middle
            else:
                low = middle
        return high

    def levels(self, epsilons: Sequence[float]) -> list[float]:
        """Return the levels from the largest down, by which two plans are compared."""
        levels = (self.level(ask, epsilon) for ask, epsilon in zip(self.asks, epsilons, strict=True))
        return sorted((float(f"{each:.9g}") for each in levels), reverse=True)
