"""A mechanism as a matrix of integers, and the privacy that those integers give."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from decimal import Context, Decimal
from fractions import Fraction
from functools import cached_property
from typing import cast

import numpy as np
import numpy.typing as npt

from survey.compact_form import CompactForm, Rows
from survey.rules import Refusal

TOTAL = 2**32
"""The sum of every row of a channel's weights, which is the number of words that a draw can give."""

MAXIMUM_EPSILON = 10.0
"""The largest epsilon that is allowed; above it the noise protects nobody."""

BLOCK = 2**15
"""The number of chances that `Channel.delta` compares at a time, so that they fit the processor's cache."""

# Sixty digits decide every comparison below: the logarithm of a ratio of two 32-bit integers
# cannot lie closer than that to a double without being equal to it.
EXACT = Context(prec=60)


@dataclass(frozen=True, eq=False)
class Channel:
    """The chance of every report under every answer, held as exact integers.

    Parameters
    ----------
    weights : array_like of int, shape (answers, reports)
        ``weights[answer][report] / 2**32`` is P(report | answer). Every row sums to 2**32.
    form : CompactForm, optional
        The compact exact form that the weights are published in; the plain table where none is given.

    Raises
    ------
    ValueError
        If the weights are not a table of whole numbers with at least two rows, if one lies outside
        [0, 2**32], if a row does not sum to 2**32, or if the form expands to other weights.

    Notes
    -----
    One uniform word in [0, 2**32) picks the report: the first column whose cumulative weight exceeds
    the word. Nothing is rounded between the design, the draw and the estimate.

    Examples
    --------
    >>> Channel([[3 * 2**30, 2**30], [2**30, 3 * 2**30]]).epsilon == math.log(3)
    True
    """

    weights: npt.NDArray[np.int64]
    form: CompactForm = field(default=cast("CompactForm", None), repr=False)  # never None once constructed

    def __post_init__(self) -> None:
        weights = np.array(self.weights)
        if (
            weights.ndim != 2
            or weights.shape[0] < 2
            or weights.shape[1] < 1
            or weights.dtype.kind not in "iu"
        ):
            raise ValueError(
                "weights must be a table of whole numbers with a row for each of two or more answers, "
                f"got shape {weights.shape} of {weights.dtype}"
            )
        if weights.min() < 0 or weights.max() > TOTAL:
            outside = int(weights.min()) if weights.min() < 0 else int(weights.max())
            raise ValueError(f"weights must lie in [0, {TOTAL}], got {outside}")
        weights = weights.astype(np.int64)
        for answer, total in enumerate(weights.sum(axis=1).tolist()):
            if total != TOTAL:
                raise ValueError(f"weights[{answer}] must sum to {TOTAL}, got {total}")
        weights.flags.writeable = False
        object.__setattr__(self, "weights", weights)
        if cast("CompactForm | None", self.form) is None:
            object.__setattr__(self, "form", Rows.table(weights))
        elif not np.array_equal(self.form.weights(), weights):
            raise ValueError(f"form must expand to the weights, got {type(self.form).__name__} of others")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Channel) and np.array_equal(self.weights, other.weights)

    def __hash__(self) -> int:
        return self.digest

    @cached_property
    def digest(self) -> int:
        """The hash of the weights, computed once as channels are keys of caches."""
        return hash(self.weights.tobytes())

    @property
    def answers(self) -> int:
        """The number of answers, k."""
        return int(self.weights.shape[0])

    @property
    def reports(self) -> int:
        """The number of reports that can leave the browser."""
        return int(self.weights.shape[1])

    @cached_property
    def probabilities(self) -> npt.NDArray[np.float64]:
        """P(report | answer), shape (answers, reports). Exact: a weight over 2**32 is a double."""
        return self.weights / TOTAL

    @cached_property
    def loss(self) -> tuple[int, int]:
        """The worst ratio within one column, as two integers: the largest weight and the smallest.

        ``largest / smallest`` is e^epsilon. Columns that no answer can give do not count; a smallest
        weight of 0 means that some report gives an answer away.
        """
        return worst_ratio(self.weights)

    @cached_property
    def epsilon(self) -> float:
        """The privacy loss bound, in natural units: the smallest double not below ln(largest / smallest)."""
        return smallest_double_not_below_log(*self.loss)

    @property
    def guarantee(self) -> tuple[float, float]:
        """The epsilon and the delta that a respondent is promised: here the loss bound, and 0.

        The Gaussian mechanism promises another pair; so show this pair, never `epsilon` alone.
        """
        return self.epsilon, 0.0

    def delta(self, epsilon: float) -> float:
        """Return the smallest delta for which the channel is (epsilon, delta)-private.

        Parameters
        ----------
        epsilon : float
            Privacy loss in natural units, 0 or more.

        Returns
        -------
        float
            max over answers a, b of sum over reports y of max(0, P[a][y] - e^epsilon P[b][y]).

        Raises
        ------
        ValueError
            If epsilon is negative or not a number.

        References
        ----------
        Dwork & Roth (2014), The Algorithmic Foundations of Differential Privacy, definition 2.4.
        """
        if not epsilon >= 0:
            raise ValueError(f"epsilon must be 0 or more, got {epsilon!r}")
        if epsilon >= self.epsilon:
            return 0.0
        ratio = math.exp(min(epsilon, 700.0))  # beyond, the ratio of two doubles overflows
        chances = self.probabilities
        # A column whose largest and smallest chance keep the bound adds nothing, whatever the pair.
        chances = chances[:, chances.max(axis=0) > ratio * chances.min(axis=0)]
        bounded = ratio * chances
        rows = max(1, BLOCK // chances.shape[1])
        excess = np.empty((rows, chances.shape[1]))
        worst = 0.0
        for start in range(0, self.answers, rows):
            others = bounded[start : start + rows]
            for chance in chances:
                part = np.subtract(chance, others, out=excess[: len(others)])
                worst = max(worst, float(np.maximum(part, 0.0, out=part).sum(axis=1).max()))
        return worst


def worst_ratio(weights: npt.NDArray[np.int64]) -> tuple[int, int]:
    """Return the largest and the smallest weight of the report that tells most: see `Channel.loss`."""
    possible = weights[:, weights.max(axis=0) > 0]
    columns = zip(possible.max(axis=0).tolist(), possible.min(axis=0).tolist(), strict=True)
    largest, smallest = next(columns)
    for top, bottom in columns:
        # Cross-multiplied, so that the comparison is exact and a zero needs no special case.
        if top * smallest > largest * bottom:
            largest, smallest = top, bottom
    return largest, smallest


def smallest_double_not_below_log(largest: int, smallest: int, times: int = 1) -> float:
    """Round ln(largest / smallest) up to a double, so that a loss is never stated too small.

    Parameters
    ----------
    largest, smallest : int
        The two integers of a loss, ``largest >= smallest >= 0``.
    times : int
        The number of reports with that loss that are made together; their losses add.

    Returns
    -------
    float
        Infinity if `smallest` is 0, and exactly 0.0 if the two are equal.
    """
    if smallest == 0:
        return math.inf
    exact = EXACT.multiply(Decimal(times), EXACT.ln(EXACT.divide(Decimal(largest), Decimal(smallest))))
    rounded = float(exact)
    return rounded if Decimal(rounded) >= exact else math.nextafter(rounded, math.inf)


def require_epsilon(epsilon: object) -> float:
    """Check an epsilon that somebody asked for.

    Parameters
    ----------
    epsilon : object

    Returns
    -------
    float
        The same number.

    Raises
    ------
    ValueError
        If it is not a number in (0, 10]; the message names the parameter, the range and the value.
    """
    number = isinstance(epsilon, int | float | np.integer | np.floating) and not isinstance(epsilon, bool)
    if not (number and 0 < float(epsilon) <= MAXIMUM_EPSILON):  # type: ignore[arg-type]
        raise Refusal("epsilon", "epsilon", epsilon, most=MAXIMUM_EPSILON)
    return float(epsilon)  # type: ignore[arg-type]


def require_whole(name: str, value: object, low: int, high: int) -> int:
    """Check a whole number that somebody asked for.

    Raises
    ------
    ValueError
        If it is not a whole number from `low` to `high`; the message names parameter, range and value.
    """
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not (whole and low <= int(value) <= high):  # type: ignore[call-overload]
        raise Refusal(name, "whole", value, low=low, high=high)
    return int(value)  # type: ignore[call-overload, no-any-return]


def exact_ratio(epsilon: float) -> Fraction:
    """Return E = e^epsilon to sixty digits: exact, as far as 32-bit integers can tell.

    Raises
    ------
    ValueError
        If epsilon is outside (0, 10].
    """
    return Fraction(EXACT.exp(Decimal(require_epsilon(epsilon))))


def largest_weight_within(epsilon: float, total: int = TOTAL) -> int:
    """Return the largest weight w of a kept answer for which w / (total - w) <= e^epsilon.

    The weight is rounded down, and with it the loss: rounding the *other* weight down instead would put
    the loss above what was asked for.

    Raises
    ------
    ValueError
        If epsilon is outside (0, 10].
    """
    ratio = exact_ratio(epsilon)
    return math.floor(total * ratio / (1 + ratio))  # w = 2**32 E / (1 + E)
