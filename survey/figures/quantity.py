"""One share or mean in several surveys, with the differences between them and all of them pooled."""

from __future__ import annotations

from dataclasses import dataclass

from survey.interval.leaving_band import Ends


@dataclass(frozen=True)
class Interval:
    """A share or a mean with its interval, and the number of reports behind it.

    Attributes
    ----------
    respondents : int
    value, low, high : float
        Shares of 1, or in the unit of the number.
    band : (low, high), or None
        The band that allows for people who left over their result; None where nobody sees it before it is
        sent, or all are pooled.
    """

    respondents: int
    value: float
    low: float
    high: float
    band: Ends | None = None


@dataclass(frozen=True)
class Quantity:
    """One share or mean in every survey, its differences from the first survey, and all of them pooled.

    Attributes
    ----------
    column, answer : str
        The column, and the answer whose share this is: ``yes``, the position of an option, or ``mean``.
    of_each : tuple of Interval or None
        In the order of the surveys; None for one in which nobody was asked.
    differences : tuple of Interval or None
        Of each survey but the first: its value less the first one's.
    pooled : Interval or None
        None where fewer than two surveys have an estimate, or several may be of the same people and no
        interval is known to hold: of a mean, or of shares whose counts are not binomial.
    """

    column: str
    answer: str
    of_each: tuple[Interval | None, ...]
    differences: tuple[Interval | None, ...]
    pooled: Interval | None


def band_between(own: Interval | None, first: Interval | None, ends: Ends) -> Ends | None:
    """Return the band of a difference, no narrower than its interval; None where neither survey has one."""
    if own is None or first is None or own.band is first.band is None:
        return None
    (low, high), (lowest, highest) = (each.band or (each.low, each.high) for each in (own, first))
    return min(low - highest, ends[0]), max(high - lowest, ends[1])
