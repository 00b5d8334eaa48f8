"""The reports that one person makes, separated into those of everybody and those of drawn sections."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar


class Promising(Protocol):
    """Anything that promises an epsilon and a delta, such as a channel."""

    @property
    def guarantee(self) -> tuple[float, float]:
        """Epsilon and delta."""


T = TypeVar("T", covariant=True)
U = TypeVar("U")


@dataclass(frozen=True)
class Reports(Generic[T]):
    """The channels, or figures of them, of all reports that one person makes in one wave.

    Attributes
    ----------
    always : tuple
        Of the reports that everybody makes.
    drawn : tuple of tuple
        A tuple for each section that is drawn.
    asked : int
        The number of those sections that one person is asked, fewer than all; 0 where none are drawn.
    """

    always: tuple[T, ...]
    drawn: tuple[tuple[T, ...], ...] = ()
    asked: int = 0

    @classmethod
    def of(cls, reports: Iterable[T] | Reports[T]) -> Reports[T]:
        """Return reports as they are, and take a list for the reports of everybody."""
        return reports if isinstance(reports, Reports) else cls(tuple(reports))

    @classmethod
    def drawn_from(cls, sections: Iterable[Iterable[T]], asked: int, always: Iterable[T] = ()) -> Reports[T]:
        """Draw so many of the sections for each person, besides what everybody reports.

        Raises
        ------
        ValueError
            If that is not at least one section, or more than there are.
        """
        drawn = tuple(map(tuple, sections))
        if not 1 <= asked <= len(drawn):
            raise ValueError(f"asked must be a whole number from 1 to {len(drawn)}, got {asked!r}")
        if asked == len(drawn):
            return cls((*always, *(report for section in drawn for report in section)))
        return cls(tuple(always), drawn, asked)

    def of_each(self, function: Callable[[T], U]) -> Reports[U]:
        """Apply a function to each report."""
        sections = tuple(tuple(map(function, section)) for section in self.drawn)
        return Reports(tuple(map(function, self.always)), sections, self.asked)


def dearest(amounts: Reports[float]) -> list[float]:
    """Return the amounts of the reports that one person makes in the dearest draw.

    Examples
    --------
    >>> dearest(Reports((0.5,), ((1.0,), (0.75, 0.75), (0.25,)), asked=2))
    [0.5, 0.75, 0.75, 1.0]
    """
    chosen = ranked(amounts.drawn, math.fsum)[: amounts.asked]
    return [*amounts.always, *(amount for section in chosen for amount in section)]


def ranked(sections: Sequence[U], cost: Callable[[U], float]) -> list[U]:
    """Sort sections, the dearest first; of equal ones the first in the survey."""
    return sorted(sections, key=cost, reverse=True)
