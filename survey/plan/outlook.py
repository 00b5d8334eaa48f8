"""What each question of a survey will show: its margin of error, from those who are asked it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from survey.channel import Channel
from survey.plan.designs import worst_share
from survey.plan.respondents import margin
from survey.plan.variance import mean_variance
from survey.question import Boxes, Choice, Number, Question, YesNo
from survey.section import Section


@dataclass(frozen=True)
class Outlook:
    """One question, before anybody has answered.

    Attributes
    ----------
    question : Question
    section : Section
        The one that it belongs to.
    asked : float
        How many people are expected to be asked it.
    margin : float or None
        Half the width of the normal interval, in the unit of the estimate; None where the reports say too
        little to be estimated.
    span : float
        From the least to the largest that could come out: 1 for a share, the range of a number.
    of : str
        ``share``: the least certain one among the options; or ``mean`` of a number, or of the places of an
        ordered choice whose mechanism is for its mean.
    """

    question: Question
    section: Section
    asked: float
    margin: float | None
    span: float
    of: str


def outlook(
    sections: Sequence[Section],
    asked: int | None,
    respondents: int,
    share: float | None = None,
    confidence_level: float = 0.95,
) -> tuple[Outlook, ...]:
    """Return the margin of error of every question, in order.

    Parameters
    ----------
    sections : sequence of Section
    asked : int or None
        How many of those that are not always asked a person is asked; None for all of them.
    respondents : int
        All of them, 1 or more.
    share : float, optional
        The expected share of yes, and of each box, in [0, 1]; equal shares where none is given.
    confidence_level : float
        In (0, 1).
    """
    drawn = sum(not section.always for section in sections)
    part = 1.0 if asked is None else asked / drawn
    found = []
    for section, question in placed(sections):
        people = respondents * (1.0 if section.always else part)
        try:
            width = margin(variance(question, question.channel(), share), 1, confidence_level)
        except ValueError:  # its reports say too little
            width = math.nan
        expected = None if math.isnan(width) else width / math.sqrt(people)
        found.append(Outlook(question, section, people, expected, span(question), estimated(question)))
    return tuple(found)


def placed(sections: Sequence[Section]) -> Iterator[tuple[Section, Question]]:
    """Yield every question with its section, in order."""
    return ((section, question) for section in sections for question in section.questions)


def estimated(question: Question) -> str:
    """Return what is wanted of a question: ``mean`` where its mechanism is made for one, else ``share``."""
    return "mean" if isinstance(question, Number) or question.mechanism == "exponential" else "share"


def span(question: Question) -> float:
    """Return from the least to the largest estimate, so that margins of all kinds can be compared."""
    if isinstance(question, Number):
        return float(question.high - question.low)
    return float(question.answers - 1) if estimated(question) == "mean" else 1.0


def variance(question: Question, channel: Channel, share: float | None = None) -> float:
    """Return n times the variance of the estimate of a question, with n people who are asked it.

    Raises
    ------
    ValueError
        If the reports say too little about the answers, or the share is outside [0, 1].
    """
    match question:
        case Number():
            return mean_variance(channel)
        case Choice(mechanism="exponential"):
            return mean_variance(channel, np.arange(1, question.answers + 1))
        case YesNo() | Boxes() if share is not None:
            unasked = [0.0] * (channel.answers - 2)  # a skip that travels as an answer
            return worst_share(channel, [1 - share, share, *unasked])[0]
    return worst_share(channel, None)[0]
