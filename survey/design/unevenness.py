"""A measure of how evenly turned base sets tell answers apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def unevenness(blocks: Sequence[Sequence[int]], answers: int) -> float:
    """Return the variance of all shares over that from all sets of the same size.

    Parameters
    ----------
    blocks : sequence of sequence of int
        Base sets of one size, each reported in all its k turns around a circle.
    answers : int
        k.

    Returns
    -------
    float
        At least 1; 1 where any two answers are together in as many sets as any others, as in a difference
        family.

    Notes
    -----
    The information about the shares is the same under every turn, so its directions are waves around the
    circle. That about wave t is in proportion to p_t, the sum over the base sets D of |sum over x in D of
    exp(-2 pi i t x/k)|^2, and the sum of p_t over t = 1 ... k - 1 depends on the size alone. The variance is
    the sum of 1/p_t, which is least where all are equal: mean(p) mean(1/p) times as large.
    """
    members = np.zeros((len(blocks), answers))
    for row, block in zip(members, blocks, strict=True):
        row[list(block)] = 1
    powers = (np.abs(np.fft.fft(members, axis=1)[:, 1:]) ** 2).sum(axis=0)
    if powers.min() < 1e-9:
        return float("inf")
    return float(powers.mean() * (1 / powers).mean())
