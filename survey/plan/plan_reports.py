"""The reports that one person makes under a plan, as far as guesses at the answers need them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from survey.plan.arrangement import Arrangement, Item
from survey.plan.linked_item import options_of, skips
from survey.plan.linking import sets_on_wheel
from survey.plan.survey_plan import floored
from survey.plan.topic import Topic
from survey.privacy import Reports
from survey.privacy.hardest_pairs import Telling, Told


def reports_of_plan(
    arrangement: Arrangement,
    losses: Sequence[float],
    told: Callable[[Sequence[Topic], Item, float], list[Telling]],
) -> Reports[Telling]:
    """Return the channels of the reports that one person makes in one wave."""
    parts: list[list[Telling]] = [[] for _ in arrangement.parts]
    for (place, item), loss in zip(arrangement.items, losses, strict=True):
        parts[place] += told(arrangement.topics, item, loss)
    flags = [part.always for part in arrangement.parts]
    always = [report for part, flag in zip(parts, flags, strict=True) if flag for report in part]
    drawn = [part for part, flag in zip(parts, flags, strict=True) if not flag]
    return Reports.drawn_from(drawn, arrangement.asked, always) if drawn else Reports(tuple(always))


def told(topics: Sequence[Topic], item: Item, loss: float) -> list[Telling]:
    """Return the channels of the reports that one person makes on an item."""
    if item.on_wheel:
        options = [options_of(topics[place]) for place in item.places]
        skip = any(skips(topics[place]) for place in item.places)
        return [Told.of_wheel(min(sets_on_wheel(options, item.on_wheel, skip=skip)), floored(loss))]
    return [report for place in item.places for report in topics[place].way_at(loss).telling(floored(loss))]


@dataclass(frozen=True)
class NearestReports:
    """The channels at the nearest of some losses; kept, as they take long to design."""

    near: dict[tuple[Callable[[float], list[Telling]], int], list[Telling]] = field(default_factory=dict)

    def told(self, topics: Sequence[Topic], item: Item, loss: float) -> list[Telling]:
        """Return about the channels of the reports that one person makes on an item."""
        if item.on_wheel:
            return told(topics, item, loss)
        near = int(np.abs(np.log(item.losses / loss)).argmin())
        listed = []
        for place in item.places:
            telling = topics[place].way_at(loss).telling
            if (telling, near) not in self.near:
                self.near[telling, near] = telling(float(item.losses[near]))
            listed += self.near[telling, near]
        return listed
