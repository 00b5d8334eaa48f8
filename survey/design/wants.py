"""The figures that a channel can be designed for, as contrasts of the answers' shares."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from survey.rules import Refusal

Matrix = npt.NDArray[np.float64]

SHARES, MEAN, CURVE = "shares", "mean", "curve"
WANTS = (SHARES, MEAN, CURVE)
"""The share of every answer; their mean, on a scale from 0 to 1; every cumulative share."""

MOST_WEIGHT = 1000
"""The largest weight of a want."""


def contrasts(want: str, answers: int) -> Matrix:
    """Return W: the figures wanted are W times the shares, but for a constant.

    Parameters
    ----------
    want : str
        One of `WANTS`.
    answers : int
        k, the number of ordered answers.

    Returns
    -------
    ndarray of float, shape (figures, answers)
        Every row sums to 0. So tr(W M^-1 W') is n times the summed variance of the figures' estimates, M
        being the information that a report has about the shares.

    Examples
    --------
    >>> contrasts("mean", 3).tolist()
    [[-0.5, 0.0, 0.5]]
    """
    match want:
        case "shares":
            figures = np.eye(answers)
        case "mean":
            figures = np.linspace(0.0, 1.0, answers)[None]
        case _:
            figures = np.tril(np.ones((answers, answers)))[:-1]  # the last cumulative share is 1
    centred: Matrix = figures - figures.mean(axis=1, keepdims=True)
    return centred


def read_wants(wants: object) -> dict[str, float]:
    """Check the wants that somebody asked for, in the order of `WANTS`.

    Parameters
    ----------
    wants : mapping of str to float
        Some of `WANTS`, each with its weight: the part that its variance, over the least possible, has in
        what the design minimizes.

    Returns
    -------
    dict of str to float
        The weights, which sum to 1.

    Raises
    ------
    ValueError
        If a want is not known, none is there, or a weight is not a finite number above 0.
    """
    if not isinstance(wants, Mapping) or not wants or not set(wants) <= set(WANTS):
        raise Refusal("wants", "wants", wants, choices=WANTS)
    for name, weight in wants.items():
        number = isinstance(weight, int | float | np.integer | np.floating) and not isinstance(weight, bool)
        if not (number and 0 < weight <= MOST_WEIGHT):
            raise Refusal(f"wants.{name}", "want_weight", weight, most=MOST_WEIGHT)
    total = float(sum(wants.values()))
    return {want: float(wants[want]) / total for want in WANTS if want in wants}
