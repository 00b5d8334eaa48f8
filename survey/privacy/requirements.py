"""What the figures of this folder may be asked for; anything else is refused by name, range and value."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

PRIOR_SUM = 1e-9
"""How far the probabilities of a prior may be from adding up to one."""


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


def require_delta(value: object) -> float:
    """Check a delta: a number strictly between 0 and 1."""
    if not (is_number(value) and 0 < float(value) < 1):  # type: ignore[arg-type]
        raise ValueError(f"delta must be a number in (0, 1), got {value!r}")
    return float(value)  # type: ignore[arg-type]


def require_prior(value: Sequence[float] | npt.NDArray[np.float64], answers: int) -> npt.NDArray[np.float64]:
    """Check a prior: one probability for each answer, adding up to 1."""
    prior = np.asarray(value)
    if prior.shape != (answers,) or prior.dtype.kind not in "iuf":
        raise ValueError(f"prior must be {answers} numbers, one for each answer, got {value!r}")
    for probability in prior.tolist():
        require_probability("prior", probability)
    if abs(math.fsum(prior.tolist()) - 1) > PRIOR_SUM:
        raise ValueError(f"prior must add up to 1, got {math.fsum(prior.tolist())!r} from {prior.tolist()}")
    return prior.astype(np.float64)
