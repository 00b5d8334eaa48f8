"""The bins of a number's grid: as many as its noisy reports tell apart."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from survey.mechanisms import NumberChannel

MOST_BINS = 20

WORST_OF_BINS = 1e6
"""Beyond this condition number even a million respondents do not show the shares of the bins."""

Array = npt.NDArray[np.float64]
Starts = list[int]
"""The index of the first grid point of every bin, from 0, and at the end the number of grid points."""


def bin_starts(channel: NumberChannel) -> Starts:
    """Divide the grid into bins of nearly equal size, as many as the reports tell apart.

    Raises
    ------
    ValueError
        If the reports determine the mean alone.
    """
    if channel.mean_only:
        raise ValueError("channel must tell of more than the mean, as reports of one bit do not")
    return equal_bins(channel.answers, telling_bins(channel))


@lru_cache(maxsize=256)
def telling_bins(channel: NumberChannel) -> int:
    """Return the number of bins that the reports tell apart, 2 to 20; cached, as no count changes it."""
    for number in range(min(MOST_BINS, channel.answers), 2, -1):
        if np.linalg.cond(binned(channel, equal_bins(channel.answers, number))) <= WORST_OF_BINS:
            return number
    return 2


def equal_bins(points: int, number: int) -> Starts:
    """Divide a number of points into bins of nearly equal size."""
    return [index * points // number for index in range(number + 1)]


def binned(channel: NumberChannel, starts: Starts) -> Array:
    """Return P(report | bin), shape (bins, reports): the mean over the grid points of the bin."""
    sums = np.add.reduceat(channel.probabilities, starts[:-1], axis=0)
    chances: Array = sums / np.diff(starts)[:, np.newaxis]
    return chances
