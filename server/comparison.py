"""A question's margin of error for the respondents that are expected, beside that of the other mechanisms."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from survey.channel import MAXIMUM_EPSILON, Channel
from survey.mechanisms import BoxChannel
from survey.plan import Design, compare, margin, suitable
from survey.question import Boxes, Choice, Number, Question

CHOSEN = ""
"""The name of the design that the admin chose, beside those of `suitable`."""

CLEARLY = 0.99
"""A margin counts as smaller from one per cent on."""


@dataclass(frozen=True)
class Margin:
    """Half the width of a 95 % interval.

    Attributes
    ----------
    of : str
        ``share``, or ``mean`` of a number or of the places of an ordered choice.
    chosen : float or None
        With the mechanism and the settings of the question; None where nothing can be estimated.
    best : float
        The smallest one.
    mechanism : str
        The mechanism that has it.
    """

    of: str
    chosen: float | None
    best: float
    mechanism: str

    @property
    def improvable(self) -> bool:
        """Whether another choice is clearly sharper."""
        return self.chosen is None or self.best < CLEARLY * self.chosen


@dataclass(frozen=True)
class Comparison:
    """The margins of a question's estimates; those of an ordered choice are two.

    Attributes
    ----------
    respondents : int
        How many are expected.
    epsilon : float
        For the whole question; every mechanism is compared at it.
    margins : tuple of Margin
    """

    respondents: int
    epsilon: float
    margins: tuple[Margin, ...]


@dataclass(frozen=True)
class Contest:
    """How much one estimate varies with the chosen mechanism and with the best, whoever many answer.

    Attributes
    ----------
    of, mechanism : str
        As of `Margin`.
    chosen : float or None
        n times the variance of the estimate; None where nothing can be estimated.
    best : float
        The smallest one.
    """

    of: str
    chosen: float | None
    best: float
    mechanism: str

    def at(self, respondents: int) -> Margin:
        """Give the margins of error for so many respondents."""
        chosen = None if self.chosen is None else margin(self.chosen, respondents)
        return Margin(self.of, chosen, margin(self.best, respondents), self.mechanism)


@dataclass(frozen=True)
class Contests:
    """What `Comparison` is made of, before it is known how many will answer: the costly part of it."""

    epsilon: float
    contests: tuple[Contest, ...]

    def at(self, respondents: int) -> Comparison:
        """Give the margins for so many respondents, 1 or more."""
        return Comparison(respondents, self.epsilon, tuple(each.at(respondents) for each in self.contests))


def compared(question: Question, channel: Channel) -> Contests:
    """Compare a question's mechanism with the others that suit its kind, at the same epsilon.

    Parameters
    ----------
    question : Question
    channel : Channel
        Of its columns.
    """
    epsilon = channel.question_epsilon if isinstance(channel, BoxChannel) else channel.guarantee[0]
    try:
        others = alternatives(question, max(epsilon, question.epsilon or 0))
    except ValueError:  # every other mechanism refuses, this one does not
        others = {}
    channels = others | {CHOSEN: channel}
    of = "mean" if isinstance(question, Number) else "share"
    contests = [contest_of(of, compare(channels), question)]
    if isinstance(question, Choice) and question.ordered and question.skip != "randomized":
        places = np.arange(1, len(question.options) + 1, dtype=float)
        contests.append(contest_of("mean", compare(channels, grid=places), question))
    return Contests(epsilon, tuple(contests))


def alternatives(question: Question, epsilon: float) -> dict[str, Channel]:
    """Build the mechanisms that the admin could choose for this question without any other change."""
    if epsilon > MAXIMUM_EPSILON:  # boxes that have up to ten each
        return {}
    besides = None if has_own_design(question) else question.mechanism
    if isinstance(question, Number):
        low, high, step = question.low, question.high, question.step
        return suitable("number", epsilon, low=low, high=high, step=step, besides=besides)
    if isinstance(question, Boxes):
        return suitable("boxes", epsilon, categories=len(question.options), besides=besides)
    if isinstance(question, Choice):
        ordered = question.ordered and question.skip != "randomized"
        return suitable("choice", epsilon, categories=question.answers, ordered=ordered, besides=besides)
    return {} if question.skip == "randomized" else suitable("yes_no", epsilon, besides=besides)


def has_own_design(question: Question) -> bool:
    """Tell whether more is set than mechanism and epsilon: then the mechanism by itself may be sharper."""
    match question:
        case Choice():
            return question.size is not None or question.utility is not None
        case Boxes():
            return question.scope == "box"
    return False


def contest_of(of: str, designs: list[Design], question: Question) -> Contest:
    """Find the chosen design among those compared, and the best."""
    chosen = next((design.variance for design in designs if design.mechanism == CHOSEN), None)
    best = designs[0]
    name = question.mechanism if best.mechanism == CHOSEN else best.mechanism
    return Contest(of, chosen, best.variance, name)
