"""The limits of the compact forms, and what several of them share."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

MOST_ANSWERS = 1001
MOST_REPORTS = 2048
MOST_WEIGHT = 2**32

Weights: TypeAlias = npt.NDArray[np.int64]


def sequence(name: str, value: object) -> list[Any]:
    """Check that a part of a form is a list."""
    if not isinstance(value, list):
        raise ValueError(f"{name} must be a list of whole numbers, got {value!r}")
    return value


def require(name: str, value: object, low: int, high: int) -> None:
    """Check that a value is a whole number in a range."""
    if type(value) is not int or not low <= value <= high:
        allowed = f"{low}" if low == high else f"a whole number from {low} to {high}"
        raise ValueError(f"{name} must be {allowed}, got {value!r}")


def weights_of_sets(members: npt.NDArray[np.bool_], inside: int, outside: int, raised: int) -> Weights:
    """Weigh reports that are sets: inside where the answer is a member, outside where it is not.

    The first so many weights of a row that are outside are raised by one, so that each row has its total.
    """
    lifted = ~members & (np.cumsum(~members, axis=1) <= raised)
    return np.where(members, inside, outside + lifted)
