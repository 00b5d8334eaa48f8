"""An arrangement of questions into what draws and spins together, and the people that it needs."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from survey.plan.pair_figures import Matrix, Vector
from survey.plan.topic import Topic
from survey.plan.wanted import Want

CLOSE = 1e-11
"""The logarithm of the people is found to within so much, so that epsilons do not lose a decimal."""

MANY = 1e15
"""More people than this are none that will ever answer."""


@dataclass(frozen=True)
class Need:
    """Some reports at every loss, and the chance that somebody who is asked the item gives one."""

    reports: Vector
    chance: Vector | float


@dataclass(frozen=True, eq=False)
class Item:
    """A part of a survey that has one epsilon: a question, lines of a matrix, or questions on one wheel.

    Attributes
    ----------
    places : tuple of int
        The questions.
    on_wheel : int
        How many of them a person is asked, on one wheel; 0 where nothing is linked.
    needs : tuple of Need
        Of the wants that this item alone serves.
    shares : dict of int to ndarray
        Question -> n times the variance of each share among those asked it, shape (answers, losses).
    losses : ndarray
    largest : float
        The loss above which a guess at an answer would be right too often.
    lines : int
        How many questions have that loss each.
    """

    places: tuple[int, ...]
    on_wheel: int
    needs: tuple[Need, ...]
    shares: dict[int, Matrix]
    losses: Vector
    largest: float
    lines: int = 1

    @property
    def asked(self) -> float:
        """The chance that somebody who is asked the item is asked one of its questions."""
        return self.on_wheel / len(self.places) if self.on_wheel else 1.0

    @cached_property
    def logs(self) -> dict[int, tuple[Vector, Matrix]]:
        """For every question the logarithms of the losses, and those of the variances of its shares."""
        return {place: (np.log(self.losses), np.log(shares)) for place, shares in self.shares.items()}

    def share_variances(self, question: int, log: float) -> Vector:
        """Return n times the variance of each share at a loss that is named by its logarithm."""
        logs, known = self.logs[question]
        above = min(max(1, int(logs.searchsorted(log))), len(logs) - 1)
        part = (log - logs[above - 1]) / (logs[above] - logs[above - 1])
        return np.asarray(np.exp(known[:, above - 1] + part * (known[:, above] - known[:, above - 1])))

    def people(self, chance: float) -> Vector:
        """Return the people needed at every loss if each is asked the item with a chance; never rising."""
        needed = [people_for(need.reports, chance * need.chance) for need in self.needs]
        return np.asarray(np.stack(needed).max(axis=0))


def people_for(reports: Vector, chance: Vector | float) -> Vector:
    """Return n for which E[1/N] is 1/reports, N of n people reporting: n = (reports + 1 - chance)/chance."""
    return np.asarray((reports + 1 - chance) / chance)


@dataclass(frozen=True)
class Part:
    """Items of which a person is asked all or none: a section, or questions that are linked.

    Attributes
    ----------
    items : tuple of Item
    always : bool
    """

    items: tuple[Item, ...]
    always: bool = False


@dataclass(frozen=True, eq=False)
class Arrangement:
    """Parts, of which each person is asked some.

    Attributes
    ----------
    parts : tuple of Part
    asked : int
        How many of those that are not always asked.
    pairs : tuple of Want
        The pairs of questions that are wanted and not on one wheel.
    topics : sequence of Topic
    """

    parts: tuple[Part, ...]
    asked: int
    pairs: tuple[Want, ...]
    topics: Sequence[Topic]

    @cached_property
    def items(self) -> list[tuple[int, Item]]:
        """Every item with the place of its part."""
        return [(place, item) for place, part in enumerate(self.parts) for item in part.items]

    @cached_property
    def drawn(self) -> int:
        """The number of parts that are not always asked."""
        return sum(not part.always for part in self.parts)

    def chance(self, *places: int) -> float:
        """Return the chance that a person is asked some parts, all of them."""
        drawn = len({place for place in places if not self.parts[place].always})
        if not drawn or drawn > self.asked:
            return 0.0 if drawn else 1.0
        return math.comb(self.drawn - drawn, self.asked - drawn) / math.comb(self.drawn, self.asked)

    @cached_property
    def curves(self) -> list[tuple[list[float], list[float]]]:
        """For every item minus the logarithm of the people needed, which rises, and that of the loss."""
        listed = []
        for place, item in self.items:
            people = np.minimum(item.people(self.chance(place)), MANY)
            listed.append(((-np.log(people)).tolist(), np.log(item.losses).tolist()))
        return listed

    def cost(self, losses: Iterable[float]) -> float:
        """Return the most that one person loses."""
        sums = [0.0] * len(self.parts)
        for (place, item), loss in zip(self.items, losses, strict=True):
            sums[place] += item.lines * loss
        drawn = sorted(cost for cost, part in zip(sums, self.parts, strict=True) if not part.always)
        always = sum(cost for cost, part in zip(sums, self.parts, strict=True) if part.always)
        return always + sum(drawn[len(drawn) - self.asked :])

    def losses_for(self, level: float) -> list[float]:
        """Return the least loss of every item with e^level people; infinite where none is enough."""
        return [loss_at(levels, losses, -level) for levels, losses in self.curves]

    def cheapest(self, total: float) -> tuple[float, list[float]] | None:
        """Return the logarithm of the fewest people within a total, pairs apart left out, with the losses."""
        if any(self.chance(*self.places_of(want)) == 0 for want in self.pairs):
            return None
        low = max(-levels[-1] for levels, _ in self.curves)
        high = max(-levels[0] for levels, _ in self.curves)
        if self.cost(self.losses_for(low)) > total:
            if self.cost(self.losses_for(high)) > total:
                return None
            while high - low > CLOSE:
                middle = (low + high) / 2
                low, high = (low, middle) if self.cost(self.losses_for(middle)) <= total else (middle, high)
            low = high
        return (low, self.losses_for(low)) if low < math.log(MANY) else None

    def places_of(self, want: Want) -> list[int]:
        """Return the parts that hold the questions of a want."""
        return [self.item_of[question][0] for question in want.questions]

    @cached_property
    def chances(self) -> dict[Want, float]:
        """Pair -> the chance that a person is asked both of its questions."""
        listed = {}
        for want in self.pairs:
            items = (self.items[self.item_of[question][1]][1] for question in want.questions)
            listed[want] = self.chance(*self.places_of(want)) * math.prod(item.asked for item in items)
        return listed

    @cached_property
    def item_of(self) -> dict[int, tuple[int, int]]:
        """Question -> the place of its part, and that of its item."""
        return {
            question: (part, place)
            for place, (part, item) in enumerate(self.items)
            for question in item.places
        }


def loss_at(levels: Sequence[float], losses: Sequence[float], level: float) -> float:
    """Return the least loss at which a rising curve reaches a level, in between by a straight line."""
    place = bisect_left(levels, level)
    if place == len(levels):
        return math.inf
    above, below = levels[place], levels[place - 1] if place else -math.inf
    if place == 0 or below <= -math.log(MANY) + 1e-9:
        return math.exp(losses[place])
    part = (level - below) / (above - below)
    return math.exp(losses[place - 1] + part * (losses[place] - losses[place - 1]))
