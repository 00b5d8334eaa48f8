"""The form of a channel whose reports are a few base sets of answers, turned around a circle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from survey.form_parts import MOST_WEIGHT, Weights, require, weights_of_sets

MOST_ANSWERS_OF_CYCLES = 50
MOST_BLOCKS = 8


@dataclass(frozen=True)
class CyclicSets:
    """Reports that are the turns of base sets: one weight for a set with the answer, one for a set without.

    Parameters
    ----------
    answers : int
        How many answers the channel has, k, 2 to 50: they stand around a circle.
    blocks : tuple of tuple of int
        The base sets, all of one size, the answers of each in increasing order. Report ``b k + j`` is base
        set b turned j places: the answers ``(i + j) mod k`` for i in it.
    inside, outside : int
        The weight of a set that contains the answer, and of a set that does not.
    raised : int
        How many of the sets that do not contain the answer weigh one more.

    Notes
    -----
    Row rule, as of `Subsets`: going through the reports in order, a set with the answer weighs `inside`; the
    first `raised` sets without it weigh ``outside + 1`` and the others without it `outside`.
    """

    answers: int
    blocks: tuple[tuple[int, ...], ...]
    inside: int
    outside: int
    raised: int

    def __post_init__(self) -> None:
        require("answers", self.answers, 2, MOST_ANSWERS_OF_CYCLES)
        require("the number of blocks", len(self.blocks), 1, MOST_BLOCKS)
        size = len(self.blocks[0])
        require("the size of a block", size, 1, self.answers - 1)
        for block in self.blocks:
            require("the size of every block", len(block), size, size)
            least = 0
            for answer in block:
                require("an answer of a block", answer, least, self.answers - 1)
                least = answer + 1
        require("inside", self.inside, 0, MOST_WEIGHT)
        require("outside", self.outside, 0, self.inside)
        require("raised", self.raised, 0, len(self.blocks) * self.answers)

    def members(self) -> npt.NDArray[np.bool_]:
        """Return whether an answer is in the set of a report, shape (answers, reports)."""
        answer = np.arange(self.answers)
        # Answer a is in a base set turned j places if a - j is in the base set.
        places = (answer[:, None] - answer) % self.answers
        return np.hstack([np.isin(places, block) for block in self.blocks])

    def weights(self) -> Weights:
        """Expand to the weights, shape (answers, reports)."""
        return weights_of_sets(self.members(), self.inside, self.outside, self.raised)

    @property
    def ends_dominate(self) -> bool:
        """False: which answers are told apart best depends on how far apart they stand on the circle."""
        return False

    def as_dict(self) -> dict[str, Any]:
        """Return the form as it is published."""
        return {
            "form": "cyclic_sets",
            "answers": self.answers,
            "blocks": [list(block) for block in self.blocks],
            "inside": self.inside,
            "outside": self.outside,
            "raised": self.raised,
        }
