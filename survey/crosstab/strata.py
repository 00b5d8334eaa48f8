"""One share of the population from several strata of respondents, who reported through different channels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from survey.channel import Channel, require_whole
from survey.crosstab.groups import with_two_more
from survey.estimate import estimate_proportions
from survey.interval import require_confidence_level


@dataclass(frozen=True)
class Pooled:
    """A share from all strata together.

    Attributes
    ----------
    respondents : int
        Of all strata.
    proportion, standard_error : float
        Without bias as far as the weights are fixed; the proportion may leave [0, 1].
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


def pool_strata(
    strata: Sequence[tuple[Channel, npt.ArrayLike]], answer: int, confidence_level: float = 0.95
) -> Pooled:
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
        From the strata that somebody reported in.

    Raises
    ------
    ValueError
        If there is no report at all, the strata have different answers, or an argument is refused.

    Notes
    -----
    The strata are taken to have the same share; who chose which way of reporting must have nothing to do
    with the answer. The weights are those of Agresti & Caffo's adjusted variances, as in
    `difference_of_groups`: a stratum in which all reports are the same would otherwise get all the weight.

    References
    ----------
    Cochran (1954), The Combination of Estimates from Different Experiments, Biometrics 10.

    Examples
    --------
    >>> from survey.mechanisms import coin
    >>> round(pool_strata([(coin(), [40, 60]), (coin(), [20, 30])], 1).proportion, 3)
    0.7
    """
    level = require_confidence_level(confidence_level)
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
    # pi = sum of w pi_i over sum of w, with w = 1 / variance_i
    weights = 1 / adjusted[:, 1]
    weights /= weights.sum()
    centre = float(weights @ adjusted[:, 0])
    margin = float(-ndtri((1 - level) / 2)) * math.sqrt(float(weights**2 @ adjusted[:, 1]))
    low, high = (min(max(end, 0.0), 1.0) for end in (centre - margin, centre + margin))
    return Pooled(
        respondents=sum(estimate.respondents for estimate in estimates),
        proportion=float(weights @ proportions),
        standard_error=float(np.sqrt(weights**2 @ errors**2)),
        low=low,
        high=high,
        confidence_level=level,
    )
