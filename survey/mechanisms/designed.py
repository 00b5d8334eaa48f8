"""Sets of ordered categories, chosen and weighted for what is wanted: shares, a mean, a curve or a mix."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from survey.channel import TOTAL, Channel, exact_ratio, require_whole
from survey.design.wants import MEAN, WANTS, read_wants
from survey.mechanisms.number import NumberChannel, grid_points
from survey.rules import Refusal
from survey.sets_on_grid import SetsOnGrid
from survey.weighted_sets import MOST_ANSWERS_OF_SETS, MOST_DENOMINATOR, WeightedSets

if TYPE_CHECKING:
    from survey.design.design import SetDesign

SetsForm: TypeAlias = WeightedSets | SetsOnGrid

LEAST_EPSILON, MOST_EPSILON = 0.05, 8.0
MOST_POINTS = 1000

Search: TypeAlias = "Callable[[int, float, Mapping[str, float]], SetDesign]"

FIRST_REST = 2**10
"""The weight of the last report that is tried first."""

MORE_REST = 1.25
"""The factor by which it is raised until the last report keeps the loss too."""


def designed(
    categories: int, epsilon: float, wants: Mapping[str, float] | None = None, search: Search | None = None
) -> Channel:
    """Build the channel of reported sets that needs the fewest people for what is wanted.

    Parameters
    ----------
    categories : int
        k, 2 to 21, in order.
    epsilon : float
        The largest privacy loss allowed, from 0.05 to 8.
    wants : Mapping of str to float, optional
        Weights of ``shares``, ``mean`` (of equally spaced categories) and ``curve`` (all cumulative shares),
        any of them; all three alike where none is named. See `survey.design`.
    search : callable, optional
        `planned_design`, which takes less time than `survey.design.design`.

    Returns
    -------
    Channel
        k answers and at most k (k + 1)/2 + 1 reports. Report y is the set whose members are the 1 bits of
        ``channel.form.masks[y]``, bit i for category i; a set with the answer is E times as likely as under
        other answers. The last report, less than 1e-3 of all, is no set and says nothing. Its loss is at
        most `epsilon`.

    Raises
    ------
    ValueError
        If a number is outside its range, or a want is not known.

    Notes
    -----
    Twenty-one categories take some seconds. The last digits of a design may differ from machine to
    machine; the integers that were published are the channel.

    References
    ----------
    Kairouz, Oh & Viswanath (2016), Extremal Mechanisms for Local Differential Privacy: the best channels
    report sets. Which sets, and how often, is a convex problem, with the certificate of Pukelsheim (2006),
    Optimal Design of Experiments: see `survey.design.least_variance`.

    Examples
    --------
    >>> channel = designed(5, 1.0)
    >>> channel.answers, channel.reports
    (5, 16)
    """
    categories = require_whole("categories", categories, 2, MOST_ANSWERS_OF_SETS)
    form = weigh(categories, epsilon, wants, lambda sets: sets, search)
    return Channel(form.weights(), form)


def designed_number(
    low: float,
    high: float,
    step: float,
    epsilon: float,
    wants: Mapping[str, float] | None = None,
    search: Search | None = None,
) -> NumberChannel:
    """Build the channel of reported sets that needs the fewest people for what is wanted of a number.

    Parameters
    ----------
    low, high, step : float
        The grid of answers, 2 to 1000 points.
    epsilon : float
        The largest privacy loss allowed, from 0.05 to 8.
    wants, search : optional
        As of `designed`.

    Returns
    -------
    NumberChannel
        Its loss is at most `epsilon`. Of more than 21 points, where the mean alone is wanted, an answer is
        rounded at random to one of 21 lattice points, so that its mean stays what it is. For anything else it
        is put into one of 21 classes: the share up to the end of a class is known whatever the shape within
        it, the mean within bounds.

    Raises
    ------
    ValueError
        If the grid or a number is outside its range, or a want is not known.

    Examples
    --------
    >>> channel = designed_number(0, 4, 1, 1.0)
    >>> np.allclose(channel.probabilities @ channel.values, channel.grid)
    True
    """
    grid = grid_points(low, high, step)
    if len(grid) > MOST_POINTS:
        raise Refusal("step", "step_designed", step, most=MOST_POINTS, points=len(grid))
    places = min(len(grid), MOST_ANSWERS_OF_SETS)
    rounded = wants is not None and set(wants) == {MEAN}

    def spread(sets: WeightedSets) -> SetsForm:
        return sets if places == len(grid) else SetsOnGrid(len(grid), rounded, sets)

    form = weigh(places, epsilon, wants, spread, search)
    return NumberChannel(weights=form.weights(), form=form, grid=grid)


def weigh(
    categories: int,
    epsilon: float,
    wants: Mapping[str, float] | None,
    spread: Callable[[WeightedSets], SetsForm],
    search: Search | None,
) -> SetsForm:
    """Write the best sets as integers that keep epsilon, under every answer that they are spread over."""
    # Not above: a published channel needs nothing of what designs one.
    from survey.design.design import design
    from survey.design.least_variance import OutOfTime

    wanted = read_wants(dict.fromkeys(WANTS, 1.0) if wants is None else wants)
    ratio = exact_ratio(epsilon)
    if not LEAST_EPSILON <= epsilon <= MOST_EPSILON:
        raise Refusal("epsilon", "epsilon_designed", epsilon, least=LEAST_EPSILON, most=MOST_EPSILON)
    try:
        best = (search or design)(categories, float(epsilon), wanted)
    except OutOfTime as late:
        raise Refusal("mechanism", "design_late", "designed", seconds=late.seconds) from late
    # A fraction not above E, so that a high weight rounded down is at most E times the low one.
    fraction = math.floor(ratio * MOST_DENOMINATOR), MOST_DENOMINATOR
    rest = float(FIRST_REST)
    while True:
        lows = np.floor(best.rates * (TOTAL - rest)).astype(np.int64)
        sets = WeightedSets(
            categories, fraction, tuple(lows[lows > 0].tolist()), tuple(best.masks[lows > 0].tolist())
        )
        form = spread(sets)
        last = form.weights()[:, -1]
        if last.min() > 0 and last.max() * MOST_DENOMINATOR <= last.min() * fraction[0]:
            return form
        rest *= MORE_REST
