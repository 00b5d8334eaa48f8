"""The total variation distance between the reports of two sets of answers: delta(0) of all their losses."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from survey.privacy.composition import (
    Part,
    excess_on_grid,
    on_grid,
    places_on_grid,
    reach_of,
    smooth_length,
    steps_of,
)

POINTS = (4096, 16_384, 65_536, 262_144, 1_048_576)
"""The number of steps on each side of 0 of the grids of losses, from the first to the finest."""
COARSE_POINTS = POINTS[:3]
"""The same while a figure is only compared with a limit."""
CLOSE = 1e-5
"""A figure less than this below a limit is left to finer grids, as other grids may give so much more."""
AGREED = 1e-6
"""Two grids whose figures differ by no more than this agree."""


def greatest_variation(candidates: Sequence[Sequence[Part]]) -> float:
    """Return the greatest total variation distance of several compositions, never too small.

    A grid never makes a figure smaller. So a composition needs no fine grid if its figure on a coarse grid is
    no greater than the first one's on a fine grid.
    """
    left, greatest = list(candidates), 0.0
    for place, points in enumerate(POINTS):
        figures = variations(left, points)
        first = left[figures.index(max(figures))]
        settled = settled_variation(first, POINTS[place:])
        enough = settled + AGREED
        greatest = max(greatest, settled, *(figure for figure in figures if figure <= enough))
        left = [
            parts
            for parts, figure in zip(left, figures, strict=True)
            if figure > enough and parts is not first
        ]
        if not left:
            return greatest
    return max(greatest, *figures)


def exceeds(candidates: Sequence[Sequence[Part]], limit: float) -> bool | None:
    """Compare the greatest total variation distance of several compositions with a limit, on coarse grids.

    Returns
    -------
    bool or None
        None where the distance lies too close to the limit for these grids.
    """
    left = list(candidates)
    for points in COARSE_POINTS:
        figures = variations(left, points)
        near = [pair for pair in zip(left, figures, strict=True) if pair[1] > limit - CLOSE]
        if not near:
            return False
        spacing = spacing_of(left, points)
        if any(figure - excess(parts, spacing) > limit for parts, figure in near):
            return True
        left = [parts for parts, _ in near]
    return None


def excess(parts: Sequence[Part], spacing: float) -> float:
    """Return the most by which a composition's figure on a grid is too large."""
    return math.fsum(times * excess_on_grid(part, spacing) for part, times in parts)


def settled_variation(parts: Sequence[Part], grids: Sequence[int]) -> float:
    """Return the total variation distance of a composition: take finer grids until two figures agree."""
    figure = math.inf
    for points in grids:
        before, summed = figure, added_up(parts, points)
        figure = variations([parts], points)[0] if summed is None else summed
        if before - figure <= AGREED:
            break
    return figure


def added_up(parts: Sequence[Part], points: int) -> float | None:
    """Return the figure of `variations` for one composition, sum by sum; None for more sums than points."""
    spacing, tried = spacing_of([parts], points), 0
    sums, chances = np.zeros(1, dtype=np.int64), np.ones(1)
    for part, times in parts:
        places, own = places_on_grid(part, spacing)
        for _ in range(times):
            tried += len(sums) * len(places)
            if tried > points:
                return None
            sums, where = np.unique(np.add.outer(sums, places), return_inverse=True)
            chances = np.bincount(where.ravel(), np.outer(chances, own).ravel()).astype(float)
    return float(chances @ -np.expm1(-spacing * sums.clip(min=0))) + 1 - finite_chance(parts)


def variations(candidates: Sequence[Sequence[Part]], points: int) -> list[float]:
    """Return delta(0) of compositions, all on one grid of so many steps on each side of 0."""
    spacing = spacing_of(candidates, points)
    steps = {part: steps_of(part, spacing) for parts in candidates for part, _ in parts}
    half = max(sum(times * steps[part] for part, times in parts) for parts in candidates)
    size = 2 * smooth_length(half + 1)  # even, and more than 2 half
    spectra = {}
    for part, far in steps.items():
        around = np.zeros(size)  # the loss 0 stands first, losses below it at the end
        around[np.arange(-far, far + 1)] = on_grid(part, spacing)
        spectra[part] = np.fft.rfft(around)
    # delta(0) = sum of chance (1 - e^-loss) over the losses above 0: by Parseval, a sum over the spectra.
    gains = np.zeros(size)
    gains[: half + 1] = -np.expm1(-spacing * np.arange(half + 1))
    weights = np.fft.rfft(gains).conj() * 2 / size
    weights[[0, -1]] /= 2
    figures = []
    for parts in candidates:
        spectrum = weights
        for part, times in parts:
            spectrum = spectrum * spectra[part] ** times
        figures.append(float(spectrum.real.sum()) + 1 - finite_chance(parts))
    return figures


def finite_chance(parts: Sequence[Part]) -> float:
    """Return the chance that no loss of a composition is infinite."""
    return math.prod((1 - part.infinite) ** times for part, times in parts)


def spacing_of(candidates: Sequence[Sequence[Part]], points: int) -> float:
    """Return the width of the steps of a grid that reaches the greatest loss of every composition."""
    return max(sum(times * reach_of(part) for part, times in parts) for parts in candidates) / points
