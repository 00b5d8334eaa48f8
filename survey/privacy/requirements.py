"""Checks of the arguments of this folder: anything else is refused by name, range and value."""

from __future__ import annotations

import math

import numpy as np


def is_number(value: object) -> bool:
    """Return whether a value is a real number; True and NaN are not."""
    number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    return number and not math.isnan(value)  # type: ignore[arg-type]


def require_positive(name: str, value: object) -> float:
    """Check a privacy loss, a limit or another number above 0; infinity is allowed."""
    if not (is_number(value) and float(value) > 0):  # type: ignore[arg-type]
        raise ValueError(f"{name} must be a number above 0, got {value!r}")
    return float(value)  # type: ignore[arg-type]


def require_probability(name: str, value: object) -> float:
    """Check a probability: a number in [0, 1]."""
    if not (is_number(value) and 0 <= float(value) <= 1):  # type: ignore[arg-type]
        raise ValueError(f"{name} must be a number in [0, 1], got {value!r}")
    return float(value)  # type: ignore[arg-type]
