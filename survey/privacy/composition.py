"""The privacy loss of several independent reports together: their losses add as random variables."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from survey.mechanisms.gaussian_mechanism import require_delta
from survey.privacy.curve import NEAR, ROUNDING, envelope, nowhere_below, padded
from survey.privacy.hardest_pairs import Telling, worst_loss
from survey.privacy.loss import Array, LossDistribution
from survey.privacy.reports import Reports, ranked

POINTS = 262_144
"""The number of steps of the common grid of losses, from the least possible total loss to the greatest."""
SECTION_POINTS = 65_536
"""The same for one section, whose curve is compared with those of all others."""

Part = tuple[LossDistribution, int]
"""A loss distribution, and the number of times that it is composed."""


def composed_epsilon(channels: Iterable[Telling] | Reports[Telling], delta: float, times: int = 1) -> float:
    """Return an epsilon that goes with delta for all the reports of one person together.

    Parameters
    ----------
    channels : iterable of Channel, or Reports
        One for every report: repeat a channel for each report through it. Where sections are drawn,
        `Reports`; see `dearest_parts`.
    delta : float
        In (0, 1).
    times : int
        How often all of them are reported through.

    Returns
    -------
    float
        Never too small. Where one pair of answers dominates every channel (all but own tables), it is too
        large by at most a millionth of the plain sum for up to 1000 reports, and by a few thousandths for 100
        000; where sections of several questions are drawn, by a few millionths more. Infinity where no
        epsilon is known to go with so small a delta. 0 for no reports at all.

    Raises
    ------
    ValueError
        If delta is outside (0, 1).

    References
    ----------
    Meiser & Mohammadi (2018), Tight on Budget? (CCS); Koskela, Jaelkoe & Honkela (2020), Computing Tight
    Differential Privacy Guarantees Using FFT (AISTATS).
    """
    allowed = require_delta(delta)
    reports = Reports.of(channels)
    parts = worst_losses(reports.always) + dearest_parts(reports.drawn, reports.asked)
    return composed_loss([(part, times * n) for part, n in parts]).epsilon(allowed) if parts else 0.0


def worst_losses(channels: Iterable[Telling]) -> list[Part]:
    """Return the worst loss of every channel, with the number of reports through it."""
    return [(worst_loss(channel), times) for channel, times in Counter(channels).items()]


def dearest_parts(sections: Sequence[tuple[Telling, ...]], asked: int) -> list[Part]:
    """Return losses that bound those of any set of sections that one person may be asked.

    Parameters
    ----------
    sections : sequence of tuple of Channel
        Those that are drawn.
    asked : int
        How many of them one person is asked.

    Notes
    -----
    Delta of the whole, at every epsilon, is a mean over the sets (see `plain_sum`), so at most that of the
    worst set. There are too many sets to try, and the worst one need not have the largest epsilons: at the
    same epsilon a yes/no question is worse than a wheel. So the sections of the largest epsilons are chosen,
    as many as a person is asked. Each is replaced by a pair of distributions whose delta is, at every
    epsilon, at least its own and that of every section left out. Any other set then has a bound too: each
    section left out that it holds lies nowhere above the chosen one whose place it takes, and replacing a
    part of a composition by one that is nowhere below it does not lower delta (Zhu, Dong & Wang, proposition
    10). A chosen section that is nowhere below the others, as among yes/no questions, needs no replacement.
    Where curves cross, the figure is too large rather than too small.
    """
    order = ranked(sections, lambda section: math.fsum(channel.guarantee[0] for channel in section))
    chosen, others = (
        Counter(frozenset(Counter(section).items()) for section in each)
        for each in (order[:asked], order[asked:])
    )
    left = [section_loss(section) for section in others]
    parts: list[Part] = []
    for section, times in chosen.items():
        own = section_loss(section)
        dearer = all(nowhere_below(own, other) for other in left)
        parts.append((padded(own) if dearer else envelope([own, *left]), times))
    return parts


def section_loss(section: Iterable[tuple[Telling, int]], points: int = SECTION_POINTS) -> LossDistribution:
    """Return the loss of a section's reports together, of each channel so many."""
    parts = [(worst_loss(channel), times) for channel, times in section]
    return parts[0][0] if sum(times for _, times in parts) == 1 else composed_loss(parts, points)


