"""Proportions of the population from the counts of the noisy reports."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from survey.channel import Channel
from survey.counts import BinomialCount, binomial_counts, informative_reports, read_counts
from survey.estimate.oddity import oddities
from survey.inverse import condition_number, least_squares_inverse
from survey.likelihood import most_likely, water_filling
from survey.limits import WORST_CONDITION
from survey.notice import Notice

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Estimate:
    """Proportions of the population, with k answers; of several questions, in the shape of their table.

    Attributes
    ----------
    respondents : int
        n, the sum of the counts.
    reported : int
        How many of them sent a report that depends on the answer; fewer than `respondents` only where boxes
        are sampled.
    noisy_shares : ndarray, shape (reports,)
        The share of each report among the `reported`; of a report that does not depend on the answer, among
        all.
    proportions : ndarray, shape (k,)
        Unbiased; they sum to 1 and may leave [0, 1].
    standard_errors : ndarray, shape (k,)
        With n in the denominator, not n - 1. Infinite with no respondents.
    covariance : ndarray, shape (k, k)
        Of the proportions.
    maximum_likelihood : ndarray, shape (k,)
        The most likely proportions within [0, 1].
    people : ndarray, shape (k,)
        n times the unbiased proportions.
    notices : tuple of Notice
    """

    respondents: int
    reported: int
    noisy_shares: Array
    proportions: Array
    standard_errors: Array
    covariance: Array
    maximum_likelihood: Array
    people: Array
    notices: tuple[Notice, ...]


def estimate_proportions(channel: Channel, counts: npt.ArrayLike) -> Estimate:
    """Estimate the proportion of every answer from the counts of the noisy reports.

    Parameters
    ----------
    channel : Channel
    counts : array_like of int, shape (channel.reports,)
        How often each report was received; for yes/no the order is no, yes.

    Returns
    -------
    Estimate
        One proportion for each answer. With no respondents: equal shares with infinite standard errors.
        Of a sampled box only those who reported on it count; they are n.

    Raises
    ------
    ValueError
        If the counts do not belong to the channel, or it is too close to singular to be inverted.

    References
    ----------
    Warner (1965), JASA 60, equation 3; Chaudhuri & Mukerjee (1988), Randomized Response: Theory and
    Techniques, chapter 3.

    Examples
    --------
    >>> from survey.mechanisms import coin
    >>> estimate_proportions(coin(), [40, 60]).proportions.round(6).tolist()
    [0.3, 0.7]
    """
    received = read_counts(channel, counts)
    inverse = unbiased_inverse(channel)
    informative = informative_reports(channel)
    respondents, reported = int(received.sum()), int(received[informative].sum())
    if reported == 0:
        equal = np.full(channel.answers, 1 / channel.answers)
        return nothing_known(equal.shape, respondents, equal @ channel.probabilities)
    noisy_shares = np.where(informative, received / reported, received / respondents)
    proportions = unbiased_proportions(channel, received)
    # Cov(noisy_shares) = (diag(s) - s s') / n, the multinomial's. So, for spinner + coin,
    # standard error = sqrt(pi_noisy (1 - pi_noisy) / n) / p.
    # Written as the spread of each report's own contribution, it loses nothing to cancellation.
    spread = inverse[informative] - proportions
    covariance = (spread.T * (received[informative] / reported**2)) @ spread
    binomials = binomial_counts(channel, received)
    maximum_likelihood = most_likely_proportions(
        channel.probabilities[:, informative], received[informative], binomials
    )
    return Estimate(
        respondents=respondents,
        reported=reported,
        noisy_shares=noisy_shares,
        proportions=proportions,
        standard_errors=np.sqrt(np.diag(covariance).clip(min=0)),
        covariance=covariance,
        maximum_likelihood=maximum_likelihood,
        people=respondents * proportions,
        notices=oddities(received[informative], binomials),
    )


@lru_cache(maxsize=256)
def unbiased_inverse(channel: Channel) -> Array:
    """Return the matrix that turns counts into unbiased proportions; it is cached and read-only.

    Parameters
    ----------
    channel : Channel
        With k answers and at least as many reports.

    Returns
    -------
    ndarray, shape (reports, k)
        The proportions are ``counts @ inverse`` over the number of informative reports. It is the
        least-squares inverse of the chances among those, weighted by their variances at equal shares;
        for a square channel, the inverse. The rows of informative reports sum to 1, so the proportions do;
        the others are 0.

    Raises
    ------
    ValueError
        If the condition number of the channel is above 1e4.
    """
    informative = informative_reports(channel)
    probabilities = channel.probabilities[:, informative]
    condition = condition_number(probabilities)
    if not condition <= WORST_CONDITION:
        raise ValueError(
            f"channel must have a condition number of at most {WORST_CONDITION:g} to be inverted, "
            f"got {condition:.3g}: its reports say too little about the answers"
        )
    inverse = np.zeros((channel.reports, channel.answers))
    inverse[informative] = least_squares_inverse(probabilities / probabilities.sum(axis=1, keepdims=True))
    inverse.flags.writeable = False
    return inverse


def unbiased_proportions(channel: Channel, counts: npt.NDArray[np.int64]) -> Array:
    """Return the unbiased proportions, and equal ones where no report depends on the answer."""
    reported = int(counts[informative_reports(channel)].sum())
    if reported == 0:
        return np.full(channel.answers, 1 / channel.answers)
    # pi = noisy_shares P^-1, which for spinner + coin is pi = (pi_noisy - 0.5 (1 - p)) / p.
    proportions: Array = counts @ unbiased_inverse(channel) / reported
    return proportions


def most_likely_proportions(
    probabilities: Array, counts: npt.NDArray[np.int64], binomials: tuple[BinomialCount, ...] | None
) -> Array:
    """Return the most likely proportions in [0, 1]: in closed form where there is one."""
    if binomials is not None and len(binomials) == 2:
        # The likelihood of one proportion is greatest at its estimate, or at the end of [0, 1] nearest to it.
        yes = binomials[1].proportion(binomials[1].most_likely)
        return np.array([1 - yes, yes])
    filled = water_filling(probabilities, counts)
    return most_likely(probabilities, counts).proportions if filled is None else filled


def nothing_known(shape: tuple[int, ...], respondents: int, noisy_shares: Array) -> Estimate:
    """Return the estimate from no reports: equal shares with infinite standard errors.

    Parameters
    ----------
    shape : tuple of int
        The number of answers of each question.
    respondents : int
    noisy_shares : ndarray
        The shares of the reports that equal shares of the answers would give.
    """
    equal = np.full(shape, 1 / math.prod(shape))
    covariance = np.full((equal.size, equal.size), -np.inf)
    np.fill_diagonal(covariance, np.inf)
    return Estimate(
        respondents=respondents,
        reported=0,
        noisy_shares=noisy_shares,
        proportions=equal,
        standard_errors=np.full(shape, np.inf),
        covariance=covariance.reshape(shape * 2),
        maximum_likelihood=equal,
        people=respondents * equal,
        notices=(Notice("no_respondents"),),
    )
