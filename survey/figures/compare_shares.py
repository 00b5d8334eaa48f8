"""The share of one answer in several surveys, compared and pooled."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from survey.channel import Channel
from survey.crosstab import difference_of_pools, difference_of_waves, pool_strata, pooled_interval
from survey.figures.quantity import Interval, Quantity, band_between
from survey.figures.shares import SharesFigures

Strata = Sequence[tuple[Channel, npt.ArrayLike]]


def compare_shares(
    column: str,
    place: int,
    alone: Sequence[SharesFigures],
    received: Sequence[Strata],
    confidence_level: float,
    people: Sequence[int],
) -> Quantity:
    """Compare and pool the share of one answer.

    Each survey has the estimate and the interval of its own results. Differences are of unbiased shares, with
    normal intervals of adjusted ones; the pooled share is unbiased, with a likelihood interval where several
    may be of the same people. Each is brought into its interval.
    """
    heard = [(strata, asked) for strata, asked in zip(received, people, strict=True) if strata]

    def by_itself(shares: SharesFigures) -> Interval:
        share = shares.shares[place]
        band = None
        if share.band_low is not None and share.band_high is not None:
            band = share.band_low, share.band_high
        return Interval(shares.respondents, share.estimate, share.low, share.high, band)

    each_alone = [by_itself(each) if strata else None for each, strata in zip(alone, received, strict=True)]

    def difference(strata: Strata, asked: int, own: Interval | None) -> Interval:
        compare = difference_of_waves if asked == people[0] else difference_of_pools
        comparison = compare(strata, received[0], place, confidence_level)
        ends = comparison.low, comparison.high
        value = min(max(comparison.value, comparison.low), comparison.high)
        return Interval(respondents_of(strata), value, *ends, band_between(own, each_alone[0], ends))

    def pooled() -> Interval | None:
        strata = [stratum for strata, _ in heard for stratum in strata]
        pool = pool_strata(strata, place, confidence_level)
        waves, asked = zip(*heard, strict=True)
        ends = pooled_interval(waves, asked, place, confidence_level)
        if ends is None and len(set(asked)) < len(asked):
            return None
        low, high = ends or (pool.low, pool.high)
        return Interval(pool.respondents, min(max(pool.proportion, low), high), low, high)

    return Quantity(
        column,
        alone[0].shares[place].answer,
        tuple(each_alone),
        tuple(
            difference(strata, asked, own) if strata and received[0] else None
            for strata, asked, own in zip(received[1:], people[1:], each_alone[1:], strict=True)
        ),
        pooled() if len(heard) > 1 else None,
    )


def respondents_of(strata: Strata) -> int:
    """Count the reports of strata."""
    return sum(int(np.sum(counts)) for _, counts in strata)
