"""Functions of SciPy that take long to import, imported when they are first called.

`scipy.optimize` and `scipy.stats` took two thirds of the time in which the server starts, and no page that
respondents open needs them.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import numpy as np
import numpy.typing as npt


def brentq(function: Callable[[float], float], low: float, high: float, xtol: float = 2e-12) -> float:
    """Return the root of a function between two points where its signs differ; see `scipy.optimize.brentq`.

    Raises
    ------
    ValueError
        If the signs do not differ.

    Examples
    --------
    >>> round(brentq(lambda x: x * x - 2, 0.0, 2.0), 6)
    1.414214
    """
    from scipy import optimize

    return float(optimize.brentq(function, low, high, xtol=xtol))


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
