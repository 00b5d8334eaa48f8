"""The inverse of a channel, which turns the shares of reports into unbiased proportions."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def condition_number(probabilities: Array) -> float:
    """Return the condition number of P(report | answer); infinite with fewer reports than answers."""
    answers, reports = probabilities.shape
    return float(np.linalg.cond(probabilities)) if reports >= answers else np.inf


def least_squares_inverse(probabilities: Array) -> Array:
    """Return the matrix G with P G = 1 that has the least variance at equal shares of the answers.

    Parameters
    ----------
    probabilities : ndarray, shape (answers, reports)
        P(report | answer), every report possible.

    Returns
    -------
    ndarray, shape (reports, answers)
        For a square channel, the inverse. Where every row of P sums to 1, so does every row of G.
    """
    # Least squares of noisy_shares = pi P with weights 1 / u, u = the shares of the reports at equal pi.
    root = np.sqrt(probabilities.mean(axis=0))
    inverse: Array = np.linalg.pinv(probabilities / root) / root[:, np.newaxis]
    return inverse
