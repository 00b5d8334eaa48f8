"""A question's margin of error for the respondents that are expected, beside that of the other mechanisms."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from survey.channel import MAXIMUM_EPSILON, Channel
from survey.mechanisms import BoxChannel
from survey.plan import Design, compare, suitable
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


def compared(question: Question, channel: Channel, respondents: int) -> Comparison:
    """Compare a question's mechanism with the others that suit its kind, at the same epsilon.

    Parameters
    ----------
    question : Question
    channel : Channel
        Of its columns.
    respondents : int
        1 or more.
    """
    epsilon = channel.question_epsilon if isinstance(channel, BoxChannel) else channel.guarantee[0]
    try:
        others = alternatives(question, max(epsilon, question.epsilon or 0))
    except ValueError:  # every other mechanism refuses, this one does not
        others = {}
    channels = others | {CHOSEN: channel}
    of = "mean" if isinstance(question, Number) else "share"
    margins = [margin_of(of, compare(channels, respondents=respondents), question)]
    if isinstance(question, Choice) and question.ordered and question.skip != "randomized":
        places = np.arange(1, len(question.options) + 1, dtype=float)
        margins.append(margin_of("mean", compare(channels, respondents=respondents, grid=places), question))
    return Comparison(respondents, epsilon, tuple(margins))


def alternatives(question: Question, epsilon: float) -> dict[str, Channel]:
    """Build the mechanisms that the admin could choose for this question without any other change."""
    if epsilon > MAXIMUM_EPSILON:  # boxes that have up to ten each
        return {}
    if isinstance(question, Number):
        return suitable("number", epsilon, low=question.low, high=question.high, step=question.step)
    if isinstance(question, Boxes):
        return suitable("boxes", epsilon, categories=len(question.options))
    if isinstance(question, Choice):
        ordered = question.ordered and question.skip != "randomized"
        return suitable("choice", epsilon, categories=question.answers, ordered=ordered)
    return {} if question.skip == "randomized" else suitable("yes_no", epsilon)


def margin_of(kind: str, designs: list[Design], question: Question) -> Margin:
    """Find the chosen design among those compared, and the best."""
    chosen = next((design.margin for design in designs if design.mechanism == CHOSEN), None)
    best = designs[0]
    name = question.mechanism if best.mechanism == CHOSEN else best.mechanism
    return Margin(kind, chosen, best.margin, name)
