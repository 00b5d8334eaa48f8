"""The search for the plans that need the fewest people within limits, one of each family."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from survey.plan.arrangement import Arrangement, Item, Need, Part
from survey.plan.candidate import Candidate, Limits
from survey.plan.chosen_plan import (
    LINKED,
    MIXED,
    SETS,
    family_of,
)
from survey.plan.layouts import Group, Layout, Layouts
from survey.plan.linked_item import linked_item
from survey.plan.pairs_apart import solved
from survey.plan.plan_reports import NearestReports, reports_of_plan
from survey.plan.plans_within import CLOSE
from survey.plan.survey_plan import FEWEST_ASKED
from survey.plan.topic import Topic
from survey.plan.wanted import Want
from survey.privacy import guess_within
from survey.progress import each_a_step, stretch
from survey.section import MOST_SETS

BEST = 3
"""So many plans are worth showing."""

BEAM = 3
"""So many layouts are improved at a time."""


@dataclass(frozen=True)
class Search:
    """A search, with what has been tried.

    Attributes
    ----------
    layouts : Layouts
    limits : Limits
    best : dict of str to Candidate
        Family -> its best plan.
    too_telling : set of str
        The families of which a plan within the total let guesses be right too often.
    """

    layouts: Layouts
    limits: Limits
    best: dict[str, Candidate] = field(default_factory=dict)
    tried: set[tuple[object, ...]] = field(default_factory=set)
    items: dict[Group, Item] = field(default_factory=dict)
    nearest: NearestReports = field(default_factory=NearestReports)
    too_telling: set[str] = field(default_factory=set)

    @cached_property
    def topics(self) -> Sequence[Topic]:
        """The questions."""
        return self.layouts.topics

    @cached_property
    def pairs(self) -> tuple[Want, ...]:
        """The pairs that are wanted."""
        return self.layouts.pairs

    def run(self) -> None:
        """Try every layout of a few questions; of many, some, and then the neighbours of the best of them."""
        with stretch(0, 0.4):
            self.tried_layouts(self.layouts.every())
        with stretch(0.4, 0.6):
            near = self.tried_layouts(self.layouts.starts())[:BEAM]
        left = 0.4
        while near:
            level = near[0][0]
            further = {other for _, layout in near for other in self.layouts.neighbours(layout)}
            with stretch(1 - left, 1 - left / 2):  # nobody knows how many rounds there will be
                reached = self.tried_layouts(sorted(further))[:BEAM]
            near = reached if reached and reached[0][0] < level - 1e-6 else []
            left /= 2

    def tried_layouts(self, layouts: Iterable[Layout]) -> list[tuple[float, Layout]]:
        """Return layouts with the logarithm of the fewest people with each, the best first."""
        return sorted(each_a_step(lambda layout: (self.tried_layout(layout), layout), layouts))

    def tried_layout(self, layout: Layout) -> float:
        """Return the logarithm of the fewest people with a layout, for any number of parts asked."""
        signature = self.layouts.signature(layout)
        if signature in self.tried:
            return math.inf
        self.tried.add(signature)
        return min((self.tried_arrangement(each) for each in self.arrangements(layout)), default=math.inf)

    def arrangements(self, layout: Layout) -> Iterator[Arrangement]:
        """Yield the layout with every number of parts asked."""
        parts = []
        together = set()
        for group in layout:
            places, on_wheel = group
            if on_wheel:
                inside = [want for want in self.pairs if set(want.questions) <= set(places)]
                together |= set(inside)
                items: tuple[Item, ...] = (self.wheel(group, inside),)
            else:
                items = tuple(self.apart(places))
            parts.append(Part(items, self.layouts.always.get(places, False)))
        apart = tuple(want for want in self.pairs if want not in together)
        drawn = sum(not part.always for part in parts)
        numbers = range(1, drawn + 1)
        if self.limits.asked is not None and drawn:
            numbers = range(self.limits.asked, self.limits.asked + (self.limits.asked in numbers))
        for asked in numbers if drawn else [0]:
            chance = asked / drawn if drawn else 1.0
            inner = min(item.asked for part in parts for item in part.items)
            if (
                self.limits.respondents * chance * inner >= FEWEST_ASKED
                and math.comb(drawn, asked) <= MOST_SETS
            ):
                yield Arrangement(tuple(parts), asked, apart, self.topics)

    def wheel(self, group: Group, inside: Sequence[Want]) -> Item:
        """Return the item of a wheel; cached."""
        if group not in self.items:
            self.items[group] = linked_item(
                self.topics, *group, inside, right=self.limits.single, waves=self.limits.waves
            )
        return self.items[group]

    def apart(self, places: tuple[int, ...]) -> Iterator[Item]:
        """Yield the items of questions that draw apart; the lines of a matrix have one epsilon."""
        matrices: dict[str, list[int]] = {}
        for place in places:
            name = self.topics[place].question.matrix or f"={place}"
            matrices.setdefault(name, []).append(place)
        for lines in matrices.values():
            key: Group = (tuple(lines), 0)
            if key not in self.items:
                listed = [self.topics[place] for place in lines]
                self.items[key] = Item(
                    tuple(lines),
                    0,
                    tuple(Need(topic.reports * topic.reporting, topic.reporting) for topic in listed),
                    {place: self.topics[place].shares for place in lines},
                    listed[0].losses,
                    min(topic.largest for topic in listed),
                    len(lines),
                )
            yield self.items[key]

    def tried_arrangement(self, arrangement: Arrangement) -> float:
        """Return the logarithm of the fewest people within the limits.

        It may be too small, or infinite, where another arrangement of its kind needs fewer.
        """
        family = family_of(arrangement)
        most = self.limits.total / self.limits.waves
        first = arrangement.cheapest(most)
        record = self.best[family].level if family in self.best else math.inf
        if family in (LINKED, SETS, MIXED):  # only what may be among the best is worked out
            others = sorted(best.level for name, best in self.best.items() if name != family)
            record = min([record, *others[self.limits.exact - 1 : self.limits.exact]])
        if first is None or first[0] >= record:
            return first[0] if first else math.inf
        best = solved(arrangement, most, record)
        if best is None or best[0] >= record:
            return math.inf
        if self.limits.about == "all" and not self.within(arrangement, best[1]):
            self.too_telling.add(family)
            if record < math.inf and not self.within(arrangement, arrangement.losses_for(record)):
                return record + 1e-9  # as many people as another plan of its kind, and still too telling
            low, high, attempt = 0.0, most, None
            while high - low > CLOSE / self.limits.waves:
                middle = (low + high) / 2
                nearer = solved(arrangement, middle)
                if nearer is not None and not self.within(arrangement, nearer[1]):
                    high = middle
                else:
                    low, attempt = middle, nearer or attempt
            if attempt is None:
                return math.inf
            best = attempt
        if best[0] < record:
            self.best[family] = Candidate(best[0], arrangement, best[1])
        return best[0]

    def within(self, arrangement: Arrangement, losses: Sequence[float]) -> bool:
        """Return whether a guess at all answers is right at most so often."""
        return guess_within(
            reports_of_plan(arrangement, losses, self.nearest.told), self.limits.waves, self.limits.right
        )
