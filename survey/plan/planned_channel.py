"""The channel of a question, for a plan that compares many epsilons."""

from __future__ import annotations

from collections.abc import Iterable

from survey.channel import Channel
from survey.design.least_variance import MOST_TOGETHER
from survey.design.planned_design import planned_design
from survey.mechanisms import designed, designed_number
from survey.question import Choice, Number, Question

UNSURE = 0.5
"""Times in 100 by which a guess at a planned design may be right less often than at the best one."""


def planned_channel(question: Question) -> Channel:
    """Build a question's channel; one that is designed, next to the best that it will have.

    Raises
    ------
    ValueError
        If the mechanism refuses its settings.
    """
    match question:
        case Number(mechanism="designed", epsilon=float(epsilon), wants=wants):
            grid = question.low, question.high, question.step
            return designed_number(*grid, epsilon, dict(wants or ()), planned_design)
        case Choice(mechanism="designed", epsilon=float(epsilon), wants=wants):
            return designed(question.answers, epsilon, dict(wants or ()), planned_design)
    return question.channel()


def limit_of_guesses(right: int, designed_for: Iterable[int]) -> float:
    """Return the times in 100 up to which a guess at planned channels keeps a limit in the survey too.

    Parameters
    ----------
    right : int
        The limit.
    designed_for : iterable of int
        The numbers of answers of the questions whose channels are designed.
    """
    return right - UNSURE if max(designed_for, default=0) > MOST_TOGETHER else right
