"""A number's channel: the grid that answers stand on, and the values that reports add to a mean."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from survey.channel import TOTAL, Channel
from survey.compact_form import CompactForm, Rows, Tails, Windows
from survey.form_parts import MOST_ANSWERS
from survey.inverse import least_squares_inverse
from survey.rules import Refusal
from survey.sets_on_grid import SetsOnGrid
from survey.weighted_sets import WeightedSets

Values = npt.NDArray[np.float64]

TOLERANCE = 1e-6
"""The greatest distance of the mean of the values from the answer, as a share of the range."""


@dataclass(frozen=True, eq=False)
class NumberClasses:
    """Classes of neighbouring numbers, whose shares the reports show.

    Attributes
    ----------
    channel : Channel
        The chance of every report under each class.
    lowest, highest : ndarray of float, shape (classes,)
        The first and the last number of each.
    """

    channel: Channel
    lowest: Values
    highest: Values


@dataclass(frozen=True, eq=False, kw_only=True)
class NumberChannel(Channel):
    """A channel whose answers are the numbers of a grid.

    Parameters
    ----------
    weights, form
        As for `Channel`; the form is a `Windows`, `Tails`, `Rows`, `WeightedSets` or `SetsOnGrid`.
    grid : array_like of float, shape (answers,)
        The number that each answer stands for: equally spaced, increasing.

    Attributes
    ----------
    values : ndarray of float, shape (reports,)
        What each report adds to the mean, u: sum over reports y of P[x][y] u[y] = x, or the middle of its
        class where an answer is put into one. They follow from the form and the grid alone, so that a
        published channel brings its own.

    Raises
    ------
    ValueError
        If the mean of the values misses an answer by more than a millionth of the range: epsilon is too
        small for weights of 32 bits, or the grid too fine for numbers of 16 digits.
    """

    grid: Values
    values: Values = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        grid = np.array(self.grid, dtype=np.float64)
        if grid.shape != (self.answers,):
            raise ValueError(f"grid must have a number for each of {self.answers} answers, got {grid.shape}")
        # Ends that cannot be distinguished, or lie further apart than any number is large: refused below.
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            span = grid[-1] - grid[0]
            places = (grid - grid[0]) / span
            centred = unbiased_values(self.form, self.weights)
            means = self.probabilities @ centred
        shown = places
        if isinstance(self.form, SetsOnGrid) and not self.form.rounded:
            shown = middles(self.form)[self.form.places()]
        miss = float(np.abs(means - shown).max())
        if not miss <= TOLERANCE:
            uneven = float(np.abs(places - np.linspace(0.0, 1.0, len(places))).max())
            if not uneven <= TOLERANCE / 2 and not uneven < miss / 2:
                raise Refusal("step", "step_even", uneven=uneven)
            raise Refusal("epsilon", "epsilon_mean", miss=miss)
        for name, array in (("grid", grid), ("values", grid[0] + span * centred)):
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    def __eq__(self, other: object) -> bool:
        # Grids with as many points may have the same weights, and other means.
        return (
            super().__eq__(other)
            and isinstance(other, NumberChannel)
            and np.array_equal(self.grid, other.grid)
        )

    def __hash__(self) -> int:
        return self.digest

    @property
    def mean_only(self) -> bool:
        """True if the reports show nothing but the mean: one bit, or what a lattice point was drawn for."""
        rounded = isinstance(self.form, SetsOnGrid) and self.form.rounded
        return rounded or self.reports == 2 < self.answers

    @cached_property
    def classes(self) -> NumberClasses | None:
        """The classes that it was designed for, each a single number on a short grid; None of other noise."""
        if isinstance(self.form, WeightedSets):
            return NumberClasses(self, self.grid, self.grid)
        if not isinstance(self.form, SetsOnGrid) or self.form.rounded:
            return None
        sets, places = self.form.sets, self.form.places()
        numbers = np.arange(sets.answers)
        first, last = np.searchsorted(places, numbers), np.searchsorted(places, numbers, side="right") - 1
        return NumberClasses(Channel(sets.weights(), sets), self.grid[first], self.grid[last])

    @cached_property
    def variances(self) -> Values:
        """The variance of a report's value under each answer, in squared units of the grid."""
        span = self.grid[-1] - self.grid[0]
        centred = (self.values - self.grid.mean()) / span  # squares of values far from 0 would cancel
        variances = self.probabilities @ centred**2 - (self.probabilities @ centred) ** 2
        scaled: Values = variances * span**2
        return scaled


def classes_of(channel: Channel) -> NumberClasses | None:
    """Return the classes that a channel was designed for: of an ordered choice, its places from 1 on."""
    if isinstance(channel, NumberChannel):
        return channel.classes
    if not isinstance(channel.form, WeightedSets):
        return None
    places = np.arange(1.0, channel.answers + 1)
    return NumberClasses(channel, places, places)


