"""The form of a channel whose reports are sets of answers, every set with a weight of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from survey.form_parts import MOST_REPORTS, MOST_WEIGHT, Weights, require

MOST_ANSWERS_OF_SETS = 21
MOST_DENOMINATOR = 2**20
"""So a low weight times the numerator stays within 2**53 wherever the high weight is at most 2**32."""


@dataclass(frozen=True)
class WeightedSets:
    """Reports that are sets of answers, and a last report that is none.

    Parameters
    ----------
    answers : int
        How many answers the channel has, 2 to 21.
    ratio : tuple of int
        A fraction of at least 1, numerator and denominator: the high weight of a set over its low weight.
    lows : tuple of int
        The weight of every set under the answers that are not in it.
    masks : tuple of int
        Report y is the set of answers i for which bit i, ``2**i``, of ``masks[y]`` is 1.

    Notes
    -----
    Row rule: a set without the answer weighs its low weight L; a set with the answer weighs
    ``L numerator / denominator`` rounded down. The last report weighs what is left of 2**32.
    """

    answers: int
    ratio: tuple[int, int]
    lows: tuple[int, ...]
    masks: tuple[int, ...]

    def __post_init__(self) -> None:
        require("answers", self.answers, 2, MOST_ANSWERS_OF_SETS)
        require("the length of ratio", len(self.ratio), 2, 2)
        numerator, denominator = self.ratio
        require("the denominator of ratio", denominator, 1, MOST_DENOMINATOR)
        require("the numerator of ratio", numerator, denominator, MOST_WEIGHT)
        require("the number of lows", len(self.lows), 1, MOST_REPORTS - 1)
        require("the number of masks", len(self.masks), len(self.lows), len(self.lows))
        for low in self.lows:
            require("a low", low, 1, MOST_WEIGHT * denominator // numerator)
        for mask in self.masks:
            require("a mask", mask, 1, 2**self.answers - 1)

    def members(self) -> npt.NDArray[np.bool_]:
        """Return whether an answer is in the set of a report, shape (answers, reports); the last has none."""
        bits = np.arange(self.answers)[:, None]
        return (np.array((*self.masks, 0)) >> bits & 1).astype(bool)

    def weights(self) -> Weights:
        """Expand to the weights, shape (answers, reports)."""
        numerator, denominator = self.ratio
        lows = np.array(self.lows, dtype=np.int64)
        sets = np.where(self.members()[:, :-1], lows * numerator // denominator, lows)
        return np.column_stack([sets, MOST_WEIGHT - sets.sum(axis=1)])

    @property
    def ends_dominate(self) -> bool:
        """False: which answers are told apart best depends on the sets."""
        return False

    def as_dict(self) -> dict[str, Any]:
        """Return the form as it is published: the masks stand in one text, the digits of each hexadecimal."""
        return {
            "form": "weighted_sets",
            "answers": self.answers,
            "ratio": list(self.ratio),
            "lows": list(self.lows),
            "masks": "".join(f"{mask:0{mask_digits(self.answers)}x}" for mask in self.masks),
        }


def mask_digits(answers: int) -> int:
    """Return how many hexadecimal digits a mask is published in."""
    return -(-answers // 4)


def read_masks(text: object, answers: object) -> tuple[int, ...]:
    """Read published masks.

    Raises
    ------
    ValueError
        If the text is not of small hexadecimal digits, a whole number of masks.
    """
    require("answers", answers, 2, MOST_ANSWERS_OF_SETS)
    digits = mask_digits(int(answers))  # type: ignore[call-overload]
    if not isinstance(text, str) or len(text) % digits or set(text) - set("0123456789abcdef"):
        raise ValueError(f"masks must be a text of {digits} hexadecimal digits for each set, got {text!r}")
    return tuple(int(text[start : start + digits], 16) for start in range(0, len(text), digits))
