"""Vectors of static/js/theory/distance.js, from the norms of NumPy and the turns of complex numbers."""

import math

import numpy as np

from .cases import case, refused

CHANGES = ((1.0,), (1.0, 1.0), (-1.0, 1.0), (3.0, -4.0), (0.0, 0.0, 0.0), (1.0,) * 50, (0.5, -2.0, 1e-3))


def turned(steps):
    """The places by their angles: step k + 1 turns by atan(1/sqrt(k)) and ends sqrt(k + 1) from the start."""
    angles = np.cumsum([0, *(math.atan(1 / math.sqrt(step)) for step in range(1, steps))])
    places = np.sqrt(np.arange(1, steps + 1)) * np.exp(1j * angles)
    return [[0, 0], *([place.real, place.imag] for place in places)]


def table():
    """Function -> cases."""
    return {
        "distances": [
            *(case([list(change)], [float(np.linalg.norm(change, order)) for order in (1, 2)])
              for change in CHANGES),
            refused([[]], "change"),
            refused([[1, None]], "change"),
        ],
        "rootSpiral": [
            *(case([steps], turned(steps), absolute=1e-12) for steps in (1, 2, 3, 17, 100)),
            refused([0], "steps"),
            refused([1.5], "steps"),
        ],
    }  # fmt: skip
