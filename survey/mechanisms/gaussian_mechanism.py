"""Gaussian noise on a lattice: a bound on the loss with a small chance, delta, of an exception."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from survey import special
from survey.channel import TOTAL, exact_ratio, require_epsilon
from survey.compact_form import Rows
from survey.mechanisms.number import NumberChannel, grid_points, whole_rows
from survey.rules import Refusal
from survey.solvers import brentq

REACH = 6.5
"""The distance of the lattice's ends from those of the grid, in standard deviations of the noise."""
SPACING = 1 / 8
"""The greatest distance of two columns, and of two knots, in standard deviations."""
MOST_STEPS = 32
"""The most steps from knot to knot, where a large delta makes the noise small."""


@dataclass(frozen=True, eq=False, kw_only=True)
class GaussianChannel(NumberChannel):
    """The channel of the Gaussian mechanism, with the guarantee that it was asked for.

    Parameters
    ----------
    weights, form, grid
        As for `NumberChannel`; the form is `Rows`.
    asked_epsilon, asked_delta : float
        The guarantee: ``channel.delta(asked_epsilon) <= asked_delta``. The attribute `epsilon` is the
        bound without exception, far larger.
    """

    asked_epsilon: float
    asked_delta: float

    def __post_init__(self) -> None:
        super().__post_init__()
        require_epsilon(self.asked_epsilon)
        require_delta(self.asked_delta)

    @property
    def guarantee(self) -> tuple[float, float]:
        """The epsilon and the delta that were asked for; the integers keep them."""
        return self.asked_epsilon, self.asked_delta

    @cached_property
    def ratio(self) -> tuple[int, int]:
        """A fraction not above e^epsilon, as two integers below 2**53: what the page computes with."""
        return math.floor(exact_ratio(self.asked_epsilon) * TOTAL), TOTAL

    @cached_property
    def delta_weight(self) -> int:
        """An integer D with ``delta(asked_epsilon) <= D / 2**32``, from the rows of the knots alone.

        Notes
        -----
        With R the ratio, delta of a pair of answers a, b is the sum over reports of max(0, P[a] - R P[b]).
        The row of an answer is a mixture I of two knots' rows, every weight rounded up: I <= P < I + 1,
        except for the weight that the surplus is taken off, which is below I. So every term is at most
        max(0, I[a] + 1 - R I[b]); that is jointly convex in the two rows, so its sum is largest for two
        knots. The excepted report of b is among the likeliest of b, where max(0, P[a] - R P[b]) is 0 for
        all but the smallest epsilon; where it is not, the largest it can be is added.
        """
        if not isinstance(self.form, Rows):
            raise ValueError(f"form must be rows at knots, got {type(self.form).__name__}")
        numerator, denominator = self.ratio
        worst = knots_delta(self.form.at_knots().astype(object), numerator, denominator)
        likeliest = self.weights.max(axis=1)
        excepted = denominator * int(likeliest.max()) - numerator * (int(likeliest.min()) - self.reports)
        return -(-(int(worst) + max(0, excepted)) // denominator)

    @property
    def sigma(self) -> float:
        """The standard deviation of a report's value under the worst answer, in units of the grid."""
        return math.sqrt(self.variances.max())

    @property
    def classical_sigma(self) -> float:
        """The sigma of the textbooks, for comparison: sqrt(2 ln(1.25/delta)) (high - low)/epsilon.

        Dwork & Roth (2014), theorem 3.22 (appendix A). It is proved for epsilon below 1 only.
        """
        span = float(self.grid[-1] - self.grid[0])
        return math.sqrt(2 * math.log(1.25 / self.asked_delta)) * span / self.asked_epsilon


def gaussian(low: float, high: float, step: float, epsilon: float, delta: float) -> GaussianChannel:
    """Build the Gaussian mechanism for a number on a grid.

    Reports lie on a lattice with a spacing of sigma/8 that reaches 6.5 sigma beyond both ends. The rows
    of a few knots, at most sigma/8 apart, are discrete Gaussians; the answer is rounded at random to a
    neighbouring knot, its mean kept, inside the channel. Sigma is the smallest for which the integers
    keep the guarantee.

    Parameters
    ----------
    low, high, step : float
        The grid of answers, 2 to 1001 points.
    epsilon : float
        In (0, 10].
    delta : float
        In (0, 1): P(S | a) <= e^epsilon P(S | b) + delta for any reports S and answers a, b.

    Returns
    -------
    GaussianChannel
        About 110 reports. ``channel.delta(epsilon) <= delta``.

    Raises
    ------
    ValueError
        If the grid, epsilon or delta is refused, or delta is too small for weights of 32 bits.

    References
    ----------
    Balle & Wang (2018), Improving the Gaussian Mechanism for Differential Privacy, theorem 8; on a
    lattice, Canonne, Kamath & Steinke (2020), The Discrete Gaussian for Differential Privacy.

    Examples
    --------
    >>> gaussian(0, 10, 1, 1.0, 1e-6).sigma < 1.004 * 42.2
    True
    """
    grid = grid_points(low, high, step)
    epsilon, delta = require_epsilon(epsilon), require_delta(delta)
    start = continuous_sigma(epsilon, delta)  # all lengths below are in units of high - low
    spacing = SPACING * start
    knots = 1 + min(math.ceil(1 / spacing), MOST_STEPS, len(grid) - 1)
    columns = 1 + math.ceil((1 + 2 * REACH * start) / spacing)
    ratio, allowed = math.exp(epsilon), math.floor(delta * TOTAL)

    def excess(sigma: float) -> float:
        rows = gaussian_rows(len(grid), sigma, spacing, knots, columns)
        return float(knots_delta(rows.at_knots().astype(float), ratio, 1.0)) - allowed

    largest = next((start * more for more in (1.001, 1.01, 1.1, 2.0) if excess(start * more) <= 0), None)
    if largest is not None:
        # A large delta, or one below the finest weight, may be kept by far less noise than the continuous.
        smallest = next((start / less for less in (2, 4, 8, 16) if excess(start / less) > 0), None)
        solved = brentq(excess, smallest, largest, xtol=1e-7 * start) if smallest else start / 16
        for more in (0.0, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3):  # the search was in doubles; the integers decide
            form = gaussian_rows(len(grid), solved * (1 + more), spacing, knots, columns)
            channel = GaussianChannel(
                weights=form.weights(), form=form, grid=grid, asked_epsilon=epsilon, asked_delta=delta
            )
            if channel.delta_weight <= allowed:
                return channel
    raise Refusal("epsilon", "epsilon_delta", epsilon, delta=delta)


def gaussian_rows(answers: int, sigma: float, spacing: float, knots: int, columns: int) -> Rows:
    """Return the rows of the first half of the knots; the others are their mirrors."""
    places = np.linspace(-0.5, 0.5, knots)[: (knots + 1) // 2, None]
    lattice = spacing * (np.arange(columns) - (columns - 1) / 2)
    densities = np.exp(-((lattice - places) ** 2) / (2 * sigma**2))
    weights = whole_rows(densities / densities.sum(axis=1, keepdims=True))
    return Rows(answers, knots, tuple(map(tuple, weights.tolist())))


def knots_delta(rows: npt.NDArray[Any], numerator: float, denominator: float) -> Any:
    """Return the largest sum over reports of max(0, denominator (A + 1) - numerator B), A and B two rows."""
    return max(np.maximum(0, denominator * (row + 1) - numerator * rows).sum(axis=1).max() for row in rows)


def continuous_sigma(epsilon: float, delta: float) -> float:
    """Return sigma of continuous Gaussian noise for sensitivity 1.

    References
    ----------
    Balle & Wang (2018), theorem 8.
    """

    def excess(log_sigma: float) -> float:
        sigma = math.exp(log_sigma)
        # delta = Phi(1/(2 sigma) - epsilon sigma) - E Phi(-1/(2 sigma) - epsilon sigma)
        near, far = special.ndtr(0.5 / sigma - epsilon * sigma), special.ndtr(-0.5 / sigma - epsilon * sigma)
        return float(near - math.exp(epsilon) * far) - delta

    return math.exp(brentq(excess, -10.0, 20.0))


def require_delta(delta: object) -> float:
    """Check a delta that somebody asked for.

    Raises
    ------
    ValueError
        If it is not a number in (0, 1); the message names the parameter, the range and the value.
    """
    number = isinstance(delta, float | np.floating)
    if not (number and 0 < float(delta) < 1):  # type: ignore[arg-type]
        raise Refusal("delta", "delta", delta)
    return float(delta)  # type: ignore[arg-type]
