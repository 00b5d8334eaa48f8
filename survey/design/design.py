"""The sets to report for what is wanted: shares, a mean, a cumulative curve or a mix of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from survey.design.fewest_sets import fewest_sets
from survey.design.information import Masks, Matrix, Packing, Sets, Vector
from survey.design.known_sets import known_sets
from survey.design.least_variance import GAP, LeastVariance, least_variance
from survey.design.stored_designs import stored_designs
from survey.design.subset_variance import total_variance
from survey.design.wants import MEAN, SHARES, WANTS, contrasts
from survey.progress import stretch

OTHER_FIGURES = 1e-5
"""The part that all shares have in the design for a mean, which alone would leave the rest unknown."""

OFTEN = 1e-3
"""The share of the largest rate from which on a set is taken over into the next search."""


@dataclass(frozen=True, eq=False)
class SetDesign:
    """Sets, how often they are reported, and what that is worth.

    Attributes
    ----------
    masks : ndarray of int
        The sets, at most k (k + 1)/2 of them in increasing order: bit i of a mask is 1 if answer i is in
        the set.
    rates : ndarray of float
        theta: a set is reported with probability theta E under the answers in it, theta under others.
    variances : Mapping[str, float]
        For each of shares, mean and curve, n times the summed variance of its figures, at equal shares.
    gap : float
        The part of what was minimized that a better channel of the same loss could save at most.
    """

    masks: Masks
    rates: Vector
    variances: Mapping[str, float]
    gap: float


def design(answers: int, epsilon: float, wants: Mapping[str, float], gap: float = GAP) -> SetDesign:
    """Find the channel of reported sets that is best for what is wanted.

    Parameters
    ----------
    answers : int
        k, the number of ordered answers, 2 to 21.
    epsilon : float
        From 0.05 to 8.
    wants : Mapping of str to float
        As from `read_wants`: some of shares, mean and curve, each with its weight.
    gap : float
        The part of what is minimized that a better channel may save at most.

    Returns
    -------
    SetDesign
        Kept by its arguments, as it may take seconds.

    Notes
    -----
    Minimized is the sum over the wants of weight times variance over the least variance that this want
    alone could have: tr(G M^-1), G = sum weight W'W / least.

    Examples
    --------
    >>> best = design(5, 1.0, {"shares": 1.0})
    >>> len(best.masks), round(best.variances["shares"], 2), best.gap < 1e-3
    (15, 12.23, True)
    """
    return wanted_design(answers, epsilon, tuple(wants.items()), gap)


@lru_cache(maxsize=256)
def wanted_design(
    answers: int, epsilon: float, wants: tuple[tuple[str, float], ...], gap: float = GAP
) -> SetDesign:
    """Find a design; cached."""
    ratio = math.exp(epsilon)
    if stored := stored_designs().get((answers, epsilon, wants)):
        masks, rates, proven = np.array(stored[0]), np.array(stored[1]), stored[2]
    else:
        best = best_rates_for(answers, epsilon, wants, gap)
        masks, rates = fewest_of(answers, ratio, best) if gap <= GAP else (best.masks, best.rates)
        proven = best.gap
    return SetDesign(masks, rates, variances_of(Sets(Packing(answers), ratio, masks), rates), proven)


def variances_of(sets: Sets, rates: Vector) -> Mapping[str, float]:
    """Return n times the summed variance of the figures of each want, at equal shares."""
    information = sets.packing.unpack(rates @ sets.information)
    return MappingProxyType({want: variance(information, want) for want in WANTS})


def fewest_of(answers: int, ratio: float, best: LeastVariance) -> tuple[Masks, Vector]:
    """Return as few sets as tell as much as those found, and their rates."""
    return fewest_sets(Sets(Packing(answers), ratio, best.masks), best.rates)


def best_rates_for(
    answers: int, epsilon: float, wants: tuple[tuple[str, float], ...], gap: float = GAP
) -> LeastVariance:
    """Find the best rates for several wants; the search begins with the sets that are best for each."""
    if len(wants) == 1:
        return alone(answers, epsilon, wants[0][0], gap)
    goal = np.zeros((answers, answers))
    start = [known_sets(answers, epsilon)]
    searches = len(wants) + 1
    for place, (want, weight) in enumerate(wants):
        with stretch(place, place + 1, of=searches):
            figures = contrasts(want, answers)
            goal += weight / optimum(answers, epsilon, want, gap) * figures.T @ figures
            if want != SHARES:
                best = alone(answers, epsilon, want, gap)
                start.append(best.masks[best.rates > OFTEN * best.rates.max()])
    with stretch(len(wants), searches, of=searches):
        return least_variance(answers, math.exp(epsilon), goal, np.unique(np.concatenate(start)), gap)


@lru_cache(maxsize=256)
def alone(answers: int, epsilon: float, want: str, gap: float = GAP) -> LeastVariance:
    """Find the best rates for one want alone."""
    figures = contrasts(want, answers)
    others = OTHER_FIGURES if want == MEAN else 0.0
    goal = figures.T @ figures + others * np.eye(answers)
    return least_variance(answers, math.exp(epsilon), goal, known_sets(answers, epsilon), gap)


def optimum(answers: int, epsilon: float, want: str, gap: float = GAP) -> float:
    """Return n times the least variance that a want alone can have.

    Notes
    -----
    Of all shares together it has a closed form. Renaming the answers changes nothing, so that all sets of one
    size are reported alike, and their information is linear in how often each size is: one size w is best.
    """
    if want == SHARES:
        return min(total_variance(answers, epsilon, size) for size in range(1, answers))
    best = alone(answers, epsilon, want, gap)
    sets = Sets(Packing(answers), math.exp(epsilon), best.masks)
    return variance(sets.packing.unpack(best.rates @ sets.information), want)


def variance(information: Matrix, want: str) -> float:
    """Return n times the summed variance of the figures wanted, tr(W M^-1 W')."""
    figures = contrasts(want, len(information))
    return float(np.trace(figures @ np.linalg.solve(information, figures.T)))
