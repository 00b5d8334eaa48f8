"""Places for the marks of a chart: dots with their intervals.

Only positions are worked out here; what they look like is in the template and the stylesheet. Across, they
are in percent of the width, not in units of a picture that is scaled: on a narrow screen the marks come
closer and the words keep their size.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Literal

MOST_STEPS = 5
MARGIN = 3.0
"""Percent of the width left free at either end, so that the outermost labels stay inside."""

NEAR_THE_END = 25.0
"""Percent of the width within which a label grows away from the end instead of both ways."""

Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True)
class Axis:
    """A scale of proportions or numbers, just long enough for what is on it.

    Attributes
    ----------
    low, high : float
        Its ends, on ticks.
    ticks : tuple of float
    """

    low: float
    high: float
    ticks: tuple[float, ...]

    def position(self, value: float) -> float:
        """Return the position of a value, in percent of the width from the left."""
        share = (value - self.low) / (self.high - self.low)
        return round(MARGIN + (100 - 2 * MARGIN) * share, 3)


@dataclass(frozen=True)
class Mark:
    """A value on the axis.

    Attributes
    ----------
    value : float
    x : float
        Percent of the width from the left.
    anchor : Anchor
        Which end of its label stands at `x`.
    """

    value: float
    x: float
    anchor: Anchor


@dataclass(frozen=True)
class Dot:
    """An estimate with its interval, and the noisy share and the band for who left where there are such."""

    estimate: Mark
    low: Mark
    high: Mark
    noisy_share: Mark | None
    band: tuple[Mark, Mark] | None = None


@dataclass(frozen=True)
class DotPlot:
    """Dots that share an axis, one below the other."""

    dots: tuple[Dot, ...]
    ticks: tuple[Mark, ...]


def axis(values: Iterable[float], finest: float = 0.01) -> Axis:
    """Choose an axis that holds the values with round ticks and nothing to spare.

    Parameters
    ----------
    values : iterable of float
        All that is to be shown, at least one.
    finest : float
        No two ticks are closer than the power of ten at or below this: a percent, for proportions.

    Examples
    --------
    >>> axis([0.463, 0.513, 0.564]).ticks
    (0.45, 0.5, 0.55, 0.6)
    """
    shown = list(values)
    smallest, largest = min(shown), max(shown)
    power = math.floor(math.log10(finest) + 1e-9)
    for step in steps(power):
        # The tolerance keeps 0.3 / 0.1 = 2.9999999999999996 from costing a step.
        first = math.floor(smallest / step + 1e-9)
        last = max(math.ceil(largest / step - 1e-9), first + 1)
        if last - first <= MOST_STEPS:
            break
    ticks = tuple(round(step * index, max(0, -power) + 8) for index in range(first, last + 1))
    return Axis(ticks[0], ticks[-1], ticks)


def axis_between(low: float, high: float, finest: float) -> Axis:
    """Choose round ticks for an axis whose ends are given, if they can at the ends of a grid of numbers.

    Parameters
    ----------
    low, high : float
        The ends.
    finest : float
        The grid's step: no two ticks are closer than the power of ten at or below it.

    Examples
    --------
    >>> axis_between(-0.5, 10.5, 1).ticks
    (0.0, 2.0, 4.0, 6.0, 8.0, 10.0)
    >>> axis_between(-5.5, 5.5, 1).ticks
    (-5.0, 0.0, 5.0)
    """
    power = math.floor(math.log10(finest) + 1e-9)
    few = itertools.dropwhile(lambda step: len(multiples(low, high, step)) > MOST_STEPS + 1, steps(power))
    rounds = list(itertools.islice(few, 3))
    whole = multiples(low, high, finest)
    ends = [finest * whole[0], finest * whole[-1]]
    step = next((step for step in rounds if all(is_multiple(end, step) for end in ends)), rounds[0])
    ticks = tuple(round(step * index, max(0, -power) + 8) for index in multiples(low, high, step))
    return Axis(low, high, ticks)


def multiples(low: float, high: float, step: float) -> range:
    """Return how many times a step goes into the numbers from low to high that are multiples of it."""
    return range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)


def is_multiple(number: float, step: float) -> bool:
    """Return whether a step goes into a number a whole number of times."""
    return abs(number / step - round(number / step)) < 1e-9


def steps(power: int) -> Iterator[float]:
    """Yield round steps from a power of ten up. A weak channel's estimates can lie far outside [0, 1]."""
    for higher in itertools.count(power):
        for digit in (1, 2, 5):
            yield digit * 10.0**higher


def dot_plot(
    scale: Axis,
    dots: Iterable[tuple[float, float, float, float | None]],
    bands: Iterable[tuple[float, float] | None] = (),
) -> DotPlot:
    """Place the marks of estimates.

    Parameters
    ----------
    scale : Axis
        Shared by all the dots, so that they can be compared.
    dots : iterable of (estimate, low, high, noisy share or None)
        An unbiased mean may lie outside its interval.
    bands : iterable of ((low, high) or None)
        Of the first of them.
    """
    return DotPlot(
        dots=tuple(
            Dot(
                estimate=mark(scale, estimate),
                low=mark(scale, low),
                high=mark(scale, high),
                noisy_share=None if noisy_share is None else mark(scale, noisy_share),
                band=None if band is None else (mark(scale, band[0]), mark(scale, band[1])),
            )
            for (estimate, low, high, noisy_share), band in zip(
                dots, chain(bands, repeat(None)), strict=False
            )
        ),
        ticks=tuple(Mark(tick, scale.position(tick), "middle") for tick in scale.ticks),
    )


def mark(scale: Axis, value: float) -> Mark:
    """Place a value, with its label turned inwards near the ends."""
    x = scale.position(value)
    return Mark(value, x, "start" if x < NEAR_THE_END else "end" if x > 100 - NEAR_THE_END else "middle")
