"""The events that odds are about, and the names of answers and reports where they are explained."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from survey.channel import Channel
from survey.compact_form import Subsets
from survey.cyclic_sets import CyclicSets
from survey.fields import shortened
from survey.mechanisms import NumberChannel
from survey.question import Choice, Question
from survey.weighted_sets import WeightedSets

OF_SETS = (Subsets, CyclicSets, WeightedSets)
"""The forms whose reports are sets of answers."""

SHOWN = 24
"""The most characters of an option's text."""


@dataclass(frozen=True)
class Event:
    """An event such as "yes is recorded", and two answers under which it has different chances.

    Attributes
    ----------
    name : str
    reports : frozenset of int
        The reports that count as the event.
    answers : tuple of (str, int)
        The name of each answer and its index, the one under which the event is likelier first.
    """

    name: str
    reports: frozenset[int]
    answers: tuple[tuple[str, int], ...]


def event(question: Question, channel: Channel, language: str) -> Event:
    """Choose the event of the odds: a yes, the first option, or a number in the upper half."""
    answers, reports = names(question, channel, language)
    if isinstance(channel, NumberChannel):
        middle = (channel.grid[0] + channel.grid[-1]) / 2
        upper = np.flatnonzero(channel.values >= middle - 1e-9 * np.ptp(channel.grid))
        ends = ((answers[-1], channel.answers - 1), (answers[0], 0))
        return Event(f"{middle:g} or more", frozenset(upper.tolist()), ends)
    if isinstance(question, Choice):
        ends = ((answers[0], 0), (answers[-1], channel.answers - 1))
        if isinstance(channel.form, OF_SETS):
            within = np.flatnonzero(channel.form.members()[0])
            return Event(f"a set with {answers[0]}", frozenset(within.tolist()), ends)
        return Event(reports[0], frozenset({0}), ends)
    return Event("yes", frozenset({1}), (("yes", 1), ("no", 0)))


def names(question: Question, channel: Channel, language: str) -> tuple[list[str], list[str]]:
    """Name the answers and the reports of a channel, by their indices."""
    if isinstance(channel, NumberChannel):
        # A report adds its value to the mean; noise puts some of them beyond the ends.
        return [f"{number:g}" for number in channel.grid], [
            f"counted as {each:.4g}" for each in channel.values
        ]
    if isinstance(question, Choice):
        answers = [shortened(option[language], SHOWN) for option in question.options]
    else:
        answers = ["no", "yes"]
    if question.skip_answer is not None:
        answers.append("skip")
    if isinstance(channel.form, OF_SETS):
        sets = (
            [name for name, within in zip(answers, members, strict=True) if within]
            for members in channel.form.members().T.tolist()
        )
        return answers, ["{" + ", ".join(each) + "}" for each in sets]
    return answers, answers
