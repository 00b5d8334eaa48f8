"""The expected margin of error of each question, from the people who are asked it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from survey.channel import Channel
from survey.limits import CONFIDENCE_LEVEL
from survey.plan.compare_mechanisms import worst_share
from survey.plan.planned_channel import planned_channel
from survey.plan.respondents import ExpectedPrecision
from survey.plan.variance import mean_variance, reporting
from survey.question import Boxes, Choice, Number, Question, YesNo
from survey.section import Section


@dataclass(frozen=True)
class Outlook:
    """The expected precision of one question, before anybody has answered.

    Attributes
    ----------
    question : Question
    section : Section
        The one that it belongs to.
    asked : float
        The expected number of people who are asked it.
    margin : float or None
        Half the width of the normal interval, in the unit of the estimate; None where the reports say too
        little to be estimated.
    span : float
        The range of possible estimates: 1 for a share, the range of a number.
    of : str
        ``share``, the least certain one among the options; or ``mean``, of a number or of the places of an
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
    confidence_level: float = CONFIDENCE_LEVEL,
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
    outlooks = []
    for section, question in questions_with_sections(sections):
        chance = chance_of(section, sections, asked)
        try:
            expected = precision(question, planned_channel(question), share)
        except ValueError:  # its reports say too little
            width = None
        else:
            width = expected.margin(respondents, chance, confidence_level)
        people = respondents * chance
        outlooks.append(Outlook(question, section, people, width, span(question), estimated(question)))
    return tuple(outlooks)


def people_for(
    margin: float, sections: Sequence[Section], asked: int | None, share: float | None = None
) -> float:
    """Return the number of people with whom the largest margin of a survey is so small.

    Parameters
    ----------
    margin : float
        Half the width of the 95 % interval, as a part of the range of possible estimates, above 0.
    sections, asked, share
        As of `outlook`.

    Returns
    -------
    float
        Infinite where nothing can be estimated from a question.
    """
    needed = [0.0]
    for section, question in questions_with_sections(sections):
        try:
            expected = precision(question, planned_channel(question), share)
        except ValueError:
            return math.inf
        needed.append(expected.respondents(margin * span(question), chance_of(section, sections, asked)))
    return max(needed)


def chance_of(section: Section, sections: Sequence[Section], asked: int | None) -> float:
    """Return the chance that a person is asked a question of a section."""
    of_wheel = section.linked.asked / len(section.linked.sizes) if section.linked else 1.0
    if section.always or asked is None:
        return of_wheel
    return of_wheel * asked / sum(not each.always for each in sections)


def questions_with_sections(sections: Sequence[Section]) -> Iterator[tuple[Section, Question]]:
    """Yield every question with its section, in order."""
    return ((section, question) for section in sections for question in section.questions)


def estimated(question: Question) -> str:
    """Return what a question estimates: ``mean`` where its mechanism is made for one, else ``share``."""
    wants = [want for want, _ in getattr(question, "wants", None) or ()]
    of_mean = isinstance(question, Number) or question.mechanism == "exponential" or wants == ["mean"]
    return "mean" if of_mean else "share"


def span(question: Question) -> float:
    """Return the range of possible estimates, so that margins of all kinds can be compared."""
    if isinstance(question, Number):
        return float(question.high - question.low)
    return float(question.answers - 1) if estimated(question) == "mean" else 1.0


def precision(question: Question, channel: Channel, share: float | None = None) -> ExpectedPrecision:
    """Return the precision of a question's least certain share, or of its mean.

    Raises
    ------
    ValueError
        If the reports say too little about the answers, or the share is outside [0, 1].
    """
    match question:
        case Number():
            return ExpectedPrecision(mean_variance(channel))
        case Choice() if estimated(question) == "mean":
            return ExpectedPrecision(mean_variance(channel, np.arange(1, question.answers + 1)))
        case YesNo() | Boxes() if share is not None:
            unasked = [0.0] * (channel.answers - 2)  # a skip that travels as an answer
            return ExpectedPrecision(
                worst_share(channel, [1 - share, share, *unasked])[0], reporting(channel)
            )
    return ExpectedPrecision(worst_share(channel, None)[0], reporting(channel))
