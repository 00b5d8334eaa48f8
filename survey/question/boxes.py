"""A question of which several options may be ticked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Literal, cast

import numpy as np

from survey.channel import TOTAL, Channel
from survey.column import Column
from survey.compact_form import CompactForm
from survey.fields import Fields, Texts
from survey.mechanisms import BoxChannel, per_box, sampled_box
from survey.mechanisms.independent_boxes import MOST_BOXES, SCOPES
from survey.question.question import Question, read_options, read_shared, read_skip

Scope = Literal["question", "box"]
NOT_SAMPLED = 2
"""The report of a box that was not sampled."""


@dataclass(frozen=True, kw_only=True)
class Boxes(Question):
    """Any number of options: each has its own column, where 0 is no and 1 is yes.

    Attributes
    ----------
    options : tuple of Texts
        The boxes, in order; the n-th, counted from 1, fills the column ``<id>_<n>``.
    scope : str or None
        For ``per_box``, whether epsilon is for the whole ``question`` or for each ``box``.
    """

    options: tuple[Texts, ...]
    scope: Scope | None = None

    mechanisms: ClassVar[tuple[str, ...]] = ("per_box", "sampled_box")

    @classmethod
    def read(cls, fields: Fields, languages: tuple[str, ...]) -> Boxes:
        """Read a question with several choices."""
        shared: dict[str, Any] = read_shared(fields, languages, "boxes", cls.mechanisms)
        skip = read_skip(fields, "skip_boxes")
        scope = None
        if shared["mechanism"] == "per_box":
            scope = cast("Scope", fields.choice("scope", SCOPES, default="question"))
        elif fields.get("scope") is not None:
            fields.problem("scope", "scope_sampled")
        options = read_options(fields, languages, MOST_BOXES)
        return cls(**shared, skip=skip, options=options, scope=scope)

    @property
    def column_names(self) -> tuple[str, ...]:
        """A column for each box."""
        return tuple(f"{self.id}_{number}" for number in range(1, len(self.options) + 1))

    def channel(self) -> Channel:
        """Build the channel that every box's column has; of linked boxes, the first one's."""
        if self.linked:
            return self.linked.marginal(self.place)
        assert self.epsilon is not None  # noqa: S101  # every mechanism of this kind takes one
        return boxes_channel(self.mechanism, len(self.options), self.epsilon, self.scope)

    def columns_of(self, channel: Channel) -> tuple[Column, ...]:
        """Return a column for each box; linked boxes see the wheel from places of their own."""
        if self.linked is None:
            return super().columns_of(channel)
        marginals = (self.linked.marginal(place) for place in range(len(self.options)))
        return tuple(Column(name, own) for name, own in zip(self.column_names, marginals, strict=True))

    def restored(self, form: CompactForm, box: Channel | None, sampled: int | None) -> BoxChannel:
        """Build the channel again; where boxes are not sampled, a box has the channel of its column."""
        weights, boxes = form.weights(), len(self.options)
        if self.mechanism == "per_box":
            box_channel = Channel(weights, form)
            return BoxChannel(weights=weights, form=form, boxes=boxes, sampled=boxes, box=box_channel)
        if box is None or sampled is None:
            raise ValueError("box and sampled must be published where boxes are sampled, got none")
        # A column is the box's channel with chance s/d, to within the rounding of each weight.
        expected = np.column_stack([box.weights * sampled / boxes, [TOTAL - TOTAL * sampled / boxes] * 2])
        if expected.shape != weights.shape or np.abs(expected - weights).max() > 2:
            raise ValueError(
                f"sampled must be how many of the {boxes} boxes a column tells of, got {sampled}"
            )
        return BoxChannel(weights=weights, form=form, boxes=boxes, sampled=sampled, box=box)

    def condition_of(self, channel: Channel) -> float:
        """Return the condition number for a box that is reported on."""
        return super().condition_of(channel.box if isinstance(channel, BoxChannel) else channel)

    @property
    def answers(self) -> int:
        """2: no and yes, for every box; 3 where linked boxes can be left out together."""
        return 2 + (self.skip == "randomized")

    def labels(self, language: str) -> tuple[str, ...]:
        """Return ``no``, ``yes`` and, where linked boxes can be left out together, ``skip``."""
        return ("no", "yes", "skip") if self.skip == "randomized" else ("no", "yes")

    @property
    def skip_answer(self) -> int | None:
        """2, where linked boxes can be left out together."""
        return 2 if self.skip == "randomized" else None

    def fault(self, columns: Sequence[Column], codes: Sequence[int]) -> str | None:
        """Check that all boxes are left out together, and that as many were sampled as should be."""
        channel = columns[0].channel
        skipped = sum(code == columns[0].skip_code for code in codes)
        if skipped:
            return None if skipped == len(codes) else "left out together or not at all"
        sampled = sum(code != NOT_SAMPLED for code in codes)
        if isinstance(channel, BoxChannel) and self.mechanism == "sampled_box" and sampled != channel.sampled:
            return f"{NOT_SAMPLED}, not sampled, in all but {channel.sampled} of the boxes"
        return None

    def settings(self) -> dict[str, Any]:
        """Return the keys that only this kind has."""
        table: dict[str, Any] = {"options": [dict(option) for option in self.options]}
        if self.scope is not None:
            table["scope"] = self.scope
        return table


@lru_cache(maxsize=256)
def boxes_channel(mechanism: str, boxes: int, epsilon: float, scope: Scope | None) -> BoxChannel:
    """Build a channel; cached, as it depends on nothing else."""
    if mechanism == "per_box":
        return per_box(boxes, epsilon, scope or "question")
    return sampled_box(boxes, epsilon)
