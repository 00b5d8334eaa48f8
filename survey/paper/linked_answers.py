"""One device for several answers: chance keeps all of them, or picks all of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from survey.limits import MOST_COMBINATIONS
from survey.paper.design import NO_YES, Design, require_chance
from survey.rules import Refusal


def linked(options: Sequence[int], truth: object = Fraction(1, 2)) -> Design:
    """Linked answers: the first device decides for all, then each answer that is not kept has its own.

    With K combinations of answers a true one comes with t + (1 - t)/K and any other with (1 - t)/K. For
    yes/no questions coins do: the first decides for all, then one for each answer. Then t is 1/2, and the
    loss ln(1 + K). For questions of more options dice do, or cards.

    Parameters
    ----------
    options : sequence of int
        The number of options of each question, two questions or more, with at most 256 combinations.
    truth : chance
        t, how often all answers are kept.

    Raises
    ------
    ValueError
        If there are fewer than two questions, one has fewer than two options, there are too many
        combinations, or `truth` is no chance above 0.

    References
    ----------
    Domingo-Ferrer & Soria-Comas (2020), Multi-Dimensional Randomized Response, arXiv 2010.10881, section 3
    (RR-Joint).

    Examples
    --------
    >>> coins = linked([2, 2])
    >>> coins.answers, coins.chances[0], round(coins.epsilon, 4)  # doctest: +NORMALIZE_WHITESPACE
    (('no, no', 'no, yes', 'yes, no', 'yes, yes'),
     (Fraction(5, 8), Fraction(1, 8), Fraction(1, 8), Fraction(1, 8)), 1.6094)
    """
    if len(options) < 2 or min(options) < 2:
        raise Refusal("options", "linked_options", ", ".join(map(str, options)))
    combinations = math.prod(options)
    if combinations > MOST_COMBINATIONS:
        raise Refusal("options", "linked_product", combinations, most=MOST_COMBINATIONS)
    truthful = require_chance("truth", truth, above=True)
    other = (1 - truthful) / combinations
    names = tuple(
        ", ".join(each)
        for each in product(*(NO_YES if n == 2 else [str(place) for place in range(n)] for n in options))
    )
    chances = tuple(
        tuple(other + truthful * (report == answer) for report in range(combinations))
        for answer in range(combinations)
    )
    return Design("linked", chances, names, names)
