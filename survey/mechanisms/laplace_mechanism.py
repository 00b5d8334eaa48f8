"""Two-sided geometric noise on the grid, folded at its ends."""

from __future__ import annotations

import math

import numpy as np

from survey.channel import TOTAL, exact_ratio
from survey.compact_form import Tails
from survey.mechanisms.number import NumberChannel, grid_points
from survey.rules import Refusal


def laplace(low: float, high: float, step: float, epsilon: float) -> NumberChannel:
    """Build the Laplace mechanism for a number on a grid: the discrete Laplace distribution, folded.

    P(noise = z steps) = (1 - a)/(1 + a) a^|z| with a = exp(-epsilon step/(high - low)): one answer can
    change by high - low. What falls beyond an end of the grid is reported as that end. The tail has no
    memory, so nothing is lost by that, and the loss of an end report is epsilon exactly.

    Parameters
    ----------
    low, high, step : float
        The grid of answers, 2 to 1001 points.
    epsilon : float
        The largest privacy loss allowed, in (0, 10].

    Returns
    -------
    NumberChannel
        A report for each point of the grid. Its loss is at most `epsilon`. The value of a report is its
        point, but a/(1 - a) steps further out at the two ends.

    Raises
    ------
    ValueError
        If the grid or epsilon is refused, or epsilon is too small for that many points in 32 bits.

    References
    ----------
    Dwork, McSherry, Nissim & Smith (2006), Calibrating Noise to Sensitivity in Private Data Analysis; on
    a grid, Ghosh, Roughgarden & Sundararajan (2012), Universally Utility-Maximizing Privacy Mechanisms.

    Examples
    --------
    >>> laplace(0, 2, 1, 2.0).probabilities.round(4).tolist()
    [[0.7311, 0.17, 0.0989], [0.2689, 0.4621, 0.2689], [0.0989, 0.17, 0.7311]]
    """
    grid = grid_points(low, high, step)
    ratio = exact_ratio(epsilon)
    # Rounding costs at most 1/smallest noise weight, which matters only for a tiny epsilon on a fine
    # grid; there a somewhat smaller epsilon is built, the largest of the 1000 parts for which the loss holds.
    for part in range(1000, 0, -1):
        tails = geometric_tails(len(grid), epsilon * part / 1000)
        largest, smallest = loss(tails)
        if largest <= ratio * smallest:
            form = Tails(tuple(tails))
            return NumberChannel(weights=form.weights(), form=form, grid=grid)
    raise Refusal("epsilon", "epsilon_points", epsilon, points=len(grid))


def geometric_tails(points: int, epsilon: float) -> list[int]:
    """Return the weight of noise d or more, for d = 0 to points - 1."""
    rate = epsilon / (points - 1)
    distances = np.arange(1, points)
    # P(noise >= d) = a^d/(1 + a), rounded up: the rarest report must not become rarer.
    tails = np.ceil(TOTAL * np.exp(-rate * distances) / (1 + math.exp(-rate))).astype(np.int64)
    return [TOTAL - int(tails[0]), *tails.tolist()]


def loss(tails: list[int]) -> tuple[int, int]:
    """Return the worst ratio of a column, as `Channel.loss` does, without the table.

    Within the grid, the column next to an end meets every noise but the furthest; at the end, every tail.
    """
    noise = -np.diff(tails)
    within = (int(noise.max()), int(noise.min())) if len(tails) > 2 else (1, 1)
    return max(within, (tails[0], tails[-1]), key=lambda pair: pair[0] / pair[1] if pair[1] else math.inf)
