"""Chance says whether people answer a statement or its opposite."""

from __future__ import annotations

from fractions import Fraction

from survey.paper.design import Design, require_chance, yes_no
from survey.rules import Refusal


def warner(truth: object) -> Design:
    """Warner's design, also called mirrored question.

    P(yes | yes) = p and P(yes | no) = 1 - p, so pi = (share of yes + p - 1) / (2 p - 1).

    Parameters
    ----------
    truth : chance
        p, how often people answer the sensitive statement; otherwise they answer its opposite.

    Raises
    ------
    ValueError
        If it is no chance, or 1/2, at which reports say nothing.

    References
    ----------
    Warner (1965), Randomized Response: A Survey Technique for Eliminating Evasive Answer Bias, JASA 60.

    Examples
    --------
    >>> warner("0.7").chances[1]
    (Fraction(3, 10), Fraction(7, 10))
    """
    p = require_chance("truth", truth)
    if p == Fraction(1, 2):
        raise Refusal("truth", "half")
    return yes_no("warner", 1 - p, p)
