"""Roots, and functions of SciPy that take long to import, imported when they are first called.

`scipy.optimize` and `scipy.stats` took two thirds of the time in which the server starts, and no page that
respondents open needs them. A root, which most intervals are, needs neither.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from types import ModuleType

import numpy as np
import numpy.typing as npt

RELATIVE = 4 * np.finfo(float).eps
MOST_STEPS = 100


def brentq(function: Callable[[float], float], low: float, high: float, xtol: float = 2e-12) -> float:
    """Return the root of a function between two points where its signs differ.

    Raises
    ------
    ValueError
        If the signs do not differ.
    RuntimeError
        If it is not found in a hundred steps.

    Notes
    -----
    Every digit is that of `scipy.optimize.brentq`, which takes the same steps.

    References
    ----------
    Brent (1973), Algorithms for Minimization Without Derivatives, chapter 4.

    Examples
    --------
    >>> round(brentq(lambda x: x * x - 2, 0.0, 2.0), 6)
    1.414214
    """
    before, now = low, high
    at_before, at_now = function(before), function(now)
    for place, value in ((low, at_before), (high, at_now)):
        if value == 0:
            return place
    if not (at_before < 0 < at_now or at_now < 0 < at_before):
        raise ValueError(f"the signs at {low!r} and {high!r} must differ, got {at_before!r} and {at_now!r}")
    other, at_other, last, step = before, at_before, now - before, now - before
    for _ in range(MOST_STEPS):
        if at_now != 0 and (at_before < 0) != (at_now < 0):
            other, at_other = before, at_before
            last = step = now - before
        if abs(at_other) < abs(at_now):
            before, now, other = now, other, now
            at_before, at_now, at_other = at_now, at_other, at_now
        near = (xtol + RELATIVE * abs(now)) / 2
        half = (other - now) / 2
        if at_now == 0 or abs(half) < near:
            return now
        if abs(last) > near and abs(at_now) < abs(at_before):
            guess = interpolated((before, at_before), (now, at_now), (other, at_other))
            short = 2 * abs(guess) < min(abs(last), 3 * abs(half) - near)
            last, step = (step, guess) if short else (half, half)
        else:
            last = step = half
        before, at_before = now, at_now
        now += step if abs(step) > near else math.copysign(near, half)
        at_now = function(now)
    raise RuntimeError(f"no root in {MOST_STEPS} steps between {low!r} and {high!r}")


Point = tuple[float, float]
"""A place and the value of the function there."""


def interpolated(before: Point, now: Point, other: Point) -> float:
    """Return the step from `now` to where a curve through these points is zero; infinite where it is not."""
    (first, at_first), (second, at_second), (third, at_third) = before, now, other
    try:
        if first == third:
            return -at_second * (second - first) / (at_second - at_first)
        to_first = (at_first - at_second) / (first - second)
        to_third = (at_third - at_second) / (third - second)
        return (
            -at_second
            * (at_third * to_third - at_first * to_first)
            / (to_third * to_first * (at_third - at_first))
        )
    except ZeroDivisionError:
        return math.inf


def nnls(
    matrix: npt.NDArray[np.float64], target: npt.NDArray[np.float64], maxiter: int
) -> npt.NDArray[np.float64]:
    """Return the x of 0 or more for which `matrix` x is nearest to `target`; see `scipy.optimize.nnls`.

    Raises
    ------
    RuntimeError
        If it is not found within `maxiter` steps.

    Examples
    --------
    >>> nnls(np.eye(2), np.array([1.0, -1.0]), maxiter=10).tolist()
    [1.0, 0.0]
    """
    from scipy import optimize

    solution, _ = optimize.nnls(matrix, target, maxiter=maxiter)
    return np.asarray(solution, np.float64)


def minimum(function: Callable[[float], float], low: float, high: float) -> float:
    """Return the least value of a function between two points; see `scipy.optimize.minimize_scalar`.

    Examples
    --------
    >>> round(minimum(lambda x: (x - 1) ** 2 + 3, 0.0, 5.0), 6)
    3.0
    """
    from scipy import optimize

    return float(optimize.minimize_scalar(function, bounds=(low, high), method="bounded").fun)


def statistics() -> ModuleType:
    """Return `scipy.stats`.

    Examples
    --------
    >>> statistics().__name__
    'scipy.stats'
    """
    from scipy import stats

    return stats
