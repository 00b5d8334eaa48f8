"""A question that is answered with a number."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any, ClassVar

from survey.channel import Channel
from survey.compact_form import CompactForm
from survey.fields import Fields, Texts
from survey.mechanisms import (
    GaussianChannel,
    NumberChannel,
    designed_number,
    gaussian,
    grid_points,
    hybrid,
    laplace,
    one_bit,
)
from survey.mechanisms.gaussian_mechanism import require_delta
from survey.mechanisms.number import NAMES, Values, decimal
from survey.question.question import Question, Wants, read_question_wants, read_shared, read_skip
from survey.rules import Refusal

WITHOUT_DELTA: Mapping[str, Callable[[float, float, float, float], NumberChannel]] = MappingProxyType(
    {"one_bit": one_bit, "laplace": laplace, "hybrid": hybrid}
)

LONGEST_UNIT = 40

SOME_GRID = (0.0, 1.0, 1.0)
"""Stands in for a grid that cannot be read, while the rest of the question is."""


@dataclass(frozen=True, kw_only=True)
class Number(Question):
    """A number on a grid: answer a is the number ``low + a step``.

    Attributes
    ----------
    low, high, step : float
        The grid, 2 to 1001 numbers.
    unit : Texts
        What is counted or measured, per language; may be empty.
    delta : float or None
        For ``gaussian``, what is added: P(S | a) <= e^epsilon P(S | b) + delta. None for the others.
    wants : tuple of (str, float), or None
        For ``designed``, what is wanted: ``shares``, ``mean``, ``curve``, each with its weight.
    """

    low: float
    high: float
    step: float
    unit: Texts = field(default_factory=lambda: MappingProxyType({}))
    delta: float | None = None
    wants: Wants | None = None

    mechanisms: ClassVar[tuple[str, ...]] = ("one_bit", "laplace", "gaussian", "hybrid", "designed")

    @classmethod
    def read(cls, fields: Fields, languages: tuple[str, ...]) -> Number:
        """Read a question that is answered with a number."""
        shared: dict[str, Any] = read_shared(fields, languages, "number", cls.mechanisms)
        low, high, step = read_grid(fields)
        return cls(
            **shared,
            skip=read_skip(fields, "skip_number"),
            low=low,
            high=high,
            step=step,
            unit=fields.texts("unit", languages, LONGEST_UNIT, required=False),
            delta=read_delta(fields, shared["mechanism"]),
            wants=read_question_wants(fields, shared["mechanism"]),
        )

    def channel(self) -> NumberChannel:
        """Build the channel of the one column."""
        assert self.epsilon is not None  # noqa: S101  # every mechanism of this kind takes one
        grid = self.low, self.high, self.step
        return number_channel(self.mechanism, *grid, self.epsilon, self.delta, self.wants)

    def restored(self, form: CompactForm, box: Channel | None, sampled: int | None) -> NumberChannel:
        """Build the channel again from its form, with the values that its reports have on the grid."""
        weights = form.weights()
        if self.mechanism != "gaussian":
            return NumberChannel(weights=weights, form=form, grid=self.grid)
        assert self.epsilon is not None and self.delta is not None  # noqa: S101, PT018
        return GaussianChannel(
            weights=weights, form=form, grid=self.grid, asked_epsilon=self.epsilon, asked_delta=self.delta
        )

    @property
    def grid(self) -> Values:
        """The numbers that can be answered."""
        return grid_of(self.low, self.high, self.step)

    def condition_of(self, channel: Channel) -> float:
        """Return 1: a number is estimated by its mean, and each mechanism itself refuses where that fails."""
        return 1.0

    @property
    def answers(self) -> int:
        """The number of points of the grid."""
        return len(self.grid)

    def labels(self, language: str) -> tuple[str, ...]:
        """Return the numbers, without the unit."""
        return tuple(f"{number:.15g}" for number in self.grid.tolist())

    def settings(self) -> dict[str, Any]:
        """Return the keys that only this kind has."""
        table: dict[str, Any] = {"low": self.low, "high": self.high, "step": self.step}
        if self.unit:
            table["unit"] = dict(self.unit)
        if self.delta is not None:
            table["delta"] = self.delta
        if self.wants is not None:
            table["wants"] = dict(self.wants)
        return table


@lru_cache(maxsize=256)
def grid_of(low: float, high: float, step: float) -> Values:
    """Return the points of a grid; cached, as every answer needs them."""
    grid = grid_points(low, high, step)
    grid.flags.writeable = False
    return grid


def read_grid(fields: Fields) -> tuple[float, float, float]:
    """Read the ends and the step of a grid; the step must divide the range."""
    before = len(fields.problems)
    for key in NAMES:
        try:
            decimal(key, fields.get(key))
        except Refusal as refusal:
            fields.refused(key, refusal)
    if len(fields.problems) > before:
        return SOME_GRID
    low, high, step = (fields.get(key) for key in NAMES)
    try:
        grid_points(low, high, step)
    except Refusal as refusal:
        fields.refused(refusal.parameter, refusal)
        return SOME_GRID
    return low, high, step


def read_delta(fields: Fields, mechanism: str) -> float | None:
    """Read delta where the mechanism takes one, and refuse it elsewhere."""
    value = fields.get("delta")
    if mechanism == "gaussian":
        try:
            return require_delta(value)
        except Refusal as refusal:
            fields.refused("delta", refusal)
    elif value is not None:
        fields.problem("delta", "only_with", mechanism="gaussian")
    return None


@lru_cache(maxsize=16)
def number_channel(
    mechanism: str,
    low: float,
    high: float,
    step: float,
    epsilon: float,
    delta: float | None,
    wants: Wants | None,
) -> NumberChannel:
    """Build a channel; cached, as it depends on nothing else. A large one takes 16 MB."""
    if mechanism == "designed":
        return designed_number(low, high, step, epsilon, dict(wants or ()))
    if mechanism == "gaussian":
        assert delta is not None  # noqa: S101  # read with the mechanism
        return gaussian(low, high, step, epsilon, delta)
    return WITHOUT_DELTA[mechanism](low, high, step, epsilon)
