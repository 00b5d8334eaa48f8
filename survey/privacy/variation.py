"""The total variation distance between what comes of two sets of answers: delta(0) of all their losses."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from survey.privacy.composition import Part, on_grid, reach_of

POINTS, MOST_POINTS = 2**13, 2**20
"""How many steps the grid of losses has at first, and at most."""
AGREED = 1e-6
"""Two grids whose figures differ by no more than this agree."""


def greatest_variation(candidates: Sequence[Sequence[Part]]) -> float:
    """Return the greatest total variation distance of several compositions.

    Losses are moved to a grid so that no delta becomes smaller. Its step is quartered until two agree.
    """
    points, before, left = POINTS, math.inf, list(candidates)
    while True:
        figures = variations(left, points)
        best = max(figures)
        if before - best <= AGREED or points >= MOST_POINTS:
            return best
        near = max(100 * AGREED, before - best if before < math.inf else 0)
        left = [parts for parts, figure in zip(left, figures, strict=True) if figure >= best - near]
        points, before = 4 * points, best


def variations(candidates: Sequence[Sequence[Part]], points: int) -> list[float]:
    """Return delta(0) of compositions, all on one grid of so many steps."""
    reach = max(sum(times * reach_of(part) for part, times in parts) for parts in candidates)
    if reach == 0:  # nothing is reported
        return [0.0] * len(candidates)
    spacing = 2 * reach / points
    steps = {part: math.ceil(reach_of(part) / spacing) for parts in candidates for part, _ in parts}
    half = max(sum(times * steps[part] for part, times in parts) for parts in candidates)
    size = 2 ** math.ceil(math.log2(2 * half + 1))
    spectra = {}
    for part, far in steps.items():
        around = np.zeros(size)  # the loss 0 stands first, losses below it at the end
        around[np.arange(-far, far + 1)] = on_grid(part, spacing, far)
        spectra[part] = np.fft.rfft(around)
    # delta(0) = sum of chance (1 - e^-loss) over the losses above 0: by Parseval, a sum over the spectra.
    gains = np.zeros(size)
    gains[1 : half + 1] = -np.expm1(-spacing * np.arange(1, half + 1))
    weights = np.conj(np.fft.rfft(gains)) * 2 / size
    weights[[0, -1]] /= 2
    figures = []
    for parts in candidates:
        spectrum, finite = weights + 0j, 1.0
        for part, times in parts:
            spectrum = spectrum * spectra[part] ** times
            finite *= (1 - part.infinite) ** times
        figures.append(float(spectrum.real.sum()) + 1 - finite)
    return figures
