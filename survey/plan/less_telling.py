"""Questions without the mechanisms by which a guess is right more often than by another that does as well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from survey.plan.mechanism_ways import DESIGNS, QUICK, Way
from survey.plan.pair_figures import Vector
from survey.plan.topic import Topic
from survey.privacy import guess

COMPARED = 24
"""At so many losses guesses are worked out, or at those of the designs that there are."""

AS_WELL = 0.999
"""A mechanism is left out where another tells no more and takes this part of its reports at most."""


def less_telling(listed: Sequence[Topic]) -> list[Topic]:
    """Return questions with each mechanism only at the losses where it is the best at an equal guess figure.

    At an equal loss, a channel that reports sets may need fewer reports than the wheel. Where the limit of
    the guess figure binds before that of the loss, the wheel may take a larger loss, and need fewer still.
    """
    kinds = {topic.ways: topic for topic in listed}
    chosen = {ways: undominated(ways, topic.losses) for ways, topic in kinds.items()}
    return [replace(topic, ways=chosen[topic.ways]) for topic in listed]


def undominated(ways: tuple[Way, ...], losses: Vector) -> tuple[Way, ...]:
    """Return ways that count only where no other needs fewer reports at a guess right no more often.

    Where all are outdone at a loss, the best of a smaller loss counts there.
    """
    if len(ways) == 1:
        return ways
    right = [right_guesses(way, losses) for way in ways]
    useful = []
    for way, mine in zip(ways, right, strict=True):
        fewest = np.full(len(losses), np.inf)
        for other, theirs in zip(ways, right, strict=True):
            if other is not way:
                last = np.searchsorted(theirs, mine, side="right") - 1
                fewest = np.minimum(fewest, np.where(last < 0, np.inf, other.reports[last]))
        useful.append(way.only_at(fewest > AS_WELL * way.reports))
    return tuple(useful)


def right_guesses(way: Way, losses: Vector) -> Vector:
    """Return the share of right guesses at one person's reports at every loss, never falling."""
    places = np.unique(np.linspace(0, len(losses) - 1, COMPARED).round().astype(int))
    knots = losses[places[np.isfinite(way.reports[places])]]
    if not len(knots):
        return np.ones(len(losses))
    if way.mechanism == "designed" and not 1 < len(way.shares) <= QUICK:
        knots = np.linspace(losses[np.isfinite(way.reports)][0], losses[-1], DESIGNS)
    known = np.maximum.accumulate([guess(way.telling(float(loss))).right for loss in knots])
    return np.asarray(np.interp(losses, [0.0, *knots], [0.5, *known]))
