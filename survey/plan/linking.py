"""One spin for several answers: its bright share, and the share of a question or a pair that it leaves."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from survey.channel import require_whole
from survey.limits import MOST_COMBINATIONS
from survey.linked import MOST_ROWS

Vector = npt.NDArray[np.float64]


def bright_share(epsilon: float | Vector, combinations: int) -> float | Vector:
    """Return the chance p that all answers stand.

    Parameters
    ----------
    epsilon : float or ndarray
        Of everything on the wheel, in (0, 10].
    combinations : int
        K, the number of combinations of answers; a skip of all counts as one more.

    Notes
    -----
    With the chance 1 - p every combination is reported alike, so that a true one comes with p + (1 - p)/K:
    E = (p + (1 - p)/K)/((1 - p)/K), and p = (E - 1)/(E + K - 1).

    References
    ----------
    Kairouz, Bonawitz & Ramage (2016), Discrete Distribution Estimation under Local Privacy, for the wheel;
    Domingo-Ferrer & Soria-Comas (2020), Multi-Dimensional Randomized Response, for one over several answers.

    Examples
    --------
    >>> round(bright_share(2.0, 4), 3), round(bright_share(1.0, 2), 3)
    (0.615, 0.462)
    """
    grown = np.expm1(epsilon)
    bright = grown / (grown + combinations)
    return bright if np.ndim(bright) else float(bright)


def epsilon_for(bright: float, combinations: int) -> float:
    """Return the epsilon at which all answers stand with the chance `bright`, in (0, 1).

    Examples
    --------
    >>> round(epsilon_for(0.6, 4), 4), round(epsilon_for(0.6, 8), 4)
    (1.9459, 2.5649)
    """
    return math.log1p(combinations * bright / (1 - bright))  # E = 1 + K p/(1 - p)


def sets_on_wheel(
    options: Sequence[int], asked: int, within: Iterable[int] = (), skip: bool = False
) -> dict[int, float]:
    """Return how often each number of combinations is on the wheel, among random sets of questions.

    Parameters
    ----------
    options : sequence of int
        The number of options of every question that may be asked.
    asked : int
        m, the number of them that a person is asked, all sets alike.
    within : iterable of int
        The places of questions that the sets must hold.
    skip : bool
        True if all of it can be skipped, which is one more combination.

    Returns
    -------
    dict of int to float
        Number of combinations -> chance that a person is asked such a set, and one that holds `within`.

    Examples
    --------
    >>> sets_on_wheel([2, 2, 3], 2)
    {4: 0.3333333333333333, 6: 0.6666666666666666}
    >>> sets_on_wheel([2, 2, 3], 2, within=[2])
    {6: 0.6666666666666666}
    """
    require_whole("asked", asked, 1, len(options))
    wanted = set(within)
    ways: Counter[tuple[int, int]] = Counter({(0, 1): 1})  # questions taken, combinations -> sets
    for place, number in enumerate(options):
        more = Counter({} if place in wanted else ways)
        for (taken, combinations), count in ways.items():
            if taken < asked:
                more[taken + 1, combinations * number] += count
        ways = more
    sets = math.comb(len(options), asked)
    chances = {combos + skip: count / sets for (taken, combos), count in ways.items() if taken == asked}
    return dict(sorted(chances.items()))


def may_be_linked(options: Sequence[int], asked: int, skip: bool = False) -> bool:
    """Return whether some questions may be linked, so many of which a person is asked.

    Every set must have at most 256 combinations, and all sets together at most 4096.

    Examples
    --------
    >>> may_be_linked([2] * 8, 8), may_be_linked([2] * 9, 9), may_be_linked([2] * 12, 4)
    (True, False, False)
    """
    if not 2 <= asked <= len(options):
        return False
    largest = math.prod(sorted(options, reverse=True)[:asked]) + skip
    return largest <= MOST_COMBINATIONS and largest * math.comb(len(options), asked) <= MOST_ROWS


def variance_through(bright: Vector, dark: Vector, truth: Vector, values: Vector) -> Vector:
    """Return n times the variance of figures that are linear in the shares of a wheel's answers.

    Parameters
    ----------
    bright : ndarray, shape (points,)
        p, by so much likelier an answer makes its own report.
    dark : ndarray, shape (answers, points)
        The chance of each report whatever the answer is.
    truth : ndarray, shape (answers,)
        The shares.
    values : ndarray, shape (figures, answers)
        The figure is the sum of value times share: of one share, 1 for its answer and 0 for the others.

    Returns
    -------
    ndarray, shape (figures, points)

    Notes
    -----
    A report comes with q = p truth + dark and counts value/p. So for a share pi of a yes/no question it is
    (1/4 - p^2 (pi - 1/2)^2)/p^2.

    Examples
    --------
    >>> p, half = np.array([0.615]), np.array([0.5, 0.5])
    >>> variance_through(p, np.outer(half, 1 - p), half, np.array([[0.0, 1.0]])).round(2).tolist()
    [[0.66]]
    """
    reported = np.outer(truth, bright) + dark
    spread: Vector = values**2 @ reported - (values @ reported) ** 2
    return spread / bright**2
