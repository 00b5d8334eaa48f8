"""A share of the population from several strata of respondents, who reported through different channels."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
import numpy.typing as npt

from survey.channel import Channel, require_whole
from survey.crosstab.adjusted_shares import normal_difference, quantile, with_two_more
from survey.crosstab.comparison import Comparison
from survey.estimate import estimate_proportions, unbiased_proportions
from survey.interval import require_confidence_level
from survey.limits import CONFIDENCE_LEVEL
from survey.plan.variance import variances_at

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class PooledShare:
    """A share from all strata together.

    Attributes
    ----------
    respondents : int
        Of all strata.
    proportion, standard_error : float
        Unbiased for fixed weights; the proportion may leave [0, 1].
    low, high : float
        A normal interval, cut to [0, 1].
    confidence_level : float
    """

    respondents: int
    proportion: float
    standard_error: float
    low: float
    high: float
    confidence_level: float

    @property
    def estimate(self) -> float:
        """The proportion, brought into its interval."""
        return min(max(self.proportion, self.low), self.high)


def pool_strata(
    strata: Sequence[tuple[Channel, npt.ArrayLike]], answer: int, confidence_level: float = CONFIDENCE_LEVEL
) -> PooledShare:
    """Pool the share of an answer over strata, each weighted by the inverse of its variance.

    Parameters
    ----------
    strata : sequence of (Channel, array_like of int, shape (channel.reports,))
        The channel of each stratum and how often each of its reports was received.
    answer : int
        Index of the answer.
    confidence_level : float
        In (0, 1).

    Returns
    -------
    Pooled
        From the strata in which somebody reported.

    Raises
    ------
    ValueError
        If there is no report at all, the strata have different answers, or an argument is refused.

    Notes
    -----
    The strata are assumed to have the same share: the choice of a way of reporting must not depend on the
    answer. So the weights are inverse variances at one share for all strata, the one that is pooled with
    weights for equally frequent answers. A stratum's own estimate of its variance depends on chance, and one
    report could shift much weight. The interval is of Agresti & Caffo's adjusted shares.

    References
    ----------
    Cochran (1954), The Combination of Estimates from Different Experiments, Biometrics 10; Agresti & Caffo
    (2000), Simple and Effective Confidence Intervals for Proportions and Differences of Proportions Result
    from Adding Two Successes and Two Failures, The American Statistician 54.

    Examples
    --------
    >>> from survey.mechanisms import coin
    >>> round(pool_strata([(coin(), [40, 60]), (coin(), [20, 30])], 1).proportion, 3)
    0.7
    """
    level = require_confidence_level(confidence_level)
    pooled = combine_strata(strata, answer)
    low, high = pooled.interval(level)
    return PooledShare(
        respondents=pooled.respondents,
        proportion=pooled.proportion,
        standard_error=pooled.standard_error,
        low=min(max(low, 0.0), 1.0),
        high=min(max(high, 0.0), 1.0),
        confidence_level=level,
    )


def difference_of_pools(
    strata: Sequence[tuple[Channel, npt.ArrayLike]],
    others: Sequence[tuple[Channel, npt.ArrayLike]],
    answer: int,
    confidence_level: float = CONFIDENCE_LEVEL,
) -> Comparison:
    """Estimate by how much the share of an answer is larger in one population than in another.

    Parameters
    ----------
    strata, others : sequence of (Channel, array_like of int, shape (channel.reports,))
        Of the two populations, each as for `pool_strata`.
    answer : int
        Index of the answer.
    confidence_level : float
        In (0, 1).

    Returns
    -------
    Comparison
        The unbiased difference, and a normal interval of the adjusted shares cut to [-1, 1].

    Raises
    ------
    ValueError
        As `pool_strata`, also where the two have different answers.

    Examples
    --------
    >>> from survey.mechanisms import coin
    >>> round(difference_of_pools([(coin(), [40, 60])], [(coin(), [50, 50])], 1).value, 3)
    0.2
    """
    level = require_confidence_level(confidence_level)
    answers = strata[0][0].answers, others[0][0].answers
    if answers[0] != answers[1]:
        raise ValueError(f"populations must have the same answers, got {answers[0]} and {answers[1]}")
    first, second = combine_strata(strata, answer), combine_strata(others, answer)
    adjusted, other = ((each.centre, each.variance) for each in (first, second))
    return normal_difference(first.proportion - second.proportion, adjusted, other, level)


@dataclass(frozen=True)
class CombinedStrata:
    """A share from all strata, and the adjusted shares from which its normal interval follows.

    Attributes
    ----------
    respondents : int
    proportion, standard_error : float
        See `PooledShare`.
    reported : ndarray of int, shape (strata with a report,)
        The number of reports of each that depend on the answer.
    weights : ndarray, shape (strata with a report,)
    adjusted : ndarray, shape (strata with a report, 2)
        Agresti & Caffo's adjusted share of each, and its variance.
    """

    respondents: int
    proportion: float
    standard_error: float
    reported: npt.NDArray[np.int64]
    weights: Array
    adjusted: Array

    @property
    def centre(self) -> float:
        """The adjusted share of all."""
        return float(self.weights @ self.adjusted[:, 0])

    @property
    def variance(self) -> float:
        """The variance of the adjusted share of all."""
        return float(self.weights**2 @ self.adjusted[:, 1])

    def interval(self, level: float) -> tuple[float, float]:
        """Return the normal interval at a level; it may leave [0, 1]."""
        margin = quantile(level) * math.sqrt(self.variance)
        return self.centre - margin, self.centre + margin


def combine_strata(strata: Sequence[tuple[Channel, npt.ArrayLike]], answer: int) -> CombinedStrata:
    """Weigh strata by the inverse of their variances; see `pool_strata`."""
    if len({channel.answers for channel, _ in strata}) != 1:
        raise ValueError(
            f"strata must have the same answers, got {[channel.answers for channel, _ in strata]}"
        )
    answer = require_whole("answer", answer, 0, strata[0][0].answers - 1)
    estimates = [estimate_proportions(channel, counts) for channel, counts in strata]
    heard = [index for index, estimate in enumerate(estimates) if estimate.reported]
    if not heard:
        raise ValueError("strata must hold a report, got none")
    proportions = np.array([estimates[index].proportions[answer] for index in heard])
    errors = np.array([estimates[index].standard_errors[answer] for index in heard])
    adjusted = np.array([with_two_more(*strata[index], answer) for index in heard])
    weights = inverse_variances(
        [strata[index][0] for index in heard],
        [estimates[index].respondents for index in heard],
        [estimates[index].proportions for index in heard],
    )[:, answer]
    return CombinedStrata(
        respondents=sum(estimate.respondents for estimate in estimates),
        proportion=float(weights @ proportions),
        standard_error=float(np.sqrt(weights**2 @ errors**2)),
        reported=np.array([estimates[index].reported for index in heard]),
        weights=weights,
        adjusted=adjusted,
    )


def inverse_variances(
    channels: Sequence[Channel], respondents: Sequence[int], proportions: Sequence[Array]
) -> Array:
    """Return the weight of each stratum for each answer: 1/variance at a common share, of sum 1."""
    answers = channels[0].answers
    shares = np.full(answers, 1 / answers)
    for _ in range(2):
        variances = [
            variances_at(channel, shares) / people
            for channel, people in zip(channels, respondents, strict=True)
        ]
        # pi = sum of w pi_i over sum of w, with w = 1 / variance_i
        weights = 1 / np.array(variances)
        weights /= weights.sum(axis=0)
        pooled = (weights * np.array(proportions)).sum(axis=0)
        shares = np.clip(pooled, 0, None) / np.clip(pooled, 0, None).sum()
    return weights


def pooled_radius(strata: Sequence[tuple[Channel, npt.ArrayLike]]) -> float:
    """Return the most by which one forged report can move the pooled shares.

    Parameters
    ----------
    strata : sequence of (Channel, array_like of int, shape (channel.reports,))
        As for `pool_strata`.

    Returns
    -------
    float
        1 being the whole population.

    Raises
    ------
    ValueError
        As `pool_strata`.

    Notes
    -----
    Every change of one report into another is tried. A forged report may belong to another stratum than the
    honest one, and it changes the weights as well as the share of its stratum; so the sum of two
    `survey.privacy.radius` is no bound.
    """
    counts = [np.array(each, np.int64) for _, each in strata]
    reports = [(stratum, code) for stratum, each in enumerate(counts) for code in range(len(each))]

    def shares(changes: Mapping[tuple[int, int], int]) -> Array:
        changed = [each.copy() for each in counts]
        for (stratum, code), change in changes.items():
            changed[stratum][code] += change
        heard = [
            (channel, int(each.sum()), unbiased_proportions(channel, each))
            for (channel, _), each in zip(strata, changed, strict=True)
            if each.sum()
        ]
        channels, respondents, proportions = zip(*heard, strict=True)
        weights = inverse_variances(channels, respondents, proportions)
        return np.asarray((weights * np.array(proportions)).sum(axis=0))

    here = shares({})
    return max(
        float(np.abs(shares({honest: -1, forged: 1}) - here).max())
        for honest, forged in permutations(reports, 2)
        if counts[honest[0]][honest[1]]
    )
