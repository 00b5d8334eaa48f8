"""The unrelated-question design with two samples, for an unknown share of yes to the other question."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from survey import special
from survey.interval.profile_likelihood import profile_likelihood
from survey.likelihood import most_likely
from survey.limits import CONFIDENCE_LEVEL, MOST_RESPONDENTS


@dataclass(frozen=True)
class TwoSamples:
    """The share of yes to the sensitive question, or to the other one.

    Attributes
    ----------
    estimate : float
        The most likely share, in [0, 1].
    low, high : float
        The likelihood-ratio interval.
    unbiased : float
        It may leave [0, 1].
    standard_error : float
        Of the unbiased share, with the sizes of the samples in the denominator, not one less.
    """

    estimate: float
    low: float
    high: float
    unbiased: float
    standard_error: float


def two_samples(
    truth: tuple[Fraction, Fraction],
    counts: tuple[tuple[int, int], tuple[int, int]],
    confidence_level: float = CONFIDENCE_LEVEL,
) -> tuple[TwoSamples, TwoSamples]:
    """Estimate both shares of yes from two samples that answer the sensitive question more and less often.

    Parameters
    ----------
    truth : tuple of two Fraction
        p1 and p2: how often each sample answers the sensitive question. Not the same.
    counts : tuple of two (int, int)
        No and yes of each sample, neither of which is empty.
    confidence_level : float
        In (0, 1).

    Returns
    -------
    sensitive, other : TwoSamples

    Raises
    ------
    ValueError
        If the chances are the same, or a sample is empty.

    Notes
    -----
    With l1 and l2 the shares of yes, pi = (l1 (1 - p2) - l2 (1 - p1)) / (p1 - p2), and the variance is
    (l1 (1 - l1) (1 - p2)^2 / n1 + l2 (1 - l2) (1 - p1)^2 / n2) / (p1 - p2)^2.

    The likelihood is that of a channel with four answers, no or yes to either question, and four reports, no
    or yes in either sample. It depends on the two shares of yes alone. Twice its fall is compared with the
    chi-square quantile with 1 degree of freedom. At 95 % the interval covered the truth in .92 to 1 of
    samples of 30 and 30 people, and in .94 to 1 of samples of 100 and 100 and of 500 and 500.

    References
    ----------
    Greenberg, Abul-Ela, Simmons & Horvitz (1969), The Unrelated Question Randomized Response Model:
    Theoretical Framework, JASA 64.

    Examples
    --------
    >>> sensitive, other = two_samples((Fraction(7, 10), Fraction(3, 10)), ((710, 290), (590, 410)))
    >>> round(sensitive.unbiased, 6), round(other.unbiased, 6)
    (0.2, 0.5)
    """
    p1, p2 = map(float, truth)
    if truth[0] == truth[1]:
        raise ValueError(f"truth must be two different chances, got {truth[0]} twice")
    sizes = [sum(sample) for sample in counts]
    if min(sizes) < 1 or min(map(min, counts)) < 0 or sum(sizes) > MOST_RESPONDENTS:
        raise ValueError(f"counts must be 0 or more, with somebody in each sample, got {counts}")
    l1, l2 = (sample[1] / size for sample, size in zip(counts, sizes, strict=True))
    v1, v2 = (share * (1 - share) / size for share, size in zip((l1, l2), sizes, strict=True))
    apart = p1 - p2
    # Of the other question the chances are 1 - p1 and 1 - p2, so that it is the same formula.
    shares = (l1 * (1 - p2) - l2 * (1 - p1)) / apart, (l2 * p1 - l1 * p2) / apart
    errors = (
        math.sqrt(v1 * (1 - p2) ** 2 + v2 * (1 - p1) ** 2) / abs(apart),
        math.sqrt(v1 * p2**2 + v2 * p1**2) / abs(apart),
    )
    answers = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], np.float64)  # sensitive, other
    yes = answers @ np.array([[p1, p2], [1 - p1, 1 - p2]])
    parts = np.array(sizes) / sum(sizes)
    channel = np.stack([1 - yes, yes], axis=2) * parts[:, np.newaxis]  # [answer, sample, no or yes]
    probabilities, received = channel.reshape(4, 4), np.array(counts).ravel()
    possible = probabilities.max(axis=0) > 0
    probabilities, received = probabilities[:, possible], received[possible]
    top = most_likely(probabilities, received)
    drop = float(special.chdtri(1, 1 - confidence_level)) / 2
    estimates = []
    for question, (share, error) in enumerate(zip(shares, errors, strict=True)):
        chosen = answers[:, question] == 1
        low, high = profile_likelihood(probabilities, received, chosen, drop, top)
        likeliest = min(max(float(top.proportions[chosen].sum()), 0.0), 1.0)
        estimates.append(TwoSamples(likeliest, max(low, 0.0), min(high, 1.0), share, error))
    return estimates[0], estimates[1]
