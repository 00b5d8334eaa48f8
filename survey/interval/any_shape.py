"""Bounds on the share of a set of answers that hold for any shares of the single answers.

Give every report y a value u_y such that under each answer x their mean is at least 1 where x belongs to the
set B and at least 0 elsewhere: P u >= 1_B. Then for all shares f of the answers

    E u = sum over x of f_x (P u)_x >= sum over x in B of f_x,

so an upper limit for the mean of the reports' values is one for the share of B. A lower limit is 1 minus the
upper limit of everything but B. Nothing is assumed about f. The choice of the values affects only the width.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from survey import special
from survey.interval.saturated_likelihood import highest_means, with_continuity
from survey.solvers import nnls

Array = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

MOST_REPORTS = 40
"""Beyond this many, neighbouring reports share a value: it costs little precision and saves much time."""

MOST_ROWS = 120
"""On a finer grid the values are chosen for this many of its points and for those around the set's edges.
Then all of them are raised until they suit every point."""

DEVIATIONS = (0.5, 1.5, 4.5)
"""Guesses of the standard deviation of the values; the best of the solutions is kept."""

FINENESS = 1.1
"""Errors are rounded to powers of this factor before values are chosen for them. The choice takes most of the
time of an interval; so the values of an open survey are chosen anew only with every fifth more
respondents."""

CACHED_VALUES: dict[tuple[bytes, bytes, float], Array] = {}
"""Channel, set of answers and error -> the values that were chosen for them."""

MOST_CACHED = 5000
"""Sets; with their keys they take at most eight megabytes."""


def share_bounds(
    probabilities: Array, counts: npt.NDArray[np.int64], sets: Iterable[Mask], confidence_level: float
) -> list[tuple[float, float]]:
    """Return the interval of the share of each set of answers.

    Parameters
    ----------
    probabilities : ndarray, shape (answers, reports)
        P(report | answer), answers and reports in an order in which neighbours are alike.
    counts : ndarray of int, shape (reports,)
        Not all 0.
    sets : iterable of ndarray of bool, shape (answers,)
    confidence_level : float
        In (0, 1), of each interval by itself.

    Returns
    -------
    list of (low, high)
        Within [0, 1].
    """
    merged, starts = merge(probabilities)
    received = np.add.reduceat(counts, starts)
    z = float(-special.ndtri((1 - confidence_level) / 2))
    respondents = int(counts.sum())

    chosen = np.array([mask for each in sets for mask in (each, ~each)])
    error = FINENESS ** round(math.log(z / math.sqrt(respondents), FINENESS))
    values = chosen_values(merged, chosen, error)
    counts_of_each = np.array([with_continuity(each, received) for each in values])
    limits = highest_means(values, counts_of_each, z**2 / 2).clip(0.0, 1.0).tolist()
    return [
        (min(1 - rest, own), max(1 - rest, own)) for own, rest in zip(limits[::2], limits[1::2], strict=True)
    ]


def merge(probabilities: Array) -> tuple[Array, npt.NDArray[np.intp]]:
    """Merge neighbouring reports; return their chances together and the first report of each group."""
    reports = probabilities.shape[1]
    groups = min(reports, MOST_REPORTS)
    starts = np.arange(groups) * reports // groups
    merged: Array = np.add.reduceat(probabilities, starts, axis=1)
    return merged, starts


def chosen_values(probabilities: Array, chosen: Mask, error: float) -> Array:
    """Return `dominating_values`, and remember those of each set: they do not depend on the counts."""
    channel = blake2b(probabilities.tobytes(), digest_size=16).digest()
    keys = [(channel, each.tobytes(), error) for each in chosen]
    known = {key: CACHED_VALUES.get(key) for key in keys}
    missing = [place for place, key in enumerate(keys) if known[key] is None]
    if missing:
        values = dominating_values(probabilities, chosen[missing], error)
        for place, each in zip(missing, values, strict=True):
            known[keys[place]] = CACHED_VALUES[keys[place]] = each
        while len(CACHED_VALUES) > MOST_CACHED:
            CACHED_VALUES.pop(next(iter(CACHED_VALUES)), None)
    return np.array([known[key] for key in keys])


def dominating_values(probabilities: Array, chosen: Mask, error: float) -> Array:
    """Return values u with P u >= 1 for chosen answers and >= 0 for the others, of a low upper limit.

    Parameters
    ----------
    probabilities : ndarray, shape (answers, reports)
    chosen : ndarray of bool, shape (sets, answers)
    error : float
        Distance of the limit from the mean of the values, in their standard deviations: z / sqrt(n).

    Returns
    -------
    ndarray, shape (sets, reports)
        For each set those of the candidates with the least E u + error * sd(u) at equally frequent answers.
        The choice ignores the reports that were received: otherwise the limit would profit from chance.
    """
    shares = probabilities.mean(axis=0)
    demand = chosen.astype(np.float64)
    tried = np.zeros((1 + len(DEVIATIONS), *chosen.shape[:1], len(shares)))
    possible = shares > 0
    chances = np.compress(possible, probabilities, axis=1)
    for place, deviation in enumerate(DEVIATIONS, start=1):
        tried[place][:, possible] = least_values(chances, shares[possible], chosen, error / deviation)
    # Now none is missed. The first ones become 1 for every report: the share is at most 1.
    tried += (demand - tried @ probabilities.T).max(axis=2, keepdims=True)
    means = tried @ shares
    limits = means + error * np.sqrt((tried - means[..., np.newaxis]) ** 2 @ shares)
    best: Array = tried[limits.argmin(axis=0), np.arange(len(chosen))]
    return best


def least_values(probabilities: Array, shares: Array, chosen: Mask, penalty: float) -> Array:
    """Return, for each set, the u of least E u + penalty / 2 * E (u - 1/2)^2 with P u >= 1 on the set, or 0.

    As the rows of P sum to 1, w = sqrt(shares) (u - 1/2 + 1 / penalty) is the shortest vector with
    (P / sqrt(shares)) w >= demand - 1/2 + 1 / penalty, the solution of a least distance problem: with E the
    transposed matrix above the demands, and r what nonnegative least squares leaves of E x = (0, ..., 0, 1),
    w_j = -r_j / r_last.

    References
    ----------
    Lawson & Hanson (1974), Solving Least Squares Problems, chapter 23, section 4.
    """
    root = np.sqrt(shares)
    scaled = (probabilities / root).T
    target = np.zeros(len(root) + 1)
    target[-1] = 1
    left = np.empty((len(chosen), len(target)))
    for place, each in enumerate(chosen):
        rows = telling_rows(each)
        system = np.asfortranarray(np.vstack([scaled[:, rows], each[rows] - 0.5 + 1 / penalty]))
        left[place] = system @ nnls(system, target, maxiter=100 * system.shape[1]) - target
    solved = left[:, -1:] < 0  # else rounding hid the solution; the value 1 meets every demand
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(solved, 0.5 - 1 / penalty - left[:, :-1] / (left[:, -1:] * root), 1.0)


def telling_rows(chosen: Mask) -> npt.NDArray[np.intp] | slice:
    """Return the answers for which values are chosen: some evenly spaced, and those near the set's edges."""
    answers = len(chosen)
    if answers <= MOST_ROWS:
        return slice(None)
    even = np.linspace(0, answers - 1, MOST_ROWS).round().astype(np.intp)
    edges = np.flatnonzero(chosen[1:] != chosen[:-1])
    around = (edges[:, np.newaxis] + np.arange(-2, 4)).ravel()
    return np.unique(np.concatenate([even, around.clip(0, answers - 1)]))
