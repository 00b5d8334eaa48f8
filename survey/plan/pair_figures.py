"""Figures of two questions together: what is shared, how they differ, and how precisely it is known."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float64]
Vector = npt.NDArray[np.float64]

BOTH, COVARIANCE, DIFFERENCE, ODDS_RATIO = PAIR_FIGURES = ("both", "covariance", "difference", "odds_ratio")
"""Of an answer to each question: the share of people with both; how far it is from the product of the two
shares; the share of the second among those with the first, less that among the others; the logarithm of the
odds ratio."""


def joint_table(
    first: float, second: float, *, odds_ratio: float | None = None, difference: float | None = None
) -> Matrix:
    """Return the table of two yes/no questions, no before yes.

    Parameters
    ----------
    first, second : float
        The shares of yes, in (0, 1).
    odds_ratio : float, optional
        Above 0.
    difference : float, optional
        The share of yes to the second among those with yes to the first, less that among the others.
        Without either, the two questions are independent.

    Raises
    ------
    ValueError
        If a number is outside its range, or there is no such table.

    Examples
    --------
    >>> joint_table(0.2, 0.3, odds_ratio=2.0).round(4).tolist()
    [[0.5848, 0.2152], [0.1152, 0.0848]]
    """
    for name, share in (("first", first), ("second", second)):
        if not 0 < share < 1:
            raise ValueError(f"{name} must be a share between 0 and 1, got {share!r}")
    both = first * second
    if odds_ratio is not None:
        if not 0 < odds_ratio < np.inf:
            raise ValueError(f"odds_ratio must be a number above 0, got {odds_ratio!r}")
        more = odds_ratio - 1
        # (both (1 - first - second + both))/((first - both)(second - both)) = odds ratio, solved for both
        half = 1 + more * (first + second)
        both = 2 * odds_ratio * both / (half + np.sqrt(half**2 - 4 * odds_ratio * more * both))
    elif difference is not None:
        both += difference * first * (1 - first)
    table = np.array([[1 - first - second + both, second - both], [first - both, both]])
    if not (table > 0).all():
        raise ValueError(f"difference must leave every share of the table above 0, got {difference!r}")
    return table


def slope(figure: str, table: Matrix, row: int, column: int) -> Matrix:
    """Return the derivative of a figure of two answers by every share of the table.

    Parameters
    ----------
    figure : str
        One of `PAIR_FIGURES`.
    table : ndarray, shape (rows, columns)
        The shares of all combinations.
    row, column : int
        The answer to each question; others are taken together.

    Returns
    -------
    ndarray, shape (rows, columns)
        Up to a constant, which adds nothing to a variance as shares sum to 1.
    """
    in_row = np.zeros(table.shape)
    in_row[row] = 1
    in_column = np.zeros(table.shape)
    in_column[:, column] = 1
    first, second, both = float(table[row].sum()), float(table[:, column].sum()), float(table[row, column])
    match figure:
        case "both":
            return in_row * in_column
        case "covariance":
            return in_row * in_column - second * in_row - first * in_column
        case "difference":  # both/first - (second - both)/(1 - first)
            among, others = both / first, (second - both) / (1 - first)
            return in_row * (in_column - among) / first - (1 - in_row) * (in_column - others) / (1 - first)
        case _:
            cells = [(1, 1, both), (1, 0, first - both), (0, 1, second - both)]
            cells.append((0, 0, 1 - first - second + both))
            parts = (
                (1 if a == b else -1) / share * (in_row == a) * (in_column == b) for a, b, share in cells
            )
            return np.asarray(sum(parts), np.float64)


def apart(first: Matrix, second: Matrix) -> Matrix:
    """Return P(both reports | both answers) of two channels that draw apart, shape (pairs, pairs)."""
    return np.asarray(np.kron(first, second), np.float64)


def together(bright: float, rows: int, columns: int) -> Matrix:
    """Return P(both reports | both answers) of two questions on one wheel, which may hold others too."""
    pairs = rows * columns
    return bright * np.eye(pairs) + (1 - bright) / pairs


def variance_of(chances: Matrix, table: Matrix, slopes: Matrix) -> float:
    """Return n times the variance of a figure whose slopes are known, from reports on both questions.

    Parameters
    ----------
    chances : ndarray, shape (pairs, reports)
        P(report | pair of answers), of full rank, as `apart` and `together` give it.
    table, slopes : ndarray, shape (rows, columns)
        The shares, and the derivative of the figure by each of them.
    """
    shares = table.ravel()
    values = np.linalg.pinv(chances) @ slopes.ravel()
    reported = shares @ chances
    return float(reported @ values**2 - (reported @ values) ** 2)
