"""Sets that are reported by the best channels at some epsilons: made by `make_known_sets`."""

from __future__ import annotations

import json
from functools import cache, lru_cache
from pathlib import Path

import numpy as np

from survey.design.information import Masks

TABLE = Path(__file__).with_name("known_sets.json")

MOST_ANSWERS = 21
"""The number of answers of the sets in the table."""


@lru_cache(maxsize=256)
def known_sets(answers: int, epsilon: float) -> Masks:
    """Return sets of which a channel that is next to the best can be made.

    Parameters
    ----------
    answers : int
        k, 2 to 21. Of fewer than 21 answers, the sets are what evenly spaced ones of the 21 make of them.
    epsilon : float
        Between two epsilons of the table the sets of both are returned.

    Notes
    -----
    The best sets change slowly with epsilon. Designs for a plan begin with these, and what they minimize
    exceeds the least by at most 2 % (`tests/benchmarks/designs.py plans`).
    """
    tabled = list(table())
    below = max((each for each in tabled if each <= epsilon), default=tabled[0])
    above = min((each for each in tabled if each >= epsilon), default=tabled[-1])
    sets = np.array(table()[below] + table()[above])
    places = np.linspace(0, MOST_ANSWERS - 1, answers).round().astype(int)
    masks = (sets[:, None] >> places & 1) @ 2 ** np.arange(answers)
    return np.setdiff1d(masks, [0, 2**answers - 1])


@cache
def table() -> dict[float, tuple[int, ...]]:
    """Read the table: each epsilon, in increasing order, with the masks of its sets."""
    entries = json.loads(TABLE.read_text(encoding="utf-8"))
    return {float(name): tuple(int(mask, 16) for mask in masks.split()) for name, masks in entries.items()}
