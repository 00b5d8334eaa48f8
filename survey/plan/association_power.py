"""People for a test of whether two questions have to do with each other."""

from __future__ import annotations

import math

import numpy as np

from survey import special
from survey.interval import require_confidence_level
from survey.plan.pair_figures import Matrix, Vector

MOST_STEPS = 100


def respondents_for_association(
    chances: Matrix, table: Matrix, *, power: float = 0.8, significance: float = 0.05
) -> float:
    """Return the number of people with whom a test of independence has the power wanted.

    Parameters
    ----------
    chances : ndarray, shape (pairs, reports)
        P(report | pair of answers), as `survey.plan.pair_figures` gives it.
    table : ndarray, shape (rows, columns)
        The true shares, all above 0.
    power, significance : float
        In (0, 1), of a test with one degree of freedom, so of two yes/no questions.

    Returns
    -------
    float
        n = (z_significance/2 + z_power)^2/(2 D), where D is the Kullback-Leibler divergence of the reports
        from those of the independent table that is nearest to them. Infinite where the table is independent.

    References
    ----------
    The likelihood ratio of n reports is about chi-squared with the noncentrality 2 n D: Self, Mauritsen &
    Ohara (1992), Power Calculations for Likelihood Ratio Tests in Generalized Linear Models, Biometrics 48.

    Examples
    --------
    >>> from survey.plan.linking import bright_share
    >>> from survey.plan.pair_figures import joint_table, together
    >>> table = joint_table(0.2, 0.3, odds_ratio=2.0)
    >>> math.ceil(respondents_for_association(together(bright_share(2.0, 4), 2, 2), table))
    1986
    """
    require_confidence_level(power)
    require_confidence_level(1 - significance)
    wanted = (float(special.ndtri(significance / 2)) + float(special.ndtri(1 - power))) ** 2
    divergence = divergence_from_independence(chances, table)
    return wanted / (2 * divergence) if divergence > 0 else math.inf


def divergence_from_independence(chances: Matrix, table: Matrix) -> float:
    """Return the least Kullback-Leibler divergence of reports from those of an independent table.

    Notes
    -----
    Fisher scoring from the true margins: the reports of an independent table are bilinear in its margins.
    """
    rows, columns = table.shape
    reported = table.ravel() @ chances
    first, second = table.sum(axis=1), table.sum(axis=0)
    through = chances.reshape(rows, columns, -1)
    for _ in range(MOST_STEPS):
        expected = first @ np.tensordot(second, through, (0, 1))
        by_first = np.tensordot(second, through, (0, 1))
        by_second = np.tensordot(first, through, (0, 0))
        # The last share of each margin is what is left.
        slopes = np.concatenate([by_first[:-1] - by_first[-1], by_second[:-1] - by_second[-1]])
        step = np.linalg.solve(slopes / expected @ slopes.T, slopes @ (reported / expected))
        first, second = moved(first, step[: rows - 1]), moved(second, step[rows - 1 :])
        if np.abs(step).max() < 1e-12:
            break
    return max(0.0, float(reported @ np.log(reported / expected)))


def moved(shares: Vector, step: Vector) -> Vector:
    """Move all shares but the last by a step, which is shortened so that all stay above 0."""
    whole = np.append(step, -step.sum())
    below = whole < 0
    length = min(1.0, float((-shares[below] / whole[below]).min(initial=np.inf)) / 2)
    return shares + length * whole
