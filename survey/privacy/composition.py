"""What several independent reports give away together: their privacy losses add as random variables."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import permutations

import numpy as np

from survey.channel import Channel
from survey.privacy.loss import Array, LossDistribution, losses
from survey.privacy.reports import Reports, ranked
from survey.privacy.requirements import require_delta

POINTS = 2**18
"""How many steps the common grid of losses has, from the least possible total loss to the greatest."""
SECTION_POINTS = 2**16
"""The same for one section, whose curve is compared with those of all others."""
ROUNDING = 1e-11
"""Counted as a chance of infinite loss: more than the Fourier transforms are wrong by over the whole grid."""
NEAR = 1e-6
"""Losses of one channel that differ by less are taken for the greatest of them."""
EFFORT = 2 * 10**8
"""Comparisons of two chances that tabulating one channel may take; a second or so."""
FAR = 700.0
"""e to the power of this is near the end of a double; what lies beyond counts as infinite loss."""
FEWEST, MOST = 12, 512
"""Between how many losses the delta of a channel is tabulated at."""


Part = tuple[LossDistribution, int]
"""A loss distribution, and how often it is composed."""


def composed_epsilon(channels: Iterable[Channel] | Reports[Channel], delta: float, times: int = 1) -> float:
    """Return an epsilon that goes with delta for all the reports of one person together.

    Parameters
    ----------
    channels : iterable of Channel, or Reports
        One for every report: repeat a channel as often as it is reported through. Where sections are drawn,
        `Reports`; see `dearest_parts`.
    delta : float
        In (0, 1).
    times : int
        How often all of them are reported through.

    Returns
    -------
    float
        Never too small, and for channels whose pairs of answers are all alike (yes/no, wheel, subset) too
        large by at most a millionth of the plain sum for up to 1000 reports; for 100 000 by a few
        thousandths; where sections of several questions are drawn, by a few millionths more. Infinity where
        no epsilon is known to go with so small a delta. 0 for no reports at all.

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


def worst_losses(channels: Iterable[Channel]) -> list[Part]:
    """Return the worst loss of every channel, each as often as it is reported through."""
    return [(worst_loss(channel), times) for channel, times in Counter(channels).items()]


def dearest_parts(sections: Sequence[tuple[Channel, ...]], asked: int) -> list[Part]:
    """Return losses that stand for any set of sections that one person may be asked.

    Parameters
    ----------
    sections : sequence of tuple of Channel
        Those that are drawn.
    asked : int
        How many of them one person is asked.

    Notes
    -----
    Delta of the whole, at every epsilon, is a mean over the sets (see `plain_sum`), so at most that of the
    worst set. The sets are too many to try, and the worst one need not be that of the largest epsilons: at
    the same epsilon a yes/no question is worse than a wheel. So the sections are taken in the order of their
    epsilons, as many as a person is asked, and each is replaced by a pair of distributions whose delta is,
    at every epsilon, at least its own and that of every section left out. In any other set each section left
    out then stands behind one of those that it takes the place of, and a composition does not lose by
    replacing a part with one that is nowhere below it (Zhu, Dong & Wang, proposition 10). Where a chosen
    section is nowhere below the others, as among yes/no questions, it stands for itself; where curves cross
    the figure is too large rather than too small.
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


def section_loss(section: Iterable[tuple[Channel, int]]) -> LossDistribution:
    """Return the loss of a section's reports together, of each channel so many."""
    parts = [(worst_loss(channel), times) for channel, times in section]
    return parts[0][0] if len(parts) == 1 == parts[0][1] else composed_loss(parts, SECTION_POINTS)


def nowhere_below(one: LossDistribution, other: LossDistribution) -> bool:
    """Return whether the delta of one is at least that of another at every epsilon, but for `ROUNDING`.

    Notes
    -----
    In e^epsilon both are convex, and the first is straight between its losses: there it suffices to look.
    Below 0 they are mirrored, as in `worst_loss`.
    """
    points = corners([one])
    own = deltas(one, points)
    own[-1] = one.infinite  # what it never falls below beyond the last loss looked at
    return bool((own >= deltas(other, points) - ROUNDING).all())


