"""The form of a channel of sets whose answers are more numbers than there are sets' answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from survey.form_parts import MOST_ANSWERS, MOST_WEIGHT, Weights, require
from survey.weighted_sets import WeightedSets


@dataclass(frozen=True)
class SetsOnGrid:
    """Reports that are sets of a few places, under answers that lie on a finer grid.

    Parameters
    ----------
    answers : int
        m, how many answers the channel has: more than `sets`, up to 1001.
    rounded : bool
        True if the places are lattice points, to one of which an answer is rounded at random; False if they
        are classes of neighbouring answers.
    sets : WeightedSets
        The reports under each of the k places.

    Notes
    -----
    Row rule of classes: answer a weighs as place ``a k // m``. Of a lattice, with ``n = m - 1`` and
    ``a (k - 1)`` divided by n giving the quotient q and the remainder r: a set that weighs K under place q
    and L under place q + 1 weighs ``((n - r) K + r L) / n`` rounded down, and the last report what is left
    of 2**32.
    """

    answers: int
    rounded: bool
    sets: WeightedSets

    def __post_init__(self) -> None:
        require("answers", self.answers, self.sets.answers + 1, MOST_ANSWERS)
        if not isinstance(self.rounded, bool):
            raise ValueError(f"rounded must be true or false, got {self.rounded!r}")

    def places(self) -> npt.NDArray[np.int64]:
        """Return the class of every answer, shape (answers,)."""
        return np.arange(self.answers) * self.sets.answers // self.answers

    def weights(self) -> Weights:
        """Expand to the weights, shape (answers, reports)."""
        known = self.sets.weights()
        if not self.rounded:
            return known[self.places()]
        n, s = self.answers - 1, self.sets.answers - 1
        q, r = np.divmod(np.arange(self.answers) * s, n)
        below, above = known[q, :-1], known[np.minimum(q + 1, s), :-1]
        weights = ((n - r)[:, None] * below + r[:, None] * above) // n
        return np.column_stack([weights, MOST_WEIGHT - weights.sum(axis=1)])

    @property
    def ends_dominate(self) -> bool:
        """False, as of the sets."""
        return False

    def as_dict(self) -> dict[str, Any]:
        """Return the form as it is published, with that of the sets within it."""
        return {
            "form": "sets_on_grid",
            "answers": self.answers,
            "rounded": self.rounded,
            "sets": self.sets.as_dict(),
        }
