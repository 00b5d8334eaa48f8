"""The shares among those who answered, where leaving a question out is one more protected answer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from survey import special
from survey.channel import Channel
from survey.counts import read_counts
from survey.likelihood import most_likely
from survey.solvers import brentq

FINENESS = 1e-6
"""The tolerance to which the ends of an interval are solved for."""

NOBODY = 1e-9
"""Below this share of everybody, nobody counts as having answered."""


@dataclass(frozen=True)
class AnsweredShare:
    """The share of an answer among those who answered, with its interval.

    Attributes
    ----------
    value, low, high : float
    confidence_level : float
    """

    value: float
    low: float
    high: float
    confidence_level: float


def answered_shares(
    channel: Channel, counts: npt.ArrayLike, confidence_level: float
) -> tuple[AnsweredShare, ...]:
    """Estimate the share of each answer among those who did not leave the question out.

    Parameters
    ----------
    channel : Channel
        Its last answer is that the question is left out.
    counts : array_like of int, shape (reports,)
    confidence_level : float
        In (0, 1).

    Returns
    -------
    tuple of AnsweredShare
        One for each answer but the last; empty where there are no reports, or as good as nobody has answered.

    Notes
    -----
    Of those who answer, let the share s have the answer a. Each other answer o then stands for a person of
    whom chance s makes a: the reports come from the mixtures s P[a] + (1 - s) P[o], and from P[left out]. So
    the greatest likelihood at a fixed s is again one on a simplex. The interval holds every s for which twice
    the log of the likelihood ratio is at most the chi-square quantile with 1 degree of freedom (Wilks 1938).

    Examples
    --------
    >>> from survey.mechanisms import wheel
    >>> yes = answered_shares(wheel(3, 2.0), [500, 300, 200], 0.95)[1]
    >>> round(yes.value, 2), round(yes.low, 2), round(yes.high, 2)
    (0.33, 0.28, 0.38)
    """
    received = read_counts(channel, counts)
    chances = channel.probabilities
    if not received.any():
        return ()
    top = most_likely(chances, received)
    answered = float(top.proportions[:-1].sum())
    if answered < NOBODY:
        return ()
    drop = float(special.chdtri(1, 1 - confidence_level)) / 2
    shares = []
    for answer, most in enumerate(top.proportions[:-1]):
        value = float(most) / answered

        def shortfall(share: float, answer: int = answer, value: float = value) -> float:
            if share == value:
                return -drop  # as in `survey.interval.profile_likelihood`
            others = np.delete(chances[:-1], answer, axis=0)
            mixed = np.concatenate([share * chances[answer] + (1 - share) * others, chances[-1:]])
            return top.log_likelihood - drop - most_likely(mixed, received).log_likelihood

        low = brentq(shortfall, 0.0, value, xtol=FINENESS) if shortfall(0.0) > 0 else 0.0
        high = brentq(shortfall, value, 1.0, xtol=FINENESS) if shortfall(1.0) > 0 else 1.0
        shares.append(AnsweredShare(value, low, high, confidence_level))
    return tuple(shares)
