"""The same people asked several times: figures that hold for any relation between a person's answers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from survey.channel import Channel
from survey.counts import binomial_counts
from survey.crosstab.adjusted_shares import normal_difference
from survey.crosstab.comparison import Comparison
from survey.crosstab.strata import CombinedStrata, combine_strata, pool_strata
from survey.interval import require_confidence_level
from survey.interval.waves import waves_interval
from survey.limits import CONFIDENCE_LEVEL

Strata = Sequence[tuple[Channel, npt.ArrayLike]]


def pooled_interval(
    waves: Sequence[Strata], people: Sequence[int], answer: int, confidence_level: float = CONFIDENCE_LEVEL
) -> tuple[float, float] | None:
    """Return the interval of a share pooled over surveys, several of which may have asked the same people.

    Parameters
    ----------
    waves : sequence of sequence of (Channel, array_like of int, shape (channel.reports,))
        Of each survey, as for `pool_strata`.
    people : sequence of int
        A number for the people of each survey: surveys with the same number may have asked the same people.
    answer : int
        Index of the answer.
    confidence_level : float
        In (0, 1).

    Returns
    -------
    (low, high), or None
        The `waves_interval` about the share of `pool_strata`; None where a count is not binomial, as no
        interval is then known to hold.

    Raises
    ------
    ValueError
        As `pool_strata`.
    """
    strata = [stratum for wave in waves for stratum in wave]
    share = pool_strata(strata, answer, confidence_level).proportion
    binomials = []
    asked = []
    for wave, (surveyed, number) in enumerate(zip(waves, people, strict=True)):
        for channel, counts in surveyed:
            shares = binomial_counts(channel, counts)
            if shares is None:
                return None
            if shares[answer].respondents:
                binomials.append(shares[answer])
                asked.append((number, wave))
    numbers, places = np.array(asked).T
    again = np.equal.outer(numbers, numbers) & np.not_equal.outer(places, places)
    return waves_interval(binomials, again, min(max(share, 0.0), 1.0), confidence_level)


def difference_of_waves(
    strata: Strata, others: Strata, answer: int, confidence_level: float = CONFIDENCE_LEVEL
) -> Comparison:
    """Estimate by how much the share of an answer is larger in one wave than in another of the same people.

    Parameters
    ----------
    strata, others : sequence of (Channel, array_like of int, shape (channel.reports,))
        Of the two waves, each as for `pool_strata`.
    answer : int
        Index of the answer.
    confidence_level : float
        In (0, 1).

    Returns
    -------
    Comparison
        As `difference_of_pools`, with an interval that holds for any relation between a person's answers.

    Raises
    ------
    ValueError
        As `difference_of_pools`.

    Notes
    -----
    Reports carry no names, so the variance of the difference, V1 + V2 - 2 C, uses the least covariance C that
    two answers with these shares can have. At least max(0, pi1 + pi2 - 1) of the people have both, so C is
    -min(pi1 pi2, (1 - pi1) (1 - pi2)) times the `overlap`.

    References
    ----------
    Frechet (1951), Sur les tableaux de correlation dont les marges sont donnees, Annales de l'Universite de
    Lyon 14.
    """
    level = require_confidence_level(confidence_level)
    first, second = combine_strata(strata, answer), combine_strata(others, answer)
    share, other = (min(max(pooled.centre, 0.0), 1.0) for pooled in (first, second))
    covariance = least_covariance(share, other) * overlap(first, second)
    return normal_difference(
        first.proportion - second.proportion,
        (first.centre, first.variance),
        (second.centre, second.variance),
        level,
        covariance,
    )


def least_covariance(share: float, other: float) -> float:
    """Return the least covariance of two answers of one person, each 0 to 1, with these means.

    As E[x y] >= 0 and E[(1 - x) (1 - y)] >= 0 it is -min(m1 m2, (1 - m1) (1 - m2)); answers that are
    0 or 1 reach it.
    """
    return -min(share * other, (1 - share) * (1 - other))


def overlap(first: CombinedStrata, second: CombinedStrata) -> float:
    """Return the greatest covariance of two pooled shares, as a multiple of that of two answers of a person.

    At most min(n, n') people are in two strata of n and n', so it is min(n, n') / (n n') = 1 / max(n, n'),
    weighted as the shares are.
    """
    larger = np.maximum.outer(first.reported, second.reported)
    return float(first.weights @ (1 / larger) @ second.weights)
