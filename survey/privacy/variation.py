"""The total variation distance between the reports of two sets of answers: delta(0) of all their losses."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from survey.privacy.composition import Part, excess_on_grid, on_grid, places_on_grid, reach_of

POINTS, MOST_POINTS = 8192, 1_048_576
"""The number of steps of the grid of losses at first, and at most."""
COARSE_POINTS = 131_072
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
    left, points, greatest = list(candidates), POINTS, 0.0
    while left:
        figures = variations(left, points)
        if points >= MOST_POINTS:
            return max(greatest, *figures)
        first = max(range(len(left)), key=figures.__getitem__)
        settled = settled_variation(left[first], points)
        beaten = [figure for figure in figures if figure <= settled + AGREED]
        greatest = max(greatest, settled, *beaten)
        left = [
            parts
            for place, (parts, figure) in enumerate(zip(left, figures, strict=True))
            if figure > settled + AGREED and place != first
        ]
        points *= 4
    return greatest


def exceeds(candidates: Sequence[Sequence[Part]], limit: float) -> bool | None:
    """Compare the greatest total variation distance of several compositions with a limit, on coarse grids.

    Returns
    -------
    bool or None
        None where the distance lies too close to the limit for these grids.
    """
    left, points = list(candidates), POINTS
    while points <= COARSE_POINTS:
        figures = variations(left, points)
        near = [pair for pair in zip(left, figures, strict=True) if pair[1] > limit - CLOSE]
        if not near:
            return False
        spacing = spacing_of(left, points)
        if any(figure - excess(parts, spacing) > limit for parts, figure in near):
            return True
        left, points = [parts for parts, _ in near], 4 * points
    return None


def excess(parts: Sequence[Part], spacing: float) -> float:
    """Return the most by which a composition's figure on a grid is too large."""
    return math.fsum(
        times * excess_on_grid(part, spacing, math.ceil(reach_of(part) / spacing)) for part, times in parts
    )


def settled_variation(parts: Sequence[Part], points: int) -> float:
    """Return the total variation distance of a composition: quarter the step until two figures agree."""
    before = math.inf
    while True:
        figure = added_up(parts, points)
        if figure is None:
            (figure,) = variations([parts], points)
        if before - figure <= AGREED or points >= MOST_POINTS:
            return figure
        points, before = 4 * points, figure


def added_up(parts: Sequence[Part], points: int) -> float | None:
    """Return the figure of `variations` for one composition, sum by sum; None for more sums than steps."""
    spacing, finite, tried = spacing_of([parts], points), 1.0, 0
    sums, chances = np.zeros(1, dtype=np.int64), np.ones(1)
    for part, times in parts if spacing else ():
        finite *= (1 - part.infinite) ** times
        places, own = places_on_grid(part, spacing, math.ceil(reach_of(part) / spacing))
        for _ in range(times):
            tried += len(sums) * len(places)
            if tried > points:
                return None
            sums, where = np.unique(np.add.outer(sums, places), return_inverse=True)
            chances = np.bincount(where.ravel(), np.outer(chances, own).ravel()).astype(float)
    above = sums > 0
    return float(chances[above] @ -np.expm1(-spacing * sums[above])) + 1 - finite


def variations(candidates: Sequence[Sequence[Part]], points: int) -> list[float]:
    """Return delta(0) of compositions, all on one grid of so many steps."""
    spacing = spacing_of(candidates, points)
    if spacing == 0:  # nothing is reported
        return [0.0] * len(candidates)
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


def spacing_of(candidates: Sequence[Sequence[Part]], points: int) -> float:
    """Return the width of the steps of a grid that reaches the greatest loss of every composition."""
    return 2 * max(sum(times * reach_of(part) for part, times in parts) for parts in candidates) / points
