"""The band of a pooled share where people of some strata saw their result before they sent it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy.typing as npt

from survey.channel import Channel
from survey.counts import binomial_count
from survey.crosstab.strata import combine_strata
from survey.interval import require_confidence_level
from survey.interval.leaving_band import LEAVING, share_drawn
from survey.limits import CONFIDENCE_LEVEL


def pooled_band(
    strata: Sequence[tuple[Channel, npt.ArrayLike]],
    seen_first: Sequence[bool],
    confidence_level: float = CONFIDENCE_LEVEL,
) -> tuple[float, float]:
    """Return the band of the pooled share of yes; see `survey.interval.leaving_band`.

    Parameters
    ----------
    strata : sequence of (Channel, array_like of int, shape (2,))
        Of no and yes, each with a report.
    seen_first : sequence of bool
        For each stratum, true if people see the result before they send it.
    confidence_level : float
        In (0, 1).

    Returns
    -------
    low, high : float
        The low end of the pooled interval, and the high end if one in ten of those who saw a yes left. Then
        an adjusted share of yes counts as Q = Q' / (1 - f (1 - Q')), whose slope is (Q / Q')^2 (1 - f).

    Raises
    ------
    ValueError
        As `pool_strata`.
    """
    level = require_confidence_level(confidence_level)
    pooled = combine_strata(strata, 1)
    moved = pooled.adjusted.copy()
    for place, ((channel, counts), seen) in enumerate(zip(strata, seen_first, strict=True)):
        if seen:
            line = binomial_count(channel, counts)
            span = line.highest - line.lowest
            sent = line.lowest + span * moved[place, 0]
            drawn = share_drawn(sent)
            slope = (drawn / sent) ** 2 * (1 - LEAVING)
            moved[place] = line.proportion(drawn), moved[place, 1] * slope**2
    high = replace(pooled, adjusted=moved).interval(level)[1]
    low = pooled.interval(level)[0]
    return min(max(low, 0.0), 1.0), min(max(high, 0.0), 1.0)
