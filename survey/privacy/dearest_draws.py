"""The candidates for the worst draw of sections and the answers that are told apart best."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations, islice, product

from survey.privacy.composition import Part, dearest_parts, section_loss, worst_losses
from survey.privacy.curve import nowhere_below
from survey.privacy.hardest_pairs import Telling, hardest_pairs
from survey.privacy.reports import Reports

MOST_CANDIDATES = 1000
"""The most sets of sections and pairs of answers that are tried; beyond, an upper bound replaces them."""
RANKING_POINTS = 4096
"""The number of steps of the grid of losses while sections of several questions are compared."""

Draw = Counter[Telling]
"""A channel -> the number of reports that one person makes through it."""


def candidates(reports: Reports[Telling], waves: int) -> list[list[Part]]:
    """Return the compositions that the dearest sections and hardest answers may give."""
    draws = list(islice(dearest_draws(reports, waves), MOST_CANDIDATES + 1))
    if len(draws) > MOST_CANDIDATES:
        parts = worst_losses(reports.always) + dearest_parts(reports.drawn, reports.asked)
        return [[(part, waves * times) for part, times in parts]]
    if sum(map(ways, draws)) > MOST_CANDIDATES:
        return [worst_losses(draw.elements()) for draw in draws]
    return [parts for draw in draws for parts in assignments(draw)]


def ways(draw: Draw) -> int:
    """Count the ways of giving the hardest pairs to the reports."""
    pairs = ((len(hardest_pairs(channel)), times) for channel, times in draw.items())
    return math.prod(math.comb(times + count - 1, times) for count, times in pairs)


def assignments(draw: Draw) -> Iterator[list[Part]]:
    """Yield the ways of giving each report one of the hardest pairs of answers of its channel."""
    choices = [
        [
            [part for part in zip(hardest_pairs(channel), split, strict=True) if part[1]]
            for split in splits(times, len(hardest_pairs(channel)))
        ]
        for channel, times in draw.items()
    ]
    for chosen in product(*choices):
        yield list(chain.from_iterable(chosen))


def splits(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways of writing a total as a sum of so many whole numbers from 0.

    Examples
    --------
    >>> list(splits(2, 2))
    [(0, 2), (1, 1), (2, 0)]
    """
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in splits(total - first, parts - 1):
            yield (first, *rest)


def dearest_draws(reports: Reports[Telling], waves: int) -> Iterator[Draw]:
    """Yield the sets of reports that one person may make in all waves, without those that others outdo.

    A section is taken only if every section that is nowhere below it is taken in every wave.
    """
    always = Counter({channel: waves * times for channel, times in Counter(reports.always).items()})
    sections = Counter(frozenset(Counter(section).items()) for section in reports.drawn)
    contents = list(sections)
    dearer = outdone(contents)
    order = sorted(range(len(dearer)), key=lambda place: len(dearer[place]))  # whoever outdoes comes first
    # Of sections that are equal but for rounding, each may outdo the next, and the last the first.
    before = [
        [earlier for earlier, other in enumerate(order[:turn]) if other in dearer[place]]
        for turn, place in enumerate(order)
    ]
    most = [waves * sections[contents[place]] for place in order]

    def taken(left: int, times: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
        turn = len(times)
        if left == 0:
            yield times
        elif left <= sum(most[turn:]):  # else nothing comes of it, in 2^n ways
            free = all(times[other] == most[other] for other in before[turn])
            for now in range(min(most[turn], left) if free else 0, -1, -1):
                yield from taken(left - now, (*times, now))

    for times in taken(waves * reports.asked):
        draw = always.copy()
        for place, count in zip(order, times, strict=False):
            draw.update({channel: count * each for channel, each in contents[place] if count})
        yield draw


def outdone(sections: Sequence[frozenset[tuple[Telling, int]]]) -> list[set[int]]:
    """Return, for each section, the others that are nowhere below it; of equal ones, those before it."""
    losses = [section_loss(section, RANKING_POINTS) for section in sections]
    # A curve over several pairs of answers is no pair's: it outdoes nothing.
    exact = [all(len(hardest_pairs(channel)) == 1 for channel, _ in section) for section in sections]

    def outdoes(place: int, other: int) -> bool:
        return exact[place] and nowhere_below(losses[place], losses[other])

    dearer: list[set[int]] = [set() for _ in sections]
    for first, second in combinations(range(len(sections)), 2):
        if outdoes(first, second):
            dearer[second].add(first)
        elif outdoes(second, first):
            dearer[first].add(second)
    return dearer