def padded(part: LossDistribution) -> LossDistribution:
    """Return a loss distribution with `ROUNDING` more chance of infinite loss, its last."""
    return LossDistribution(part.losses, np.append(part.chances[:-1], part.chances[-1] + ROUNDING))


def envelope(parts: Sequence[LossDistribution]) -> LossDistribution:
    """Return a loss distribution whose delta is nowhere below that of any of several.

    The largest of convex curves is convex, so it belongs to a pair of distributions; see `worst_loss`. It is
    tabulated at few losses: of many that lie close together, rounding would spoil the slopes.
    """
    points = corners(parts)
    points = points[np.linspace(0, len(points) - 1, min(len(points), MOST)).round().astype(np.int64)]
    return pair_of(points, np.max([deltas(part, points) for part in parts], axis=0))


def corners(parts: Sequence[LossDistribution]) -> Array:
    """Return 0 and the losses above it, at which the curves of delta change their slope; up to `FAR`."""
    found = np.unique(np.concatenate([part.losses for part in parts]))
    return np.append(0.0, found[(found > NEAR) & (found < FAR)])


def deltas(part: LossDistribution, epsilons: Array) -> Array:
    """Return the delta of a loss distribution at many epsilons of 0 or more; see `LossDistribution.delta`."""
    # delta(epsilon) = sum of chance (1 - e^(epsilon - loss)) over the losses above epsilon
    positive = part.losses > 0
    losses, chances = part.losses[positive], part.chances[positive]
    above = np.append(np.cumsum(chances[::-1])[::-1], 0.0)
    discounted = np.append(np.cumsum((chances * np.exp(-losses))[::-1])[::-1], 0.0)
    first = np.searchsorted(losses, epsilons, side="right")
    return np.asarray((above[first] - np.exp(epsilons) * discounted[first]).clip(min=0))


