"""The precision of one question at every epsilon that a plan may give it."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from survey.channel import MAXIMUM_EPSILON
from survey.limits import WORST_CONDITION
from survey.linked import Linked
from survey.mechanisms import coin
from survey.plan.outlook import precision, span
from survey.plan.planned_channel import planned_channel
from survey.progress import stretch
from survey.question import Boxes, Question

COIN = coin().epsilon
"""ln 3, the loss of a report that may come from real coins."""

LEAST = 0.01
"""The smallest epsilon that a plan gives a question."""

KNOTS = 12
"""The number of epsilons at which a channel is built; between them the curve is interpolated."""

FINE = 2048
"""The number of epsilons of a curve, each larger than the one before by the same factor."""

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Curve:
    """The deviation of a question's estimate, for one person who is asked it, at every epsilon.

    Attributes
    ----------
    epsilons : ndarray of float, shape (points,)
        As the survey file has them, from the least; a single value where there is no choice.
    deviations : ndarray of float, shape (points,)
        The square root of n times the variance, as a part of the range of possible estimates; never rising.
    times : float
        The loss of the question for each unit of its epsilon: the number of boxes if each has its epsilon.
    floor : float
        The least loss of the question: ln 3 with real coins.
    """

    epsilons: Array
    deviations: Array
    times: float
    floor: float

    @property
    def fixed(self) -> bool:
        """True if there is no epsilon to choose."""
        return len(self.epsilons) == 1

    @cached_property
    def rising(self) -> tuple[list[float], list[float]]:
        """The negated deviations, which rise, and the epsilons, as the lists that `bisect` is fast on."""
        return (-self.deviations).tolist(), self.epsilons.tolist()

    def epsilon(self, deviation: float) -> float:
        """Return the smallest epsilon that gives this deviation or less; infinity where none does."""
        levels, epsilons = self.rising
        place = bisect_right(levels, -deviation)
        if place == len(levels):
            return epsilons[-1] if -deviation == levels[-1] else math.inf
        if place == 0:
            return epsilons[0]
        below, above = levels[place - 1], levels[place]
        slope = (epsilons[place] - epsilons[place - 1]) / (above - below)
        return slope * (-deviation - below) + epsilons[place - 1]

    def deviation(self, epsilon: float) -> float:
        """Return the deviation at an epsilon."""
        return float(np.interp(epsilon, self.epsilons, self.deviations))


def curve(question: Question, most: float, share: float | None = None) -> Curve:
    """Return the curve of a question.

    Parameters
    ----------
    question : Question
        Its own epsilon does not count.
    most : float
        The greatest loss that the question may have.
    share : float, optional
        As for `survey.plan.outlook.outlook`.

    Raises
    ------
    ValueError
        If nothing can be estimated from the question with any epsilon that costs less.

    Notes
    -----
    n times the variance is nearly c / epsilon**2 for small epsilon, so its product with epsilon**2 bends
    little: a cubic spline through the logarithm of 12 such products follows it to .001 in epsilon up to 4.
    """
    coins = question.linked if question.linked and question.linked.coins else None
    fixed = question.epsilon is None or coins is not None
    floor = coins.weakest.epsilon if coins else COIN if question.by_hand or fixed else 0.0
    times = float(len(question.options)) if isinstance(question, Boxes) and question.scope == "box" else 1.0
    least = max(LEAST, floor)
    largest = min(MAXIMUM_EPSILON, most / times)
    epsilons = np.array([least]) if fixed or largest <= least else np.geomspace(least, largest, FINE)
    knots, variances = known_variances(
        question, np.linspace(least, epsilons[-1], min(KNOTS, len(epsilons))), share
    )
    within = epsilons[epsilons >= knots[0]]
    if len(within) > 1:
        from scipy.interpolate import CubicSpline  # which imports `scipy.optimize`: see `survey.solvers`

        product = CubicSpline(knots, np.log(variances * knots**2))
        variances = np.exp(product(within)) / within**2
    deviations = np.minimum.accumulate(np.sqrt(variances)) / span(question)
    return Curve(within, deviations, times, floor)


def known_variances(question: Question, epsilons: Array, share: float | None) -> tuple[Array, Array]:
    """Return n times the variance at each epsilon that is large enough for an estimate.

    Raises
    ------
    ValueError
        If all of them are.
    """
    knots, variances = [], []
    refused = ValueError()
    for place, epsilon in enumerate(epsilons.tolist()):
        chosen = with_loss(question, epsilon)
        try:
            with stretch(place, place + 1, of=len(epsilons)):
                channel = planned_channel(chosen)
            if not (condition := chosen.condition_of(channel)) <= WORST_CONDITION:
                raise ValueError(f"a condition number of {condition:.3g}, at most {WORST_CONDITION:g}")
            variances.append(precision(question, channel, share).variance)
        except ValueError as refusal:  # its reports say too little about the answers
            refused = refusal
        else:
            knots.append(epsilon)
    if not knots:
        raise refused
    return np.array(knots), np.array(variances)


def with_loss(question: Question, epsilon: float) -> Question:
    """Return a question with another epsilon; a linked one is asked by the wheels of it."""
    if question.epsilon is None or (question.linked and question.linked.coins):
        return question
    linked = question.linked
    wheels = linked and Linked.spun(linked.sizes, epsilon, linked.asked, linked.skip)
    return replace(question, epsilon=epsilon, linked=wheels)
