"""A window that slides with the number, and now and then the one-bit mechanism instead."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from itertools import product

import numpy as np
import numpy.typing as npt

from survey.channel import TOTAL, exact_ratio, largest_weight_within
from survey.compact_form import Window, Windows
from survey.mechanisms.number import NumberChannel, grid_points

Values = npt.NDArray[np.float64]

MOST_COLUMNS = 64
SHARES = np.linspace(0.0, 0.98, 99)
"""The chances of the window that are tried when both parts are used."""


def hybrid(low: float, high: float, step: float, epsilon: float) -> NumberChannel:
    """Build the Hybrid mechanism for a number: Piecewise with some chance, otherwise Duchi's, on few reports.

    Piecewise: of K columns, the W of a window around the answer are E = e^epsilon times as likely as the
    others; the window slides linearly with the answer, from the first columns to the last. Duchi's
    mechanism is the same with K = 2, W = 1. Both parts are unbiased, and on [-1, 1] the variance of
    Duchi's falls towards the ends where that of Piecewise grows. K, W and the chance of each part are
    those of least variance at the worst answer.

    Parameters
    ----------
    low, high, step : float
        The grid of answers, 2 to 1001 points.
    epsilon : float
        The largest privacy loss allowed, in (0, 10].

    Returns
    -------
    NumberChannel
        At most 66 reports: the columns of the window and then, where Duchi's mechanism has a part, its
        low and its high. Its loss is at most `epsilon`.

    Raises
    ------
    ValueError
        If the grid or epsilon is refused.

    Notes
    -----
    The continuous original always has a part of Duchi's; with columns the window alone is sometimes
    better (its worst variance on [-1, 1] at epsilon 4 is .161 where the original has .219), because a
    report then stands for one value and not for a stretch of them.

    References
    ----------
    N. Wang et al. (2019), Collecting and Analyzing Multidimensional Data with Local Differential Privacy,
    ICDE, sections III-B and III-C.

    Examples
    --------
    >>> hybrid(-1, 1, 0.01, 1.0).form.windows[0][:2]
    (19, 8)
    """
    grid = grid_points(low, high, step)
    ratio = exact_ratio(epsilon)
    columns, width, share = best_design(len(grid), epsilon)
    # The weight outside the window is share/(W E + K - W), rounded up, and E times that within it.
    outside = math.ceil(Fraction(share) * TOTAL / (width * ratio + columns - width))
    if share == 1:
        outside = next(weight for weight in range(outside, TOTAL) if fills_a_row(columns, width, weight))
        windows = [Window(columns, width, (TOTAL - (columns - width) * outside) // width, outside)]
    else:
        inside = math.floor(ratio * outside)
        left = TOTAL - width * inside - (columns - width) * outside
        kept = largest_weight_within(epsilon, left)
        windows = [Window(columns, width, inside, outside), Window(2, 1, kept, left - kept)]
    form = Windows(len(grid), tuple(windows))
    return NumberChannel(weights=form.weights(), form=form, grid=grid)


@lru_cache(maxsize=4096)
def best_design(points: int, epsilon: float) -> tuple[int, int, float]:
    """Return the columns K, the width W and the chance of the window whose worst variance is least.

    Piecewise has W/K = 1/(s + 1), s = e^(epsilon/2); the whole numbers around that are compared.
    """
    duchi = variances(points, 2, 1, epsilon)
    best = (float(duchi.max()), 2, 1, 1.0)
    for columns, shift in product(range(3, MOST_COLUMNS + 1), (-1, 0, 1)):
        width = math.floor(columns / (math.exp(epsilon / 2) + 1)) + shift
        if not 1 <= width <= columns // 2:
            continue
        window = variances(points, columns, width, epsilon)
        if np.minimum(window, duchi).max() >= best[0]:
            continue  # at every point a mixture varies between the two: none of these is better
        mixed = (np.outer(SHARES, window - duchi) + duchi).max(axis=1)
        chosen = int(mixed.argmin())
        best = min(best, (float(mixed[chosen]), columns, width, float(SHARES[chosen])))
        if any(fills_a_row(columns, width, weight) for weight in range(width)):
            best = min(best, (float(window.max()), columns, width, 1.0))
    return best[1:]


def fills_a_row(columns: int, width: int, outside: int) -> bool:
    """Return whether a window alone can fill a row exactly, with that weight outside of it."""
    return (TOTAL - (columns - width) * outside) % width == 0


def variances(points: int, columns: int, width: int, epsilon: float) -> Values:
    """Return the variance of one window at every grid point, on [-1, 1]."""
    outside = 1 / (width * math.exp(epsilon) + columns - width)
    more = math.expm1(epsilon) * outside  # what a column within the window has more than one outside
    first, ramp, squares = slides(points, columns - width)
    values = np.arange(columns) - (columns - 1) / 2
    values /= -more * values[:width].sum()  # the mean is -1 where the window is at the first columns
    below = np.concatenate([[0.0], np.cumsum(values**2)])
    whole = below[first + width] - below[first]
    square = outside * below[-1] + more * (
        whole - ramp * values[first] ** 2 + ramp * values[first + width] ** 2
    )
    return np.asarray(square - squares)


@lru_cache(maxsize=128)
def slides(points: int, room: int) -> tuple[npt.NDArray[np.int64], Values, Values]:
    """Return the place of a window at every grid point: its first column, and the part that has left it.

    The third array holds the squares of the grid points on [-1, 1]. All three are cached: two hundred designs
    that are compared share them.
    """
    places = np.linspace(0.0, room, points)
    first = np.minimum(places.astype(int), room - 1)
    return first, places - first, np.linspace(-1.0, 1.0, points) ** 2