def unbiased_values(form: CompactForm, weights: npt.NDArray[np.int64]) -> Values:
    """Return the unbiased values u on a grid from 0 to 1, in the closed form that each published form has.

    Parameters
    ----------
    form : CompactForm
    weights : ndarray of int, shape (answers, reports)
        What the form expands to.

    Returns
    -------
    ndarray of float, shape (reports,)
    """
    match form:
        case Windows():
            # Every window is unbiased by itself: linear in its own columns.
            ends = np.cumsum([window.columns for window in form.windows])[:-1]
            return np.concatenate([linear_values(block) for block in np.split(weights, ends, axis=1)])
        case Tails():
            # u = y / (m - 1), but the ends stand for all that was folded onto them: e steps further out,
            # so that the mean under the first answer is 0: tails[1] + ... + e (tails[m-1] - tails[0]) = 0.
            further = sum(form.tails[1:]) / (form.tails[0] - form.tails[-1] or math.nan)
            steps = np.arange(form.answers, dtype=np.float64)
            steps[0] -= further
            steps[-1] += further
            return steps / (form.answers - 1)
        case Rows():
            return linear_values(weights)
        case WeightedSets():
            return set_values(weights, np.linspace(0.0, 1.0, form.answers))
        case SetsOnGrid():
            return set_values(form.sets.weights(), middles(form))
        case _:
            raise ValueError(f"form must be one of a number, got {type(form).__name__}")


def set_values(weights: npt.NDArray[np.int64], places: Values) -> Values:
    """Return the values of least variance, at equal shares, whose means are the places."""
    values: Values = least_squares_inverse(weights / TOTAL) @ places
    return values


def middles(form: SetsOnGrid) -> Values:
    """Return the lattice points, or the middle of each class, on a grid from 0 to 1."""
    if form.rounded:
        return np.linspace(0.0, 1.0, form.sets.answers)
    places = form.places()
    sums: Values = np.bincount(places, np.linspace(0.0, 1.0, form.answers)) / np.bincount(places)
    return sums


def linear_values(weights: npt.NDArray[np.int64]) -> Values:
    """Return the values that are linear in the column and have the means 0 and 1 under the end answers."""
    columns = np.arange(weights.shape[1], dtype=np.float64)
    first, last = (float(row @ columns) / float(row.sum()) for row in weights[[0, -1]])
    return (columns - first) / (np.float64(last) - first)


def grid_points(low: float, high: float, step: float) -> Values:
    """Return the numbers low, low + step, ..., high, each the double nearest to its decimal.

    Parameters
    ----------
    low, high, step : float
        Read as the decimals they are written as, so that steps of 0.1 divide a range of 1.

    Returns
    -------
    ndarray of float
        2 to 1001 numbers.

    Raises
    ------
    ValueError
        If one is not a finite number, `low` is not below `high`, or `step` does not divide the range into
        1 to 1000 steps.

    Examples
    --------
    >>> grid_points(0, 0.3, 0.1).tolist()
    [0.0, 0.1, 0.2, 0.3]
    """
    first, last, width = (decimal(name, value) for name, value in zip(NAMES, (low, high, step), strict=True))
    if not first < last:
        raise Refusal("low", "low", low, high=high)
    if not width > 0:
        raise Refusal("step", "step_positive", step)
    steps = (last - first) / width
    if steps.denominator != 1 or not 1 <= steps < MOST_ANSWERS:
        raise Refusal("step", "step_divides", step, low=low, high=high, most=MOST_ANSWERS - 1)
    return spaced(first, width, int(steps) + 1).copy()


@lru_cache(maxsize=64)
def spaced(first: Fraction, width: Fraction, points: int) -> Values:
    """Return equally spaced numbers; cached, as exact fractions are slow and an editor asks often."""
    return np.array([float(first + index * width) for index in range(points)])


NAMES = ("low", "high", "step")


def decimal(name: str, value: object) -> Fraction:
    """Read a number as the decimal it is written as: 0.1 is a tenth."""
    number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    if not (number and math.isfinite(value)):  # type: ignore[arg-type]
        raise Refusal(name, "finite", value)
    return Fraction(repr(value.item() if isinstance(value, np.generic) else value))


def whole_rows(chances: Values) -> npt.NDArray[np.int64]:
    """Round every chance up to a weight; what that adds to a row is taken off its largest weight."""
    weights = np.ceil(TOTAL * chances).astype(np.int64)
    weights[np.arange(len(weights)), weights.argmax(axis=1)] += TOTAL - weights.sum(axis=1)
    return weights
