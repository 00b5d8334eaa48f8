"""Reports drawn by their usefulness: the nearer to the answer, the likelier."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from survey.channel import (
    Channel,
    require_epsilon,
    require_whole,
    smallest_double_not_below_log,
    worst_ratio,
)
from survey.compact_form import CompactForm, Rows, Window, Windows, with_those_left_out
from survey.mechanisms.number import whole_rows
from survey.rules import Refusal
from survey.solvers import brentq

MOST_OWN_CATEGORIES = 40
"""With a utility table that is not symmetric every weight is published, and more would pass 20 kB."""

Table = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, kw_only=True)
class ExponentialChannel(Channel):
    """The channel of the exponential mechanism, and what the textbook scale would have given.

    Attributes
    ----------
    scale : float
        s of exp(s u): the largest for which the loss of the integers is at most the epsilon asked for; of
        the largest loss, where every answer favours the same report so much that it never gets there.
    textbook_scale : float
        epsilon / (2 sensitivity), the sensitivity being the most that one report's utility can change
        with the answer.
    textbook_epsilon : float
        The loss of the channel built with the textbook scale, about half of what was asked for.
    """

    scale: float
    textbook_scale: float
    textbook_epsilon: float


def exponential(categories: int, epsilon: float, utility: npt.ArrayLike | None = None) -> ExponentialChannel:
    """Build the exponential mechanism for one choice out of k ordered categories.

    P(report r | answer a) is proportional to exp(s u(a, r)), with u = -|a - r| unless a table is given.
    For ordered scales whose centre or mean is wanted: for the shares of the categories it is far worse
    than the wheel.

    Parameters
    ----------
    categories : int
        k, 2 to 50; at most 40 with an own table that is not the same read backwards.
    epsilon : float
        The largest privacy loss allowed, in (0, 10].
    utility : array_like of float, shape (k, k), optional
        ``utility[a][r]``: how useful report r is when the answer is a.

    Returns
    -------
    ExponentialChannel
        k answers and k reports. Its loss is at most `epsilon`. With utility 1 for the answer and 0 for
        every other report it is the channel of `wheel`.

    Raises
    ------
    ValueError
        If a number is outside its range, or the table is not square, not finite, or says the same of
        every answer.

    References
    ----------
    McSherry & Talwar (2007), Mechanism Design via Differential Privacy; Dwork & Roth (2014),
    The Algorithmic Foundations of Differential Privacy, section 3.4.

    Examples
    --------
    >>> exponential(3, 1.0).probabilities.round(4).tolist()
    [[0.5065, 0.3072, 0.1863], [0.2741, 0.4519, 0.2741], [0.1863, 0.3072, 0.5065]]
    """
    categories = require_whole("categories", categories, 2, 50)
    epsilon = require_epsilon(epsilon)
    table = distances(categories) if utility is None else read_utility(utility, categories)
    # Adding a number to a row changes no chance, so a row counts relative to its best report.
    relative = table - table.max(axis=1, keepdims=True)
    if not np.ptp(relative, axis=0).any():
        raise Refusal("utility", "utility_differs")
    textbook_scale = epsilon / (2 * float(np.ptp(table, axis=0).max()))
    textbook = table_form(relative, textbook_scale)
    if isinstance(textbook, Rows) and len(textbook.rows) > MOST_OWN_CATEGORIES:
        raise Refusal("utility", "utility_mirror", categories, most=MOST_OWN_CATEGORIES)
    scale = tight_scale(relative, epsilon, textbook_scale)
    form = table_form(relative, scale)
    return ExponentialChannel(
        weights=form.weights(),
        form=form,
        scale=scale,
        textbook_scale=textbook_scale,
        textbook_epsilon=Channel(textbook.weights(), textbook).epsilon,
    )


def distances(categories: int) -> Table:
    """Return u = -|a - r|, shape (k, k)."""
    category = np.arange(categories, dtype=np.float64)
    utility: Table = -np.abs(category[:, None] - category)
    return utility


def read_utility(utility: npt.ArrayLike, categories: int) -> Table:
    """Check a utility table that somebody asked for."""
    try:
        table = np.array(utility)
    except ValueError:
        raise Refusal("utility", "utility", "rows of different lengths", options=categories) from None
    if table.shape != (categories, categories):
        raise Refusal("utility", "utility", table.shape, options=categories)
    if table.dtype.kind not in "iuf":
        raise Refusal("utility", "utility", str(table.dtype), options=categories)
    table = table.astype(np.float64)
    if not np.isfinite(table).all():
        raise Refusal("utility", "utility", float(table[~np.isfinite(table)][0]), options=categories)
    return table


def tight_scale(relative: Table, epsilon: float, start: float) -> float:
    """Return the largest scale whose integers lose at most epsilon, searching up from a smaller one."""

    def excess(scale: float) -> float:
        weights = with_those_left_out(needed_rows(relative, scale), len(relative))
        return min(smallest_double_not_below_log(*worst_ratio(weights)), 2 * epsilon) - epsilon

    # Beyond e^-50 a chance is less than the finest weight, and a larger scale changes nothing.
    scales = np.geomspace(start, max(2 * start, 50 / -relative[relative < 0].max()), 200).tolist()
    within = start
    for scale in scales:
        if excess(scale) > 0:
            break
        within = scale
    else:
        return float(max(scales, key=excess))
    solved = brentq(excess, within, scale, xtol=1e-13 * scale)
    while excess(solved) > 0:
        solved *= 1 - 1e-12
    return solved


def needed_rows(relative: Table, scale: float) -> npt.NDArray[np.int64]:
    """Return the rows of exp(s u) in whole weights; of a mirrored table only the first half."""
    size = len(relative)
    mirrored = np.array_equal(relative, relative[::-1, ::-1])
    chances = np.exp(scale * relative[: (size + 1) // 2] if mirrored else scale * relative)
    return whole_rows(chances / chances.sum(axis=1, keepdims=True))


def table_form(relative: Table, scale: float) -> CompactForm:
    """Return the weights of exp(s u) in the smallest form they have."""
    size, weights = len(relative), needed_rows(relative, scale)
    rows = Rows(size, size, tuple(map(tuple, weights.tolist())))
    sent, kept = sorted(weights[0, :2].tolist())
    wheel = Windows(size, (Window(size, 1, kept, sent),))
    return wheel if np.array_equal(wheel.weights(), rows.weights()) else rows