def composed_loss(parts: Sequence[Part], points: int = POINTS) -> LossDistribution:
    """Convolve loss distributions on a grid, each as often as it is counted.

    Returns
    -------
    LossDistribution
        Its delta is at least that of the composition, at every epsilon.
    """
    from scipy import fft  # see `survey.special`

    reach = [max(abs(part.losses[np.isfinite(part.losses)]).max(), NEAR) for part, _ in parts]
    total = sum(times * far for far, (_, times) in zip(reach, parts, strict=True))
    spacing = 2 * total / points
    halves = [math.ceil(far / spacing) for far in reach]
    half = sum(times * steps for steps, (_, times) in zip(halves, parts, strict=True))
    size = fft.next_fast_len(2 * half + 1, real=True)
    spectrum = np.ones(size // 2 + 1, dtype=np.complex128)
    finite, wrong = 1.0, ROUNDING
    for (part, times), steps in zip(parts, halves, strict=True):
        chances = on_grid(part, spacing, steps)
        spectrum *= fft.rfft(chances, size) ** times
        finite *= (1 - part.infinite) ** times
        wrong += times * abs(math.fsum(part.chances.tolist()) - 1)
    together = fft.irfft(spectrum, size)[: 2 * half + 1].clip(min=0)
    grid = spacing * np.arange(-half, half + 1)
    return LossDistribution(np.append(grid, np.inf), np.append(together, 1 - finite + wrong))


def on_grid(part: LossDistribution, spacing: float, steps: int) -> Array:
    """Move a loss distribution to the grid -steps, ..., steps, so that no delta becomes smaller.

    Returns
    -------
    ndarray, shape (2 steps + 1,)
        The chances on the grid; what is missing from 1 is the chance of infinite loss.

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
    finite = np.isfinite(part.losses)
    place = part.losses[finite] / spacing
    lower = np.floor(place).clip(-steps, steps - 1)
    upper = (np.expm1(spacing * (lower - place)) / math.expm1(-spacing)).clip(0, 1)
    index = (lower + steps).astype(np.int64)
    chances = part.chances[finite]
    down, up = chances * (1 - upper), chances * upper
    size = 2 * steps + 1
    return np.bincount(index, down, size).astype(float) + np.bincount(index + 1, up, size)


@lru_cache(maxsize=256)
def worst_loss(channel: Channel) -> LossDistribution:
    """Return one loss distribution whose delta is at least that of every pair of answers, at every epsilon.

    Notes
    -----
    h(x) = delta(ln x), the largest over the pairs of answers, is convex in x with h(0) = 1. Any convex curve
    nowhere below it belongs to a pair of distributions that may stand for the channel in a composition
    (Zhu, Dong & Wang). The curve here joins exact values of h by straight lines: a line of slope -S between
    two ratios says that the second distribution has mass S beyond them. Where every pair of answers has its
    losses among those chosen, nothing is lost.

    References
    ----------
    Zhu, Dong & Wang (2022), Optimal Accounting of Differential Privacy via Characteristic Function, AISTATS,
    propositions 8 and 10; Doroshenko et al. (2022), as in `on_grid`.
    """
    above = chosen_losses(channel)
    return pair_of(above, np.array([channel.delta(epsilon) for epsilon in above.tolist()]))


def pair_of(above: Array, delta: Array) -> LossDistribution:
    """Return the loss of the pair whose delta has these values at these epsilons, and straight lines between.

    Parameters
    ----------
    above : ndarray
        Increasing, 0 or more.
    delta : ndarray
        Of a convex curve in e^epsilon that is the same for both orders of the pair.
    """
    # Exchanging the two answers: h(1/x) = 1 - 1/x + h(x)/x.
    below = -np.expm1(-above) + delta * np.exp(-above)
    mirrored = slice(None, 0 if above[0] == 0 else None, -1)
    epsilons = np.concatenate([-above[mirrored], above])
    values = np.concatenate([below[mirrored], delta])
    ratios = np.exp(epsilons)
    slopes = np.diff(np.concatenate([[1.0], values])) / np.diff(np.concatenate([[0.0], ratios]))
    second = np.diff(np.append(slopes, 0.0)).clip(min=0)  # the second distribution's mass at each ratio
    chances = ratios * second
    return LossDistribution(np.append(epsilons, np.inf), np.append(chances, values[-1]))


def chosen_losses(channel: Channel) -> Array:
    """Choose the losses to tabulate delta at: all there are, or as many as can be afforded.

    Returns
    -------
    ndarray
        Increasing, 0 or more. Beyond the last, all that is left counts as infinite loss. Where a table would
        take too long, the loss bound alone, as if the channel were a yes/no question with that loss
        (Kairouz, Oh & Viswanath 2015, The Composition Theorem for Differential Privacy, theorem 3.3).
    """
    comparisons = channel.answers**2 * channel.reports
    affordable = min(EFFORT // comparisons, MOST)
    bounded = channel.guarantee[1] == 0 and channel.epsilon < math.inf
    if bounded and affordable < FEWEST:
        return np.array([channel.epsilon])
    answers = range(channel.answers)
    every = comparisons <= EFFORT // MOST
    ends = (0, channel.answers - 1)
    pairs = permutations(answers if every else ends, 2)
    found = np.unique(np.concatenate([losses(channel, *pair) for pair in pairs]))
    found = found[np.isfinite(found) & (found > NEAR)]
    if channel.epsilon < math.inf:
        found = np.append(found[found < channel.epsilon - NEAR], channel.epsilon)
    found = np.append(0.0, found)
    found = found[np.append(np.diff(found) > NEAR, True)]  # of those close together, the greatest
    chosen = np.linspace(0, len(found) - 1, min(len(found), max(affordable, FEWEST)))
    return np.asarray(found[chosen.round().astype(np.int64)])
