"""The least variance that any channel of reported sets has, with a proof of how near to it a design is."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from survey.design.all_sets import AllSets
from survey.design.information import Masks, Matrix, Packing, Sets, Vector
from survey.design.interior_point import best_rates
from survey.progress import tell

GAP = 1e-3
"""The largest part of its variance by which a design may exceed the least."""

MOST_TOGETHER = 12
"""Up to so many answers all sets are used at once; above, those that are missed most are added by turns."""

ADDED = 500
"""The most sets that are added at a time."""

FIRST_PRECISION = 0.01
"""The precision of the rates of the first sets, of which some will be missing."""

MOST_SECONDS = 120
"""Seconds of the processor after which the search is given up."""

NEGLIGIBLE = 1e-6
"""Sets with a smaller share of the largest rate are left out at the next turn."""


class OutOfTime(RuntimeError):
    """A search that was given up after so many seconds."""

    def __init__(self, seconds: float, most: float, gap: float) -> None:
        self.seconds = seconds
        super().__init__(f"the gap must fall to {most:g} in {seconds:g} seconds, got {gap:.2g}")


@dataclass(frozen=True, eq=False)
class LeastVariance:
    """Sets and rates whose variance is next to the least.

    Attributes
    ----------
    masks : ndarray of int
        The sets: bit i of a mask is 1 if answer i is in it.
    rates : ndarray of float
        theta: set S is reported with probability theta E under the answers in it, theta under others.
    value : float
        tr(G M^-1).
    bound : float
        Less than which no rates of any sets give.
    """

    masks: Masks
    rates: Vector
    value: float
    bound: float

    @property
    def gap(self) -> float:
        """The part of the variance that a better design could save at most."""
        return 1 - self.bound / self.value


def least_variance(
    answers: int,
    ratio: float,
    goal: Matrix,
    start: Masks | None = None,
    gap: float = GAP,
    clock: Callable[[], float] = time.thread_time,
) -> LeastVariance:
    """Find the rates of sets that make tr(G M^-1) least, M being the information about the shares.

    Parameters
    ----------
    answers : int
        k, 2 to 21.
    ratio : float
        E = e^epsilon.
    goal : ndarray, shape (answers, answers)
        G, positive definite but for the vector 1.
    start : ndarray of int, optional
        The masks of sets to start with, for more than 12 answers; otherwise all sets.
    gap : float
        That is small enough.
    clock : callable
        Returns the seconds that have passed.

    Returns
    -------
    LeastVariance
        With so small a gap.

    Raises
    ------
    OutOfTime
        If the gap is wider after two minutes.

    Notes
    -----
    f is convex in the rates, and f(rates/c) = c f(rates). With d = a' M^-1 G M^-1 a/m the slope of a set, a
    design of rates r has f(r) >= 2 f - sum r d. If lambda'a >= d for all sets, sum r d is at most
    lambda'1, whatever the design; the best multiple of the rates then gives

        f(r) >= f^2 / (1' lambda).

    Any prices become such once max (d - lambda'a)/(1'a), over all sets, is added to them. Reports of
    sets suffice: no channel of this loss has more information than one whose columns are theta a.

    References
    ----------
    Kairouz, Oh & Viswanath (2016), Extremal Mechanisms for Local Differential Privacy, theorem 4; the
    bound is that of optimal designs: Pukelsheim (2006), Optimal Design of Experiments, section 7.
    """
    every, packing = AllSets(answers, ratio), Packing(answers)
    together = answers <= MOST_TOGETHER
    masks = np.arange(1, 2**answers - 1) if together or start is None else start
    rates = np.ones(len(masks))
    bound, precision = 0.0, GAP / 10 if together else FIRST_PRECISION
    end = clock() + MOST_SECONDS
    while True:
        point, curvature = best_rates(Sets(packing, ratio, masks), goal, rates, precision)
        excess = every.excess(curvature.quadratic, point.prices)
        prices = point.prices + max(float(excess.max()), 0.0)
        bound = max(bound, curvature.value**2 / float(prices.sum()))
        least = LeastVariance(masks, point.rates, curvature.value, bound)
        if least.gap <= gap:
            return least
        tell(math.log(least.gap) / math.log(gap))
        if clock() > end:
            raise OutOfTime(MOST_SECONDS, gap, least.gap)
        precision = min(precision, max(gap / 4, least.gap / 10))
        used = point.rates > NEGLIGIBLE * point.rates.max()
        added = np.setdiff1d(every.peaks(excess, ADDED), masks[used])
        masks = np.concatenate([masks[used], added])
        rates = np.concatenate([point.rates[used], np.full(len(added), point.rates[used].mean() / 10)])
