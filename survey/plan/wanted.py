"""The figures that are wanted of questions and of pairs of them, each with a margin of error."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from survey.design.wants import CURVE, MEAN, SHARES
from survey.plan.pair_figures import PAIR_FIGURES, Matrix
from survey.rules import Refusal

USUAL_MARGINS = {
    SHARES: 0.05,
    MEAN: 0.05,
    CURVE: 0.05,
    "both": 0.05,
    "covariance": 0.0125,
    "difference": 0.1,
    "odds_ratio": math.log(2),
}
"""The margin of error of every figure unless another is wanted: for a share 5 points; for a mean, that part
of the range; for an odds ratio, the logarithm of a factor."""


@dataclass(frozen=True)
class Want:
    """A figure that is wanted.

    Attributes
    ----------
    figure : str
        ``shares``, ``mean`` or ``curve`` of one question, or one of `PAIR_FIGURES` of two.
    questions : tuple of int
        The places of the questions.
    margin : float
        Half the width of the interval that is enough, in the unit of the figure.
    """

    figure: str
    questions: tuple[int, ...]
    margin: float

    @classmethod
    def usual(cls, figure: str, *questions: int, margin: float | None = None) -> Want:
        """Want a figure with its usual margin, or another.

        Raises
        ------
        ValueError
            If there is no such figure, it is of another number of questions, or the margin is not above 0.
        """
        if figure not in USUAL_MARGINS:
            raise Refusal("figure", "one_of", figure, choices=tuple(USUAL_MARGINS))
        number = 2 if figure in PAIR_FIGURES else 1
        if len(set(questions)) != number:
            raise ValueError(f"{figure} must be of {number} questions, got {questions!r}")
        margin = USUAL_MARGINS[figure] if margin is None else margin
        if not 0 < margin < math.inf:
            raise ValueError(f"margin must be a number above 0, got {margin!r}")
        return cls(figure, tuple(sorted(questions)), margin)


def values(figure: str, answers: int) -> Matrix:
    """Return what each answer counts for the figures of one question, shape (figures, answers).

    Examples
    --------
    >>> values("mean", 3).tolist(), values("curve", 3).tolist()
    ([[0.0, 0.5, 1.0]], [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]])
    """
    match figure:
        case "shares":
            return np.eye(answers)
        case "mean":
            return np.linspace(0.0, 1.0, answers)[None]
        case _:
            return np.tril(np.ones((answers, answers)))[:-1]
