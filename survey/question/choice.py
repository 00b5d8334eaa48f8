"""A question of which one option is chosen."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, ClassVar

from survey.channel import Channel
from survey.compact_form import CompactForm
from survey.design.base_sets import BASE_SETS
from survey.fields import Fields, Texts
from survey.mechanisms import cyclic, designed, exponential, subset, wheel
from survey.mechanisms.subset_selection import MOST_CATEGORIES
from survey.question.question import (
    Question,
    Wants,
    read_options,
    read_question_wants,
    read_shared,
    read_skip,
)
from survey.weighted_sets import MOST_ANSWERS_OF_SETS

MOST_OPTIONS = 50
OPTIONS: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "subset": (2, MOST_CATEGORIES),
        "designed": (2, MOST_ANSWERS_OF_SETS),
        "cyclic": (min(BASE_SETS), MOST_OPTIONS),
    }
)
"""Mechanism -> the fewest and the most answers that it takes, where they are not 2 and 50."""

IN_ORDER = ("exponential", "designed")
"""The mechanisms for options that go from less to more."""

Utility = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, kw_only=True)
class Choice(Question):
    """One option out of several: answer a is the option at position a.

    Where a skip is randomized it is one more answer, the last.

    Attributes
    ----------
    options : tuple of Texts
        What can be chosen, in order.
    ordered : bool
        Whether the options go from less to more.
    size : int or None
        For ``subset``, how many options a reported set holds; None for the best size.
    utility : tuple of tuple of float, or None
        For ``exponential``, how useful each report is under each answer; None for minus the distance.
    wants : tuple of (str, float), or None
        For ``designed``, what is wanted: ``shares``, ``mean`` of the places, ``curve``, each with its weight.
    """

    options: tuple[Texts, ...]
    ordered: bool = False
    size: int | None = None
    utility: Utility | None = None
    wants: Wants | None = None

    mechanisms: ClassVar[tuple[str, ...]] = ("wheel", "subset", "cyclic", "designed", "exponential")

    @classmethod
    def read(cls, fields: Fields, languages: tuple[str, ...]) -> Choice:
        """Read a question with one choice."""
        shared: dict[str, Any] = read_shared(fields, languages, "choice", cls.mechanisms)
        mechanism = shared["mechanism"]
        skip = read_skip(fields, "skip_ordered" if mechanism in IN_ORDER else "skip")
        extra = int(skip == "randomized")
        least, most = OPTIONS.get(mechanism, (2, MOST_OPTIONS))
        options = read_options(fields, languages, most - extra, max(2, least - extra))
        ordered = fields.truth("ordered", default=False)
        if mechanism in IN_ORDER and not ordered:
            fields.problem("mechanism", "ordered")
        return cls(
            **shared,
            skip=skip,
            options=options,
            ordered=ordered,
            size=read_size(fields, mechanism, len(options) + extra),
            utility=read_utility(fields, mechanism, len(options)),
            wants=read_question_wants(fields, mechanism),
        )

    def channel(self) -> Channel:
        """Build the channel of the one column."""
        if self.linked:
            return self.linked.marginal(self.place)
        assert self.epsilon is not None  # noqa: S101  # every mechanism of this kind takes one
        return choice_channel(self.mechanism, self.answers, self.epsilon, self.size, self.utility, self.wants)

    def restored(self, form: CompactForm, box: Channel | None, sampled: int | None) -> Channel:
        """Build the channel again from its form."""
        return Channel(form.weights(), form)

    @property
    def answers(self) -> int:
        """The number of answers: the options, and the skip where that is randomized."""
        return len(self.options) + (self.skip == "randomized")

    def labels(self, language: str) -> tuple[str, ...]:
        """Return the options and, where it is randomized, ``skip``."""
        texts = tuple(option[language] for option in self.options)
        return (*texts, "skip") if self.skip == "randomized" else texts

    @property
    def skip_answer(self) -> int | None:
        """The answer after the last option, where a skip is randomized."""
        return len(self.options) if self.skip == "randomized" else None

    def settings(self) -> dict[str, Any]:
        """Return the keys that only this kind has."""
        table: dict[str, Any] = {"options": [dict(option) for option in self.options]}
        if self.ordered:
            table["ordered"] = True
        if self.size is not None:
            table["size"] = self.size
        if self.utility is not None:
            table["utility"] = [list(row) for row in self.utility]
        if self.wants is not None:
            table["wants"] = dict(self.wants)
        return table


def read_size(fields: Fields, mechanism: str, categories: int) -> int | None:
    """Read the size of a reported set."""
    value = fields.get("size")
    if value is None:
        return None
    if mechanism != "subset":
        fields.problem("size", "only_with", mechanism="subset")
    elif not (type(value) is int and 1 <= value < max(categories, 2)):
        fields.problem("size", "whole", low=1, high=max(categories, 2) - 1)
    else:
        return value
    return None


def read_utility(fields: Fields, mechanism: str, options: int) -> Utility | None:
    """Read the table of an exponential mechanism: one row an answer, one number a report."""
    value = fields.get("utility")
    if value is None:
        return None
    if mechanism != "exponential":
        fields.problem("utility", "only_with", mechanism="exponential")
        return None
    square = isinstance(value, list) and len(value) == options
    if not (square and all(isinstance(row, list) and len(row) == options for row in value)):
        fields.problem("utility", "utility", options=options)
        return None
    for number in (number for row in value for number in row):
        if type(number) not in (int, float) or not math.isfinite(number):
            fields.problem("utility", "utility", options=options)
            return None
    return tuple(tuple(row) for row in value)


@lru_cache(maxsize=256)
def choice_channel(
    mechanism: str,
    answers: int,
    epsilon: float,
    size: int | None,
    utility: Utility | None,
    wants: Wants | None,
) -> Channel:
    """Build a channel; cached, as it depends on nothing else."""
    match mechanism:
        case "wheel":
            return wheel(answers, epsilon)
        case "subset":
            return subset(answers, epsilon, size)
        case "cyclic":
            return cyclic(answers, epsilon)
        case "designed":
            return designed(answers, epsilon, dict(wants or ()))
        case _:
            return exponential(answers, epsilon, utility)
