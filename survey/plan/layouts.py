"""The ways to divide questions into groups that are linked, and the steps from one to another."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product

from survey.plan.linked_item import options_of, skips
from survey.plan.linking import may_be_linked
from survey.plan.topic import Topic
from survey.plan.wanted import Want
from survey.section import MOST_SETS, Section

Group = tuple[tuple[int, ...], int]
"""Questions, and how many of them a person is asked on one wheel; 0 where they draw apart."""

Layout = tuple[Group, ...]

ALL_LAYOUTS = 5
"""Up to so many questions that may be linked, all ways to divide them are tried."""

ALL_MOVES = 8
"""Up to so many of them, every step from a layout is tried."""


@dataclass(frozen=True)
class Layouts:
    """The layouts of a survey.

    Attributes
    ----------
    topics : sequence of Topic
    pairs : tuple of Want
    sections : sequence of Section
    """

    topics: Sequence[Topic]
    pairs: tuple[Want, ...]
    sections: Sequence[Section]

    @cached_property
    def base(self) -> Layout:
        """The sections as they stand, with nothing linked."""
        places = iter(range(len(self.topics)))
        return tuple((tuple(next(places) for _ in section.questions), 0) for section in self.sections)

    @cached_property
    def always(self) -> dict[tuple[int, ...], bool]:
        """The questions of each section -> whether everybody is asked them."""
        return {group: section.always for (group, _), section in zip(self.base, self.sections, strict=True)}

    @cached_property
    def lone(self) -> tuple[int, ...]:
        """The questions that have a section to themselves and may share another."""
        return tuple(
            group[0]
            for (group, _), section in zip(self.base, self.sections, strict=True)
            if section.plain and len(group) == 1 and self.topics[group[0]].linkable
        )

    def every(self) -> Iterator[Layout]:
        """Yield every layout, where few questions may be linked; the sections as they stand first."""
        yield self.base
        if len(self.lone) > ALL_LAYOUTS:
            return
        rest = [group for group in self.base if group[0][0] not in self.lone]
        for groups in divisions(self.lone):
            for numbers in product(*(self.inner_sets(group) if len(group) > 1 else [0] for group in groups)):
                yield (*zip(groups, numbers, strict=True), *rest)

    def starts(self) -> Iterator[Layout]:
        """Yield the layouts from which the search sets out."""
        yield self.base
        inner = [self.inner_sets(group) for group, _ in self.base]
        for number in sorted({m for sets in inner for m in sets}):  # every section linked in itself
            yield tuple(
                (places, number if number in sets else 0)
                for places, sets in zip((group for group, _ in self.base), inner, strict=True)
            )
        for joined in (self.lone, *self.wanted_together()):
            for number in self.inner_sets(joined):
                yield regrouped(self.base, (joined, number))
        for size in range(2, len(self.lone)):
            ordered = sorted(self.lone, key=lambda place: options_of(self.topics[place]))
            chunks = [tuple(sorted(ordered[start : start + size])) for start in range(0, len(ordered), size)]
            if all(len(chunk) == 1 or len(chunk) in self.inner_sets(chunk) for chunk in chunks):
                layout = self.base
                for chunk in chunks:
                    layout = regrouped(layout, (chunk, len(chunk) if len(chunk) > 1 else 0))
                yield layout
        whole = self.base
        for joined in self.wanted_together():
            if numbers := self.inner_sets(joined):
                whole = regrouped(whole, (joined, max(numbers)))
        yield whole

    def wanted_together(self) -> list[tuple[int, ...]]:
        """Return the sets of questions that pairs connect."""
        sets: list[set[int]] = []
        for want in self.pairs:
            if not set(want.questions) <= set(self.lone):
                continue
            touching = [each for each in sets if each & set(want.questions)]
            sets = [each for each in sets if each not in touching]
            sets.append(set(want.questions).union(*touching))
        return [tuple(sorted(each)) for each in sets]

    def inner_sets(self, places: Sequence[int]) -> list[int]:
        """Return how many of some questions one wheel may ask."""
        if not all(self.topics[place].linkable for place in places):
            return []
        options = [options_of(self.topics[place]) for place in places]
        skip = any(skips(self.topics[place]) for place in places)
        numbers = [m for m in range(2, len(options) + 1) if may_be_linked(options, m, skip)]
        return [m for m in numbers if math.comb(len(options), m) <= MOST_SETS]

    def neighbours(self, layout: Layout) -> Iterator[Layout]:
        """Yield layouts that differ by one step: two groups joined, a question moved, a wheel changed."""
        lone = set(self.lone)
        free = [group for group in layout if set(group[0]) <= lone]
        if len(lone) > ALL_MOVES:
            free = [group for group in free if group[1]] + [group for group in free if not group[1]][:2]
        for group in layout:
            for number in self.inner_sets(group[0]) if len(group[0]) > 1 else ():
                yield replaced(layout, group, (group[0], number))
            if group[1] and set(group[0]) <= lone:
                for place in group[0]:
                    rest = tuple(other for other in group[0] if other != place)
                    for number in self.inner_sets(rest) or [0]:
                        yield replaced(layout, group, (rest, number if len(rest) > 1 else 0), ((place,), 0))
        for place, group in enumerate(free):
            for other in free[place + 1 :]:
                joined = tuple(sorted(group[0] + other[0]))
                for number in self.inner_sets(joined):
                    yield regrouped(layout, (joined, number))
                for giver, taker in ((group, other), (other, group)):
                    if len(giver[0]) < 2:
                        continue
                    for moving in giver[0]:
                        rest = tuple(each for each in giver[0] if each != moving)
                        more = tuple(sorted((*taker[0], moving)))
                        numbers = self.inner_sets(more)
                        left = max(self.inner_sets(rest), default=0) if len(rest) > 1 else 0
                        if numbers and (left or len(rest) == 1):
                            yield replaced(layout, giver, (rest, left), other=taker, by=(more, max(numbers)))

    @cached_property
    def roles(self) -> list[int]:
        """A number for each question: the same if its kind, its wants and those of its pairs are."""
        kinds = [(id(topic.ways), topic.linkable, topic.question.skip) for topic in self.topics]
        roles = []
        for place, kind in enumerate(kinds):
            paired = [
                (want.figure, want.margin, kinds[other])
                for want in self.pairs
                if place in want.questions
                for other in want.questions
                if other != place
            ]
            roles.append(repr((kind, sorted(map(repr, paired)))))
        return [roles.index(role) for role in roles]

    def signature(self, layout: Layout) -> tuple[object, ...]:
        """Return what two layouts have in common if one only names other questions of the same kind."""
        groups = []
        for places, on_wheel in layout:
            inside = sum(set(want.questions) <= set(places) for want in self.pairs)
            groups.append(
                (
                    on_wheel,
                    inside,
                    self.always.get(places, False),
                    sorted(self.roles[place] for place in places),
                )
            )
        return tuple(map(repr, sorted(groups, key=repr)))


def divisions(places: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield the ways to divide some questions into groups.

    Examples
    --------
    >>> list(divisions((0, 1, 2)))[:3]
    [((0,), (1,), (2,)), ((0,), (1, 2)), ((0, 1), (2,))]
    """
    if not places:
        yield ()
        return
    first, rest = places[0], places[1:]
    for size in range(len(places)):
        for others in combinations(rest, size):
            left = tuple(place for place in rest if place not in others)
            for more in divisions(left):
                yield ((first, *others), *more)


def replaced(
    layout: Layout, group: Group, *new: Group, other: Group | None = None, by: Group | None = None
) -> Layout:
    """Return a layout with a group replaced by others, and perhaps a second one."""
    rest = [each for each in layout if each not in (group, other)]
    return tuple(sorted([*rest, *(each for each in new if each[0]), *([by] if by else [])]))


def regrouped(layout: Layout, joined: Group) -> Layout:
    """Return a layout with some questions in a group of their own, taken out of all others."""
    taken = set(joined[0])
    rest = [(tuple(place for place in places if place not in taken), number) for places, number in layout]
    return tuple(sorted([*((p, n if len(p) >= max(n, 2) else 0) for p, n in rest if p), joined]))
