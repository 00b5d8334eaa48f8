"""A question that is answered with no or yes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, ClassVar

from survey.channel import Channel
from survey.compact_form import CompactForm
from survey.fields import Fields
from survey.mechanisms import coin, spinner, spinner_coin, wheel
from survey.question.question import Question, read_shared, read_skip

WITH_EPSILON: Mapping[str, Callable[[float], Channel]] = MappingProxyType(
    {"spinner_coin": spinner_coin, "spinner": spinner}
)
"""Mechanisms for a yes/no question that take an epsilon."""


@dataclass(frozen=True)
class YesNo(Question):
    """A yes/no question: answer and report 0 is no, 1 is yes.

    Where a skip is randomized it is answer and report 2, and the three go through a wheel.
    """

    mechanisms: ClassVar[tuple[str, ...]] = (*WITH_EPSILON, "coin")

    @classmethod
    def read(cls, fields: Fields, languages: tuple[str, ...]) -> YesNo:
        """Read a yes/no question."""
        shared: dict[str, Any] = read_shared(fields, languages, "yes_no", cls.mechanisms)
        skip = read_skip(fields, "skip_coins" if shared["mechanism"] == "coin" else "skip")
        by_hand = fields.get("by_hand")
        if by_hand not in (None, "coin"):
            fields.problem("by_hand", "by_hand")
            by_hand = None
        elif by_hand and skip == "randomized":
            fields.problem("by_hand", "by_hand_skip")
        return cls(**shared, skip=skip, by_hand=by_hand)

    def channel(self) -> Channel:
        """Build the channel of the one column."""
        if self.linked:
            return self.linked.marginal(self.place)
        return yes_no_channel(self.mechanism, self.epsilon, self.skip == "randomized")

    def restored(self, form: CompactForm, box: Channel | None, sampled: int | None) -> Channel:
        """Build the channel again from its form."""
        return Channel(form.weights(), form)

    def by_hand_channel(self) -> Channel | None:
        """Return the channel of two real coins. Linked answers come from coins through the wheel's own."""
        return coin() if self.by_hand and not self.linked else None

    @property
    def answers(self) -> int:
        """2, and 3 where a skip is randomized."""
        return 2 + (self.skip == "randomized")

    def labels(self, language: str) -> tuple[str, ...]:
        """Return ``no``, ``yes`` and, where it is randomized, ``skip``."""
        return ("no", "yes", "skip") if self.skip == "randomized" else ("no", "yes")

    @property
    def skip_answer(self) -> int | None:
        """2, where a skip is randomized."""
        return 2 if self.skip == "randomized" else None


@lru_cache(maxsize=256)
def yes_no_channel(mechanism: str, epsilon: float | None, with_skip: bool) -> Channel:
    """Build a channel; cached, as it depends on nothing else."""
    if epsilon is None:
        return coin()
    return wheel(3, epsilon) if with_skip else WITH_EPSILON[mechanism](epsilon)