def composed_loss(parts: Sequence[Part], points: int = POINTS) -> LossDistribution:
    """Convolve loss distributions on a grid, each as many times as its part says.

    Returns
    -------
    LossDistribution
        Its delta is at least that of the composition, at every epsilon.
    """
    spacing = 2 * sum(times * reach_of(part) for part, times in parts) / points
    half = sum(times * steps_of(part, spacing) for part, times in parts)
    length = 2 * half + 1
    size = smooth_length(length)
    spectrum = np.ones(size // 2 + 1, dtype=np.complex128)
    finite, wrong = 1.0, ROUNDING
    for part, times in parts:
        spectrum *= np.fft.rfft(on_grid(part, spacing), size) ** times
        finite *= (1 - part.infinite) ** times
        wrong += times * abs(math.fsum(part.chances.tolist()) - 1)
    together = np.fft.irfft(spectrum, size)[:length].clip(min=0)
    grid = spacing * np.arange(-half, half + 1)
    return LossDistribution(np.append(grid, np.inf), np.append(together, 1 - finite + wrong))


@lru_cache(maxsize=512)
def smooth_length(least: int) -> int:
    """Return the smallest number from `least` on without prime factors above 5: its transform is quick.

    Examples
    --------
    >>> [smooth_length(least) for least in (1, 7, 11, 721, 2**18 + 1)]
    [1, 8, 12, 729, 262440]
    """
    powers = range(least.bit_length())
    odds: Iterable[int] = (3**threes * 5**fives for threes in powers for fives in powers)
    return min(odd << (-(-least // odd) - 1).bit_length() for odd in odds)


def reach_of(part: LossDistribution) -> float:
    """Return the greatest finite loss of either sign."""
    return float(np.abs(part.losses[np.isfinite(part.losses)]).max(initial=NEAR))


def steps_of(part: LossDistribution, spacing: float) -> int:
    """Return how many steps on each side of 0 a grid has that holds all finite losses."""
    return math.ceil(reach_of(part) / spacing)


def on_grid(part: LossDistribution, spacing: float) -> Array:
    """Move a loss distribution to the grid of `steps_of`, so that no delta becomes smaller.

    Returns
    -------
    ndarray, shape (2 steps + 1,)
        The chances on the grid; what is missing from 1 is the chance of infinite loss.
    """
    places, chances = places_on_grid(part, spacing)
    steps = steps_of(part, spacing)
    return np.bincount(places + steps, chances, 2 * steps + 1).astype(float)


def places_on_grid(part: LossDistribution, spacing: float) -> tuple[npt.NDArray[np.int64], Array]:
    """Return the places of a loss distribution on the grid of `steps_of`, and the chances there.

    Notes
    -----
    Each loss is split between its two neighbours l < u such that both hypotheses keep their mass,
    P = P_l + P_u and P e^-loss = P_l e^-l + P_u e^-u: then P_u/P = (1 - e^(l - loss))/(1 - e^(l - u)).
    The pair so obtained turns back into the one before by merging, so it is at least as telling. Its excess
    shrinks with the square of the spacing (rounding every loss up: with the spacing).

    References
    ----------
    Doroshenko, Ghazi, Kamath, Kumar & Manurangsi (2022), Connect the Dots: Tighter Discrete Approximations
    of Privacy Loss Distributions, PoPETs 2022(4).
    """
    lower, upper, chances = split(part, spacing)
    places = np.concatenate([lower, lower + 1]).astype(np.int64)
    return places, np.concatenate([chances * (1 - upper), chances * upper])


def split(part: LossDistribution, spacing: float) -> tuple[Array, Array, Array]:
    """Return the place below each finite loss, the part of its chance that goes above, and its chance."""
    finite = np.isfinite(part.losses)
    place = part.losses[finite] / spacing
    lower = np.minimum(np.floor(place), steps_of(part, spacing) - 1)
    upper = np.expm1(spacing * (lower - place)) / math.expm1(-spacing)
    return lower, upper, part.chances[finite]


def excess_on_grid(part: LossDistribution, spacing: float) -> float:
    """Return the most by which moving a loss distribution to a grid raises a delta.

    Notes
    -----
    At its loss x the delta of a chance P bends; from l to u `places_on_grid` draws the chord. They are
    furthest apart at the bend, by P_u (1 - e^(x - u)) = P v (1 - v) w/(1 - v w), with v = P_u/P and
    w = 1 - e^(l - u). Elsewhere they are equal, so only losses between the same two neighbours add up. In a
    composition the excesses of all parts do, at most: replace one part after the other.
    """
    lower, upper, chances = split(part, spacing)
    width = -math.expm1(-spacing)
    bends = chances * upper * (1 - upper) * width / (1 - upper * width)
    _, between = np.unique(lower, return_inverse=True)
    return float(np.bincount(between, bends).max(initial=0.0))
