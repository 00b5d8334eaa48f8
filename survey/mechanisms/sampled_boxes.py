"""Several choices, of which each respondent reports on a few, drawn at random."""

from __future__ import annotations

import math

import numpy as np

from survey.channel import TOTAL, largest_weight_within, require_epsilon, require_whole
from survey.mechanisms.forced_response import spinner_coin
from survey.mechanisms.independent_boxes import MOST_BOXES, BoxChannel


def sampled_box(boxes: int, epsilon: float) -> BoxChannel:
    """Build the channel for boxes of which each respondent reports s out of d, sharing the whole epsilon.

    Which boxes is drawn uniformly and independently of the answers, so it costs nothing; each sampled
    box has a spinner and a coin with epsilon/s. The s of least variance is taken.

    Parameters
    ----------
    boxes : int
        d, 2 to 20.
    epsilon : float
        The largest privacy loss allowed for the question, in (0, 10].

    Returns
    -------
    BoxChannel
        Two answers and three reports: 0 for no, 1 for yes, 2 for not sampled. The browser draws the boxes
        with one word and each report with another through ``channel.box``; the three columns are what
        that comes to, to within 2**-32.

    Raises
    ------
    ValueError
        If a number is outside its range.

    References
    ----------
    Nguyen et al. (2016), Collecting and Analyzing Data from Smart Device Users with Local Differential
    Privacy; N. Wang et al. (2019), ICDE, section IV.

    Examples
    --------
    >>> channel = sampled_box(10, 1.0)
    >>> channel.sampled, channel.probabilities.round(4).tolist()
    (1, [[0.0731, 0.0269, 0.9], [0.0269, 0.0731, 0.9]])
    """
    boxes = require_whole("boxes", boxes, 2, MOST_BOXES)
    epsilon = require_epsilon(epsilon)
    sampled = min(range(1, boxes + 1), key=lambda s: box_variance(boxes, epsilon, s, 0.5))
    reported = round(TOTAL * sampled / boxes)
    kept = largest_weight_within(epsilon / sampled, reported)
    other = reported - kept
    return BoxChannel(
        weights=np.array([[kept, other, TOTAL - reported], [other, kept, TOTAL - reported]]),
        boxes=boxes,
        sampled=sampled,
        box=spinner_coin(epsilon / sampled),
    )


def box_variance(boxes: int, epsilon: float, sampled: int, share: float) -> float:
    """Return n times the variance of the estimated share of one box.

    Parameters
    ----------
    boxes, epsilon, sampled
        d, epsilon for the question, and s; s = d is `per_box`.
    share : float
        The true share of the box, in [0, 1].
    """
    part = epsilon / sampled
    # A spinner and a coin with E = e^(epsilon/s): E/(E-1)^2 + pi (1 - pi), from n s/d respondents.
    return boxes / sampled * (math.exp(part) / math.expm1(part) ** 2 + share * (1 - share))
